"""Two explicit methods of one run: the one that gets farther per right-hand side goes on.

What limits the step decides which that is: a long chain of low order where stability does, a method of high order
where accuracy does. Neither is known before, and it changes while a motion dies down or grows. So progress is
measured, in simulated time per right-hand side over a window of steps. After some windows the other method gets
one; it stays if it was better. Attempts become rarer as long as they fail, and come at once when progress has
changed by much. Everything follows from the steps taken, so a run in pieces is the same to the bit.
"""

from klingel._jit import kernel
from klingel.numerics.ode.workspace import Count, Family, Real

WINDOW = 64  # accepted steps
BETTER = 1.03  # by how much the other method must be
CHANGED = 2.0  # factor of progress after which the choice is looked at again
SMOOTHING = 0.25  # weight of the latest window in the mean
MOST_PATIENCE = 64  # windows between two attempts


@kernel(inner=True)
def begin_window(t, solver):
    real, count = solver.real, solver.count
    real[Real.RACE_T] = t
    count[Count.RACE_STEPS] = 0
    count[Count.RACE_RHS] = count[Count.RHS]


@kernel(inner=True)
def rival_goes_on(solver):
    """Whether the run goes on with its other explicit method; called after every accepted explicit step."""
    real, count = solver.real, solver.count
    count[Count.RACE_STEPS] += 1
    if count[Count.RACE_STEPS] < WINDOW:
        return False
    t = real[Real.T]
    progress = (t - real[Real.RACE_T]) / (count[Count.RHS] - count[Count.RACE_RHS])
    begin_window(t, solver)
    if count[Count.RACE_TRIED] == 1:
        return not _attempt_won(progress, real, count)
    mean = real[Real.RACE_MEAN]
    mean = mean + SMOOTHING * (progress - mean) if mean > 0.0 else progress
    real[Real.RACE_MEAN] = mean
    count[Count.RACE_WINDOWS] += 1
    known = real[Real.RACE_CHOSEN]
    if known > 0.0 and not known / CHANGED < mean < known * CHANGED:
        count[Count.RACE_PATIENCE] = 1
    if known > 0.0 and count[Count.RACE_WINDOWS] < count[Count.RACE_PATIENCE]:
        return False
    count[Count.RACE_TRIED] = 1
    return True


@kernel(inner=True)
def _attempt_won(progress, real, count):
    """Judge the window of the other method against the mean of the one before."""
    won = progress > BETTER * real[Real.RACE_MEAN]
    if won:
        real[Real.RACE_MEAN] = progress
    count[Count.RACE_PATIENCE] = 4 if won else min(2 * max(count[Count.RACE_PATIENCE], 1), MOST_PATIENCE)
    real[Real.RACE_CHOSEN] = real[Real.RACE_MEAN]
    count[Count.RACE_TRIED] = 0
    count[Count.RACE_WINDOWS] = 0
    return won


@kernel(inner=True)
def other_explicit(family):
    return Family.RIVAL if family == Family.EXPLICIT else Family.EXPLICIT
