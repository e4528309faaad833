"""Creep pictures: they hold the curves they claim to show."""

import numpy as np
import pytest

from klingel.contact.creep.catalogue import Law
from klingel.contact.creep.creepage import Creepage, Patch, Settings
from klingel.contact.creep.fastsim_stress import stress_picture as stresses
from klingel.contact.creep.fastsim_table import build_table
from klingel.contact.patch.kalker import kalker
from klingel.plots.wheel_rail.creep import NAMES, creep_curves, stress_picture

PATCH = Patch(6e-3, 4.5e-3, 8e4, 0.3, 8.27e10, *kalker(6 / 4.5, 0.27))


def test_one_curve_per_law_and_none_above_the_limit():
    settings = Settings(strips=8, cells=8, table=build_table(3, 5, 3, 8, 8))
    fig = creep_curves(PATCH, list(Law), settings)
    first = fig.axes[0]
    assert [line.get_label() for line in first.get_lines()] == [NAMES[law] for law in Law]
    for ax in fig.axes:
        for line in ax.get_lines():
            if line.get_label() != NAMES[Law.LINEAR]:
                assert np.abs(line.get_ydata()).max() <= 1.0 + 1e-9
        assert "[" in ax.get_xlabel()
        assert "[" in ax.get_ylabel()


def test_stress_picture_tells_the_slip_share():
    picture = stresses(Creepage(0.05, 0.0, 0.0), PATCH, 30, 30)
    fig = stress_picture(picture, PATCH)
    assert "100 %" in fig.axes[0].get_title()
    assert fig.axes[0].get_aspect() == pytest.approx(1.0)
