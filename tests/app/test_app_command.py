"""`klingel app`: what stands in its way is told in one line."""

import socket

import pytest

from klingel.app import cli


def run(monkeypatch, *words: str) -> int:
    monkeypatch.setattr("sys.argv", ["klingel", "app", *words])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    return ended.value.code


def test_port_that_is_taken(monkeypatch, capsys, tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        assert run(monkeypatch, "--port", port, "--folder", str(tmp_path), "--no-browser") == 2
    told = capsys.readouterr().err
    assert "--port" in told
    assert told.count("\n") == 1


@pytest.mark.parametrize("words", [("--port", "99999"), ("--port", "x"), ("--workers", "0")])
def test_bad_options(monkeypatch, capsys, words):
    assert run(monkeypatch, *words) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_folder_that_cannot_be(monkeypatch, capsys, tmp_path):
    (tmp_path / "file").write_text("")
    assert run(monkeypatch, "--port", "0", "--folder", str(tmp_path / "file" / "runs"), "--no-browser") == 2
    assert "--folder" in capsys.readouterr().err


def test_without_the_web_packages(monkeypatch, capsys):
    monkeypatch.setattr("klingel.app.commands.workbench.find_spec", lambda name: None)
    assert run(monkeypatch, "--port", "0") == 2
    assert "klingel[app]" in capsys.readouterr().err
