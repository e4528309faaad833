"""The first event inside a step, found on the interpolant.

A guard fires when it goes from inside (positive) to outside. Three things are looked at:

1. *Ends.* A guard negative at the end of the step was crossed.
2. *Dips.* A boundary crossed twice leaves both ends positive. With the guards' values and rates at both ends,
   the cubic through them tells whether a guard may dip below zero in between; then its minimum is
   searched on the interpolant, following the sign of the slope. The cubic is exact for guards linear in
   the state with third-order interpolants; otherwise it only decides where to look, with a margin.
3. *The earliest.* The bracket keeps every guard inside at its lower end and at least one outside at its upper
   end; each probe evaluates all guards, so the earliest crossing is found whichever guard it belongs to.

The event state is the upper end of the bracket: the far side of the boundary, so the action finds it crossed.
"""

from math import isnan

from klingel._jit import kernel
from klingel.numerics.bracket import MAX_PROBES, TOLERANCE, Bracket, probe
from klingel.numerics.interpolation import interpolate
from klingel.numerics.workspace import Count

RATE_STEP = 1e-4  # fraction of the step over which a guard's rate is differenced
DIP_MARGIN = 0.1  # a dip is searched when the cubic comes this close, as a fraction of its own depth
DIP_PROBES = 8
TOGETHER = 1e-8  # guards crossed within this fraction of the step fire together
SMALLEST = 1e-300
NOTHING, CROSSED, NO_NUMBER = range(3)  # what `look` finds


@kernel(inner=True)
def guard_rates(guards, t, delta, x, f, memory, mode, p, watch_g, x_probe, rate):
    """Rates of all guards along the flow by a directional difference; 0 where not armed."""
    for i in range(x.size):
        x_probe[i] = x[i] + delta * f[i]
    guards(t + delta, x_probe, memory, mode, p, rate)
    for i in range(rate.size):
        rate[i] = (rate[i] - watch_g[i]) / delta if abs(watch_g[i]) < 1e300 else 0.0


@kernel(inner=True)
def _cubic_minimum(g0, g1, m0, m1):
    """Where the cubic with end values g0, g1 and end slopes m0, m1 has its minimum (1.0: none), and how deep."""
    rise = g1 - g0
    b = 3.0 * rise - 2.0 * m0 - m1
    c = m0 + m1 - 2.0 * rise
    root = b * b - 3.0 * c * m0
    if root < 0.0:
        return 1.0, g1
    # the two forms of the same root, each where it does not cancel
    if b < 0.0:
        if c <= 0.0:
            return 1.0, g1
        s = (root**0.5 - b) / (3.0 * c)
    else:
        below = b + root**0.5
        if m0 >= 0.0 or below <= 0.0:
            return 1.0, g1
        s = -m0 / below
    s = min(1.0, s)
    return s, g0 + s * (m0 + s * (b + s * c))


@kernel(inner=True)
def _guards_at(guards, t, h, s, x, shape, memory, mode, p, x_probe, g, count):
    interpolate(x, shape, s, x_probe)
    guards(t + s * h, x_probe, memory, mode, p, g)
    count[Count.GUARDS] += 1
    count[Count.PROBES] += 1


@kernel(inner=True)
def may_dip(watch, h):
    """Whether some guard, inside at both ends, may have been outside in between."""
    for i in range(watch.g.size):
        if watch.g_new[i] < 1e300 and watch.g[i] < 1e300:
            s, low = _cubic_minimum(watch.g[i], watch.g_new[i], h * watch.rate[i], h * watch.rate_new[i])
            if s < 1.0 and low - DIP_MARGIN * (watch.g[i] - low) < watch.slack[i]:
                return True
    return False


@kernel(inner=True)
def look(watch, h, count):
    """Whether a guard is outside at the end of the step, may have been in between, or is not a number."""
    crossed = False
    for i in range(watch.g.size):
        if isnan(watch.g_new[i]):
            count[Count.CULPRIT] = i
            return NO_NUMBER
        if watch.g_new[i] < watch.slack[i]:
            crossed = True
    return CROSSED if crossed or may_dip(watch, h) else NOTHING


@kernel(inner=True)
def _search_dip(guards, i, t, h, x, memory, mode, p, trial, watch, count):
    """A fraction of the step at which guard i is outside, or 1.0 if there is none."""
    lo, hi = 0.0, 1.0
    g_lo, g_hi = watch.g[i], watch.g_new[i]
    m_lo, m_hi = h * watch.rate[i], h * watch.rate_new[i]
    for _ in range(DIP_PROBES):
        width = hi - lo
        s, low = _cubic_minimum(g_lo, g_hi, m_lo * width, m_hi * width)
        if s >= 1.0 or low - DIP_MARGIN * (g_lo - low) >= watch.slack[i]:
            return 1.0
        middle = lo + min(0.99, max(0.01, s)) * width
        _guards_at(guards, t, h, middle, x, trial.shape, memory, mode, p, trial.x_probe, watch.probe, count)
        here = watch.probe[i]
        if here < watch.slack[i]:
            return middle
        step = RATE_STEP * width
        _guards_at(guards, t, h, middle + step, x, trial.shape, memory, mode, p, trial.x_probe, watch.probe, count)
        slope = (watch.probe[i] - here) / step
        if slope < 0.0:
            lo, g_lo, m_lo = middle, here, slope
        else:
            hi, g_hi, m_hi = middle, here, slope
    return 1.0


@kernel(inner=True)
def upper_end(guards, t, h, x, memory, mode, p, trial, watch, count):
    """Smallest known fraction of the step with a guard outside, or 2.0 if none is; fills `watch.g_hi`."""
    n = watch.g.size
    top = 2.0
    for i in range(n):
        if watch.g_new[i] < watch.slack[i]:
            top = 1.0
    for i in range(n):
        if watch.g_new[i] < 1e300 and watch.g[i] < 1e300:
            s = _search_dip(guards, i, t, h, x, memory, mode, p, trial, watch, count)
            if s < 1.0 and s < top:
                top = s
    if top < 1.0:
        _guards_at(guards, t, h, top, x, trial.shape, memory, mode, p, trial.x_probe, watch.g_hi, count)
    elif top == 1.0:
        for i in range(n):
            watch.g_hi[i] = watch.g_new[i]
    return top


@kernel(inner=True)
def _pivot(watch, lo, hi):
    """Among the guards outside at the upper end, the one whose secant crosses first."""
    best = -1
    earliest = 2.0
    for i in range(watch.g.size):
        outside = watch.g_hi[i] - watch.slack[i]
        if outside < 0.0:
            inside = max(watch.g_lo[i] - watch.slack[i], SMALLEST)
            s = lo + (hi - lo) * inside / (inside - outside)
            if s < earliest:
                earliest = s
                best = i
    return best


@kernel(inner=True)
def locate(guards, t, h, x, memory, mode, p, trial, watch, top, count):
    """Narrow the bracket [0, top]; returns the fraction of the step at its upper end and the guard behind it."""
    n = watch.g.size
    for i in range(n):
        watch.g_lo[i] = watch.g[i]
    lo, hi = 0.0, top
    spent = 0
    pivot = _pivot(watch, lo, hi)
    rounding = 4e-16 * max(abs(t), abs(t + h)) / h
    while hi - lo > rounding and spent <= 2 * MAX_PROBES:
        # in a very long step the usual width may still overshoot by more than the guard's tolerance
        if hi - lo <= 2.0 * TOLERANCE and watch.g_hi[pivot] - watch.slack[pivot] >= -watch.tolerance[pivot]:
            break
        inside = max(watch.g_lo[pivot] - watch.slack[pivot], SMALLEST)
        outside = watch.g_hi[pivot] - watch.slack[pivot]
        s = probe(Bracket(lo, inside, hi, outside, spent))
        spent += 1
        if not lo < s < hi:
            s = 0.5 * (lo + hi)
            if not lo < s < hi:
                break
        _guards_at(guards, t, h, s, x, trial.shape, memory, mode, p, trial.x_probe, watch.probe, count)
        crossed = False
        for i in range(n):
            if watch.probe[i] < watch.slack[i]:
                crossed = True
        if crossed:
            hi = s
            for i in range(n):
                watch.g_hi[i] = watch.probe[i]
            pivot = _pivot(watch, lo, hi)
        else:
            lo = s
            for i in range(n):
                watch.g_lo[i] = watch.probe[i]
    return hi, pivot


@kernel(inner=True)
def mark_fired(guards, t, h, s, x, memory, mode, p, trial, watch, count):
    """Everything outside at the located instant, or within TOGETHER of it, fires."""
    _guards_at(guards, t, h, s + TOGETHER, x, trial.shape, memory, mode, p, trial.x_probe, watch.probe, count)
    for i in range(watch.g.size):
        watch.fired[i] = watch.g_hi[i] < watch.slack[i] or watch.probe[i] < watch.slack[i]
        watch.slack[i] = min(watch.slack[i], watch.g_hi[i])
