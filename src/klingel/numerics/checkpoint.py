"""The solver between two steps as named arrays: what a run needs to go on, in another process, bit for bit.

Kept are the state of the system, step size and its control, the derivative that starts the next step, guards with
their slack and recent events, Jacobian and factors, counters and positions on the output grid. What follows from
the options of the run (end time, tolerances, switches) is not: the run that goes on brings its own, and is
bit-identical to one that never stopped when they are the same.
"""

import numpy as np

from klingel._errors import InputError
from klingel.numerics.ode.setup import Work
from klingel.numerics.ode.workspace import Count, Real

Checkpoint = dict[str, np.ndarray]

KEPT = {
    "solver": ("x", "memory", "mode"),
    "watch": ("g", "rate", "slack", "recent", "recent_count"),
    "implicit": ("jac", "lu", "pivots"),
}
REALS = (
    Real.T, Real.H, Real.OLD_ERROR, Real.H_FACTORISED, Real.H_LAST, Real.NEWTON_RATE, Real.RACE_T, Real.RACE_MEAN,
    Real.RACE_CHOSEN,
)  # fmt: skip
OF_THE_OPTIONS = (
    Count.SWITCHING, Count.LOCATION, Count.MAX_STEPS, Count.CHATTER_LIMIT, Count.HAS_JACOBIAN,
    Count.HAS_AFTER_STEP, Count.HAS_FOLLOW, Count.HAS_BREAKS, Count.HAS_RIVAL, Count.MAX_CASCADE,
)  # fmt: skip
OF_ONE_STEP = (Count.SIZE, Count.OUT_ROWS, Count.EVENT_ROWS, Count.SHAPED)  # or of the records
# what the race of methods knows stands at the end: files older than it have no such numbers and begin a new race
REALS_BEFORE_RACE = REALS.index(Real.RACE_T)
COUNTS = tuple(k for k in Count if k not in (*OF_ONE_STEP, *OF_THE_OPTIONS))
COUNTS_BEFORE_RACE = COUNTS.index(Count.RACE_STEPS)
KEPT_NAMES = tuple((f"{group}.{name}", group, name) for group, names in KEPT.items() for name in names)
REAL_PLACES, COUNT_PLACES = np.array(REALS), np.array(COUNTS)


def save(work: Work) -> Checkpoint:
    """Of a run that has ended: its own arrays, not copies; the records of output are not among them."""
    saved = {name: _kept(work, group, part) for name, group, part in KEPT_NAMES}
    saved["real"] = work.solver.real[REAL_PLACES]
    saved["count"] = work.solver.count[COUNT_PLACES]
    saved["derivative"] = work.trial.k[0]
    return saved


def _kept(work: Work, group: str, name: str) -> np.ndarray:
    """The array, without the columns that only make its rows whole."""
    array = getattr(getattr(work, group), name)
    return array[:, : len(array)] if name == "lu" else array


def _fill(target: np.ndarray, name: str, saved: Checkpoint) -> None:
    values = saved.get(name)
    if values is None or values.shape != target.shape:
        raise InputError("checkpoint", name, "must come from a run of the same system and method")
    target[...] = values


def restore(work: Work, saved: Checkpoint) -> Work:
    """A run that has not started, with the arrays of the checkpoint, and room for the rows of output to come."""
    for name, group, part in KEPT_NAMES:
        _fill(_kept(work, group, part), name, saved)
    _fill(work.trial.k[0], "derivative", saved)
    real, count = np.zeros(len(REALS)), np.zeros(len(COUNTS), np.int64)
    older = saved.get("real") is not None and saved["real"].size == REALS_BEFORE_RACE
    _fill(real[:REALS_BEFORE_RACE] if older else real, "real", saved)
    _fill(count[:COUNTS_BEFORE_RACE] if older else count, "count", saved)
    if older:
        real[REALS_BEFORE_RACE] = real[REALS.index(Real.T)]
        count[COUNTS.index(Count.RACE_RHS)] = count[COUNTS.index(Count.RHS)]
    work.solver.real[REAL_PLACES] = real
    work.solver.count[COUNT_PLACES] = count
    work.solver.real[Real.H] = min(work.solver.real[Real.H], work.solver.real[Real.H_MAX])
    if work.solver.real[Real.OUT_STEP] == 0.0:
        return work
    # a grid is full when its rows are: those written before do not come again
    left = max(work.output.t.size - int(work.solver.count[Count.OUT_INDEX]), 0)
    rows = {name: getattr(work.output, name)[:left] for name in ("t", "x", "memory", "mode")}
    return work._replace(output=work.output._replace(**rows))
