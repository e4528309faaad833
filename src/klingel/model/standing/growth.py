"""Does a small push from a balance grow, where accelerations follow from the positions alone?"""

from typing import NamedTuple

import numpy as np

SEEN = 0.1  # square of the rate of a fall that is seen as one [1/s2]
SLOPE_ERROR = 1e-8  # of slopes from differences, of the steepest


class Growth(NamedTuple):
    rate: float  # [1/s]
    shape: np.ndarray  # of the motion, one entry per position


def fastest_growth(slopes: np.ndarray) -> Growth | None:
    """From derivatives of the accelerations by the positions; None where nothing grows, or it cannot be told."""
    if not slopes.size or not np.isfinite(slopes).all():
        return None
    squares, shapes = np.linalg.eig(slopes)
    grows = np.where(np.abs(np.imag(squares)) <= SEEN, np.real(squares), -np.inf)
    fastest = int(np.argmax(grows))
    if grows[fastest] <= SEEN + SLOPE_ERROR * np.abs(squares).max():
        return None
    return Growth(float(np.sqrt(grows[fastest])), np.abs(shapes[:, fastest]))
