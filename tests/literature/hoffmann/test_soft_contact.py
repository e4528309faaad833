"""Contact points of a wheel that sinks in: the rigid ones under no load, no jump on the tread under full load."""

import numpy as np
import pytest

from klingel.contact.geometry.search import SPACING
from klingel.contact.table.contact_table import Column
from klingel.io.contact.cache import cached_table, wheelset_on_track
from klingel.literature.hoffmann.soft_contact import NEAR, soft_table

LOAD = 45e3  # [N]


@pytest.fixture(scope="module")
def wheelset():
    return wheelset_on_track("S1002", "UIC60", 1 / 40)


def tread(side):
    """The section that holds the track centre."""
    return next(part for part in side.parts if part.shift[0] < 0.0 < part.shift[-1])


def test_no_jump_is_left_next_to_the_track_centre(wheelset):
    rigid = cached_table(wheelset).left
    jump = 1e-3 * 9.8  # way of the rigid contact point there [m]
    left, right = soft_table(wheelset, LOAD)
    assert np.any(np.abs(rigid.jumps) < NEAR)
    assert not np.any(np.abs(left.jumps) < NEAR)
    assert np.abs(left.jumps[left.jumps > 0.0]).tolist() == rigid.jumps[rigid.jumps > NEAR].tolist()
    steps = np.abs(np.diff(tread(left).values[:, Column.WHEEL_Y]))
    assert steps.max() < 0.2 * jump
    mirror = tread(right).values[::-1]
    assert mirror[:, Column.WHEEL_Y] == pytest.approx(-tread(left).values[:, Column.WHEEL_Y], abs=1e-12)


def test_under_a_vanishing_load_points_are_the_rigid_ones(wheelset):
    soft = tread(soft_table(wheelset, 1e-3)[0])
    shifts = soft.shift[np.abs(np.abs(soft.shift) - 2.5e-3) < 2e-3]
    rigid = wheelset.at(shifts).left.first
    rows = soft.values[np.searchsorted(soft.shift, shifts)]
    slope = np.tan(rigid.wheel_angle).max()
    assert rows[:, Column.WHEEL_Y] == pytest.approx(rigid.wheel_y, abs=SPACING)  # of the sampled profile
    assert rows[:, Column.WHEEL_Z] == pytest.approx(rigid.wheel_z, abs=slope * SPACING)


def test_rolling_radii_change_less_with_more_load(wheelset):
    """Under more load the zone is wider, and a small shift moves its middle less."""
    slopes = []
    for load in (LOAD, 2.5 * LOAD):
        part = tread(soft_table(wheelset, load)[0])
        near = np.abs(part.shift) < 2e-4
        slopes.append(np.polyfit(part.shift[near], part.values[near, Column.WHEEL_Z], 1)[0])
    assert 0.0 < abs(slopes[1]) < abs(slopes[0])
