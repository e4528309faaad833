"""Arrays the compiled Radau loop works on: together they are the complete state of the solver.

A run that stops between two steps and goes on later is bit-identical to one that never stopped. Nothing is
allocated inside the loop. With stabilised invariants the vectors hold n + m entries, the last m being the
multipliers mu (see `projection`).
"""

from enum import IntEnum
from typing import NamedTuple

import numpy as np


class Real(IntEnum):
    """Entries of `Solver.real`."""

    T = 0
    T_END = 1
    H = 2  # next step to try
    H_MAX = 3
    RTOL = 4
    NEWTON_TOLERANCE = 5  # of the Newton increment, as a fraction of the error tolerance
    REUSE_RATE = 6  # contraction of Newton below which the Jacobian is kept
    H_FACTORISED = 7
    H_ACCEPTED = 8
    ERROR_ACCEPTED = 9
    NEWTON_RATE = 10
    NEWTON_FACTOR = 11  # rate/(1 - rate) of the last step
    H_SHAPE = 12  # length of the step `Work.shape` belongs to
    T_OUT = 13
    OUT_STEP = 14  # 0: every step
    SAFETY = 15
    T_OLD = 16  # start of the step `Work.shape` belongs to
    SIZE = 17


class Count(IntEnum):
    """Entries of `Solver.count`: statistics, positions, flags."""

    ACCEPTED = 0
    REJECTED = 1
    RHS = 2  # every evaluation, those for the Jacobian included
    RHS_JACOBIAN = 3  # of these, for difference Jacobians
    JACOBIANS = 4
    FACTORISATIONS = 5
    NEWTON = 6
    REFUSALS = 7
    NEWTON_FAILURES = 8
    EVENTS = 9
    INVARIANTS = 10  # evaluations of the invariants
    OUT_ROWS = 11
    OUT_INDEX = 12
    EVENT_ROWS = 13
    MAX_STEPS = 14
    MAX_NEWTON = 15
    HAS_JACOBIAN = 16
    TREATMENT = 17
    FIRST = 18
    REJECTED_LAST = 19
    JACOBIAN_FRESH = 20
    JACOBIAN_VALID = 21
    FACTORS_VALID = 22
    HAS_SHAPE = 23
    SLOPE_VALID = 24  # M x' of the present point is known
    CULPRIT = 25
    ROWS_NEEDED = 26  # of output, by the next step
    SINGULAR_TRIES = 27
    SIZE = 28


class Row(IntEnum):
    """Rows of `Solver.v`."""

    X = 0  # the present point
    X_OLD = 1
    X_NEW = 2
    ATOL = 3
    SCALE = 4
    SLOPE = 5  # M x' at the present point
    BASE = 6
    STAGE = 7
    ERROR = 8
    Z = 9  # and two more: stage increments
    W = 12  # and two more: T^-1 z
    F = 15  # and two more: right-hand sides at the stages
    SHAPE = 18  # and two more: interpolant of the last accepted step
    TRIAL = 21  # and two more: interpolant of the step being tried
    SIZE = 24


class Matrix(IntEnum):
    """Entries of `Solver.matrix`."""

    JACOBIAN = 0
    REAL = 1  # factors of the real system
    RE = 2  # and of the complex one
    IM = 3
    SIZE = 4


class Solver(NamedTuple):
    """Few arrays with many rows: compile time grows with the number of arrays handed over."""

    real: np.ndarray
    count: np.ndarray
    v: np.ndarray  # [Row, component]
    memory: np.ndarray
    mode: np.ndarray
    index: np.ndarray
    mass_at: np.ndarray  # row and column of the nonzeros of M
    mass: np.ndarray
    matrix: np.ndarray  # [Matrix, row, column]
    given: np.ndarray  # where a user's Jacobian is written
    pivots: np.ndarray  # of the real and the complex system


NOW, NEXT, TRY = range(3)  # rows of `Watch.g`


class Watch(NamedTuple):
    g: np.ndarray  # [at the present point, at the end of the step, at a probe; guard]
    fired: np.ndarray


class Output(NamedTuple):
    t: np.ndarray
    x: np.ndarray
    event_time: np.ndarray
    event_guard: np.ndarray


def new_solver(n: int, extra: int, mass: np.ndarray, memory: np.ndarray, mode: np.ndarray) -> Solver:
    """Arrays for n components and `extra` stabilising multipliers."""
    size = n + extra
    rows, columns = np.nonzero(mass)
    return Solver(
        real=np.zeros(Real.SIZE),
        count=np.zeros(Count.SIZE, np.int64),
        v=np.zeros((Row.SIZE, size)),
        memory=memory.astype(float),
        mode=mode.astype(np.int8),
        index=np.ones(size, np.int64),
        mass_at=np.stack([rows, columns]).astype(np.int64),
        mass=mass[rows, columns],
        matrix=np.zeros((Matrix.SIZE, size, size)),
        given=np.zeros((n, n)),
        pivots=np.zeros((2, size), np.int64),
    )


def new_watch(guards: int) -> Watch:
    return Watch(np.zeros((3, guards)), np.zeros(guards, np.bool_))


def new_output(rows: int, events: int, n: int) -> Output:
    return Output(np.zeros(rows), np.zeros((rows, n)), np.zeros(events), np.zeros(events, np.int64))
