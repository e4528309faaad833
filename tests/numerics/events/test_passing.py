"""Events at which the right-hand side is continuous, with and without a cut of the step: one motion."""

from dataclasses import replace

import numpy as np
import pytest

from klingel._errors import InputError
from klingel.elements.link_sets import LinkLaw
from klingel.literature.links.link import swaying_mass
from klingel.numerics.integrate import integrate
from klingel.numerics.problem import HybridProblem

LINK = LinkLaw(stiffness=5.0, sliders=((0.4, 0.002), (0.9, 0.003)))
START = 0.05  # [m]


def power(guard):
    return 2 if ".v_" in guard else 1  # of time: at a turning point the force departs with its square


def problem(passing):
    swaying = swaying_mass(LINK, START)
    return replace(swaying, guard_continuous=tuple(passing * power(name) for name in swaying.guard_names))


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


def test_steps_of_loose_tolerance_have_the_same_events():
    """The correction of a step may not hide one event behind another."""
    found = run(True, 1e-2, first_step=0.05)
    ones = run(False, 1e-2, first_step=0.05)
    assert [e.guard for e in found.events] == [e.guard for e in ones.events]


def softening(power, guards, act, **changes):
    """x' = 1, and y' departs from 0 with a power of time at x = 0.97."""
    names = ("corner", "second")

    def rhs(t, x, memory, mode, p, dx):
        dx[0] = 1.0
        dx[1] = 1e-3 * (x[0] - 0.97) ** p[0] if mode[0] > 0 else 0.0
        dx[2] = 0.0

    return HybridProblem(
        rhs, np.array([float(power)]), ("x", "y", "z"), guards=guards, act=act, guard_names=names,
        guard_owner=(0, 0), mode_names=("corner",), mode=np.zeros(1, np.int8), **changes,
    )  # fmt: skip


def corner(t, x, memory, mode, p, g):
    g[0] = 0.97 - x[0] if mode[0] == 0 else 1.0
    g[1] = 1.0


def begin(t, x, memory, mode, p, fired):
    if fired[0]:
        mode[0] = 1
    if fired[1]:
        mode[0] = 2
    if fired.size > 2 and fired[2]:
        x[2] = 7.0


@pytest.mark.parametrize("power", [1, 2])
def test_the_correction_is_exact_for_a_power_of_time(power):
    passing = softening(power, corner, begin, guard_continuous=(power, 0))
    found = integrate(passing, [0.0, 0.0, 0.0], 1.0, rtol=1e-3, atol=1e-3, method="dopri54", first_step=1.0)
    assert found.stats.stops == 0
    assert found.x[-1, 1] == pytest.approx(1e-3 * 0.03 ** (power + 1) / (power + 1), rel=1e-9)


def test_an_instant_at_the_end_of_a_passed_step_is_acted_on():
    for power in (0, 1):
        known = softening(1, corner, begin, guard_continuous=(power, 0), time_events=(1.0,))
        found = integrate(known, [0.0, 0.0, 0.0], 1.0, rtol=1e-3, atol=1e-3, method="dopri54", first_step=1.0)
        assert [e.time for e in found.events] == pytest.approx([0.97, 1.0])
        assert found.x[-1, 2] == 7.0


def dipping(t, x, memory, mode, p, g):
    g[0] = 0.97 - x[0] if mode[0] == 0 else 1.0
    g[1] = (x[0] - 5.25) ** 2 - 0.01 if mode[0] < 2 else 1.0


def test_a_guard_that_dips_after_a_passed_event_is_seen():
    """Without a quick look the guards of the end of a passed step are those of the start of the next one."""
    for power in (0, 1):
        known = softening(1, dipping, begin, guard_continuous=(power, 0))
        found = integrate(known, [0.0, 0.0, 0.0], 6.0, rtol=1e-3, atol=1e-3, method="dopri54", max_step=0.7)
        assert [e.time for e in found.events] == pytest.approx([0.97, 5.15], abs=1e-6), power


def test_every_guard_says_whether():
    with pytest.raises(InputError, match="guard_continuous"):
        integrate(replace(problem(True), guard_continuous=(1,)), [START, 0.0], 1.0)
    wrong = replace(problem(True), guard_continuous=(3,) * len(problem(True).guard_names))
    with pytest.raises(InputError, match="guard_continuous"):
        integrate(wrong, [START, 0.0], 1.0)
