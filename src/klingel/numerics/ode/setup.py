"""From a problem and its options to the arrays of the compiled loop."""

from functools import lru_cache
from math import floor, inf
from typing import NamedTuple

import numpy as np

from klingel._errors import InputError
from klingel.numerics.cache_lines import line_zeros
from klingel.numerics.events.breaks import LEAST_RTOL
from klingel.numerics.linear.jacobian import blocks, colour
from klingel.numerics.ode.stability import real_limit
from klingel.numerics.ode.tableaus import Method
from klingel.numerics.ode.w_methods import ALL_METHODS
from klingel.numerics.ode.workspace import (
    Count,
    Family,
    Implicit,
    Location,
    Output,
    Real,
    Rival,
    Scheme,
    Solver,
    Switching,
    Trial,
    Watch,
    new_implicit,
    new_output,
    new_trial,
    new_watch,
)
from klingel.numerics.options import AUTO, RIVALS, Options
from klingel.numerics.problem import GUARD_TOLERANCE, HybridProblem

AUTO_PAIR = "dopri54+esdirk34"
LONGEST_CHATTER = 1e-3  # default window of a long run, in which fast but honest events are frequent [s]
MOST_NUMBERS = 250_000_000  # of all rows on the output grid, which is made before the run: 2 GB
CASCADE_ROUNDS = 12  # rounds of actions at one instant before modes count as contradictory


class Work(NamedTuple):
    """All arguments of the loop that hold state, in its order."""

    solver: Solver
    scheme: Scheme
    trial: Trial
    watch: Watch
    implicit: Implicit
    output: Output


def _predictor(method: Method) -> np.ndarray:
    """Lagrange weights that extrapolate the derivatives of earlier stages to the next node."""
    s = method.stages
    weights = np.zeros((s, s))
    if method.explicit or method.coupling is not None:
        return weights
    for i in range(1, s):
        for j in range(i):
            others = [m for m in range(i) if m != j]
            weights[i, j] = np.prod([(method.c[i] - method.c[m]) / (method.c[j] - method.c[m]) for m in others])
    return weights


def _coupling(method: Method) -> np.ndarray:
    return np.zeros((0, 0)) if method.coupling is None else method.coupling


def _padded(array: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    result = np.zeros(shape)
    result[tuple(slice(0, n) for n in array.shape)] = array
    return result


def _methods(name: str) -> tuple[Method, Method, Method]:
    """The methods in the order of Family; a single one in all places, one of two in two."""
    explicit, _, implicit = (AUTO_PAIR if name == AUTO else name).partition("+")
    first, _, rival = explicit.partition(RIVALS)
    if rival and not ALL_METHODS[rival].explicit:
        implicit, rival = rival, ""
    return ALL_METHODS[first], ALL_METHODS[implicit or first], ALL_METHODS[rival or first]


def _rival(name: str) -> Rival:
    explicit, implicit, rival = _methods(name)
    if rival is not explicit:
        return Rival.EXPLICIT
    return Rival.IMPLICIT if RIVALS in name and implicit is not explicit else Rival.NONE


@lru_cache(maxsize=32)
def _stability_limit(name: str) -> float:
    """Of the explicit one of two methods, 0 where it is alone."""
    explicit, implicit, _ = _methods(name)
    return real_limit(explicit) if explicit is not implicit else 0.0


@lru_cache(maxsize=32)
def _scheme(name: str) -> Scheme:
    """All methods of a run stacked; constants that many runs share."""
    methods = _methods(name)
    s = max(m.stages for m in methods)
    e = max(m.extra_c.size for m in methods)
    q = max(m.dense.shape[1] for m in methods)
    shapes = {
        "a": (s, s),
        "b": (s,),
        "c": (s,),
        "d": (s + 1,),
        "extra_a": (e, s + 1 + e),
        "extra_c": (e,),
        "dense": (s + 1 + e, q),
    }
    stacked = {key: np.stack([_padded(getattr(m, key), shape) for m in methods]) for key, shape in shapes.items()}
    return Scheme(
        sizes=np.array([[m.stages, m.extra_c.size, m.coupling is not None] for m in methods], np.int64),
        scalars=np.array([[m.gamma, 1.0 / (m.error_order + 1)] for m in methods]),
        **stacked,
        predict=np.stack([_padded(_predictor(m), (s, s)) for m in methods]),
        coupling=np.stack([_padded(_coupling(m), (s, s)) for m in methods]),
    )


def _solver(problem: HybridProblem, x: np.ndarray, options: Options) -> Solver:
    explicit, implicit, _ = _methods(options.method)
    rival = _rival(options.method)
    real = np.zeros(Real.SIZE)
    real[Real.T] = options.t_start
    real[Real.T_END] = options.t_end
    real[Real.H_MAX] = min(options.max_step, options.t_end - options.t_start)
    real[Real.H] = min(options.first_step or 0.0, real[Real.H_MAX])
    real[Real.OLD_ERROR] = 1.0
    real[Real.RTOL] = options.rtol
    window = options.chatter_window
    usual = min(1e-6 * (options.t_end - options.t_start), LONGEST_CHATTER)
    real[Real.CHATTER_WINDOW] = usual if window is None else window
    real[Real.T_OUT] = options.t_start
    real[Real.OUT_STEP] = options.output_step or 0.0
    real[Real.STABILITY_LIMIT] = _stability_limit(options.method)
    real[Real.IMPLICIT_FROM], real[Real.IMPLICIT_TO] = options.implicit_times or (inf, inf)
    count = np.zeros(Count.SIZE, np.int64)
    now = not explicit.explicit or real[Real.IMPLICIT_FROM] <= options.t_start < real[Real.IMPLICIT_TO]
    count[Count.FAMILY] = Family.IMPLICIT if now else Family.EXPLICIT
    untimed = Switching.NEVER if explicit is implicit or rival == Rival.IMPLICIT else Switching.BY_STIFFNESS
    count[Count.SWITCHING] = untimed if options.implicit_times is None else Switching.BY_TIME
    count[Count.HAS_RIVAL] = rival
    redone = Location.REDONE if options.redo_events else Location.INTERPOLANT
    count[Count.LOCATION] = redone if options.locate else Location.END_OF_STEP
    count[Count.MAX_STEPS] = options.max_steps
    count[Count.CHATTER_LIMIT] = options.chatter_limit
    count[Count.HAS_JACOBIAN] = problem.jacobian is not None
    count[Count.HAS_AFTER_STEP] = problem.after_step is not None
    count[Count.HAS_SCAN] = problem.scan is not None
    count[Count.HAS_FOLLOW] = problem.follow is not None
    count[Count.HAS_BREAKS] = problem.breaks is not None and options.rtol >= LEAST_RTOL
    count[Count.MAX_CASCADE] = CASCADE_ROUNDS
    count[Count.TIME_INDEX] = sum(instant < options.t_start for instant in problem.time_events)
    atol = np.array(options.atol, float)
    if atol.ndim == 1 and atol.size != x.size:
        raise InputError("atol", atol.tolist(), f"must be one positive number, or one for each of {x.size} states")
    state, memory, atols = line_zeros(x.shape, problem.memory.shape, x.shape)
    state[:], memory[:], atols[:] = x, problem.memory, atol
    return Solver(real, count, state, memory, problem.mode.astype(np.int8), atols)


def _implicit(problem: HybridProblem, n: int) -> Implicit:
    pattern = np.ones((n, n), np.bool_) if problem.pattern is None else problem.pattern.astype(np.bool_)
    keep = pattern if problem.implicit is None else pattern & problem.implicit.astype(np.bool_)
    colours, order, starts = _structure(pattern.tobytes(), keep.tobytes(), n)
    return new_implicit(n, np.ascontiguousarray(keep), colours.copy(), order.copy(), starts.copy())


@lru_cache(maxsize=16)
def _structure(pattern: bytes, keep: bytes, n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Colours and blocks of a Jacobian; many runs of one system have the same."""
    full, kept = (np.frombuffer(content, np.bool_).reshape(n, n) for content in (pattern, keep))
    colours, _ = colour(full, kept)
    order, starts = blocks(kept)
    return colours.astype(np.int64), order.astype(np.int64), starts.astype(np.int64)


def _output_rows(options: Options, rows: int, width: int) -> int:
    if options.output_step is None:
        return rows
    wanted = (options.t_end - options.t_start) / options.output_step * (1.0 + 1e-12)
    most = MOST_NUMBERS // max(width, 1)
    if not wanted < most:
        allowed = f"must leave at most {most} rows of {width} numbers, which is 2 GB: take a larger output_step"
        raise InputError("output_step", options.output_step, allowed)
    return floor(wanted) + 1


def new_work(problem: HybridProblem, x: np.ndarray, options: Options, rows: int) -> Work:
    """Everything the loop works on, ready to start."""
    n = x.size
    scheme = _scheme(options.method)
    _, stages, degree = scheme.dense.shape
    per_round = len(problem.guard_names) + len(problem.time_events) + problem.mode.size
    tolerance = np.array(problem.guard_tolerance or (GUARD_TOLERANCE,) * len(problem.guard_names), float)
    watch = new_watch(problem, tolerance, options.chatter_limit)
    events = rows + per_round * (CASCADE_ROUNDS + 1) + watch.crossings.shape[0]
    grid = _output_rows(options, rows, n + problem.memory.size)
    return Work(
        _solver(problem, x, options),
        scheme,
        new_trial(n, stages, degree),
        watch,
        _implicit(problem, n),
        new_output(grid, events, n, problem.memory.size, problem.mode.size),
    )
