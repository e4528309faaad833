"""Arrays the compiled loop works on, grouped by who needs them.

Together they are the complete solver state: a run that stops between two steps and goes on later, in
this process or another, is bit-identical to one that never stopped. Nothing is allocated inside the loop.
"""

from enum import IntEnum
from typing import NamedTuple

import numpy as np

from klingel.numerics.cache_lines import line_zeros
from klingel.numerics.linear.block_lu import PADDING
from klingel.numerics.problem import HybridProblem

CROSSINGS = 16  # rows for the crossings of one step, and one more for each mode


class Status(IntEnum):
    """How a chunk ended. RUNNING and MORE_ROOM go on; the rest end the run."""

    RUNNING = 0
    MORE_ROOM = 1
    DONE = 2
    STOPPED = 3
    STEP_UNDERFLOW = 4
    NOT_FINITE = 5
    REFUSED = 6
    NO_NEWTON = 7
    CHATTER = 8
    INCONSISTENT = 9
    MAX_STEPS = 10
    GUARD_NOT_A_NUMBER = 11
    SINGULAR = 12  # this and the next: systems with constraints only
    NO_PROJECTION = 13


class Family(IntEnum):
    EXPLICIT = 0
    IMPLICIT = 1
    RIVAL = 2  # another explicit method, see `race`


class Rival(IntEnum):
    """The other method of a race, if there is one."""

    NONE = 0
    EXPLICIT = 1
    IMPLICIT = 2


class Switching(IntEnum):
    """Whether and why a run changes between its explicit and its implicit method."""

    NEVER = 0
    BY_STIFFNESS = 1
    BY_TIME = 2


class Location(IntEnum):
    """Where a step in which something happens ends."""

    INTERPOLANT = 0  # at the event, as the interpolant has it
    REDONE = 1  # at the event, by real steps that end there
    END_OF_STEP = 2  # where it would have: events are not located, what is found violated then acts


class Real(IntEnum):
    """Entries of `Solver.real`."""

    T = 0  # present time
    T_END = 1
    H = 2  # next step to try
    H_MAX = 3
    OLD_ERROR = 4
    RTOL = 5
    H_FACTORISED = 6  # step the present factorisation was made for
    CHATTER_WINDOW = 7  # [s]
    T_OUT = 8  # first output time
    OUT_STEP = 9  # 0: every step
    STABILITY_LIMIT = 10  # |h lambda| an explicit step bears
    H_LAST = 11  # last accepted step, the scale of "on the boundary and leaving"
    NEWTON_RATE = 12  # last contraction of the Newton iteration
    IMPLICIT_FROM = 13  # when Switching.BY_TIME turns implicit and back
    IMPLICIT_TO = 14
    RACE_T = 15  # beginning of the window, see `race`
    RACE_MEAN = 16  # progress of the present method, mean over windows [s per right-hand side]
    RACE_CHOSEN = 17  # the same when it was chosen; 0 before
    SIZE = 18


class Count(IntEnum):
    """Entries of `Solver.count`: statistics, positions, flags."""

    ACCEPTED = 0
    REJECTED = 1
    REFUSALS = 2
    RHS = 3
    JACOBIANS = 4
    FACTORISATIONS = 5
    NEWTON = 6  # iterations
    EVENTS = 7  # guards fired
    STOPS = 8  # instants at which something fired
    GUARDS = 9  # evaluations of the guard vector
    PROBES = 10  # of these, to locate
    OUT_ROWS = 11
    OUT_INDEX = 12  # next point of the output grid
    EVENT_ROWS = 13
    TIME_INDEX = 14  # next known instant
    FAMILY = 15
    SWITCHING = 16  # a Switching
    STIFF_STEPS = 17
    CALM_STEPS = 18
    FAMILY_CHANGES = 19
    JACOBIAN_FRESH = 20  # 1: belongs to the present state
    JACOBIAN_VALID = 21  # 0: must be made anew (start, event)
    FACTORS_VALID = 22
    WORST = 23  # component with the largest error in the last rejected trial
    CULPRIT = 24  # guard or component behind a failure
    LOCATION = 25  # a Location
    MAX_STEPS = 26
    CHATTER_LIMIT = 27
    REJECTED_LAST = 28
    HAS_JACOBIAN = 29
    HAS_AFTER_STEP = 30
    MAX_CASCADE = 31
    STARTED = 32
    JACOBIAN_AGE = 33  # accepted steps since it was made
    HAS_SCAN = 34
    GUARDS_STALE = 35  # 1: the guards of the present state have not been asked for, nothing has happened
    NEAR = 36  # how many guards are listed in `Watch.near`
    HAS_FOLLOW = 37
    HAS_RIVAL = 38
    RACE_STEPS = 39  # of the window, see `race`
    RACE_RHS = 40  # right-hand sides at its beginning
    RACE_WINDOWS = 41  # since the method was chosen
    RACE_PATIENCE = 42  # windows until the other one is tried
    RACE_TRIED = 43  # 1: it is being tried
    HAS_BREAKS = 44
    SHAPED = 45  # 1: the interpolant of the present step is known
    SIZE = 46


class Solver(NamedTuple):
    """State of the hybrid system and scalars of the solver."""

    real: np.ndarray
    count: np.ndarray
    x: np.ndarray
    memory: np.ndarray
    mode: np.ndarray
    atol: np.ndarray


class Scheme(NamedTuple):
    """The methods of a run, stacked by Family and padded to one size."""

    sizes: np.ndarray  # [family] stages, extra stages, 1 for a W-method
    scalars: np.ndarray  # [family] gamma, 1/(error order + 1)
    a: np.ndarray
    b: np.ndarray
    c: np.ndarray
    d: np.ndarray
    extra_a: np.ndarray
    extra_c: np.ndarray
    dense: np.ndarray
    predict: np.ndarray  # extrapolates earlier stage derivatives to start Newton
    coupling: np.ndarray  # of the stages of a W-method


class Trial(NamedTuple):
    """One step being tried: stages, result, error, interpolant."""

    k: np.ndarray
    stage: np.ndarray
    x_new: np.ndarray
    error: np.ndarray
    shape: np.ndarray
    x_probe: np.ndarray


class Watch(NamedTuple):
    """Guards: values and rates at both ends of the step, at the probe, and how far outside they may be."""

    g: np.ndarray
    g_new: np.ndarray
    rate: np.ndarray
    rate_new: np.ndarray
    g_lo: np.ndarray
    g_hi: np.ndarray
    probe: np.ndarray
    near: np.ndarray  # those that may have been crossed in this step, first `Count.NEAR` entries
    slack: np.ndarray
    tolerance: np.ndarray
    fired: np.ndarray
    owner: np.ndarray
    before: np.ndarray  # modes before the action
    logged: np.ndarray  # modes already in the log
    recent: np.ndarray  # [guard, ring] times of its last events
    recent_count: np.ndarray
    times: np.ndarray  # known instants
    crossings: np.ndarray  # [row][Crossing] of the modes that follow the state, in one step


class Crossing(IntEnum):
    """A mode that followed the state across a boundary inside a step."""

    TIME = 0
    GUARD = 1  # whose boundary it is
    OWNER = 2  # index into the modes
    NEW = 3  # mode beyond
    SIZE = 4


class Implicit(NamedTuple):
    """Jacobian, its colours and blocks, factors, Newton's vectors."""

    jac: np.ndarray
    keep: np.ndarray
    colours: np.ndarray
    matrix: np.ndarray
    lu: np.ndarray
    pivots: np.ndarray
    order: np.ndarray
    starts: np.ndarray
    base: np.ndarray
    delta: np.ndarray
    work: np.ndarray
    vector: np.ndarray


class Output(NamedTuple):
    """Rows written so far are counted in `Count.OUT_ROWS` and `Count.EVENT_ROWS`."""

    t: np.ndarray
    x: np.ndarray
    memory: np.ndarray
    mode: np.ndarray
    event_time: np.ndarray
    event_guard: np.ndarray  # -1 for a mode changed by another's event
    event_owner: np.ndarray  # index into the modes, -1 for none
    event_old: np.ndarray
    event_new: np.ndarray


def new_trial(n: int, stages: int, degree: int) -> Trial:
    return Trial(*line_zeros((stages, n), (n,), (n,), (n,), (degree, n), (n,)))


def new_watch(problem: HybridProblem, tolerance: np.ndarray, ring: int) -> Watch:
    n = len(problem.guard_names)
    *values, slack = line_zeros(*[(n,)] * 8)
    for value in values:
        value.fill(np.inf)
    times = np.array(problem.time_events, float)
    rows = CROSSINGS + problem.mode.size if getattr(problem, "follow", None) is not None else 0
    return Watch(
        *values,
        near=np.zeros(n + 1, np.int64),
        slack=slack,
        tolerance=tolerance,
        fired=np.zeros(n + times.size, np.bool_),
        owner=np.array(problem.guard_owner or (-1,) * n, np.int64),
        before=problem.mode.astype(np.int8),
        logged=np.zeros(problem.mode.size, np.bool_),
        recent=np.zeros((n, ring)),  # large: `recent_count` says which are valid, so that it need not be filled
        recent_count=np.zeros(n, np.int64),
        times=times,
        crossings=np.zeros((rows, Crossing.SIZE)),
    )


def new_implicit(n: int, keep: np.ndarray, colours: np.ndarray, order: np.ndarray, starts: np.ndarray) -> Implicit:
    return Implicit(
        jac=np.zeros((n, n)),
        keep=keep,
        colours=colours,
        matrix=np.zeros((n, n)),
        lu=np.zeros((n, n + PADDING)),
        pivots=np.zeros(n, np.int64),
        order=order,
        starts=starts,
        base=np.zeros(n),
        delta=np.zeros(n),
        work=np.zeros(n + PADDING),
        vector=np.zeros(n),
    )


def new_output(rows: int, events: int, n: int, n_memory: int, n_mode: int) -> Output:
    return Output(
        np.zeros(rows),
        np.zeros((rows, n)),
        np.zeros((rows, n_memory)),
        np.zeros((rows, n_mode), np.int8),
        np.zeros(events),
        np.zeros(events, np.int64),
        np.zeros(events, np.int64),
        *np.zeros((2, events), np.int8),
    )
