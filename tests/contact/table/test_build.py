"""Tables of S1002 on UIC60 1/40: sides agree, nodes are the geometry, splines follow it between."""

import numpy as np
import pytest

from klingel._errors import InputError
from klingel.contact.geometry.placement import RailPair, WheelPair
from klingel.contact.geometry.wheelset_on_track import Hand, WheelsetOnTrack
from klingel.contact.patch import hertz, kalker
from klingel.contact.profiles.elementary import cone
from klingel.contact.profiles.s1002 import s1002
from klingel.contact.profiles.uic60 import uic60
from klingel.contact.table import wheel_table
from klingel.contact.table.build import Grid, contact_table
from klingel.contact.table.contact_table import Column, Conditions, mirrored
from klingel.contact.table.wheel_table import Extension, Row


@pytest.fixture(scope="module")
def wheelset():
    return WheelsetOnTrack(WheelPair(s1002()), RailPair(uic60(), inclination=1 / 40))


@pytest.fixture(scope="module")
def table(wheelset):
    return contact_table(wheelset)


def test_the_two_sides_agree(table):
    other = mirrored(table.right)
    np.testing.assert_allclose(other.jumps, table.left.jumps, atol=2e-9)
    for a, b in zip(table.left.parts, other.parts, strict=True):
        inner = slice(1, -1)  # end nodes lie on jumps, which are located to 1e-9 m only
        np.testing.assert_allclose(a.values[inner], b.values[inner], rtol=1e-6, atol=1e-9)


def test_sections_end_at_the_jumps_of_both_wheels_and_overlap_at_their_own(wheelset, table):
    jumps = wheelset.jumps(-0.01, 0.01)
    np.testing.assert_allclose(table.left.jumps, [j.shift for j in jumps])
    expected = [2e-4 if j.hand == Hand.LEFT else 0.0 for j in jumps]
    np.testing.assert_array_equal(table.left.overlaps, expected)
    assert len(table.left.parts) == len(jumps) + 1


def test_contact_point_jumps_at_its_own_jumps_and_is_continuous_at_kinks(table):
    for k, (part, after) in enumerate(zip(table.left.parts[:-1], table.left.parts[1:], strict=True)):
        moved = abs(after.values[0, Column.WHEEL_Y] - part.values[-1, Column.WHEEL_Y])
        assert moved > 1e-3 if table.left.overlaps[k] > 0.0 else moved < 1e-6


def rigid_penetration(row, shift, height, roll):
    """Distance of wheel and rail along the normal, negative when they are apart."""
    y, z = row[Row.RAIL_Y] - shift, row[Row.RAIL_Z] - height
    body_y = np.cos(roll) * y + np.sin(roll) * z - row[Row.WHEEL_Y]
    body_z = -np.sin(roll) * y + np.cos(roll) * z - row[Row.WHEEL_Z]
    return -body_y * row[Row.SIN] + body_z * row[Row.COS]


def test_wheel_and_rail_touch_at_the_rigid_attitude_between_the_nodes(wheelset, table):
    """Half a micrometre where the profiles are smooth; 6 um where the point leaves the straight flange."""
    contact = wheelset.at(np.linspace(-9.93e-3, 9.93e-3, 601))
    wheel = wheel_table.compile_side(table.left, table.conditions.shear_modulus)
    row, misses = np.empty(wheel_table.ROW), []
    for shift, height, roll in zip(contact.shift, contact.height, contact.roll, strict=True):
        state = wheel_table.state_at(wheel, shift)
        assert wheel_table.evaluate(wheel, state // 2, shift, wheel_table.ROW, row)
        if state % 2 == 0:
            misses.append(abs(rigid_penetration(row, shift, height, roll)))
    assert np.quantile(misses, 0.95) < 5e-8
    assert max(misses) < 6e-6


@pytest.mark.parametrize("extension", list(Extension))
def test_receding_contact_opens_as_the_angles_say(wheelset, table, extension):
    """In an overlap the other contact is apart by the difference of slopes times the way from the jump."""
    wheel = wheel_table.compile_side(table.left, table.conditions.shear_modulus, extension=extension)
    row = np.empty(wheel_table.ROW)
    for jump, transfer in zip(wheelset.jumps(0.0, 5.5e-3), (4, 5), strict=True):
        for way, section in ((1.0, transfer - 1), (-1.0, transfer)):
            shift = jump.shift + way * 8e-5
            near = wheelset.at([shift])
            wheel_table.evaluate(wheel, section, shift, wheel_table.ROW, row)
            opening = -rigid_penetration(row, shift, near.height[0], near.roll[0])
            slopes = np.tan(jump.after.angle) - np.tan(jump.before.angle)
            assert opening == pytest.approx(8e-5 * slopes, rel=0.2)


def test_physical_columns_are_hertz_and_kalker(table):
    c = table.conditions
    for part in table.left.parts:
        for row in part.values[::7]:
            ratio = row[Column.RATIO]
            assert row[Column.NORMAL_FORCE] == c.load
            assert row[Column.C11 :] == pytest.approx(kalker.kalker(ratio, c.poisson), rel=1e-12)
            pressure = 1.5 * c.load / (np.pi * row[Column.AREA])
            assert 3e8 < pressure < 3e10
            # N0 = C q0^1.5 with the constant of an ellipse of the same ratio and size
            b = np.sqrt(row[Column.AREA] / ratio)
            modulus = c.shear_modulus / (1 - c.poisson)
            e = hertz.ellipse_with_ratio(ratio, c.load, 1.0, modulus)
            assert row[Column.PENETRATION] == pytest.approx(e.approach * e.b / b, rel=1e-9)


def test_load_changes_only_the_scale(wheelset):
    """N0/q0^1.5, a0 b0/q0 and the coefficients do not depend on the load of the table."""
    light, heavy = (contact_table(wheelset, Conditions(load=load), Grid(step=1e-3)).left for load in (2e4, 2e5))
    for a, b in zip(light.parts, heavy.parts, strict=True):
        for part in (a, b):
            part.values[:, Column.NORMAL_FORCE] /= part.values[:, Column.PENETRATION] ** 1.5
            part.values[:, Column.AREA] /= part.values[:, Column.PENETRATION]
        keep = [c for c in Column if c != Column.PENETRATION]
        np.testing.assert_allclose(a.values[:, keep], b.values[:, keep], rtol=1e-10)


def test_a_cone_has_one_section_and_its_own_angle():
    cone_set = WheelsetOnTrack(WheelPair(cone(1 / 20)), RailPair(uic60(), inclination=1 / 20))
    table = contact_table(cone_set, grid=Grid(-3e-3, 3e-3, 1e-3))
    assert len(table.left.parts) == 1
    np.testing.assert_allclose(table.left.parts[0].values[:, Column.ANGLE], np.arctan(1 / 20), atol=1e-9)


def test_overlap_per_jump(wheelset):
    widths = [1e-4 * k for k in range(1, 7)]
    table = contact_table(wheelset, grid=Grid(step=1e-3, overlap=widths))
    np.testing.assert_allclose(table.left.overlaps, [0, 0, 0, 4e-4, 5e-4, 6e-4])
    np.testing.assert_allclose(table.right.overlaps, [1e-4, 2e-4, 3e-4, 0, 0, 0])
    with pytest.raises(InputError, match="overlap"):
        contact_table(wheelset, grid=Grid(step=1e-3, overlap=[1e-4]))


@pytest.mark.parametrize("options", [{"low": 1e-3, "high": 0.0}, {"step": 0.0}, {"floor": 0.0}])
def test_bad_grids_are_refused(options):
    with pytest.raises(InputError):
        Grid(**options)


def test_creep_coefficients_of_the_flange_are_extrapolated_or_held(wheelset, table):
    """Only where the ellipse is more slender than those of Kalker's table."""
    held = contact_table(wheelset, Conditions(slender="held"))
    for part, other in zip(table.left.parts, held.left.parts, strict=True):
        slender = part.values[:, Column.RATIO] > 10.0
        same = np.all(part.values[:, Column.C11 :] == other.values[:, Column.C11 :], axis=1)
        np.testing.assert_array_equal(same, ~slender)
        np.testing.assert_array_equal(part.values[:, : Column.C11], other.values[:, : Column.C11])
    assert max(part.values[:, Column.RATIO].max() for part in table.left.parts) > 15.0
    with pytest.raises(InputError, match="slender: must be one of extrapolated, held"):
        Conditions(slender="frozen")
