"""A right-hand side that jumps without a mode: steps end where the system says it does."""

from dataclasses import replace

import numpy as np
import pytest

from klingel._jit import kernel
from klingel.numerics.events.breaks import BEYOND, HOLD, RELEASE, START
from klingel.numerics.integrate import integrate
from klingel.numerics.problem import HybridProblem
from klingel.numerics.signatures import RHS, VECTOR, breaks_signature

STIFFNESS, DAMPING, HELD, NOTED = range(4)  # entries of p


@kernel(signature=RHS)
def _bounce(t, x, memory, mode, p, dx):
    """A mass falls on a damped spring: the force jumps from 0 to d x' where it touches."""
    dx[0], dx[1] = x[1], -9.81
    if x[0] < 0.0 and p[HELD] == 0.0:
        dx[1] += max(-p[STIFFNESS] * x[0] - p[DAMPING] * x[1], 0.0)
    return 0


@kernel(signature=breaks_signature(VECTOR))
def _breaks(task, t, x, memory, mode, p):
    if task == RELEASE:
        p[HELD] = 0.0
    elif task == START:
        p[NOTED] = -x[0]
    elif task == HOLD and p[NOTED] < 0.0 and x[0] < 0.0:
        p[HELD] = 1.0
        return -p[NOTED]
    return -x[0] if task == BEYOND else 0.0


def _problem() -> HybridProblem:
    return HybridProblem(_bounce, np.array([1e4, 60.0, 0.0, 0.0]), ("x", "v"), breaks=_breaks)


def _run(problem: HybridProblem, rtol: float, **options):
    return integrate(problem, [0.1, 0.0], 1.0, rtol=rtol, atol=1e-3 * rtol, output_step=0.01, **options)


@pytest.mark.parametrize("method", ["dopri54", "chain34", "verner65", "bs32"])
def test_fewer_steps_are_rejected(method):
    held, blind = (
        _run(problem, 1e-6, method=method) for problem in (_problem(), replace(_problem(), breaks=None))
    )
    assert held.stats.rejected < 0.7 * blind.stats.rejected
    assert held.stats.rhs < blind.stats.rhs


def test_the_same_motion():
    fine = _run(replace(_problem(), breaks=None), 1e-12)
    for rtol in (1e-5, 1e-6, 1e-7):
        off = np.abs(_run(_problem(), rtol).x - fine.x).max(axis=0)
        assert np.all(off < 3e2 * rtol), (rtol, off)


def test_nothing_stays_held_and_the_far_side_is_reached():
    problem = _problem()
    run = integrate(problem, [0.1, 0.0], 0.3, rtol=1e-7, atol=1e-10)
    assert problem.parameters[HELD] == 0.0
    touched = np.sqrt(2.0 * 0.1 / 9.81)
    nearest = np.abs(run.t - touched)
    # one step ends there, beyond the surface by less than the tolerance lets the flight be off
    assert nearest.min() < 1e-7
    assert run.x[nearest.argmin(), 0] == pytest.approx(0.0, abs=1e-7)


def test_in_pieces_to_the_bit():
    whole, pieces = _run(_problem(), 1e-6), _run(_problem(), 1e-6, chunk_steps=1)
    np.testing.assert_array_equal(whole.x, pieces.x)


@pytest.mark.parametrize("options", [{"redo_events": True}, {"locate": False}, {"method": "esdirk34"}])
def test_left_alone_where_steps_may_not_be_cut(options):
    held, blind = (_run(problem, 1e-6, **options) for problem in (_problem(), replace(_problem(), breaks=None)))
    np.testing.assert_array_equal(held.x, blind.x)
