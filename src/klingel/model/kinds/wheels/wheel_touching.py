"""Wheels that come down on their rails: a break of the right-hand side (`numerics.events.breaks`).

Damping acts as soon as a wheel penetrates its rail, so the force of a wheel that was in the air jumps by d q'
(`elements.wheel_contact`). Between flanges wheels come down a hundred times a second and more. Contacts that are
held in the air carry no load; all else goes on as before.
"""

from math import inf

from klingel._jit import kernel
from klingel.model.bodies.motion import LANES, gather
from klingel.model.kinds.wheels.wheel import press_wheels
from klingel.model.kinds.wheels.wheel_lanes import BLOCK, PART, Lane
from klingel.model.on_track import track_at_bodies
from klingel.model.system import Head
from klingel.numerics.events.breaks import BEYOND, HOLD, RELEASE, START


@kernel(inner=True)
def depth(p, w):
    """Penetration of the deeper contact of wheel w, as the scratch has it [m]."""
    f, i = p
    block = i[Head.LANES] + BLOCK * (w // LANES)
    at = block + LANES * Lane.PENETRATION + w % LANES
    return max(f[at], f[at + PART]) if f[block + LANES * Lane.OVERLAPS] > 0.0 else f[at]


@kernel(inner=True)
def let_carry(p, w, share):
    """The largest share of its load that a contact of wheel w may carry: all of it, or none."""
    f, i = p
    at = i[Head.LANES] + BLOCK * (w // LANES) + LANES * Lane.MOST + w % LANES
    f[at] = f[at + PART] = share


@kernel(inner=True)
def breaks(task, t, x, memory, mode, p):
    """See `numerics.events.breaks`; a wheel is beyond its break by its penetration [m]."""
    f, i = p
    wheels = i[Head.WHEELS]
    if task == RELEASE:
        for w in range(wheels):
            let_carry(p, w, 1.0)
        return 0.0
    if i[Head.HAS_TRACK]:
        track_at_bodies.follow_track(p, t, memory)
    gather(p, x)
    if not press_wheels(p, t, mode):
        return 0.0
    before, beyond = inf, -inf
    for w in range(wheels):
        q = depth(p, w)
        at = i[Head.LANES] + BLOCK * (w // LANES) + w % LANES
        noted = f[at + LANES * Lane.NOTED]
        if task == START:
            f[at + LANES * Lane.NOTED] = q
        elif task == HOLD and noted < 0.0 and q > 0.0:
            let_carry(p, w, 0.0)
            before = min(before, -noted)
        if f[at + LANES * Lane.MOST] == 0.0:
            beyond = max(beyond, q)
    if task == BEYOND:
        return beyond
    return before if before < inf else 0.0
