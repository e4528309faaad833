"""The page of all figures: every number is there, every command has options and kinds that exist."""

import re
import shlex
from pathlib import Path

import pytest
from typer.main import get_command

from klingel.app.cli import app
from klingel.plots.catalogue import KINDS

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "how-to" / "thesis-figures.md").read_text(encoding="utf-8")
FIGURES = {2: 76, 3: 5, 5: 53}  # of the chapters
SHELL = "\n".join(re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL))
VARIABLES = {"n": "40", **dict(re.findall(r'^\s*([A-Z]+)="(.*)"$', SHELL, re.MULTILINE))}
COMMANDS = re.findall(r"`(klingel [^`\n]+)`", PAGE)
COMMANDS += re.findall(r"\b(klingel .*?)(?:; done)?$", SHELL, re.MULTILINE)


def expanded(text: str) -> str:
    while "$" in text:
        text = re.sub(r"\$(\w+)", lambda found: VARIABLES[found[1]], text)
    return text


def numbers(text: str) -> set[tuple[int, int]]:
    """All of `2.1 to 2.5, 2.14`."""
    found = set()
    for chapter, first, last in re.findall(r"(\d)\.(\d+)(?:\s+to\s+\d\.(\d+))?", text):
        found |= {(int(chapter), k) for k in range(int(first), int(last or first) + 1)}
    return found


def test_every_figure_is_drawn_or_left_out():
    drawn = set().union(*(numbers(row) for row in re.findall(r"^\| ([\d.,to ]+) \|", PAGE, re.MULTILINE)))
    left_out = numbers(PAGE.partition("left out:")[2].partition("How near")[0])
    assert not drawn & left_out
    assert drawn | left_out == {(chapter, k) for chapter, last in FIGURES.items() for k in range(1, last + 1)}


@pytest.mark.parametrize("line", dict.fromkeys(COMMANDS))
def test_command_is_understood(line):
    """Parsed by the command itself, but not run."""
    _, name, *words = shlex.split(expanded(line))
    context = get_command(app).commands[name].make_context(name, words)  # pyright: ignore
    if name == "plot":
        assert context.params["kind"] in KINDS
