"""Events located, ignored and smoothed next to each other."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
import scipy.integrate

from klingel.literature.example import find
from klingel.literature.nonsmooth_bogies import ways
from klingel.literature.nonsmooth_bogies.three_ways import Parameters, axle, bogie, checks
from klingel.literature.nonsmooth_bogies.ways import IGNORE, LOCATE, PEER, SMOOTH, rows
from klingel.model import assembly

SHORT = Parameters(duration=2.0)


@pytest.fixture(scope="module")
def flange():
    return list(rows(bogie(SHORT), 1e-6, ("cashkarp54", PEER)))


def test_the_corner_of_a_flange_may_be_ignored_or_smoothed(flange):
    """No difference of the motion; located it is nearer to the exact one, with fewer rejected steps."""
    assert [(row.way, row.solver) for row in flange[1:]] == [
        (LOCATE, "cashkarp54"), (IGNORE, "cashkarp54"), (IGNORE, PEER), (SMOOTH, "cashkarp54"), (SMOOTH, PEER),
    ]  # fmt: skip
    assert {row.told for row in flange[1:]} == {"same"}
    located, ignored = flange[1], flange[2]
    assert located.error < 0.3 * ignored.error < 1e-5
    assert located.rejected < 0.5 * ignored.rejected
    assert (located.events > 0, ignored.events) == (True, 0)


def smooth_by_peer(monkeypatch, rhs):
    """LSODA with other rates; those of the compiled solvers stay as they are."""
    monkeypatch.setattr(ways, "assembly", SimpleNamespace(prepare=assembly.prepare, rhs=rhs))
    (row,) = (row for row in rows(bogie(Parameters(duration=0.2)), 1e-6, (PEER,)) if row.way == SMOOTH)
    return row


def test_a_state_the_model_refuses_ends_the_peer(monkeypatch):
    def refusing(t, x, memory, mode, system, dx):
        return 1 if t > 0.1 else assembly.rhs(t, x, memory, mode, system, dx)

    row = smooth_by_peer(monkeypatch, refusing)
    assert row.told.startswith("ended: the model refuses a state at 0.1")
    assert np.isnan(row.amplitude)


def test_a_peer_that_gives_up_is_not_extrapolated(monkeypatch):
    """LSODA comes half the way only, as after too small a step: its dense output knows no end."""
    known = scipy.integrate.solve_ivp

    def giving_up(rates, span, *others, **options):
        found = known(rates, (span[0], 0.5 * span[1]), *others, **options)
        found.success, found.message = False, "step too small"
        return found

    monkeypatch.setattr(scipy.integrate, "solve_ivp", giving_up)
    row = smooth_by_peer(monkeypatch, assembly.rhs)
    assert row.told == "ended: step too small (at 0.1 s)"
    assert np.isnan(row.amplitude)


def test_a_solver_that_ended_fails_the_check(flange):
    ended = replace(flange[-1], told="ended: step too small", amplitude=np.nan)
    assert [check.ok for check in checks(flange)] == [True, True, True]
    assert [check.ok for check in checks([*flange[:-1], ended])] == [True, True, False]


def test_an_impact_that_is_ignored_comes_too_late():
    found = list(rows(axle(SHORT), 1e-6, ("cashkarp54",)))
    exact, located, ignored, refused = found
    assert exact.y is not None
    assert located.y is not None
    assert ignored.y is not None
    limit = 22.5e-3
    assert np.abs(located.y).max() <= limit + 1e-6
    assert np.abs(ignored.y).max() > 1.02 * limit
    assert ignored.error > 10.0 * located.error
    assert (refused.way, refused.told) == (
        SMOOTH, "refused: left_box.guide_x: cannot be smoothed: guide has no smooth form; locate its events",
    )  # fmt: skip


def test_the_example_writes_its_table_and_pictures(tmp_path):
    parameters, run = find("three-ways")
    result = run(tmp_path, parameters(duration=4.0))
    assert [check.what for check in result.checks if not check.ok] == []
    assert {path.name for path in result.files} == {"table.md", "three-ways.png", "rest-and-creep.png"}
    assert "| ignore | lsoda |" in (tmp_path / "table.md").read_text()
