"""`klingel example wagon-branches` from beginning to end with few points: branch, border, dots, picture."""

import json

import numpy as np
import pytest

import klingel as kg
from klingel.literature.hoffmann import wagon_branches, wagon_edges, wagon_orbits
from klingel.literature.hoffmann.wagon_branches import Parameters

BORDERS, START = (19.0, 21.0, 23.0), 21.0  # [m/s]
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def example(tmp_path_factory):
    """Three borders, two speeds of plain runs, three orbits each way."""
    folder = tmp_path_factory.mktemp("branches")
    pairs = {30.0: tuple(p for p in wagon_edges.PAIRS[30.0] if p.speed in BORDERS)}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(wagon_edges, "PAIRS", pairs)
        patch.setattr(wagon_orbits, "DOT_SPEEDS", np.array([START, START + 1.5]))
        yield folder, wagon_branches.run(folder, Parameters(inclination=30.0, points=3))


def test_branches_both_ways_from_a_settled_motion(example):
    folder, found = example
    up, down = (kg.load_branch(folder / f"branch-1-{way}.nc") for way in ("up", "down"))
    assert found.quantities["orbits"] == up.parameter.size + down.parameter.size == 6
    assert up.parameter[0] == down.parameter[0] == START
    assert (np.diff(up.parameter) > 0.0).all()
    assert (np.diff(down.parameter) < 0.0).all()


def test_borders_by_plain_runs_are_unstable_orbits(example):
    """The bisection knows no orbit, Newton's method no border: widths of three bodies within half a per cent.

    Which of the borders Newton's method closes rounding may decide; one of three is asked for.
    """
    folder, found = example
    marks = json.loads((folder / "edges.json").read_text())
    assert [mark["speed"] for mark in marks] == list(BORDERS)
    closed = [mark for mark in marks if mark["orbit"] is not None]
    assert closed
    for mark in closed:
        assert mark["outside"][:2] == [1, 0]
        assert mark["multiplier"] > 2.0
    assert len(found.checks) == 3 * len(closed)
    for check in found.checks:
        assert check.computed == pytest.approx(check.expected, rel=5e-3)


def test_a_plain_run_comes_to_the_motion_the_branch_begins_with(example):
    folder, _ = example
    dots = [d for d in json.loads((folder / "dots.json").read_text()) if d["speed"] == START]
    width = 1e3 * float(kg.load_branch(folder / "branch-1-up.nc")["front_wheelset.y.amplitude"][0])
    assert min(abs(dot["front_wheelset.y"] / width - 1.0) for dot in dots) < 0.02


def test_table_and_picture_are_there_and_nothing_is_computed_twice(example):
    folder, found = example
    assert "by bisection from far states" in (folder / "table.md").read_text()
    assert (folder / "branches.png").stat().st_size > 20_000
    again = wagon_branches.run(folder, Parameters(inclination=30.0, points=3))
    assert again.checks == found.checks
