"""Breaks: places where the right-hand side jumps or bends without a mode that says so.

Error control finds such a place by rejected steps, each shorter than the one before, and leaves it behind with
short steps that grow again. A system that knows its breaks (`HybridProblem.breaks`) spares it that: when the error
of a step was too large and breaks lie between its ends, the system holds them off, its right-hand side going on as
it was before them, and the step is tried again with its full length. It is then cut where the first of them was
crossed on the interpolant, and the run goes on beyond it.

Nothing is held off longer than one trial step. Steps whose error is small enough go across breaks as they are.
"""

from math import nan

from klingel._jit import kernel
from klingel.numerics.events.bracket import MAX_PROBES, Bracket, narrow, probe
from klingel.numerics.ode.interpolation import interpolate, shorten
from klingel.numerics.ode.workspace import Count, Family, Location

MUCH = 3.0  # of the tolerance
LEAST_RTOL = 1e-7  # below it the step is not cut: the interpolant is of lower order than the steps
CLOSE = 1e-5  # of a step, beyond a break, over the error of the step across it: what is missed of the jump is less
CURVED_PROBES = 8  # before the safe search takes over
NONE_CROSSED = 2.0  # fraction of a step at which no break was crossed


# what `breaks` is asked for: to note on which side of every break the state is; to hold off those that lie
# between it and the state noted, and how far that was before the nearest, 0 if there are none; how far the state
# is beyond the held ones, negative before all of them; to hold none
START, HOLD, BEYOND, RELEASE = range(4)


@kernel(inner=True)
def may_hold(count, error):
    """Whether breaks are looked for after a step with this error.

    A slightly shorter step helps against a slightly too large error, once. Where every event is met by a step of
    the method itself no step is cut on its interpolant.
    """
    hopeless = error > MUCH or count[Count.REJECTED_LAST] > 0
    explicit = count[Count.FAMILY] != Family.IMPLICIT
    return hopeless and explicit and count[Count.HAS_BREAKS] == 1 and count[Count.LOCATION] == Location.INTERPOLANT


@kernel(inner=True)
def hold_crossed(breaks, t, t_new, p, solver, trial):
    """Hold off the breaks that a rejected step has crossed; how far its start is before them, 0 without any."""
    breaks(START, t, solver.x, solver.memory, solver.mode, p)
    return breaks(HOLD, t_new, trial.x_new, solver.memory, solver.mode, p)


@kernel(inner=True)
def inverse_parabola(a, g_a, b, g_b, c, g_c):
    """Where the parabola through three points, lying on its side, is zero; no number where there is none."""
    ab, bc, ca = g_a - g_b, g_b - g_c, g_c - g_a
    return -a * g_b * g_c / (ab * ca) - b * g_a * g_c / (ab * bc) - c * g_a * g_b / (bc * ca)


@kernel(inner=True)
def first_crossed(breaks, t, h, before, error, p, solver, trial):
    """Fraction of the step, shortly beyond the first held break on the interpolant, or NONE_CROSSED.

    `before`: how far its start is before the break; `error` of the step that went across.
    """
    memory, mode = solver.memory, solver.mode
    end = breaks(BEYOND, t + h, trial.x_new, memory, mode, p)
    if not end > 0.0:
        return NONE_CROSSED
    found = Bracket(0.0, before, 1.0, -end, 0)
    close = CLOSE / error
    small = close * (before + end)
    third, g_third = nan, nan
    while found.hi - found.lo > close and found.g_hi < -small and found.count < MAX_PROBES:
        s = inverse_parabola(found.lo, found.g_lo, found.hi, found.g_hi, third, g_third) + 0.5 * close
        if found.count == 0:
            s = found.g_lo / (found.g_lo - found.g_hi)
        elif found.count > CURVED_PROBES or not found.lo < s < found.hi:
            s = probe(found)
        interpolate(solver.x, trial.shape, s, trial.x_probe)
        g = -breaks(BEYOND, t + s * h, trial.x_probe, memory, mode, p)
        third, g_third = (found.lo, found.g_lo) if g > 0.0 else (found.hi, found.g_hi)
        found = narrow(found, s, g)
    return found.hi


@kernel(inner=True)
def cut(rhs, t, h, s, p, solver, trial, last):
    """End the step at the fraction s of it, its derivative there that beyond the break; whether there is one."""
    interpolate(solver.x, trial.shape, s, trial.x_probe)
    for i in range(solver.x.size):
        trial.x_new[i] = trial.x_probe[i]
    shorten(trial.shape, s)
    solver.count[Count.RHS] += 1
    return rhs(t + s * h, trial.x_new, solver.memory, solver.mode, p, trial.k[last]) == 0
