"""Events at which the right-hand side is continuous, with and without a cut of the step: one motion."""

from dataclasses import replace

import numpy as np
import pytest

from klingel._errors import InputError
from klingel.elements.link_sets import LinkLaw
from klingel.literature.links.link import swaying_mass
from klingel.numerics.integrate import integrate

LINK = LinkLaw(stiffness=5.0, sliders=((0.4, 0.002), (0.9, 0.003)))
START = 0.05  # [m]


def problem(passing):
    swaying = swaying_mass(LINK, START)
    return replace(swaying, guard_continuous=(passing,) * len(swaying.guard_names))


def run(passing, rtol, **options):
    options = {"method": "dopri54", "output_step": 0.02, **options}
    return integrate(problem(passing), [START, 0.0], 3.0, rtol=rtol, atol=rtol * 1e-2, **options)


@pytest.fixture(scope="module")
def reference():
    return run(False, 1e-12)


def error(found, reference):
    return np.abs(found.x - reference.x).max()


def same_events(one, other, time):
    for column in ("guard", "owner", "old", "new"):
        np.testing.assert_array_equal(getattr(one.events, column), getattr(other.events, column), column)
    np.testing.assert_allclose(one.events.time, other.events.time, rtol=0, atol=time)


@pytest.mark.parametrize(("rtol", "step"), [(1e-4, 2e-3), (1e-6, 5e-4)])
def test_short_steps_pass_with_errors_far_below_the_tolerance(reference, rtol, step):
    passing = run(True, rtol, max_step=step)
    same_events(passing, reference, 1e-5)
    assert error(passing, reference) < rtol * 1e-2
    assert passing.stats.stops < 0.5 * reference.stats.stops
    assert passing.stats.events == reference.stats.events > 20


@pytest.mark.parametrize("rtol", [1e-4, 1e-6, 1e-8])
def test_long_steps_are_cut_where_the_correction_is_more_than_the_tolerance(reference, rtol):
    passing, cut = run(True, rtol), run(False, rtol)
    same_events(passing, reference, 300 * rtol)
    assert error(passing, reference) < 2 * error(cut, reference)


def test_rows_at_a_passed_event_are_those_before_and_after_it():
    found = run(True, 1e-5, output_step=None)
    assert np.all(np.diff(found.t) >= 0.0)
    for event in found.events:
        rows = np.flatnonzero(found.t == event.time)
        assert rows.size == 2
        np.testing.assert_array_equal(found.x[rows[0]], found.x[rows[1]])
        assert np.any(found.mode[rows[0]] != found.mode[rows[1]])


def test_a_run_in_pieces_is_the_same_to_the_bit():
    whole, pieces = run(True, 1e-5), run(True, 1e-5, chunk_steps=7)
    np.testing.assert_array_equal(whole.x, pieces.x)
    np.testing.assert_array_equal(whole.events.time, pieces.events.time)


def test_steps_of_loose_tolerance_pass_and_those_with_two_events_are_cut():
    """The correction of a step may not hide one event behind another."""
    found = run(True, 1e-2, first_step=0.05)
    ones = run(False, 1e-2, first_step=0.05)
    assert [e.guard for e in found.events] == [e.guard for e in ones.events]


def test_every_guard_says_whether():
    with pytest.raises(InputError, match="guard_continuous"):
        integrate(replace(problem(True), guard_continuous=(True,)), [START, 0.0], 1.0)
