"""Closed form of the contact and the underlying differential equation against the constraints they come from."""

import numpy as np
import pytest

from klingel.literature.wheelset_dae import ode
from klingel.literature.wheelset_dae import problem as dae
from klingel.literature.wheelset_dae.problem import Formulation, Wheelset
from klingel.numerics.dae.half_explicit import method as half_explicit
from klingel.numerics.dae.problem import Treatment

NOTHING = np.zeros(0), np.zeros(0, np.int8)
STATES = [dae.PRINTED_START, dae.REFERENCE, dae.REFERENCE * 1.01 + 1e-3]


@pytest.fixture(scope="module")
def start():
    return dae.start(Wheelset())


@pytest.mark.parametrize("u", STATES)
@pytest.mark.parametrize("settings", [{}, {"kappa": 0.002, "alpha": 0.05, "m_A": 3.0, "F_A": 2.0, "L_A": 0.1}])
def test_closed_form_contact_satisfies_tangency(u, settings, start):
    wheelset = Wheelset(**settings)
    full = ode.all_components(ode.problem(wheelset, start), u[:11])
    case = dae.problem(wheelset, Formulation.INDEX_2, start)
    rows = np.zeros(17)
    case.constraints(0.0, full, *NOTHING, case.parameters, rows)
    assert np.max(np.abs(rows[11:15])) < 1e-15


@pytest.mark.parametrize("u", STATES)
@pytest.mark.parametrize("settings", [{}, {"kappa": 0.002, "alpha": 0.05, "m_A": 3.0, "F_A": 2.0, "L_A": 0.1}])
def test_accelerations_keep_the_rolling_constraint(u, settings, start):
    """d/dt (b v) along the flow, by differences of the invariants, vanishes."""
    case = ode.problem(Wheelset(**settings), start)
    f, above, below = np.zeros(11), np.zeros(4), np.zeros(4)
    x = np.array(u[:11])
    case.rhs(0.0, x, *NOTHING, case.parameters, f)
    step = 1e-6
    case.invariants(0.0, x + step * f, *NOTHING, case.parameters, above)
    case.invariants(0.0, x - step * f, *NOTHING, case.parameters, below)
    assert np.max(np.abs(above - below)[2:]) / (2 * step) < 1e-7 * np.max(np.abs(f))


@pytest.mark.parametrize("u", STATES)
def test_same_accelerations_as_the_dae(u, start):
    case = ode.problem(Wheelset(), start)
    f, g = np.zeros(11), np.zeros(17)
    case.rhs(0.0, np.array(u[:11]), *NOTHING, case.parameters, f)
    full = ode.all_components(case, u[:11])
    other = dae.problem(Wheelset(), Formulation.INDEX_2, start)
    other.rhs(0.0, full, *NOTHING, other.parameters, g)
    assert np.allclose(f, g[:11], rtol=1e-12, atol=1e-12)


def test_projection_keeps_the_invariants(start):
    case = ode.problem(Wheelset(), start)
    run = half_explicit.solve(case, start[:11], 0.5, rtol=1e-6, atol=1e-6, treatment=Treatment.PROJECT)
    assert max(run.drift.values()) < 2e-15
