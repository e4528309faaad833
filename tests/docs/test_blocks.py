"""Blocks of README and docs run: Python and commands of a page one after the other, in one folder.

What takes minutes is run with less to compute (`shorter`, which names the commands that are only read);
`OTHER_TESTS` names pages that are not run here.
"""

import re
import tomllib
from ast import literal_eval
from collections.abc import Callable
from pathlib import Path
from urllib.request import urlopen

import pytest
from typer.main import get_command
from typer.testing import CliRunner

import klingel as kg
from klingel.app.cli import app
from klingel.contact.profiles.profile import Body
from klingel.io.profiles import write_profile
from klingel.io.profiles.library import find_profile
from klingel.io.track.toml import save_track
from klingel.io.vehicle.files import library_text, parse_vehicle
from tests.app.web.browser import Server
from tests.docs.blocks import INLINE, PAGES, Block, blocks
from tests.docs.shorter import NOT_RUN, quick_branch, quick_critical, quick_sweep, shorter

KICK = {"front_wheelset.y": 0.005}
LANGUAGES = ("python", "sh", "console", "toml", "text")
OTHER_TESTS = {  # pages whose blocks are tried elsewhere
    "docs/how-to/add-a-template.md": "tests/vehicles/test_registry.py",
    "docs/how-to/add-an-element.md": "tests/docs/test_add_an_element.py",
    "docs/how-to/thesis-figures.md": "tests/app/test_thesis_figures_page.py",  # one command of each kind is run
}
RUNNING = [
    name
    for name in PAGES
    if name not in OTHER_TESTS and any(b.language in ("python", "sh", "console") for b in blocks(name))
]
SLOW = (  # more than ten seconds
    "README.md",
    "docs/how-to/branches.md",
    "docs/how-to/critical-speed.md",
    "docs/how-to/pictures.md",
    "docs/how-to/run.md",
    "docs/how-to/sweep.md",
    "docs/how-to/wheel-rail-contact.md",
    "docs/sources/de-pater.md",
    "docs/sources/frischmuth.md",
    "docs/sources/hoffmann.md",
    "docs/sources/true-engsig-karup-bigoni.md",
    "docs/sources/wheelset-test-set.md",
    "docs/start.md",
    "docs/tutorial/conicity.md",
    "docs/tutorial/critical-speed.md",
    "docs/tutorial/own-wagon.md",
)
TEACHING = tuple(  # what they say is printed is what comes out
    f"docs/theory/{name}.md"
    for name in ("hunting", "contact-geometry", "dry-friction", "events", "rest-set", "critical-speed")
)


def call(words: list[str]) -> str:
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 0, f"klingel {' '.join(words)}: {result.stdout[-500:]}{result.stderr[-500:]}"
    return result.stdout


def a_run(name: str, **options) -> None:
    kg.simulate(kg.load_vehicle("hbbills311", **options), kg.Track.straight(), 45.0, 6.0, KICK).save(name)


def a_sweep(name: str) -> None:
    found = kg.sweep(kg.load_vehicle("hbbills311"), kg.Track.straight(), [45.0, 44.0])
    found.save(name)


def a_curve() -> None:
    save_track(kg.Track.curve(radius=1000.0, cant=0.1), Path("curve.toml"))


def for_pictures() -> None:
    a_run("run.nc")
    a_run("other.nc", links="SPP")
    a_run("linear.nc", leaf_model="linear")
    for name in ("chains.nc", "starts.nc", "rest.nc"):
        a_sweep(name)
    a_curve()


def for_runs() -> None:
    a_curve()
    request = kg.RunRequest.of("hbbills311", speed=45.0, duration=1.0, initial=KICK)
    Path("request.toml").write_text(request.to_toml(), encoding="utf-8")


def for_branches() -> None:
    bogie, track = kg.load_vehicle("cooperrider"), kg.Track.straight()
    start = {"leading_front_wheelset.y": 0.009, "leading_rear_wheelset.y": 0.009, "leading_frame.y": 0.01}
    kg.simulate(bogie, track, 66.0, 15.0, start).save("run.nc")
    kg.sweep(bogie, track, [66.0]).save("sweep.nc")


def for_profiles() -> None:
    write_profile("worn.prw", find_profile("S1002", Body.WHEEL), spacing=0.0005)


def for_wagons() -> None:
    Path("mine.toml").write_text(library_text("g69"), encoding="utf-8")


def for_critical_speeds() -> None:
    for_wagons()
    a_sweep("sweep.nc")


PREPARED: dict[str, Callable[[], None]] = {
    "README.md": lambda: a_run("run.nc"),
    "docs/how-to/branches.md": for_branches,
    "docs/how-to/critical-speed.md": for_critical_speeds,
    "docs/how-to/own-wagon.md": for_wagons,
    "docs/how-to/pictures.md": for_pictures,
    "docs/how-to/run.md": for_runs,
    "docs/how-to/wheel-rail-contact.md": for_profiles,
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(kg, "sweep", quick_sweep(kg.sweep), raising=False)
    monkeypatch.setattr(kg, "critical_speed", quick_critical(kg.critical_speed), raising=False)
    monkeypatch.setattr(kg, "continue_orbit", quick_branch(kg.continue_orbit), raising=False)
    return tmp_path


def try_block(block: Block, names: dict) -> None:
    if block.language == "python":
        exec(block.text, names)
    elif block.language in ("sh", "console"):
        for words in block.commands():
            if words[0] in NOT_RUN or "--markdown" in words:  # a page of claims is made of all of them, in minutes
                understood(words)
            elif words[0] == "app":
                understood(words)
                answers(words)
            else:
                words, target = redirected(words)
                told = call(shorter(words))
                if target:
                    Path(target).write_text(told, encoding="utf-8")
    elif block.language == "toml" and "name" in tomllib.loads(block.text):
        vehicle = parse_vehicle(block.text)
        Path(f"{vehicle.name}.toml").write_text(block.text, encoding="utf-8")


def redirected(words: list[str]) -> tuple[list[str], str]:
    """Words before `>`, and the name of the file behind it."""
    return (words[: words.index(">")], words[-1]) if ">" in words else (words, "")


def answers(words: list[str]) -> None:
    """The workbench starts in its folder, and its first page comes."""
    server = Server(Path(words[words.index("--folder") + 1] if "--folder" in words else "klingel-runs"))
    try:
        with urlopen(f"{server.address}/") as page:
            assert b"klingel" in page.read()
    finally:
        server.stop()


def understood(words: list[str]) -> None:
    get_command(app).commands[words[0]].make_context(words[0], words[1:])  # pyright: ignore


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow if name in SLOW else ()) for name in RUNNING]
)
def test_blocks_of_a_page_run(name, folder, capsys):
    if name in PREPARED:
        PREPARED[name]()
    names: dict = {"__name__": "__main__", "kg": kg}
    for block in blocks(name):
        try_block(block, names)
    if name in TEACHING:
        told = capsys.readouterr().out
        assert [number for number in promised(name) if number not in told] == []


def promised(name: str) -> list[str]:
    """Numbers that stand behind a `print` of the page."""
    behind = [
        words for b in blocks(name) for words in re.findall(r"^ *print\(.*\)  # (.*)$", b.text, re.MULTILINE)
    ]
    return [number for words in behind for number in re.findall(r"\d+\.\d+", words)]


def test_the_pages_to_teach_with_promise_numbers():
    assert [name for name in TEACHING if name not in RUNNING] == []
    assert sum(len(promised(name)) for name in TEACHING) > 20


def test_the_rest_set_of_the_page_comes_out():
    block = next(b for b in blocks("docs/how-to/critical-speed.md") if "kg.rest_set" in b.text)
    names: dict = {"kg": kg}
    exec(block.text, names)
    told = re.search(r'^found\["carbody.y"\]  # (.*)$', block.text, re.MULTILINE)
    assert told
    assert names["found"]["carbody.y"] == pytest.approx(literal_eval(told[1]), abs=1e-5)


def test_the_tutorial_prints_the_conicity_that_comes_out(folder):
    printed = next(b for b in blocks("docs/tutorial/conicity.md") if b.language == "text").text.splitlines()
    told = call(["contact", "S1002", "UIC60", "--inclination", "1/40", "--out", "contact"]).splitlines()
    assert [line for line in printed if line not in told] == []


@pytest.mark.parametrize("name", PAGES)
def test_blocks_say_their_language(name):
    assert {block.language for block in blocks(name)} <= set(LANGUAGES)


@pytest.mark.parametrize("name", PAGES)
def test_tables_of_numbers_can_be_read(name):
    for block in blocks(name):
        if block.language == "toml":
            tomllib.loads(block.text)


@pytest.mark.parametrize("name", PAGES)
def test_commands_in_the_text_exist_with_their_options(name):
    commands = get_command(app).commands  # pyright: ignore
    for line in INLINE.findall(PAGES[name].read_text(encoding="utf-8")):
        _, command, *words = line.split()
        assert command in commands, line
        known = {word for parameter in commands[command].params for word in parameter.opts} | {"--help"}
        given = {word.partition("=")[0].rstrip(",.") for word in words if word.startswith("--")}
        assert given <= known, line
