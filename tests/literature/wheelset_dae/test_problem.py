"""The wheelset of the test set: published start and end values, symmetry, formulations, settable parameters."""

import numpy as np
import pytest

from klingel._errors import InputError
from klingel.literature.wheelset_dae import ode
from klingel.literature.wheelset_dae import problem as dae
from klingel.literature.wheelset_dae.equations import P
from klingel.literature.wheelset_dae.problem import Formulation, Wheelset
from klingel.numerics.dae.checks import checked
from klingel.numerics.dae.half_explicit import method as half_explicit
from klingel.numerics.dae.half_explicit.scheme import CASH_KARP_5
from klingel.numerics.dae.problem import Treatment
from klingel.numerics.dae.radau import method as radau

NOTHING = np.zeros(0), np.zeros(0, np.int8)


def right_hand_side(case, u):
    f = np.zeros(17)
    assert case.rhs(0.0, np.asarray(u, float), *NOTHING, case.parameters, f) == 0
    return f


@pytest.fixture(scope="module")
def start():
    return dae.start(Wheelset())


def test_published_rates_follow_from_the_published_start():
    case = dae.problem(Wheelset(), Formulation.INDEX_2, dae.PRINTED_START)
    assert np.max(np.abs(right_hand_side(case, dae.PRINTED_START) - dae.PRINTED_RATES)) < 2e-14


def test_printed_multipliers_violate_the_hidden_constraint(start):
    case = dae.problem(Wheelset(), Formulation.INDEX_2, start)
    with pytest.raises(InputError, match="x0: lambda_right: violates a hidden constraint"):
        checked(case, 0.0, dae.PRINTED_START, 1e-9, 1e-9)
    assert np.allclose(start[15:], [-8.3591840e-3, -7.4145528e-3], rtol=0, atol=5e-11)
    assert np.array_equal(start[:11], dae.PRINTED_START[:11])
    assert np.allclose(start[11:15], dae.PRINTED_START[11:15], rtol=0, atol=1e-15)


def test_consistent_accelerations(start):
    case = dae.problem(Wheelset(), Formulation.INDEX_2, start)
    expected = [-1.9752572, -1.06658e-3, 7.8839404e-2, -5.5333731, -0.3498027, -2.1325520]
    assert np.allclose(right_hand_side(case, start)[5:11], expected, rtol=1e-6, atol=0)


@pytest.mark.parametrize("formulation", Formulation)
def test_declared_index_is_the_observed_one(formulation, start):
    case = dae.problem(Wheelset(), formulation, start)
    assert checked(case, 0.0, start, 1e-9, 1e-9) is case
    assert checked(_without_index(case), 0.0, start, 1e-9, 1e-9).index == case.index


def _without_index(case):
    return type(case)(**{**{k: getattr(case, k) for k in case.__dataclass_fields__}, "index": None})


def mirror(u):
    """The same motion seen in a mirror: left and right change places."""
    v = np.array(u, float)
    v[[0, 3, 4, 5, 8, 9]] *= -1.0
    v[[11, 12, 13, 14]] = np.array(u)[[13, 14, 11, 12]] * [1.0, -1.0, 1.0, -1.0]
    v[[15, 16]] = np.array(u)[[16, 15]]
    return v


def test_mirrored_state_has_mirrored_rates(start):
    case = dae.problem(Wheelset(), Formulation.INDEX_2, start)
    u = dae.REFERENCE.copy()
    f, g = right_hand_side(case, u), right_hand_side(case, mirror(u))
    assert np.allclose(g[:11], mirror(f)[:11], rtol=0, atol=1e-12)
    assert np.allclose(g[[15, 16]], f[[16, 15]], rtol=0, atol=1e-15)


def test_constraints_are_the_constraint_rows(start):
    case = dae.problem(Wheelset(), Formulation.INDEX_2, start)
    u = dae.REFERENCE + 1e-3
    rows = np.zeros(17)
    case.constraints(0.0, u, *NOTHING, case.parameters, rows)
    assert np.array_equal(rows[11:], right_hand_side(case, u)[11:])


def loads(**settings):
    """Normal forces at the start [N]."""
    u = dae.start(Wheelset(**settings))
    case = dae.problem(Wheelset(**settings), Formulation.INDEX_2, u)
    g = np.zeros(2)
    case.guards(0.0, u, *NOTHING, case.parameters, g)
    return g


def test_curvature_moves_load_from_one_wheel_to_the_other():
    straight, curved, other_way = loads(), loads(kappa=1 / 250), loads(kappa=-1 / 250)
    assert np.all((curved - straight) * [1.0, -1.0] > 5.0)
    assert np.all((other_way - straight) * [-1.0, 1.0] > 5.0)


def test_cant_at_the_balancing_speed_carries_weight_and_centrifugal_force():
    """Both act along the normal of the track then: the loads add up to m sqrt(g^2 + (v^2 kappa)^2)."""
    push = 30.0**2 / 250.0
    balanced = loads(kappa=1 / 250, alpha=float(np.arctan(push / 9.81)))
    assert abs(balanced.sum() / (16.08 * np.hypot(9.81, push)) - 1.0) < 1e-3


def test_traction_and_torque_enter_their_rows(start):
    u = dae.REFERENCE
    plain = right_hand_side(dae.problem(Wheelset(), Formulation.INDEX_2, start), u)
    driven = right_hand_side(dae.problem(Wheelset(F_A=3.0, L_A=0.2), Formulation.INDEX_2, start), u)
    assert abs((driven - plain)[7] - 3.0 / 16.08) < 1e-12
    assert abs((driven - plain)[10] - 0.2 / 0.0605) < 1e-12


def test_wagon_mass_loads_both_wheels(start):
    heavy = Wheelset(m_A=10.0)
    u = dae.start(heavy)
    ratio = u[15:].sum() / start[15:].sum()
    assert abs(ratio - (16.08 + 10.0) / 16.08) < 0.02


def test_lift_off_stops_the_run():
    wheelset = Wheelset(kappa=0.02, v_0=30.0)
    u = dae.start(Wheelset())
    case = dae.problem(wheelset, Formulation.INDEX_2, u)
    done = radau.solve(case, u, 1.0, rtol=1e-5, atol=1e-5, check=False)
    assert "lifts off" in done.ended
    assert done.t[-1] < 1.0


def test_bad_parameters_are_named():
    for name, value in (("m_R", 0.0), ("alpha", 2.0), ("m_A", -1.0)):
        with pytest.raises(InputError, match=name):
            Wheelset(**{name: value})


def test_formulations_agree_after_half_a_second(start):
    ends = []
    for formulation in Formulation:
        treatment = Treatment.STABILISE if formulation == Formulation.STABILISED else Treatment.REPORT
        case = dae.problem(Wheelset(), formulation, start)
        ends.append(radau.solve(case, start, 0.5, rtol=1e-9, atol=1e-9, treatment=treatment).end)
    case = dae.problem(Wheelset(), Formulation.INDEX_2, start)
    ends.append(half_explicit.solve(case, start, 0.5, rtol=1e-9, atol=1e-9).end)
    for end in ends[1:]:
        assert dae.mescd(end, ends[0]) > 6.0


def test_gaps_stay_where_they_were(start):
    case = dae.problem(Wheelset(), Formulation.INDEX_2, start)
    left, right = case.parameters[[P.GAP_LEFT, P.GAP_RIGHT]]
    assert abs(left - 5.27e-10) < 1e-12
    assert abs(right + 4.97e-10) < 1e-12
    held = radau.solve(case, start, 0.5, rtol=1e-5, atol=1e-5, treatment=Treatment.PROJECT)
    assert max(held.drift.values()) < 1e-15


@pytest.mark.slow
def test_published_end_values_and_two_routes(start):
    """Table II.22.2 is itself good to scd 5.3, mescd 6.9; our two routes agree far beyond mescd 8."""
    case = dae.problem(Wheelset(), Formulation.INDEX_2, start)
    implicit = radau.solve(case, start, dae.DURATION, rtol=1e-11, atol=1e-11).end
    other = ode.problem(Wheelset(), start)
    tight = {"rtol": 1e-12, "atol": 1e-12, "scheme": CASH_KARP_5, "treatment": Treatment.PROJECT}
    explicit = ode.all_components(other, half_explicit.solve(other, start[:11], dae.DURATION, **tight).end)
    for end in (implicit, explicit):
        assert dae.scd(end) > 5.3
        assert dae.mescd(end) > 6.9
    assert dae.mescd(implicit, explicit) > 8.0
