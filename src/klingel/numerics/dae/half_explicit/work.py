"""Arrays the half-explicit step works on; scalars are in `dae.work`."""

from enum import IntEnum
from typing import NamedTuple

import numpy as np

from klingel.numerics.dae.half_explicit.scheme import Scheme

PAST = 3  # points the index-2 variables are extrapolated from


class Row(IntEnum):
    """Rows of `Half.v`."""

    X = 0
    X_NEW = 1
    ATOL = 2
    SCALE = 3
    STAGE = 4
    PROBE = 5
    FLOW = 6  # direction of the flow: f and the rates of the index-1 variables
    SHIFTED = 7
    ERROR = 8
    LINEAR = 9  # f as the linearisation in z predicts it
    SIZE = 10


class Half(NamedTuple):
    """Scheme, state and work arrays of the half-explicit step."""

    real: np.ndarray
    count: np.ndarray
    v: np.ndarray  # [Row, component]
    k: np.ndarray  # [stage, component] derivatives, and the values of algebraic components; last at the end point
    shape: np.ndarray  # interpolant
    memory: np.ndarray
    mode: np.ndarray
    order: np.ndarray  # components: differential, then index 1, then index 2
    sizes: np.ndarray  # how many of each
    f_z: np.ndarray  # [z, component]
    c_x: np.ndarray  # [constraint, component]
    all: np.ndarray  # K, LU
    first: np.ndarray  # its index-1 block, LU
    pivots: np.ndarray
    small: np.ndarray  # [2, constraint]
    past: np.ndarray  # [point, time and z]; the second half is a copy made at the start of the step
    zeta: np.ndarray  # corrections of z
    a: np.ndarray  # the scheme, see `half_explicit_scheme`
    c: np.ndarray
    error: np.ndarray
    dense: np.ndarray
    setting: np.ndarray  # closure, order of the error, stage in the middle of the step
    control: np.ndarray  # weights of the present and the last error


def new_half(real, count, memory, mode, kinds: list[np.ndarray], scheme: Scheme) -> Half:
    """Arrays for components sorted by kind: differential, index 1, index 2."""
    sizes = np.array([k.size for k in kinds], np.int64)
    n, n1, n2 = int(sizes.sum()), int(sizes[1]), int(sizes[2])
    middle = int(np.argmin(np.abs(scheme.c[:-1] - 0.5)))
    return Half(
        real, count, np.zeros((Row.SIZE, n)), np.zeros((scheme.error.size, n)),
        np.zeros((scheme.dense.shape[1], n)), memory, mode, np.concatenate(kinds).astype(np.int64), sizes,
        f_z=np.zeros((n2, n)), c_x=np.zeros((n1 + n2, n)), all=np.zeros((n1 + n2, n1 + n2)),
        first=np.zeros((n1, n1)), pivots=np.zeros((2, n1 + n2), np.int64), small=np.zeros((2, n1 + n2)),
        past=np.zeros((2 * PAST, 1 + n2)), zeta=np.zeros(n2), a=scheme.a, c=scheme.c, error=scheme.error,
        dense=scheme.dense, setting=np.array([scheme.closure, scheme.error_order, middle], np.int64),
        control=np.array(scheme.control),
    )  # fmt: skip
