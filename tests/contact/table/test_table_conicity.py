"""Conicity of a table: the cone's own, and that of the direct geometry with roll."""

import numpy as np
import pytest

from klingel.contact.geometry.conicity import characteristics
from klingel.contact.geometry.conicity import equivalent_conicity as direct
from klingel.contact.geometry.placement import RailPair, WheelPair
from klingel.contact.geometry.wheelset_on_track import Roll, WheelsetOnTrack
from klingel.contact.profiles.elementary import cone
from klingel.contact.profiles.s1002 import s1002
from klingel.contact.profiles.uic60 import uic60
from klingel.contact.table.build import Grid, contact_table
from klingel.contact.table.table_conicity import equivalent_conicity, radius_difference


def test_difference_is_odd_and_jumps_with_either_wheel():
    wheelset = WheelsetOnTrack(WheelPair(s1002()), RailPair(uic60(), inclination=1 / 40))
    table = contact_table(wheelset)
    dr = radius_difference(table)
    np.testing.assert_allclose(dr.value, -dr.value[::-1], atol=1e-9)
    doubled = dr.shift[:-1][np.diff(dr.shift) == 0.0]
    np.testing.assert_allclose(doubled, [jump.shift for jump in wheelset.jumps(-0.01, 0.01)], atol=1e-9)


def test_table_and_geometry_give_the_same_conicity():
    wheelset = WheelsetOnTrack(WheelPair(s1002()), RailPair(uic60(), inclination=1 / 40))
    table = contact_table(wheelset)
    known = characteristics(wheelset, 6e-3, Roll.SOLVED)
    for amplitude in (1e-3, 3e-3, 5.5e-3):
        expected = direct(known.radius_difference, amplitude, known.spacing, known.radius)
        assert equivalent_conicity(table, amplitude) == pytest.approx(expected, rel=2e-3)


def test_cone():
    """To first order roll, phi' = gamma/(b - r0 gamma), moves the contact on the cone by (R + r0) phi'."""
    wheelset = WheelsetOnTrack(WheelPair(cone(1 / 20)), RailPair(uic60(), inclination=1 / 20))
    table = contact_table(wheelset, grid=Grid(-4e-3, 4e-3, 1e-3))
    half = wheelset.at([0.0]).left.first.rail_y[0]
    roll = 0.05 / (half - 0.46 * 0.05)
    expected = 0.05 * (1.0 + (0.3 + 0.46) * roll)
    assert equivalent_conicity(table, 2e-3) == pytest.approx(expected, rel=1e-3)
    assert equivalent_conicity(table, 2e-3) == pytest.approx(equivalent_conicity(table, 3e-3), rel=1e-3)
