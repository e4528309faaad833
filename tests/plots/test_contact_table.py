"""Contact table pictures: lines break at jumps, every contact point lies on both profiles."""

import numpy as np
import pytest

from klingel.contact.build import Grid, contact_table
from klingel.contact.geometry import Hand
from klingel.io.contact_cache import wheelset_on_track
from klingel.plots.contact_table import LIFT, contact_parameters, contact_points


@pytest.fixture(scope="module")
def wheelset():
    return wheelset_on_track("S1002", "UIC60", inclination=1 / 40)


@pytest.fixture(scope="module")
def table(wheelset):
    return contact_table(wheelset, grid=Grid(step=5e-4))


@pytest.mark.parametrize("hand", list(Hand))
def test_contact_lines_end_on_the_profiles(wheelset, table, hand):
    ax = contact_points(wheelset, table, hand).axes[0]
    wheel, rail, *lines = (line.get_xydata() for line in ax.get_lines())
    assert len(lines) > 20
    for line in lines:
        for end, profile in ((line[0], wheel), (line[1], rail)):
            assert np.hypot(*(profile - end).T).min() < 0.4
        assert line[0, 1] - line[1, 1] < LIFT + 1.0


def test_columns_are_broken_between_sections(table):
    fig = contact_parameters(table)
    assert len(fig.axes) == 4
    data = fig.axes[0].get_lines()[0].get_ydata()
    assert np.isnan(data).sum() == len(table.left.parts) - 1
    assert all("[" in ax.get_ylabel() for ax in fig.axes)
