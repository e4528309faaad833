"""Arrays the Radau step works on; scalars are in `dae.work`.

With stabilised invariants the vectors hold n + m entries, the last m being the
multipliers mu (see `projection`).
"""

from enum import IntEnum
from typing import NamedTuple

import numpy as np

from klingel.numerics.linear.inverse import padded


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
    REAL = 1  # inverse, by columns, or factors of the real system of the kept components
    RE = 2  # and of the complex one
    IM = 3
    DAMPING = 4  # by columns, as all that follow: D of the kept components, then of the kinematic ones
    STIFFNESS = 5
    BLOCK = 6  # J_qq^-1 of the quasi-static components
    FROM_QUASI_STATIC = 7  # J_rq J_qq^-1, a column per quasi-static component
    TO_QUASI_STATIC = 8  # J_qq^-1 J_qr, columns as in DAMPING
    SIZE = 9


class Kind(IntEnum):
    """What `reduction` may do, and does, with a component."""

    OTHER = 0
    KINEMATIC = 1
    QUASI_STATIC = 2
    KEPT = 3  # its value gives a kinematic one


class Place(IntEnum):
    """Rows of `Radau.place`."""

    KIND = 0  # what M and the index allow
    USE = 1  # what the present Jacobian allows
    KEPT = 2  # components of each kind
    KINEMATIC = 3
    QUASI_STATIC = 4
    PARTNER = 5  # place among the kept ones of the component a kinematic one follows
    POSITION = 6  # place of a component among the kept ones
    PIVOT = 7
    PIVOT_COMPLEX = 8
    SIZE = 9


class Vector(IntEnum):
    """Rows of `Radau.small`."""

    MASS = 0  # diagonal of M
    INVERSE_MASS = 1  # of the kinematic components
    WEIGHT = 2  # their one entry of J over their mass
    RIGHT = 3  # right-hand side of the kept components, and its imaginary part
    RIGHT_IM = 4
    FOUND = 5  # their solution
    FOUND_IM = 6
    MOVED = 7  # the kinematic components
    MOVED_IM = 8
    REST = 9  # right-hand side of the quasi-static components
    REST_IM = 10
    FOLLOW = 11  # their solution
    FOLLOW_IM = 12
    SIZE = 13


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
    matrix: np.ndarray  # [Matrix, row, column], or column and row; rows hold whole fours
    given: np.ndarray  # where a user's Jacobian is written
    place: np.ndarray  # [Place, component]
    small: np.ndarray  # [Vector, component]


def new_radau(
    real: np.ndarray,
    count: np.ndarray,
    memory: np.ndarray,
    mode: np.ndarray,
    mass: np.ndarray,
    index: np.ndarray,
    extra: int,
) -> Radau:
    """Arrays for the components of `mass`, of this `index`, and `extra` stabilising multipliers of index 2."""
    n = len(mass)
    size = n + extra
    rows, columns = np.nonzero(mass)
    width = padded(size)
    place, small = np.zeros((Place.SIZE, size), np.int64), np.zeros((Vector.SIZE, width))
    place[Place.KIND, :n] = _kinds(mass, index)
    small[Vector.MASS, :n] = np.diag(mass)
    indices = np.full(size, 2)
    indices[:n] = index
    return Radau(
        real=real,
        count=count,
        v=np.zeros((Row.SIZE, size)),
        memory=memory,
        mode=mode,
        index=indices,
        tie=np.full(size, int(Tie.ALGEBRAIC)),
        mass_at=np.stack([rows, columns]).astype(np.int64),
        mass=mass[rows, columns],
        matrix=np.zeros((Matrix.SIZE, size, width)),
        given=np.zeros((n, n)),
        place=place,
        small=small,
    )


def _kinds(mass: np.ndarray, index: np.ndarray) -> np.ndarray:
    """What each component may be taken for."""
    entries = (mass != 0.0).sum(axis=0) + (mass != 0.0).sum(axis=1)
    quasi_static = (entries == 0) & (index == 1)
    kinematic = (entries == 2) & (np.diag(mass) != 0.0)
    return np.where(quasi_static, Kind.QUASI_STATIC, np.where(kinematic, Kind.KINEMATIC, Kind.OTHER))
