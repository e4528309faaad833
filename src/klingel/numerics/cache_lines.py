"""Arrays that begin at lines of the cache, so that rows of four lie within one.

A register of four numbers that spans two lines is loaded in two turns. Where NumPy's own arrays begin differs from
process to process, and with it the speed of one and the same run by some per cent.
"""

from collections.abc import Sequence
from math import prod

import numpy as np

LINE = 8  # numbers in a line of the cache


def line_zeros(*shapes: Sequence[int]) -> list[np.ndarray]:
    """Zeros of these shapes, one behind the other in one piece of memory."""
    starts = [0]
    for shape in shapes:
        starts.append(starts[-1] + -(-prod(shape) // LINE) * LINE)
    room = np.zeros(starts[-1] + LINE)
    first = -(room.__array_interface__["data"][0] // room.itemsize) % LINE
    return [
        room[first + start : first + start + prod(shape)].reshape(shape)
        for start, shape in zip(starts, shapes, strict=False)
    ]


def aligned(values: np.ndarray) -> np.ndarray:
    """A copy that begins at a line of the cache."""
    (copy,) = line_zeros(values.shape)
    copy[...] = values
    return copy
