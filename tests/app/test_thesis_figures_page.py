"""The page of all figures: every number is there, every command has options and kinds that exist.

One command of every kind of picture is run, after those that make its files; all of them would take an hour.
Runs are cut to some seconds, sweeps to their first value.
"""

import re
import shlex
from pathlib import Path

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from klingel.app.cli import app
from klingel.plots.catalogue import KINDS
from tests.docs.shorter import shorter

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


SECONDS = 4.0  # of a run; enough for a spectrum
FILES = dict(re.findall(r"^cat > (\S+) <<END\n(.*?)^END$", SHELL, re.MULTILINE | re.DOTALL))


def command(line: str) -> list[str]:
    return shlex.split(expanded(line))[1:]


def makers() -> dict[str, list[str]]:
    """By file, or the folder it stands in, the command that makes it."""
    found = {}
    for line in COMMANDS:
        words = command(line)
        if words[0] in ("run", "sweep", "contact") and "--out" in words:
            found[words[words.index("--out") + 1]] = words
    return found


def one_of_each_kind() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for words in map(command, COMMANDS):
        stored = [word for word in words if word.endswith(".nc")]
        if words[0] == "plot" and set(stored) <= makers().keys():  # loops over the inclination are read with one
            found.setdefault(words[words.index("--kind") + 1], words)
    return found


def make(words: list[str], made: set[str]) -> None:
    """Run a command, after those that make what it reads."""
    for word in words[1:]:
        name = word.split("/")[0]
        if name in FILES and name not in made:
            Path(name).write_text(FILES[name], encoding="utf-8")
            made.add(name)
        maker = makers().get(name)
        if maker is not None and maker is not words and name not in made and name != words[-1]:
            make(maker, made)
            made.add(name)
    windows = ("--from", "--to")  # seconds that a run cut short does not have
    kept = [w for k, w in enumerate(words) if w not in windows and words[k - 1] not in windows]
    result = CliRunner().invoke(app, shorter(kept, SECONDS))
    assert result.exit_code == 0, f"{words}: {result.stdout[-300:]}{result.stderr[-300:]}"


@pytest.mark.slow
def test_one_picture_of_each_kind_is_drawn(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    made: set[str] = set()
    kinds = one_of_each_kind()
    assert len(kinds) > 12
    for words in kinds.values():
        before = {path.name for path in tmp_path.glob("*.png")}
        make(words, made)
        assert len({path.name for path in tmp_path.glob("*.png")} - before) == 1, words
