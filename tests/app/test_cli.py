"""Mistakes on the command line: one line that says what and where to read on, code 2."""

import pytest

from klingel.app import cli


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["run", "hbbills311", "--sped", "45"], ("--sped", "--speed", "klingel run --help")),
        (["run", "hbbills311", "--speed", "45", "--rtol", "small"], ("--rtol", "klingel run --help")),
        (["frobnicate"], ("frobnicate", "klingel --help")),
        (["validate"], ("Missing argument", "klingel validate --help")),
    ],
)
def test_mistyped_command_is_one_line(arguments, words, monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["klingel", *arguments])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    told = capsys.readouterr().err
    assert ended.value.code == 2
    assert told.startswith("klingel: ")
    assert told.count("\n") == 1
    assert all(word in told for word in words)


def test_nothing_typed_gives_help(monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["klingel"])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert ended.value.code == 0
    assert "reproduce" in capsys.readouterr().out


def test_place_that_cannot_be_made_is_one_line(tmp_path, monkeypatch, capsys):
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(
        "sys.argv", ["klingel", "example", "impact-oscillator", "--out", str(tmp_path / "file" / "x")]
    )
    with pytest.raises(SystemExit) as ended:
        cli.main()
    told = capsys.readouterr().err.splitlines()
    assert ended.value.code == 2
    assert told[-1].startswith("klingel: ")
    assert "Not a directory" in told[-1]
