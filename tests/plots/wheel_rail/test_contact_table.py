"""Contact table pictures: lines break at jumps, transfers go from none to all of the load."""

import numpy as np

from klingel.contact.geometry.loaded import Transfer
from klingel.contact.geometry.wheelset_on_track import Hand
from klingel.contact.table.build import Grid, contact_table
from klingel.io.contact.cache import wheelset_on_track
from klingel.plots.wheel_rail.contact_table import contact_parameters, load_transfer


def test_columns_are_broken_between_sections():
    wheelset = wheelset_on_track("S1002", "UIC60", inclination=1 / 40)
    table = contact_table(wheelset, grid=Grid(step=5e-4))
    fig = contact_parameters(table)
    assert len(fig.axes) == 6
    data = fig.axes[0].get_lines()[0].get_ydata()
    assert np.isnan(data).sum() == len(table.left.parts) - 1
    assert all("[" in ax.get_ylabel() for ax in fig.axes)


def test_load_is_transferred_completely_in_every_panel():
    transfers = [Transfer(s, Hand.LEFT, 0.1, 0.3, 1e11, 5e10) for s in (1e-3, 5e-3)]
    fig = load_transfer(transfers, (2e4, 1e5))
    assert len(fig.axes) == 2
    for ax in fig.axes:
        for line in ax.get_lines():
            assert (line.get_ydata()[0], line.get_ydata()[-1]) == (0.0, 1.0)


def test_many_jumps_go_on_in_the_next_row():
    fig = load_transfer([Transfer(s, Hand.LEFT, 0.1, 0.3, 1e11, 5e10) for s in (1e-3, 2e-3, 3e-3, 4e-3)], (5e4,))
    assert len(fig.axes) == 4
    assert {round(ax.get_position().y0, 2) for ax in fig.axes} != {round(fig.axes[0].get_position().y0, 2)}
