"""Shift to the flange, and names of families."""

from math import inf

import pytest

from klingel.analysis.descents.motion_sizes import Rank
from klingel.contact.table.contact_table import Column
from klingel.io.vehicle.files import load_vehicle
from klingel.simulation.critical.flanges import FLANGE_ANGLE, family, flange_shift, sizes_of
from klingel.simulation.setup import table_on_track
from klingel.track.track import Track


@pytest.mark.parametrize("inclination", [1 / 20, 1 / 40])
def test_flange_of_profiles(inclination):
    wheelset, track = load_vehicle("hbbills311").wheelsets[0], Track.straight(inclination=inclination)
    shift = flange_shift(wheelset, track)
    assert 5e-3 < shift < 7e-3  # S1002 on UIC60: some six millimetres
    table = table_on_track(wheelset, track)
    shifts, angles = table.column(table.left, Column.ANGLE)
    assert (abs(angles[abs(shifts) < shift - 1e-9]) <= FLANGE_ANGLE).all()


def test_flange_of_cones_is_their_dead_band():
    sizes = sizes_of(load_vehicle("cooperrider"), Track.straight(), 5e-4)
    assert sizes.edges == (9.1e-3, 9.1e-3)


def test_several_axles_under_one_body_are_one():
    vehicle = load_vehicle("simple_truck")
    assert len(vehicle.conical_wheelsets) == 2
    assert len(sizes_of(vehicle, Track.straight(), 5e-4).edges) == 1


def test_wheels_without_a_flange():
    sizes = sizes_of(load_vehicle("true_asmund"), Track.straight(), 5e-4)
    assert set(sizes.edges) == {inf}


def test_names():
    assert family(Rank.SMALL, 2) == "small"
    assert family(Rank.EDGE, 2) == "flange to flange of one wheelset"
    assert family(Rank.EDGES, 2) == "flange to flange of both wheelsets"
    assert family(Rank.EDGES, 4) == "flange to flange of several wheelsets"
    assert family(Rank.EDGE, 1) == "flange to flange"
