"""Equivalent conicity: the cone, EN 15302 from its table, S1002 on 60E1, an independent integration."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import solve_ivp

from klingel._errors import InputError
from klingel.contact.geometry.conicity import (
    Characteristic,
    characteristics,
    contact_angle_parameter,
    equivalent_conicity,
    harmonic_conicity,
    regression_slope,
    roll_parameter,
    wavelength,
)
from klingel.contact.geometry.placement import RailPair, WheelPair
from klingel.contact.geometry.wheelset_on_track import Roll, WheelsetOnTrack
from klingel.contact.profiles.elementary import arc_rail, cone
from klingel.contact.profiles.s1002 import s1002
from klingel.contact.profiles.uic60 import uic60

# EN 15302:2008 annex E, case E1 (wheel A on rail A): dr in mm at y = 0, 0.1 .. 6.8 mm, and its conicities
E1 = np.array([
    0, 0.032, 0.051, 0.071, 0.092, 0.116, 0.142, 0.167, 0.197, 0.227, 0.257, 0.292, 0.328, 0.361,
    0.402, 0.443, 0.481, 0.527, 0.574, 0.616, 0.667, 0.719, 0.766, 0.822, 0.879, 0.931, 0.992,
    1.055, 1.111, 1.177, 1.236, 1.299, 1.346, 1.407, 1.471, 1.539, 1.598, 1.673, 1.752, 1.834,
    1.906, 1.995, 2.088, 2.185, 2.286, 2.373, 2.481, 2.593, 2.709, 2.808, 2.931, 3.058, 3.189,
    3.324, 3.440, 3.582, 3.729, 3.879, 4.008, 4.166, 4.328, 4.494, 4.636, 5.064, 5.692, 6.521,
    7.597, 9.010, 10.954,
])  # fmt: skip
E1_CONICITY = {2e-3: 0.155, 4e-3: 0.216, 6e-3: 0.303}
E, R0 = 1.5, 0.46


@settings(deadline=None, max_examples=30)
@given(conicity=st.floats(0.01, 0.5), amplitude=st.floats(1e-4, 9e-3), nodes=st.integers(2, 60))
def test_a_straight_line_has_the_conicity_of_its_cone(conicity, amplitude, nodes):
    y = np.linspace(-0.01, 0.01, nodes)
    line = Characteristic(y, 2 * conicity * y)
    assert equivalent_conicity(line, amplitude, E, R0) == pytest.approx(conicity, rel=1e-9)
    assert harmonic_conicity(line, amplitude) == pytest.approx(conicity, rel=1e-9)
    assert 0.5 * regression_slope(line, amplitude) == pytest.approx(conicity, rel=1e-9)
    klingel = 2 * np.pi * np.sqrt(E * R0 / (2 * conicity))
    assert wavelength(line, amplitude, E, R0) == pytest.approx(klingel, rel=1e-9)


@pytest.mark.parametrize("nodes", range(3, 61, 2))
def test_a_motion_may_turn_at_a_node(nodes):
    """Where a table has a shift at its turning point, or beside it by rounding."""
    y = np.linspace(-0.01, 0.01, nodes)
    for amplitude in [*(y[y > 0.0][:-1]), 0.001, 0.003, 0.005, 0.008, 0.009]:
        assert equivalent_conicity(Characteristic(y, 0.3 * y), amplitude, E, R0) == pytest.approx(0.15, rel=1e-9)


@pytest.mark.parametrize(("amplitude", "expected"), E1_CONICITY.items())
def test_en_15302_case_e1(amplitude, expected):
    table = Characteristic.odd(1e-4 * np.arange(E1.size), 1e-3 * E1)
    assert equivalent_conicity(table, amplitude, E, R0) == pytest.approx(expected, abs=1e-3)


@pytest.mark.parametrize("amplitude", [1.5e-3, 4e-3, 6e-3])
def test_closed_form_agrees_with_an_integration_of_the_motion(amplitude):
    y = 1e-4 * np.arange(E1.size)
    table = Characteristic.odd(y, 1e-3 * E1)

    def motion(_, state):
        return [state[1], -np.interp(state[0], table.shift, table.value) / (E * R0)]

    def crosses(_, state):
        return state[0]

    crosses.direction = -1
    run = solve_ivp(motion, (0, 60), [amplitude, 0.0], events=crosses, rtol=1e-9, atol=1e-14, max_step=0.02)
    quarter = run.t_events[0][0]
    assert wavelength(table, amplitude, E, R0) == pytest.approx(4 * quarter, rel=1e-5)


def test_a_step_is_a_motion_on_two_parabolas():
    """dr = +-d: quarter wave of y'' = -d/(e r0) from A to 0 takes sqrt(2 A e r0 / d)."""
    d, amplitude = 2e-4, 3e-3
    step = Characteristic(np.array([-0.01, 0.0, 0.0, 0.01]), np.array([-d, -d, d, d]))
    assert wavelength(step, amplitude, E, R0) == pytest.approx(4 * np.sqrt(2 * amplitude * E * R0 / d), rel=1e-12)
    assert harmonic_conicity(step, amplitude) == pytest.approx(2 * d / (np.pi * amplitude), rel=1e-12)


def test_conicity_does_not_depend_on_where_the_track_centre_is():
    table = Characteristic.odd(1e-4 * np.arange(E1.size), 1e-3 * E1)
    moved = Characteristic(table.shift + 5e-4, table.value)
    assert moved.zero() == pytest.approx(5e-4, abs=1e-12)
    assert equivalent_conicity(moved, 4e-3, E, R0) == pytest.approx(
        equivalent_conicity(table, 4e-3, E, R0), rel=1e-9
    )


def test_cone_on_a_round_rail_has_its_conicity_without_roll():
    wheelset = WheelsetOnTrack(WheelPair(cone(0.05)), RailPair(arc_rail(0.3), inclination=0.0, axis=0.75))
    known = characteristics(wheelset, 0.006)
    assert equivalent_conicity(known.radius_difference, 4e-3, E, R0) == pytest.approx(0.05, rel=1e-9)
    assert contact_angle_parameter(known, 4e-3) == pytest.approx(0.0, abs=1e-12)
    rolled = characteristics(wheelset, 0.006, Roll.SOLVED)
    # both contact planes turn with the axle: eps = sigma = (e/2) phi,v, de Pater (3-40) at the contact point
    contact = wheelset.at([0.0]).left.first
    expected = 0.75 * 0.05 / (contact.rail_y[0] - contact.radius[0] * 0.05)
    assert roll_parameter(rolled, 4e-3) == pytest.approx(expected, rel=1e-3)
    assert contact_angle_parameter(rolled, 4e-3) == pytest.approx(roll_parameter(rolled, 4e-3), rel=0.01)


# inclination, gauge, roll -> amplitude: value of an independent program; tolerance 0.005, next to a jump 0.02
TABLE = [
    (1 / 40, 1.435, Roll.NONE, {2e-3: 0.2186, 4e-3: 0.1550}, {6e-3: 0.2665}),
    (1 / 40, 1.435, Roll.SOLVED, {2e-3: 0.2213, 4e-3: 0.1588}, {6e-3: 0.2922}),
    (1 / 20, 1.435, Roll.NONE, {2e-3: 0.0092, 4e-3: 0.0097}, {6e-3: 0.0107}),
    (1 / 20, 1.435, Roll.SOLVED, {2e-3: 0.0092, 4e-3: 0.0098}, {6e-3: 0.0109}),
    (1 / 30, 1.435, Roll.NONE, {4e-3: 0.1284, 6e-3: 0.2219}, {2e-3: 0.0252}),
    (1 / 40, 1.432, Roll.NONE, {2e-3: 0.2348, 4e-3: 0.3266}, {6e-3: 0.8597}),
    (1 / 40, 1.437, Roll.NONE, {2e-3: 0.1631, 4e-3: 0.1287, 6e-3: 0.1216}, {}),
]


@pytest.mark.parametrize(("inclination", "gauge", "roll", "smooth", "near"), TABLE)
def test_s1002_on_60e1(inclination, gauge, roll, smooth, near):
    wheelset = WheelsetOnTrack(WheelPair(s1002()), RailPair(uic60(), inclination=inclination, gauge=gauge))
    difference = characteristics(wheelset, 0.0065, roll).radius_difference
    for cases, tolerance in ((smooth, 0.005), (near, 0.02)):
        for amplitude, expected in cases.items():
            found = equivalent_conicity(difference, amplitude, E, R0)
            assert found == pytest.approx(expected, abs=tolerance), amplitude


def test_questions_outside_the_table_are_refused():
    table = Characteristic.odd([0.0, 0.001], [0.0, 1e-4])
    for amplitude in (0.002, 0.0, -1.0):
        with pytest.raises(InputError, match="amplitude"):
            equivalent_conicity(table, amplitude, E, R0)
    with pytest.raises(InputError, match="zero"):
        equivalent_conicity(Characteristic(np.array([0.0, 1.0]), np.array([1.0, 2.0])), 0.1, E, R0)
