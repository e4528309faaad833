"""Arrays the half-explicit loop works on: the complete state of the solver, nothing is allocated inside."""

from enum import IntEnum
from typing import NamedTuple

import numpy as np

PAST = 3  # points the index-2 variables are extrapolated from


class Real(IntEnum):
    T = 0
    T_END = 1
    H = 2
    H_MAX = 3
    RTOL = 4
    OLD_ERROR = 5
    RATE = 6  # what is left of a correction of z after one more evaluation of f
    LINEAR_TOLERANCE = 7  # of what the linearisation in z may leave behind, as a fraction of the tolerance
    SAFETY = 8
    CONSTRAINT_TOLERANCE = 9  # last correction on the constraints, as a fraction of the tolerance
    SIZE = 10


class Count(IntEnum):
    ACCEPTED = 0
    REJECTED = 1
    RHS = 2
    RHS_JACOBIAN = 3
    JACOBIANS = 4
    FACTORISATIONS = 5
    NEWTON = 6  # iterations on the constraints
    CONSTRAINTS = 7
    INVARIANTS = 8
    REPEATS = 9  # evaluations of f repeated because z had moved
    OUT_ROWS = 10
    MAX_STEPS = 11
    TREATMENT = 12
    STALE = 13  # 1: f_z is to be made anew
    FIRST_VALID = 14  # the first stage derivative is known
    REJECTED_LAST = 15
    CULPRIT = 16
    HISTORY = 17  # number of stored points of z
    HISTORY_KEPT = 18  # of these, at the start of the step
    SEPARATE = 19  # 1: there is a constraints function; 0: rhs serves, and is counted as such
    FRESH = 20  # 1: the matrices belong to the present point
    SLOW = 21  # 1: Newton on the constraints contracts slowly, K is to be made anew
    SIZE = 22


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


class Tableau(NamedTuple):
    """A scheme as arrays, and room for the corrections of z."""

    a: np.ndarray
    c: np.ndarray
    error: np.ndarray
    setting: np.ndarray  # closure, whether the last stage is the next first, order of the error
    control: np.ndarray  # weights of the present and the last error
    zeta: np.ndarray


class Half(NamedTuple):
    """State and work arrays of the half-explicit loop."""

    real: np.ndarray
    count: np.ndarray
    v: np.ndarray  # [Row, component]
    k: np.ndarray  # [stage, component] derivatives
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
