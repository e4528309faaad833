"""Stages of a half-explicit step for y' = f(y, q, z), 0 = c1(y, q), 0 = c2(y, q): q of index 1, z of index 2.

Full right-hand sides are dear, constraints are cheap. Per stage f is evaluated once at a predicted z; the
correction of z is then found with constraints alone, from f + f_z dz, where f_z is frozen. Only if what
this linearisation may leave behind is visible at the tolerance, f is evaluated again. All small systems
share one matrix

    K = [c_q, c_y f_z]     (c = (c1, c2)),

which is regular exactly if the index is as declared. Unknowns are (dq, zeta): a change of q and an
impulse zeta = (weight) dz that moves y by f_z zeta.
"""

from klingel._jit import kernel
from klingel.numerics.dae.half_explicit.work import PAST, Row
from klingel.numerics.dae.projection import difference_step
from klingel.numerics.dae.work import DaeCount, DaeReal
from klingel.numerics.linear import lu
from klingel.numerics.ode.workspace import Count

PROBE_TIME = 1e-4  # of the step: distance of the difference quotient along the flow
MAX_ITERATIONS = 15  # on the constraints
STAGNATION = 0.1  # correction, as a fraction of the tolerance, that may be rounding when it stops shrinking
SLOW_CONSTRAINTS = 0.03  # contraction above which K is made anew
SLOW_RATE = 0.2  # leftover of the linearisation in z above which f_z is made anew
OK, REFUSED, NO_NEWTON = range(3)


@kernel(inner=True)
def constraint_rows(constraints, t, x, s, p, r):
    """All constraints in the order of `order`; nonzero when refused."""
    probe = s.v[Row.PROBE]
    if s.count[DaeCount.SEPARATE]:
        s.count[DaeCount.CONSTRAINTS] += 1
    else:
        s.count[Count.RHS] += 1
    refused = constraints(t, x, s.memory, s.mode, p, probe)
    for i in range(r.size):
        r[i] = probe[s.order[s.sizes[0] + i]]
    return refused


@kernel(inner=True)
def evaluate(rhs, t, x, s, p, stage):
    """f at a stage; algebraic rows are cleared."""
    s.count[Count.RHS] += 1
    refused = rhs(t, x, s.memory, s.mode, p, s.k[stage])
    for i in range(s.sizes[0], x.size):
        s.k[stage, s.order[i]] = 0.0
    return refused


@kernel(inner=True)
def settled(size, before, s):
    """1 when Newton on the constraints is done, -1 when it fails, 0 to go on."""
    tolerance = s.real[DaeReal.CONSTRAINT_TOLERANCE]
    if size > tolerance and size > SLOW_CONSTRAINTS * before:
        s.count[DaeCount.SLOW] = 1
    if size <= tolerance or (size > 0.5 * before and size < STAGNATION):
        return 1
    return 0 if size < 2.0 * before else -1


@kernel(inner=True)
def solve_first(constraints, t, x, s, p):
    """Newton for the index-1 variables at fixed differential ones."""
    nd, n1 = s.sizes[0], s.sizes[1]
    r = s.small[0]
    before = 1e300
    for _ in range(MAX_ITERATIONS if n1 > 0 else 0):
        if constraint_rows(constraints, t, x, s, p, r) != 0:
            return REFUSED
        s.count[Count.NEWTON] += 1
        lu.solve(s.first, s.pivots[1], r[:n1])
        size = 0.0
        for i in range(n1):
            j = s.order[nd + i]
            x[j] -= r[i]
            size = max(size, abs(r[i]) / s.v[Row.SCALE, j])
        state = settled(size, before, s)
        if state != 0:
            return OK if state > 0 else NO_NEWTON
        before = size
    return OK if n1 == 0 else NO_NEWTON


@kernel(inner=True)
def solve_all(constraints, t, x, s, p, zeta):
    """Move x on all constraints, along f_z in the differential components; `zeta` collects the impulses."""
    nd, n1, n2 = s.sizes[0], s.sizes[1], s.sizes[2]
    r = s.small[0]
    for k in range(n2):
        zeta[k] = 0.0
    before = 1e300
    for _ in range(MAX_ITERATIONS if n1 + n2 > 0 else 0):
        if constraint_rows(constraints, t, x, s, p, r) != 0:
            return REFUSED
        s.count[Count.NEWTON] += 1
        lu.solve(s.all, s.pivots[0], r)
        size = 0.0
        for i in range(n1):
            j = s.order[nd + i]
            x[j] -= r[i]
            size = max(size, abs(r[i]) / s.v[Row.SCALE, j])
        for k in range(n2):
            zeta[k] -= r[n1 + k]
        for i in range(nd):
            j = s.order[i]
            move = 0.0
            for k in range(n2):
                move -= s.f_z[k, j] * r[n1 + k]
            x[j] += move
            size = max(size, abs(move) / s.v[Row.SCALE, j])
        state = settled(size, before, s)
        if state != 0:
            return OK if state > 0 else NO_NEWTON
        before = size
    return OK if n1 + n2 == 0 else NO_NEWTON


@kernel(inner=True)
def solve_derivative(constraints, t, x, h, s, p, stage, zeta):
    """Correction `zeta` of z that makes the derivative of all constraints along the flow vanish at x.

    The flow is f (in s.k[stage], corrected on the way) with the rates of the index-1 variables, which stay
    in Row.FLOW as the guess of the next stage. The derivative is a central difference.
    """
    nd, n1, n2 = s.sizes[0], s.sizes[1], s.sizes[2]
    above, below, flow, shifted = s.small[0], s.small[1], s.v[Row.FLOW], s.v[Row.SHIFTED]
    eps = PROBE_TIME * h
    for k in range(n2):
        zeta[k] = 0.0
    before = 1e300
    for _ in range(MAX_ITERATIONS):
        for i in range(nd):
            flow[s.order[i]] = s.k[stage, s.order[i]]
        for i in range(x.size):
            shifted[i] = x[i] + eps * flow[i]
        refused = constraint_rows(constraints, t + eps, shifted, s, p, above)
        for i in range(x.size):
            shifted[i] = x[i] - eps * flow[i]
        if refused != 0 or constraint_rows(constraints, t - eps, shifted, s, p, below) != 0:
            return REFUSED
        s.count[Count.NEWTON] += 1
        for i in range(n1 + n2):
            above[i] = (above[i] - below[i]) / (2.0 * eps)
        lu.solve(s.all, s.pivots[0], above)
        size = 0.0
        for i in range(n1):
            flow[s.order[nd + i]] -= above[i]
        for k in range(n2):
            zeta[k] -= above[n1 + k]
        for i in range(nd):
            j = s.order[i]
            move = 0.0
            for k in range(n2):
                move -= s.f_z[k, j] * above[n1 + k]
            s.k[stage, j] += move
            size = max(size, abs(h * move) / s.v[Row.SCALE, j])
        state = settled(size, before, s)
        if state != 0:
            return OK if state > 0 else NO_NEWTON
        before = size
    return NO_NEWTON


@kernel(inner=True)
def effect(s, h, zeta):
    """How much an impulse h zeta moves the differential components, in units of the tolerance."""
    size = 0.0
    for i in range(s.sizes[0]):
        j = s.order[i]
        move = 0.0
        for k in range(s.sizes[2]):
            move += s.f_z[k, j] * zeta[k]
        size = max(size, abs(h * move) / s.v[Row.SCALE, j])
    return size


@kernel(inner=True)
def update_f_z(rhs, t, x, s, p):
    """f_z by differences; costs full right-hand sides."""
    first = s.sizes[0] + s.sizes[1]
    base, probe = s.v[Row.SHIFTED], s.v[Row.PROBE]
    refused = rhs(t, x, s.memory, s.mode, p, base)
    for k in range(s.sizes[2]):
        j = s.order[first + k]
        keep = x[j]
        delta = difference_step(keep)
        x[j] = keep + delta
        refused |= rhs(t, x, s.memory, s.mode, p, probe)
        x[j] = keep
        for i in range(s.sizes[0]):
            s.f_z[k, s.order[i]] = (probe[s.order[i]] - base[s.order[i]]) / delta
    s.count[Count.JACOBIANS] += 1
    s.count[Count.RHS] += s.sizes[2] + 1
    s.count[DaeCount.RHS_JACOBIAN] += s.sizes[2] + 1
    return refused


@kernel(inner=True)
def update_constraints(constraints, t, x, s, p):
    """c_x by differences and the factors of K; CULPRIT names a singular column."""
    refused = constraint_rows(constraints, t, x, s, p, s.small[0])
    for i in range(s.sizes[0] + s.sizes[1]):
        j = s.order[i]
        keep = x[j]
        delta = difference_step(keep)
        x[j] = keep + delta
        refused |= constraint_rows(constraints, t, x, s, p, s.small[1])
        x[j] = keep
        for k in range(s.small.shape[1]):
            s.c_x[k, j] = (s.small[1, k] - s.small[0, k]) / delta
    return REFUSED if refused != 0 else factorise(s)


@kernel(inner=True)
def factorise(s):
    """LU of K = [c_q, c_y f_z] and of its index-1 block."""
    nd, n1, n2 = s.sizes[0], s.sizes[1], s.sizes[2]
    for i in range(n1 + n2):
        for j in range(n1):
            s.all[i, j] = s.c_x[i, s.order[nd + j]]
            if i < n1:
                s.first[i, j] = s.all[i, j]
        for k in range(n2):
            total = 0.0
            for j in range(nd):
                total += s.c_x[i, s.order[j]] * s.f_z[k, s.order[j]]
            s.all[i, n1 + k] = total
    s.count[Count.FACTORISATIONS] += 1
    column = lu.factorise(s.first, s.pivots[1])
    if column < 0:
        column = lu.factorise(s.all, s.pivots[0])
    if column >= 0:
        s.count[Count.CULPRIT] = s.order[nd + column]
        return NO_NEWTON
    return OK


@kernel(inner=True)
def remember(t, x, s):
    """Add z(t) to the points it is extrapolated from; a point at the same time is replaced."""
    first = s.sizes[0] + s.sizes[1]
    last = s.count[DaeCount.HISTORY] - 1
    if last < 0 or t > s.past[last, 0] + 1e-14 * abs(t):
        if last == PAST - 1:
            for i in range(PAST - 1):
                for k in range(s.past.shape[1]):
                    s.past[i, k] = s.past[i + 1, k]
        else:
            last += 1
    s.count[DaeCount.HISTORY] = last + 1
    s.past[last, 0] = t
    for k in range(s.sizes[2]):
        s.past[last, 1 + k] = x[s.order[first + k]]


@kernel(inner=True)
def predict(t, x, s):
    """z(t) by extrapolation through the last points: a parabola, a line or a constant."""
    first = s.sizes[0] + s.sizes[1]
    points = s.count[DaeCount.HISTORY]
    for k in range(s.sizes[2]):
        value = s.past[points - 1, 1 + k]
        if points > 1:
            t2, t1 = s.past[points - 1, 0], s.past[points - 2, 0]
            slope = (value - s.past[points - 2, 1 + k]) / (t2 - t1)
            if points > 2:
                t0 = s.past[points - 3, 0]
                older = (s.past[points - 2, 1 + k] - s.past[points - 3, 1 + k]) / (t1 - t0)
                value += (t - t2) * (t - t1) * (slope - older) / (t2 - t0)
            value += slope * (t - t2)
        x[s.order[first + k]] = value


@kernel(inner=True)
def start_past(s):
    """Put the stored points aside at the start of a step, or take them back for another try of it."""
    kept = s.count[DaeCount.PAST_KEPT]
    source, target = (PAST, 0) if kept else (0, PAST)
    for i in range(PAST):
        for k in range(s.past.shape[1]):
            s.past[target + i, k] = s.past[source + i, k]
    if kept:
        s.count[DaeCount.HISTORY] = s.count[DaeCount.HISTORY_KEPT]
    else:
        s.count[DaeCount.HISTORY_KEPT] = s.count[DaeCount.HISTORY]
        s.count[DaeCount.PAST_KEPT] = 1
