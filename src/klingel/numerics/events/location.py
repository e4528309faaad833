"""The first event inside a step, found on the interpolant.

A guard fires when it goes from inside (positive) to outside. Three things are looked at:

1. *Which guards.* With values and rates at both ends of the step a guard is close to a cubic, which is below both
   ends by at most (4/27) h (|rate| + |new rate|). Guards that keep farther inside than REACH of that are out of
   the question; of the others the cubic itself decides. What follows looks at these few (`watch.near`) only.
2. *Dips.* A boundary crossed twice leaves both ends positive. Where the cubic may dip below zero, the minimum is
   searched on the interpolant, following the sign of the slope. The cubic is exact for guards linear in
   the state with third-order interpolants; otherwise it only decides where to look, with a margin.
3. *The earliest.* The bracket keeps every guard inside at its lower end and at least one outside at its upper
   end; each probe evaluates all guards, so the earliest crossing is found whichever guard it belongs to. The root
   of the cubic, moved so that it meets the last probe, is tried first: for linear guards that is one probe. Kinks
   are left to the safe search of `bracket`.

The event state is the upper end of the bracket: the far side of the boundary, so the action finds it crossed.
"""

from math import isnan

from klingel._jit import kernel
from klingel.numerics.events.bracket import MAX_PROBES, TOLERANCE, Bracket, probe
from klingel.numerics.ode.interpolation import interpolate
from klingel.numerics.ode.workspace import Count

RATE_STEP = 1e-4  # fraction of the step over which a guard's rate is differenced
REACH = 0.25  # of h (|rate| + |new rate|); the cubic needs 4/27
DIP_MARGIN = 0.1  # a dip is searched when the cubic comes this close, as a fraction of its own depth
DIP_PROBES = 8
TOGETHER = 1e-8  # guards crossed within this fraction of the step fire together
SMALLEST = 1e-300
LOCATED = 2e-12  # fraction of the step beyond the crossing that is close enough; the cubic aims at its half
LOCATED_LOOSELY = 1e-5, 1e-9  # the same over the relative tolerance, where that is more, and its largest value
CUBIC_PROBES = 4  # of the interpolant, proposed by the cubic, before the safe search takes over
NEWTON_STEPS = 30
NEWTON_ENDS = 1e-9  # of a step: the change after which the next one would be rounding
NOTHING, CROSSED, NO_NUMBER = range(3)  # what `look` finds


@kernel(inner=True)
def close_enough(rtol):
    """Fraction of a step beyond a crossing that is close enough: orders below the error of the step itself."""
    per_tolerance, most = LOCATED_LOOSELY
    return max(LOCATED, min(most, per_tolerance * rtol))


@kernel(inner=True)
def guard_rates(guards, t, delta, x, f, memory, mode, p, watch_g, x_probe, rate):
    """Rates of all guards along the flow by a directional difference; 0 where not armed."""
    for i in range(x.size):
        x_probe[i] = x[i] + delta * f[i]
    guards(t + delta, x_probe, memory, mode, p, rate)
    for i in range(rate.size):
        rate[i] = (rate[i] - watch_g[i]) / delta if abs(watch_g[i]) < 1e300 else 0.0


@kernel(inner=True)
def _cubic(g0, g1, m0, m1):
    """b and c of the cubic g0 + s (m0 + s (b + s c)) with end values g0, g1 and end slopes m0, m1."""
    rise = g1 - g0
    return 3.0 * rise - 2.0 * m0 - m1, m0 + m1 - 2.0 * rise


@kernel(inner=True)
def _cubic_minimum(g0, g1, m0, m1):
    """Where the cubic with end values g0, g1 and end slopes m0, m1 has its minimum (1.0: none), and how deep."""
    b, c = _cubic(g0, g1, m0, m1)
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
def may_dip(watch, i, h):
    """Whether a guard, inside at both ends, may have been outside in between."""
    if not (watch.g_new[i] < 1e300 and watch.g[i] < 1e300):
        return False
    s, low = _cubic_minimum(watch.g[i], watch.g_new[i], h * watch.rate[i], h * watch.rate_new[i])
    return s < 1.0 and low - DIP_MARGIN * (watch.g[i] - low) < watch.slack[i]


@kernel(inner=True)
def look(watch, h, count):
    """List in `watch.near` the guards that are outside or may have been; CROSSED, NOTHING or NO_NUMBER."""
    near = 0
    for i in range(watch.g.size):
        g, g_new = watch.g[i], watch.g_new[i]
        lower = g if g < g_new else g_new  # a new value that is no number is chosen, and fails the next test
        inside = lower - REACH * h * (abs(watch.rate[i]) + abs(watch.rate_new[i])) > watch.slack[i]
        watch.near[near] = i
        near += 0 if inside else 1
    kept = 0
    for j in range(near):
        i = watch.near[j]
        if isnan(watch.g_new[i]):
            count[Count.CULPRIT] = i
            return NO_NUMBER
        if watch.g_new[i] < watch.slack[i] or may_dip(watch, i, h):
            watch.near[kept] = i
            kept += 1
    count[Count.NEAR] = kept
    return CROSSED if kept > 0 else NOTHING


@kernel(inner=True)
def mark_end(watch, count):
    """Guards outside at the end of a step whose events are not located fire there."""
    marked = NOTHING
    for i in range(watch.g.size):
        if isnan(watch.g_new[i]):
            count[Count.CULPRIT] = i
            return NO_NUMBER
        watch.fired[i] = watch.g_new[i] < watch.slack[i] - watch.tolerance[i]
        marked = CROSSED if watch.fired[i] else marked
    return marked


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
    near = count[Count.NEAR]
    top = 2.0
    for j in range(near):
        i = watch.near[j]
        watch.g_hi[i] = watch.g_new[i]
        if watch.g_new[i] < watch.slack[i]:
            top = min(top, 1.0)
        if watch.g[i] < 1e300 and watch.g_new[i] < 1e300:
            s = _search_dip(guards, i, t, h, x, memory, mode, p, trial, watch, count)
            if s < 1.0 and s < top:
                top = s
    if top < 1.0:
        _guards_at(guards, t, h, top, x, trial.shape, memory, mode, p, trial.x_probe, watch.g_hi, count)
    return top


@kernel(inner=True)
def _cubic_slope(watch, i, h, s):
    m0, m1 = h * watch.rate[i], h * watch.rate_new[i]
    b, c = _cubic(watch.g[i], watch.g_new[i], m0, m1)
    return m0 + s * (2.0 * b + s * 3.0 * c)


@kernel(inner=True)
def _earliest(watch, near, h, lo, hi, close):
    """Of the guards outside at the upper end the one whose secant crosses first; whether all are close enough."""
    best = -1
    earliest = 2.0
    located = True
    for j in range(near):
        i = watch.near[j]
        outside = watch.g_hi[i] - watch.slack[i]
        if outside < 0.0:
            located = located and -outside <= close * abs(_cubic_slope(watch, i, h, hi))
            inside = max(watch.g_lo[i] - watch.slack[i], SMALLEST)
            s = lo + (hi - lo) * inside / (inside - outside)
            if s < earliest:
                earliest = s
                best = i
    return best, located


@kernel(inner=True)
def _cubic_root(g0, g1, m0, m1, s, g, lo, hi):
    """Where the cubic, moved by a constant to have the value g at s, is zero inside (lo, hi); Newton, kept in."""
    b, c = _cubic(g0, g1, m0, m1)
    moved = g - s * (m0 + s * (b + s * c))
    root = s if lo < s < hi else 0.5 * (lo + hi)
    for _ in range(NEWTON_STEPS):
        value = moved + root * (m0 + root * (b + root * c))
        slope = m0 + root * (2.0 * b + root * 3.0 * c)
        if value > 0.0:
            lo = root
        else:
            hi = root
        better = root - value / slope if slope < 0.0 else hi
        if slope < 0.0 and abs(better - root) <= NEWTON_ENDS:  # first: the root is an end of the bracket now
            return min(max(better, lo), hi)
        root = better if lo < better < hi else 0.5 * (lo + hi)
    return root


@kernel(inner=True)
def locate(guards, t, h, x, memory, mode, p, trial, watch, top, close, count):
    """Narrow the bracket [0, top]; returns the fraction of the step at its upper end and the guard behind it.

    `close`: the fraction of the step beyond the crossing that is close enough.
    """
    near = count[Count.NEAR]
    for j in range(near):
        watch.g_lo[watch.near[j]] = watch.g[watch.near[j]]
    lo, hi = 0.0, top
    spent, tried = 0, 0
    pivot, located = _earliest(watch, near, h, lo, hi, close)
    rounding = 4e-16 * max(abs(t), abs(t + h)) / h
    last, g_last = top, watch.g_hi[pivot]
    while hi - lo > rounding and spent <= 2 * MAX_PROBES and not located:
        # in a very long step the usual width may still overshoot by more than the guard's tolerance
        if hi - lo <= 2.0 * TOLERANCE and watch.g_hi[pivot] - watch.slack[pivot] >= -watch.tolerance[pivot]:
            break
        if tried < CUBIC_PROBES:
            tried += 1
            s = _cubic_root(
                watch.g[pivot], watch.g_new[pivot], h * watch.rate[pivot], h * watch.rate_new[pivot],
                last, g_last - watch.slack[pivot], lo, hi,
            )  # fmt: skip
            s += 0.5 * close
        else:
            inside = max(watch.g_lo[pivot] - watch.slack[pivot], SMALLEST)
            s = probe(Bracket(lo, inside, hi, watch.g_hi[pivot] - watch.slack[pivot], spent))
            spent += 1
        if not lo < s < hi:
            s = 0.5 * (lo + hi)
            if not lo < s < hi:
                break
        _guards_at(guards, t, h, s, x, trial.shape, memory, mode, p, trial.x_probe, watch.probe, count)
        crossed = False
        for j in range(near):
            i = watch.near[j]
            crossed = crossed or watch.probe[i] < watch.slack[i]
        end = watch.g_hi if crossed else watch.g_lo
        for j in range(near):
            end[watch.near[j]] = watch.probe[watch.near[j]]
        if crossed:
            hi = s
            pivot, located = _earliest(watch, near, h, lo, hi, close)
        else:
            lo = s
        last, g_last = s, watch.probe[pivot]
    return hi, pivot


@kernel(inner=True)
def mark_fired(guards, t, h, s, x, memory, mode, p, trial, watch, count):
    """Everything outside at the located instant, or within TOGETHER of it, fires."""
    near = count[Count.NEAR]
    for i in range(watch.g.size):
        watch.fired[i] = False
    doubtful = False
    for j in range(near):
        i = watch.near[j]
        inside = watch.g_hi[i] - watch.slack[i]
        watch.fired[i] = inside < 0.0
        steepest = abs(watch.g_new[i] - watch.g[i]) + h * (abs(watch.rate[i]) + abs(watch.rate_new[i]))
        doubtful = doubtful or (inside >= 0.0 and inside <= 4.0 * TOGETHER * steepest)
    if doubtful:
        _guards_at(guards, t, h, s + TOGETHER, x, trial.shape, memory, mode, p, trial.x_probe, watch.probe, count)
    for j in range(near):
        i = watch.near[j]
        if doubtful and watch.probe[i] < watch.slack[i]:
            watch.fired[i] = True
        watch.slack[i] = min(watch.slack[i], watch.g_hi[i])
