"""Two methods in one run: the one that gets farther goes on, and errors stay those of the tolerance."""

import numpy as np
import pytest

from klingel._errors import InputError
from klingel.numerics.integrate import integrate
from klingel.numerics.problem import HybridProblem
from tests.numerics.small_problems import level_crossing, stiff_problem

PAIR = "dopri54/chain34"
WITH_IMPLICIT = "chain34/ros34pw2"


def swing(t, x, memory, mode, p, dx):
    dx[0], dx[1] = x[1], -p[0] * x[0]


def oscillator():
    return HybridProblem(swing, np.array([1.0]), ("x", "v"))


def test_the_chain_goes_on_where_stability_limits_the_step():
    """A stiff decay that has settled: any explicit method sits at its limit, and chain34 pays less for it."""
    problem, start = stiff_problem(rate=1e3), [1.0, 1.0]
    options = {"rtol": 1e-4, "atol": 1e-6}
    alone = {m: integrate(problem, start, 20.0, method=m, **options).stats.rhs for m in ("dopri54", "chain34")}
    both = integrate(problem, start, 20.0, method=PAIR, **options).stats
    assert alone["chain34"] < 0.8 * alone["dopri54"]
    assert both.rhs < 1.1 * alone["chain34"]
    assert both.family_changes % 2 == 1


def test_the_high_order_goes_on_where_accuracy_limits_it():
    options = {"rtol": 1e-8, "atol": 1e-10, "output_step": 1.0}
    alone = integrate(oscillator(), [1.0, 0.0], 300.0, method="dopri54", **options)
    both = integrate(oscillator(), [1.0, 0.0], 300.0, method=PAIR, **options)
    assert both.stats.rhs < 1.2 * alone.stats.rhs
    assert both.stats.family_changes % 2 == 0
    np.testing.assert_allclose(both["x"], np.cos(both.t), rtol=0, atol=1e-5)


def test_events_are_found_by_both():
    run, fine = (
        integrate(level_crossing(), [0.0, 1.0], 200.0, method=method, rtol=1e-7, atol=1e-9)
        for method in (PAIR, "verner65")
    )
    assert len(run.events) == len(fine.events)
    np.testing.assert_allclose(run.events.time, fine.events.time, rtol=0, atol=1e-4)


def test_an_implicit_method_goes_on_where_a_stiff_motion_has_died_down():
    """At some ten times fewer right-hand sides, and with the errors of the tolerance."""
    problem, start = stiff_problem(rate=1e3), [1.0, 1.0]
    options = {"rtol": 1e-4, "atol": 1e-6, "output_step": 0.1}
    alone = integrate(problem, start, 20.0, method="chain34", **options)
    both = integrate(problem, start, 20.0, method=WITH_IMPLICIT, **options)
    fine = integrate(problem, start, 20.0, method="dopri54", rtol=1e-9, atol=1e-11, output_step=0.1)
    assert both.stats.rhs < 0.2 * alone.stats.rhs
    assert both.stats.family_changes % 2 == 1
    np.testing.assert_allclose(both.x, fine.x, rtol=0, atol=1e-3)


def test_an_explicit_method_goes_on_where_accuracy_limits_the_step():
    options = {"rtol": 1e-8, "atol": 1e-10, "output_step": 1.0}
    alone = integrate(oscillator(), [1.0, 0.0], 100.0, method="dopri54", **options)
    both = integrate(oscillator(), [1.0, 0.0], 100.0, method="dopri54/ros34pw2", **options)
    assert both.stats.family_changes % 2 == 0
    assert both.stats.rhs < 2.0 * alone.stats.rhs
    np.testing.assert_allclose(both["x"], np.cos(both.t), rtol=0, atol=1e-5)


@pytest.mark.parametrize("method", [PAIR, WITH_IMPLICIT, "chain34/rosw43"])
def test_a_run_in_pieces_is_the_same_to_the_bit(method):
    problem, options = stiff_problem(rate=1e3), {"method": method, "rtol": 1e-4, "atol": 1e-6, "output_step": 0.1}
    whole = integrate(problem, [1.0, 1.0], 2.0, **options)
    piece = integrate(problem, [1.0, 1.0], 2.0, chunk_steps=50, on_chunk=lambda at: at.t > 0.35, **options)
    rest = integrate(problem, [1.0, 1.0], 2.0, resume=piece.checkpoint, **options)
    assert not piece.complete
    assert np.array_equal(np.concatenate([piece.x, rest.x]), whole.x)
    assert rest.stats.rhs == whole.stats.rhs


@pytest.mark.parametrize("method", ["dopri54/esdirk34", "dopri54/chain34/bs32", "ros34pw2/dopri54", "dopri54/"])
def test_what_cannot_race_is_refused(method):
    with pytest.raises(InputError, match="method"):
        integrate(oscillator(), [1.0, 0.0], 1.0, method=method)


def test_three_methods_need_to_know_when_they_turn_implicit():
    with pytest.raises(InputError, match="implicit_times"):
        integrate(oscillator(), [1.0, 0.0], 1.0, method=f"{PAIR}+ros34pw2")
    run = integrate(oscillator(), [1.0, 0.0], 2.0, method=f"{PAIR}+ros34pw2", implicit_times=(1.0, 3.0), rtol=1e-7)
    assert run["x"][-1] == pytest.approx(np.cos(2.0), abs=1e-4)
