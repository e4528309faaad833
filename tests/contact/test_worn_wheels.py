"""Worn wheels through geometry, conicity and tables."""

import numpy as np
import pytest

from klingel._errors import InputError
from klingel.contact.geometry.conicity import (
    Characteristic,
    characteristics,
    conicity_over,
    equivalent_conicity,
    harmonic_conicity,
    turning_shifts,
)
from klingel.contact.geometry.placement import RailPair, WheelPair
from klingel.contact.geometry.wheelset_on_track import WheelsetOnTrack
from klingel.contact.profiles.curve import sample
from klingel.contact.profiles.s1002 import s1002
from klingel.contact.profiles.uic60 import uic60
from klingel.contact.table.build import RANGE, Grid, contact_table, shift_range
from klingel.contact.table.wheel_table import ROW, Row, compile_side, evaluate, state_at, upper_weight
from tests.worn_profiles import Wear, worn_profile

INCLINATIONS = (1 / 40, 1 / 30, 1 / 20)
SPACING, RADIUS = 1.5, 0.46


def on_track(wear, inclination, right=None):
    profile = s1002() if wear is None else worn_profile(wear)
    return WheelsetOnTrack(WheelPair(profile, right), RailPair(uic60(), inclination=inclination))


def brute_force_difference(wheelset, reach, step=2e-6):
    """Rolling radius difference without roll: every wheel point over the rail below it, both on one fine grid."""
    lines = []
    for curve, low, high in ((wheelset.left.wheel, 0.705, 0.795), (wheelset.left.rail, 0.72, 0.785)):
        rows = np.empty((200_001, 6))
        sample(curve, np.linspace(0.0, len(curve), len(rows)), rows)
        at = step * np.arange(round(low / step), round(high / step))
        lines.append(np.interp(at, rows[:, 0], rows[:, 1], left=-1.0, right=-1.0))
    radius, rail = lines
    first = round(0.72 / step) - round(0.705 / step)  # wheel point under the first rail point, unshifted
    shifts = np.arange(-round(reach / step), round(reach / step) + 1)
    touching = [first - k + np.argmax(radius[first - k : first - k + rail.size] + rail) for k in shifts]
    rolling = radius[touching]
    return step * shifts, rolling - rolling[::-1]


def integrated_conicity(shifts, dr, start, ds=2e-4):
    """Amplitude and conicity of y'' = -dr/(e r0), integrated from the upper turning point through one period."""
    step, first, dr = float(shifts[1] - shifts[0]), float(shifts[0]), dr.tolist()

    def acceleration(y):
        at = (y - first) / step
        k = int(at)
        return -(dr[k] + (at - k) * (dr[k + 1] - dr[k])) / (SPACING * RADIUS)

    y, v, lowest, a = start, 0.0, start, acceleration(start)
    n = 0
    while n < 1_000_000:
        half = v + 0.5 * ds * a
        y += ds * half
        a = acceleration(y)
        v, before = half + 0.5 * ds * a, v
        lowest = min(lowest, y)
        if before > 0.0 >= v:  # back at the top
            break
        n += 1
    wave = (n + before / (before - v)) * ds
    return 0.5 * (start - lowest), (np.pi / wave) ** 2 * 2.0 * SPACING * RADIUS


@pytest.mark.parametrize(
    ("wear", "inclination", "amplitude"),
    [
        (Wear(hollow=0.0008), 1 / 20, 0.0006),  # beside the middle of the track
        (Wear(hollow=0.0008), 1 / 20, 0.003),  # over both sides
        (Wear(hollow=0.002), 1 / 40, 0.003),
        (Wear(hollow=0.003, flange=0.003, noise=5e-5, seed=13), 1 / 30, 0.003),
    ],
)
def test_conicity_of_hollow_wheels_is_that_of_an_integrated_motion(wear, inclination, amplitude):
    wheelset = on_track(wear, inclination)
    known = characteristics(wheelset, 0.0065)
    shifts, dr = brute_force_difference(wheelset, 0.0065)
    _, start = turning_shifts(known.radius_difference, amplitude)
    moved, conicity = integrated_conicity(shifts, dr, start)
    # the sampled jump lies within a micrometre of its place, which moves the lower turning point of a flat well
    assert moved == pytest.approx(amplitude, rel=2e-2)
    ours = equivalent_conicity(known.radius_difference, moved, known.spacing, known.radius)
    assert conicity == pytest.approx(ours, rel=5e-3)


def test_amplitudes_that_no_motion_has_are_refused_with_the_harmonic_conicity():
    known = characteristics(on_track(Wear(hollow=0.0008), 1 / 20), 0.006)
    with pytest.raises(InputError, match=r"harmonic conicity, -0\.0294") as error:
        equivalent_conicity(known.radius_difference, 0.002, known.spacing, known.radius)
    assert "\n" not in str(error.value)
    assert harmonic_conicity(known.radius_difference, 0.002) < 0.0
    values = conicity_over(known, [0.001, 0.002, 0.003])
    assert list(np.isfinite(values)) == [True, False, True]


def test_a_hill_in_the_middle_in_closed_form():
    """dr = k y beyond +-c, -k y inside: S rises again only beyond c sqrt(2)."""
    c, k = 1e-3, 0.1
    y = np.array([-5e-3, -c, -c, c, c, 5e-3])
    dr = Characteristic(y, np.array([-5e-3 * k, -c * k, c * k, -c * k, c * k, 5e-3 * k]))
    with pytest.raises(InputError, match="hollow"):
        equivalent_conicity(dr, 1.4e-3, SPACING, RADIUS)
    a, root = 2e-3, np.sqrt(k / (SPACING * RADIUS))
    # outside: circle of radius a from a to c; inside: v^2 = w^2 (a^2 - 2 c^2 + y^2), hyperbola
    quarter = np.arccos(c / a) + np.arcsinh(c / np.sqrt(a * a - 2.0 * c * c))
    exact = (np.pi * root / (4.0 * quarter)) ** 2 * 2.0 * SPACING * RADIUS
    assert equivalent_conicity(dr, a, SPACING, RADIUS) == pytest.approx(exact, rel=1e-12)
    # small motions lie beside the middle: linear outside, and turn at the jump
    low, high = turning_shifts(dr, 2e-4)
    assert low < c < high


@pytest.mark.parametrize("inclination", INCLINATIONS)
def test_zero_wear_is_the_s1002(inclination):
    """The range stays as it was, and the measured S1002 has the table of the drawn one."""
    new = on_track(None, inclination)
    assert shift_range(new) == (-RANGE, RANGE)
    measured = on_track(Wear(), inclination)
    drawn = [jump.shift for jump in new.jumps(-0.005, 0.005)]
    found = [jump.shift for jump in measured.jumps(-0.005, 0.005)]
    np.testing.assert_allclose(found, drawn, rtol=0, atol=1e-4)
    at = [[w.at(y).left.first.radius for y in np.linspace(1e-3, 4e-3, 7)] for w in (new, measured)]
    np.testing.assert_allclose(at[1], at[0], rtol=0, atol=5e-6)


def test_the_table_of_a_thin_flange_goes_on_until_it_touches():
    wheelset = on_track(Wear(flange=0.006), 1 / 40)
    low, high = shift_range(wheelset)
    assert high > 0.012
    assert low == -high
    assert float(wheelset.at(high).left.first.angle[0]) > 0.5
    assert float(wheelset.at(RANGE).left.first.angle[0]) < 0.3


def test_unlike_wheels():
    """Hollow left, new right: each side has the table of its own wheel, mirrored when they change places."""
    worn = worn_profile(Wear(hollow=0.001))
    one = contact_table(on_track(Wear(hollow=0.001), 1 / 40, s1002()))
    rails = RailPair(uic60(), inclination=1 / 40)
    other = contact_table(WheelsetOnTrack(WheelPair(s1002(), worn), rails))
    assert one.conditions.wheel == "hollow1, right S1002"
    np.testing.assert_allclose(one.left.jumps, -other.right.jumps[::-1], rtol=0, atol=1e-9)
    assert len(one.left.parts) == len(one.right.parts)  # both are cut at all jumps
    radii = [part.values[:, 4] for part in (one.left.parts[0], other.right.parts[-1])]
    np.testing.assert_allclose(radii[0], radii[1][::-1], rtol=0, atol=1e-9)


def force(table, state, shift, pose):
    """Lateral and vertical force of all contacts of a state, wheelset in a given pose."""
    row, total = np.empty(ROW), np.zeros(2)
    share = upper_weight(table, state, shift) if state % 2 else 1.0
    parts = [(state // 2, 1.0 - share), (state // 2 + 1, share)] if state % 2 else [(state // 2, 1.0)]
    roll, height = pose
    for section, weight in parts:
        assert evaluate(table, section, shift, ROW, row)
        away = np.array([row[Row.RAIL_Y] - shift, row[Row.RAIL_Z] - height])
        c, s = np.cos(roll), np.sin(roll)
        b = np.array([c * away[0] + s * away[1] - row[Row.WHEEL_Y], c * away[1] - s * away[0] - row[Row.WHEEL_Z]])
        q = max(b[1] * row[Row.COS] - b[0] * row[Row.SIN], 0.0)
        total += weight * row[Row.HERTZ] * q**1.5 * np.array([-row[Row.SIN], row[Row.COS]])
    return total


@pytest.mark.parametrize("inclination", INCLINATIONS)
@pytest.mark.parametrize(
    "wear",
    [
        Wear(hollow=0.003),
        Wear(hollow=0.002, flange=0.004),
        Wear(noise=5e-5, seed=3),
        Wear(hollow=0.001, noise=3e-5),
    ],
    ids=lambda wear: wear.name,
)
def test_forces_are_continuous_from_state_to_state(wear, inclination):
    """The states that meet at a bound give the same force there, and the table gives finite numbers everywhere."""
    wheelset = on_track(wear, inclination)
    table = contact_table(wheelset, grid=Grid(*shift_range(wheelset)))
    for side in (table.left, table.right):
        wheel = compile_side(side, table.conditions.shear_modulus)
        assert np.isfinite(wheel.coefficients).all()
        assert (wheel.coefficients[:, 0, Row.HERTZ] > 0.0).all()
        for k, bound in enumerate(wheel.bounds[1:-1]):
            below, above = state_at(wheel, np.nextafter(bound, -1.0)), state_at(wheel, bound)
            assert below <= k < above
            contact = wheelset.at(bound)
            pose = float(contact.roll[0]), float(contact.height[0]) - 1e-4
            one, two = (force(wheel, state, float(bound), pose) for state in (below, above))
            np.testing.assert_allclose(two, one, rtol=0, atol=1e-4 * np.hypot(*one) + 1e-6)
