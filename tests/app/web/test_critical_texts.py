"""The page *Critical speed*: command and Python ask what the page asked; every line of the evidence is shown."""

import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

import klingel as kg
from klingel.app.cli import app
from klingel.app.web.pages.critical import command_text, evidence_rows, python_text
from klingel.simulation.critical import critical_speed as asking
from klingel.simulation.critical.settings import Settings

ASKED = Settings(threshold=1 / 3e4, slowest=10 / 3.6, fastest=100 / 3.0, hold=7.25, seeds=3)
RTOL = 3e-7


class Asked(Exception):
    """Instead of computing."""


@pytest.fixture
def questions(tmp_path, monkeypatch):
    """What `critical_speed` was asked, request and settings."""
    heard: list[asking.Asked] = []

    def hear(asked):
        heard.append(asked)
        raise Asked

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(asking, "Ride", hear)
    request = kg.RunRequest.of("cooperrider", speed=20.0, duration=1.0)
    Path("request.toml").write_text(request.to_toml(), encoding="utf-8")
    return heard


def test_command_and_python_are_the_same_question(questions):
    settings = {**ASKED.as_dict(), "rtol": RTOL}
    assert isinstance(CliRunner().invoke(app, shlex.split(command_text(settings))[1:]).exception, Asked)
    with pytest.raises(Asked):
        exec(python_text(settings), {"__name__": "__main__"})
    command, python = questions
    assert command.settings == python.settings == ASKED
    assert command.request.solving.rtol == python.request.solving.rtol == RTOL


def test_lines_of_the_same_kind_are_all_shown():
    lines = [("rest set", "one"), ("rest set", "two"), ("motions that last", 3), ("shift [m]", 0.0057123)]
    rows = evidence_rows({"evidence": [{"what": what, "value": value} for what, value in lines]})
    assert rows == [*lines[:2], ("motions that last", "3"), ("shift [m]", "0.005712")]
