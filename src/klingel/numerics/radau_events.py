"""Output rows and events of the Radau loop, both read off its cubic interpolant.

A guard is positive while the mode holds (docs/reference/hybrid-systems.md). One that is not negative at the
start of a step and negative at its end is located by `bracket`; the event state lies on the far side. All
guards crossed there, or within SIMULTANEOUS of the step, fire together. `act` may change state, memory and
mode; nothing of the past is used afterwards.
"""

from klingel._jit import kernel
from klingel.numerics.bracket import TOLERANCE, Bracket, narrow, probe
from klingel.numerics.radau_work import NEXT, NOW, TRY, Count, Real, Row

SIMULTANEOUS = 1e-8  # of the step


@kernel(inner=True)
def interpolate(fraction, v, base, shape, target):
    """Row `target` of v = x(t + fraction h), from the rows `base` and `shape`."""
    for i in range(v.shape[1]):
        value = v[shape + 1, i] + fraction * v[shape + 2, i]
        v[target, i] = v[base, i] + fraction * (v[shape, i] + fraction * value)


@kernel(inner=True)
def write_row(t, x, s, out):
    row = s.count[Count.OUT_ROWS]
    out.t[row] = t
    for i in range(out.x.shape[1]):
        out.x[row, i] = x[i]
    s.count[Count.OUT_ROWS] = row + 1


@kernel(inner=True)
def write_step(s, out):
    """The end of the last step, or the points of the output grid inside it."""
    step = s.real[Real.OUT_STEP]
    if step == 0.0:
        write_row(s.real[Real.T], s.v[Row.X], s, out)
        return
    while True:
        t = s.real[Real.T_OUT] + s.count[Count.OUT_INDEX] * step
        if t > s.real[Real.T] + 1e-9 * step:
            return
        interpolate((t - s.real[Real.T_OLD]) / s.real[Real.H_SHAPE], s.v, Row.X_OLD, Row.SHAPE, Row.STAGE)
        write_row(t, s.v[Row.STAGE], s, out)
        s.count[Count.OUT_INDEX] += 1


@kernel(inner=True)
def has_room(h, s, watch, out):
    """Whether the rows of one more step fit into the buffers."""
    step = s.real[Real.OUT_STEP]
    s.count[Count.ROWS_NEEDED] = 3 if step == 0.0 else 3 + int(h / step)
    free = out.t.size - s.count[Count.OUT_ROWS]
    events = out.event_time.size - s.count[Count.EVENT_ROWS]
    return s.count[Count.ROWS_NEEDED] <= free and watch.fired.size <= events


@kernel(inner=True)
def crossed(guards, t, s, watch, p, n):
    """Guards at the new point; true if one went from inside to outside."""
    if watch.fired.size == 0:
        return False
    guards(t, s.v[Row.X_NEW, :n], s.memory, s.mode, p, watch.g[NEXT])
    found = False
    for k in range(watch.fired.size):
        watch.fired[k] = watch.g[NOW, k] >= 0.0 and watch.g[NEXT, k] < 0.0
        found |= watch.fired[k]
    return found


@kernel(inner=True)
def lowest(watch, row):
    """Smallest of the guards that were crossed."""
    value = 1e300
    for k in range(watch.fired.size):
        if watch.fired[k]:
            value = min(value, watch.g[row, k])
    return value


@kernel(inner=True)
def locate(guards, h, s, watch, p, n):
    """Fraction of the step at which the first crossed guard has just become negative; sets `fired`."""
    t = s.real[Real.T]
    b = Bracket(0.0, lowest(watch, NOW), 1.0, lowest(watch, NEXT), 0)
    while b.hi - b.lo > 2.0 * TOLERANCE and b.g_lo > 0.0:
        fraction = probe(b)
        interpolate(fraction, s.v, Row.X, Row.TRIAL, Row.STAGE)
        guards(t + fraction * h, s.v[Row.STAGE, :n], s.memory, s.mode, p, watch.g[TRY])
        b = narrow(b, fraction, lowest(watch, TRY))
    at = b.hi if b.g_lo > 0.0 else b.lo
    late = min(1.0, at + SIMULTANEOUS)
    interpolate(late, s.v, Row.X, Row.TRIAL, Row.STAGE)
    guards(t + late * h, s.v[Row.STAGE, :n], s.memory, s.mode, p, watch.g[TRY])
    for k in range(watch.fired.size):
        watch.fired[k] = watch.fired[k] and watch.g[TRY, k] < 0.0
    interpolate(at, s.v, Row.X, Row.TRIAL, Row.X_NEW)
    return at


@kernel(inner=True)
def fire(guards, act, s, watch, out, p, n):
    """Log the event, act, start anew; nonzero when the run is to stop."""
    t = s.real[Real.T]
    for k in range(watch.fired.size):
        if watch.fired[k]:
            row = s.count[Count.EVENT_ROWS]
            out.event_time[row] = t
            out.event_guard[row] = k
            s.count[Count.EVENT_ROWS] = row + 1
            s.count[Count.EVENTS] += 1
    stop = act(t, s.v[Row.X, :n], s.memory, s.mode, p, watch.fired)
    guards(t, s.v[Row.X, :n], s.memory, s.mode, p, watch.g[NOW])
    s.count[Count.JACOBIAN_VALID] = 0
    s.count[Count.FACTORS_VALID] = 0
    s.count[Count.HAS_SHAPE] = 0
    s.count[Count.SLOPE_VALID] = 0
    s.count[Count.FIRST] = 1
    s.real[Real.H_ACCEPTED] = 0.0
    if s.real[Real.OUT_STEP] == 0.0:
        write_row(t, s.v[Row.X], s, out)
    return stop
