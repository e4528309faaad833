"""Has nothing happened in this step? A quick answer, before the guards are asked one by one.

A deformation u with values u0, u1 and rates v0, v1 at the ends of a step of length h is close to a cubic, which
leaves the interval between u0 and u1 by at most (4/27) h (|v0| + |v1|). A wall farther away than MARGIN of that
was not touched. For walls of a rate the change of the rate over the step is the measure: a rate larger than
its change keeps its sign. Both are tests of contiguous arrays without branches. Springs, wheels and gaps follow.

Where the answer is "perhaps", the guards decide; a "no" that comes too easily costs nothing but their evaluation.
"""

from math import nan

from klingel._jit import kernel
from klingel.elements import leaf_spring
from klingel.model import guides, place, ports, wheels
from klingel.model.motion import AXES, deform_ports, gather
from klingel.model.system import GUIDE_SIZE, Head, PortField, Run

MARGIN = 0.25  # of h (|v0| + |v1|); the cubic needs 4/27


@kernel(inner=True)
def holds(p, x):
    """Whether the scratch is that of the state x, as it is after its right-hand side."""
    f, i = p
    motion, place = i[Head.MOTION], i[Head.MOTION_OF]
    differ = 0
    for k in range(x.size):
        differ += 0 if f[motion + i[place + k]] == x[k] else 1
    return differ == 0


@kernel(inner=True)
def forget(p):
    """After an action the state at the same instant may be another one."""
    p[0][p[1][Head.RUN] + Run.SCANNED] = nan


@kernel(inner=True)
def remember(p, t):
    """The deformations in the scratch become those of the beginning of the next step, which begins at t."""
    f, i = p
    n = AXES * i[Head.LINKS]
    o = i[Head.PORT_STATE]
    for k in range(n):
        f[o + PortField.U_OLD * n + k] = f[o + PortField.U * n + k]
        f[o + PortField.V_OLD * n + k] = f[o + PortField.V * n + k]
    shift = i[Head.WHEEL_OLD]
    for w in range(i[Head.WHEELS]):
        body = i[i[Head.WHEEL_AT] + wheels.WHEEL_INTS * w]
        f[shift + 2 * w] = wheels.lateral_place(p, body)
        f[shift + 2 * w + 1] = wheels.lateral_rate(p, body)
    f[i[Head.RUN] + Run.SCANNED] = t


@kernel(inner=True)
def near_walls(p, h):
    """How many ports may have touched one of their four walls."""
    f, i = p
    n = AXES * i[Head.LINKS]
    o = i[Head.PORT_STATE]
    s = f[o : o + PortField.SIZE * n]
    near = 0
    for k in range(n):
        u0, u1 = s[PortField.U_OLD * n + k], s[PortField.U * n + k]
        v0, v1 = s[PortField.V_OLD * n + k], s[PortField.V * n + k]
        reach = MARGIN * h * (abs(v0) + abs(v1))
        change = abs(v1 - v0)
        inside = (min(u0, u1) - reach > s[PortField.U_LOW * n + k]) & (
            max(u0, u1) + reach < s[PortField.U_HIGH * n + k]
        )
        keeps = (min(v0, v1) - change > s[PortField.V_LOW * n + k]) & (
            max(v0, v1) + change < s[PortField.V_HIGH * n + k]
        )
        near += 0 if inside & keeps else 1
    return near


@kernel(inner=True)
def springs_turn(p, h, memory, mode):
    """Whether a leaf spring may have left its mode."""
    f, i = p
    n = AXES * i[Head.LINKS]
    o = i[Head.PORT_STATE]
    for k in range(i[Head.LEAVES]):
        at, law_at = i[Head.LEAF_AT] + 3 * k, i[Head.LEAF] + ports.LEAF_SIZE * k
        port = o + i[at]
        v0, v1 = f[port + PortField.V_OLD * n], f[port + PortField.V * n]
        z = f[law_at + leaf_spring.LAW_SIZE] + f[port + PortField.U * n]
        law, branch = leaf_spring.read_law(f, law_at), leaf_spring.read_branch(memory, i[at + 2])
        turn, leaf, limit = leaf_spring.guards(mode[i[at + 1]], branch, z, v1, law)
        reach = h * (abs(v0) + abs(v1))
        stiffest = abs(branch.f1) + abs(branch.amplitude * branch.kappa) + law.stiffness + law.stiffness_second
        clear = (turn > abs(v1 - v0)) & (leaf > reach) & (limit > stiffest * reach)
        if not clear:
            return True
    return False


@kernel(inner=True)
def wheels_shift(p, h, mode):
    """Whether a wheel may have left the range of its contact state."""
    f, i = p
    for w in range(i[Head.WHEELS]):
        at = i[Head.WHEEL_AT] + wheels.WHEEL_INTS * w
        bound, old = i[at + 3] + mode[i[at + 1]], i[Head.WHEEL_OLD] + 2 * w
        y0, y1 = f[old], wheels.lateral_place(p, i[at])
        reach = MARGIN * h * (abs(f[old + 1]) + abs(wheels.lateral_rate(p, i[at])))
        inside = (min(y0, y1) - reach > f[bound]) & (max(y0, y1) + reach < f[bound + 1])
        if not inside:
            return True
    return False


@kernel(inner=True)
def gaps_close(p, h):
    """Whether a clearance may have been used up."""
    f, i = p
    n = AXES * i[Head.LINKS]
    for k in range(i[Head.GUIDES]):
        port = i[Head.PORT_STATE] + i[i[Head.GUIDE_AT] + guides.GUIDE_INTS * k]
        u0, u1 = f[port + PortField.U_OLD * n], f[port + PortField.U * n]
        reach = MARGIN * h * (abs(f[port + PortField.V_OLD * n]) + abs(f[port + PortField.V * n]))
        if not max(abs(u0), abs(u1)) + reach < f[i[Head.GUIDE] + GUIDE_SIZE * k]:
            return True
    return False


@kernel(inner=True)
def something_happened(p, t, t_new, x, x_new, memory, mode):
    """1 unless no element can have left its mode between x at t and x_new at t_new."""
    f, i = p
    h = t_new - t
    if f[i[Head.RUN] + Run.SCANNED] != t:
        place.follow_track(p, t, memory)
        gather(p, x)
        deform_ports(p)
        remember(p, t)
    if i[Head.HAS_TRACK] or not holds(p, x_new):
        place.follow_track(p, t_new, memory)
        gather(p, x_new)
        deform_ports(p)
    near = near_walls(p, h)
    if near > 0 or wheels_shift(p, h, mode) or springs_turn(p, h, memory, mode) or gaps_close(p, h):
        return 1
    remember(p, t_new)
    return 0
