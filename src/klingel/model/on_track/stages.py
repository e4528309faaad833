"""Ends of curve elements: a body enters the next stage of the track at an instant known in advance.

The stage of each body is part of the memory: a discrete state, so a stage is evaluated up to its very end and
never beyond. The frames of two stages move differently at a ramp (the cant slope jumps) or at an abrupt curve.
Coordinates are relative to the frame, so their rates jump there, and absolute velocities do not.

Events 44 to 46 of table 3.2 in Hoffmann (2006): one per body and corner.
"""

from math import sqrt

import numpy as np

from klingel._jit import kernel
from klingel.model.bodies.inertia import add_rate
from klingel.model.builder import Compiled
from klingel.model.on_track.frames import Place
from klingel.model.on_track.track_at_bodies import distance_of, sample_body
from klingel.model.system import BodyField, Head, Run
from klingel.track import alignment

PASSED = 1e-7  # a body this close to a corner has passed it; far above the rounding of distances [m]


@kernel(inner=True)
def pass_corners(p, t, x, memory):
    """Bodies that reach the end of a stage enter the next; their rates in the new frame.

    The absolute velocity goes on, the frame's does not: with D the jump of Omega and n the nominal place,

        r. -= D x n + (0, 0, jump of the rise rate),    v. -= D

    The nominal place makes rates of deformation, which know no displacement in these terms, continuous, but for
    coordinates a body does not have. Returns how many bodies there were.
    """
    f, i = p
    passed = 0
    for b in range(i[Head.BODIES]):
        before = int(memory[i[Head.STAGE] + b])
        after = alignment.stage_at(f, i[Head.ALIGNMENT], distance_of(p, t, b) + PASSED)
        if after == before:
            continue
        passed += 1
        memory[i[Head.STAGE] + b] = after
        o, slot = i[Head.PLACE] + Place.SIZE * b, i[Head.SLOT] + 12 * b
        body = i[Head.BODY] + BodyField.SIZE * b
        sample_body(p, t, b, before)
        wx, wy, wz = f[o + Place.TURN], f[o + Place.TURN + 1], f[o + Place.TURN + 2]
        lift = f[o + Place.RISE_RATE]
        sample_body(p, t, b, after)
        wx, wy, wz = f[o + Place.TURN] - wx, f[o + Place.TURN + 1] - wy, f[o + Place.TURN + 2] - wz
        lift = f[o + Place.RISE_RATE] - lift
        ny, nz = f[body + BodyField.Y], f[body + BodyField.Z] + f[o + Place.RISE]
        add_rate(i, slot, 0, x, wz * ny - wy * nz)
        add_rate(i, slot, 1, x, wx * nz)
        add_rate(i, slot, 2, x, -wx * ny - lift)
        add_rate(i, slot, 3, x, -wx)
        add_rate(i, slot, 4, x, -wy)
        add_rate(i, slot, 5, x, -wz)
    return passed


def element_name(row: np.ndarray) -> str:
    """What the stage of this row of an alignment table is called."""
    if row[alignment.DK] != 0.0:
        return "transition"
    if row[alignment.K] != 0.0:
        return "curve"
    if row[alignment.DPHI] != 0.0:
        return "cant ramp"
    if row[alignment.KV] != 0.0 or row[alignment.DKV] != 0.0:
        return "vertical curve"
    return "straight"


def corner_instants(compiled: Compiled, duration: float) -> tuple[tuple[float, ...], tuple[str, ...]]:
    """Instants within the run at which bodies pass corners, rising, and their names."""
    f, i = compiled.system.f, compiled.system.i
    if not i[Head.HAS_TRACK]:
        return (), ()
    speed, acceleration = f[i[Head.RUN] + Run.SPEED], f[i[Head.RUN] + Run.ACCELERATION]
    start = f[i[Head.RUN] + Run.DISTANCE]
    first = int(i[Head.ALIGNMENT])
    rows = f[first + 1 : first + 1 + int(f[first]) * alignment.ROW_SIZE].reshape(-1, alignment.ROW_SIZE)
    found = []
    for b, name in enumerate(compiled.layout.bodies):
        here = start + f[i[Head.BODY] + BodyField.SIZE * b + BodyField.X]
        for row in rows:
            way = float(row[alignment.S] - here)
            if way <= 0.0 or speed**2 + 2.0 * acceleration * way <= 0.0:
                continue
            # the root of V t + Gamma t^2/2 = way that survives Gamma = 0
            instant = 2.0 * way / (speed + sqrt(speed**2 + 2.0 * acceleration * way))
            if instant < duration:
                found.append((instant, f"{name} enters {element_name(row)}"))
    found.sort()
    return tuple(t for t, _ in found), tuple(name for _, name in found)
