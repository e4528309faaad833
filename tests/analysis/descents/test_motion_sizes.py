"""Ranks of motions: by width, by edges reached on both sides."""

from math import inf, pi

import numpy as np
import pytest

from klingel._errors import InputError
from klingel.analysis.descents.motion_sizes import Rank, Sizes, width

T = np.linspace(0.0, 2.0 * pi, 400)
SIZES = Sizes(0.5e-3, 1.5e-3, (6e-3, 6e-3))


def rows(*motions: tuple[float, float]) -> np.ndarray:
    """Columns of given amplitude and middle."""
    return np.column_stack([middle + amplitude * np.sin(T) for amplitude, middle in motions])


@pytest.mark.parametrize(
    ("motions", "rank"),
    [
        (((0.4e-3, 0.0), (0.1e-3, 0.0)), Rank.STILL),
        (((0.0, 3e-3), (0.0, -7e-3)), Rank.STILL),  # at rest beside the middle, wherever that is
        (((0.2e-3, 0.0), (0.6e-3, 0.0)), Rank.SMALL),
        (((1.6e-3, 0.0), (0.6e-3, 0.0)), Rank.MEDIUM),
        (((4e-3, 3e-3), (0.6e-3, 0.0)), Rank.MEDIUM),  # one flange only
        (((6.1e-3, 0.0), (0.6e-3, 0.0)), Rank.EDGE),
        (((6.1e-3, 0.0), (6.2e-3, 0.0)), Rank.EDGES),
    ],
)
def test_rank(motions, rank):
    assert SIZES.rank(rows(*motions)) == rank


def test_without_edges_nothing_is_beyond_medium():
    free = Sizes(0.5e-3, 1.5e-3, (inf, inf))
    assert not free.has_edges
    assert free.rank(rows((0.1, 0.0), (0.1, 0.0))) == Rank.MEDIUM


def test_width_is_half_of_peak_to_peak_of_the_widest():
    assert width(rows((1e-3, 5.0), (2e-3, -1.0))) == pytest.approx(2e-3, rel=1e-4)


def test_threshold_must_leave_room():
    with pytest.raises(InputError, match="threshold"):
        Sizes(2e-3, 1.5e-3, (6e-3,))
