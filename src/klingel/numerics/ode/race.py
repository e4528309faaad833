"""Two methods of one run: the one that gets farther per right-hand side goes on.

What limits the step decides which that is: a long chain of low order where stability does, a method of high order
where accuracy does; a partly implicit one where all that is fast has died down. None of it is known before, and it
changes while a motion dies down or grows. So progress is measured, in simulated time per right-hand side over a
window of steps, with the linear algebra of an implicit method counted as so many right-hand sides; where a system
grows by stiff blocks of its own, both grow alike. After some windows the other method gets one; it stays if it was
better, and is given up early where it is far worse. Attempts become rarer as long as they fail, and come at once
when progress has changed by much. Everything follows from the steps taken, so a run in pieces is the same to the
bit.
"""

from klingel._jit import kernel
from klingel.numerics.ode.workspace import Count, Family, Real, Rival

WINDOW = 64  # accepted steps
BETTER = 1.03  # by how much the other method must be
EARLY, HOPELESS = 16, 0.75  # an attempt that has so little of the progress after so many steps is given up
CHANGED = 2.0  # factor of progress after which the choice is looked at again
SMOOTHING = 0.25  # weight of the latest window in the mean
MOST_PATIENCE = 64  # windows between two attempts
FACTORISATION = 10  # cost in right-hand sides, measured with two blocks of 11 among 32 states
LINEAR_SYSTEM = 0.75  # of one stage of a W-method, likewise


@kernel(inner=True)
def begin_window(t, solver):
    real, count = solver.real, solver.count
    real[Real.RACE_T] = t
    count[Count.RACE_STEPS] = 0
    count[Count.RACE_RHS] = _spent(count)


@kernel(inner=True)
def _spent(count):
    return count[Count.RHS] + FACTORISATION * count[Count.FACTORISATIONS]


@kernel(inner=True)
def rival_goes_on(solver, scheme):
    """Whether the run goes on with its other method; called after every accepted step of the two."""
    real, count = solver.real, solver.count
    count[Count.RACE_STEPS] += 1
    steps = count[Count.RACE_STEPS]
    tried = count[Count.RACE_TRIED] == 1
    if steps < WINDOW and not (tried and steps == EARLY):
        return False
    t = real[Real.T]
    implicit = count[Count.FAMILY] == Family.IMPLICIT
    algebra = LINEAR_SYSTEM * (scheme.sizes[Family.IMPLICIT, 0] - 1) * steps if implicit else 0.0
    progress = (t - real[Real.RACE_T]) / (_spent(count) - count[Count.RACE_RHS] + algebra)
    if steps < WINDOW and progress > HOPELESS * real[Real.RACE_MEAN]:
        return False
    begin_window(t, solver)
    if tried:
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
    count[Count.RACE_PATIENCE] = 4 if won else min(4 * max(count[Count.RACE_PATIENCE], 1), MOST_PATIENCE)
    real[Real.RACE_CHOSEN] = real[Real.RACE_MEAN]
    count[Count.RACE_TRIED] = 0
    count[Count.RACE_WINDOWS] = 0
    return won


@kernel(inner=True)
def other_method(count):
    """The family of the method that is not running."""
    if count[Count.FAMILY] != Family.EXPLICIT:
        return Family.EXPLICIT
    return Family.IMPLICIT if count[Count.HAS_RIVAL] == Rival.IMPLICIT else Family.RIVAL


@kernel(inner=True)
def races(count):
    """Whether the running method has a rival: an explicit one has, an implicit one only if it is one itself."""
    rival = count[Count.HAS_RIVAL]
    return rival == Rival.IMPLICIT or (rival == Rival.EXPLICIT and count[Count.FAMILY] != Family.IMPLICIT)
