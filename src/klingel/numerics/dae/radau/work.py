"""Arrays the Radau step works on; scalars are in `dae.work`.

With stabilised invariants the vectors hold n + m entries, the last m being the
multipliers mu (see `projection`).
"""

from enum import IntEnum
from typing import NamedTuple

import numpy as np


class Row(IntEnum):
    """Rows of `Radau.v`."""

    X = 0  # the present point
    X_NEW = 1
    ATOL = 2
    SCALE = 3
    SLOPE = 4  # M x' at the present point
    BASE = 5
    STAGE = 6
    ERROR = 7
    Z = 8  # and two more: stage increments
    W = 11  # and two more: T^-1 z
    F = 14  # and two more: right-hand sides at the stages
    SHAPE = 17  # and two more: interpolant of the last accepted step
    TRIAL = 20  # and two more: interpolant of the step being tried
    SIZE = 23


class Matrix(IntEnum):
    """Entries of `Radau.matrix`."""

    JACOBIAN = 0
    REAL = 1  # factors of the real system
    RE = 2  # and of the complex one
    IM = 3
    SIZE = 4


class Tie(IntEnum):
    """What a violated constraint may do to a component."""

    FREE = 0  # nothing: it has its own derivative
    TIED = 1  # a differential component that jumps back on the constraint
    ALGEBRAIC = 2


class Radau(NamedTuple):
    """Few arrays with many rows: compile time grows with the number of arrays handed over."""

    real: np.ndarray
    count: np.ndarray
    v: np.ndarray  # [Row, component]
    memory: np.ndarray
    mode: np.ndarray
    index: np.ndarray
    tie: np.ndarray
    mass_at: np.ndarray  # row and column of the nonzeros of M
    mass: np.ndarray
    matrix: np.ndarray  # [Matrix, row, column]
    given: np.ndarray  # where a user's Jacobian is written
    pivots: np.ndarray  # of the real and the complex system


def new_radau(
    real: np.ndarray, count: np.ndarray, memory: np.ndarray, mode: np.ndarray, mass: np.ndarray, extra: int
) -> Radau:
    """Arrays for the components of `mass` and `extra` stabilising multipliers."""
    n = len(mass)
    size = n + extra
    rows, columns = np.nonzero(mass)
    return Radau(
        real=real,
        count=count,
        v=np.zeros((Row.SIZE, size)),
        memory=memory,
        mode=mode,
        index=np.full(size, 2),
        tie=np.full(size, int(Tie.ALGEBRAIC)),
        mass_at=np.stack([rows, columns]).astype(np.int64),
        mass=mass[rows, columns],
        matrix=np.zeros((Matrix.SIZE, size, size)),
        given=np.zeros((n, n)),
        pivots=np.zeros((2, size), np.int64),
    )
