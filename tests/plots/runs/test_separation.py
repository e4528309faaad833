"""Two runs apart: a run beside itself says so, instead of an empty axis."""

import numpy as np

from klingel.plots.runs.separation import draw_separation
from tests.short_run import hunting_run


def test_a_run_beside_itself():
    fig = draw_separation(hunting_run(), hunting_run())
    low = fig.axes[-1]
    assert [text.get_text() for text in low.texts] == ["none: the same numbers in both runs"]
    assert low.get_yscale() == "linear"
    assert not low.get_yticks().size
    fig.canvas.draw()
    assert not any(np.any(line.get_ydata() >= 1.0) for line in low.lines)  # nothing within the axis
