"""`klingel reproduce`: list, chosen claims, documents; bad input is one line and exit code 2."""

import json

import pytest
from typer.testing import CliRunner

from klingel.app.cli import app

KEYS = {"id", "kind", "source", "quantity", "published", "computed", "unit", "tolerance", "status", "note"}


def reproduce(*arguments: str):
    return CliRunner().invoke(app, ["reproduce", *arguments])


def test_list_runs_nothing():
    listed = json.loads(reproduce("--list", "--json").stdout)
    assert len(listed) >= 30
    assert {claim["status"] for claim in listed} == {"not-run"}
    words = reproduce("--list", "--fast").stdout.splitlines()
    assert 20 <= len(words) <= len(listed)
    assert any(line.startswith("esdirk-pole ") for line in words)


def test_chosen_claims_as_document_and_file(tmp_path):
    out = tmp_path / "claims.json"
    result = reproduce("esdirk-pole", "esdirk-order", "--workers", "1", "--json", "--out", str(out))
    assert result.exit_code == 0, result.stderr
    document = json.loads(result.stdout)
    assert [claim["id"] for claim in document] == ["esdirk-pole", "esdirk-order"]
    assert set(document[0]) >= KEYS
    assert document[0]["status"] == "reproduced"
    assert json.loads(out.read_text()) == document


def test_words_for_people():
    result = reproduce("esdirk", "--workers", "1")
    assert result.exit_code == 0, result.stderr
    assert "number: 6 reproduced, 0 differs, 0 not-run" in result.stdout
    assert "identity: 1 reproduced, 0 differs, 0 not-run, not counted" in result.stdout
    assert "esdirk: 0." in result.stdout


def test_interrupted_run_says_so_and_keeps_the_rest(monkeypatch):
    done = []

    def execute(study, case):
        if done:
            raise KeyboardInterrupt
        done.append(study.name)
        return original(study, case)

    from klingel.literature.reproduce import run

    original = run.execute
    monkeypatch.setattr(run, "execute", execute)
    result = reproduce("esdirk", "contact-patch", "--workers", "1", "--json")
    assert result.exit_code == 130
    found = {claim["id"]: claim for claim in json.loads(result.stdout)}
    assert found["b4-c22"]["status"] == "reproduced"
    assert (found["esdirk-pole"]["status"], found["esdirk-pole"]["note"]) == ("not-run", "interrupted")


@pytest.mark.parametrize("stop", [None, KeyboardInterrupt])
def test_only_a_complete_run_makes_the_page_anew(monkeypatch, tmp_path, stop):
    from klingel.literature.reproduce import catalogue, run
    from klingel.literature.reproduce.claim import Claim, Study

    def execute(study, case):
        if stop and study.name == "second":
            raise stop
        return original(study, case)

    original = run.execute
    claims = {
        name: Claim(f"{name}-claim", "nowhere", "a number", 1.0, "", 0.0, "a count")
        for name in ("first", "second")
    }
    studies = tuple(Study(name, lambda _, c=c: {c.id: 1.0}, (c,), fast=True) for name, c in claims.items())
    monkeypatch.setattr(catalogue, "all_studies", lambda: studies)
    monkeypatch.setattr(run, "execute", execute)
    page = tmp_path / "page.md"
    page.write_text("# The old page\n")
    result = reproduce("--workers", "1", "--markdown", str(page))
    assert result.exit_code == (130 if stop else 0)
    if stop:
        assert page.read_text() == "# The old page\n"
        assert f"left {page} as it was" in result.stderr
    else:
        assert "| all | 2 | 2 | 0 | 0 |" in page.read_text()
        assert [row["status"] for row in json.loads((tmp_path / "page.json").read_text())] == ["reproduced"] * 2
    assert {path.name for path in tmp_path.iterdir()} == ({"page.md"} if stop else {"page.md", "page.json"})


def test_wrong_parameters_on_demand():
    result = reproduce("esdirk", "--workers", "1", "--mutate", "--json")
    assert result.exit_code == 0, result.stderr
    found = {claim["id"]: claim for claim in json.loads(result.stdout)}
    assert found["esdirk-pole"]["wrong"] == {
        "parameter": "gamma x 0.5",
        "computed": pytest.approx(4.8),
        "status": "differs",
    }
    assert found["esdirk-interpolant"]["kind"] == "identity"


def test_a_page_is_told_its_age(tmp_path):
    from klingel.literature.reproduce.page import OLDER, placed

    page = tmp_path / "page.md"
    page.write_text(placed("# Page\n", "table"))
    assert reproduce("--check", str(page)).exit_code == 0
    assert OLDER not in page.read_text()
    page.write_text(page.read_text().replace("studies: `", "studies: `0"))
    result = reproduce("--check", str(page))
    assert result.exit_code == 1
    assert "older engine" in result.stderr
    assert OLDER in page.read_text()


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        (["no-such-claim"], "no-such-claim"),
        (["esdirk", "--workers", "0"], "--workers"),
        (["esdirk", "--out", "no-such-folder/a.json"], "--out"),
        (["esdirk", "--markdown", "page.md"], "--markdown"),
        (["--check", "no-such-page.md"], "--check"),
    ],
)
def test_bad_input_is_one_line(arguments, field):
    result = reproduce(*arguments)
    assert result.exit_code == 2
    assert field in result.stderr
    assert len(result.stderr.splitlines()) == 1
