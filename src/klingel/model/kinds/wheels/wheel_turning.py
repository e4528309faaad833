"""Wheelsets whose wheels turn at different speeds: loose on their axle, or on an axle that twists.

Each wheel has half the inertia I of the wheelset about its axle. With the mean spin s, which the body has anyway,
and d = s_left - s_right, the moments M of the contacts and the torque T of the axle,

    s' = (M_left + M_right) / I,     d' = 2 (M_left - M_right - 2 T) / I,     T = k twist + c d,     twist' = d

d is a state of its own, `spin_apart` [rad/s]; so is `twist` [rad], but not of loose wheels, which do not know it.
The difference is in the creepages of both wheels; normal forces and the gyroscopic couple do not see it. Creep
forces are made anew by `wheel_creep`, in which such wheelsets take part whatever their law.

Source: True, Engsig-Karup and Bigoni (2013), equation 2, where it is told and not written out.
"""

from enum import IntEnum

import numpy as np

from klingel._jit import kernel
from klingel.model.bodies.motion import LANES
from klingel.model.description import APART, Vehicle
from klingel.model.kinds.wheels.wheel import both_parts
from klingel.model.kinds.wheels.wheel_creep import Creep
from klingel.model.kinds.wheels.wheel_lanes import BLOCK, WHEEL_INTS, Lane
from klingel.model.layout import Moves, State
from klingel.model.rows import Rows
from klingel.model.system import NONE, BodyField, Head
from klingel.model.tables import Tables

SPIN_APART, TWIST = "spin_apart", "twist"


class At(IntEnum):
    """WHEEL: the left one, the right one follows; TWIST: NONE without a stiffness."""

    WHEEL, SPIN_APART, TWIST = range(3)
    SIZE = 3


class Row(IntEnum):
    STIFFNESS, DAMPING = range(2)
    SIZE = 2


def put_turning(vehicle: Vehicle, tables: Tables, rows: Rows) -> None:
    """States and rows of the wheelsets that ask for it."""
    floats, ints = [], []
    for k, wheelset in enumerate(vehicle.wheelsets):
        if wheelset.turning != APART:
            continue
        first = rows.first_own + len(rows.own)
        twists = wheelset.torsion > 0.0
        units = {SPIN_APART: "rad/s"} | ({TWIST: "rad"} if twists else {})
        body = wheelset.body
        rows.own += [State(f"{body}.{name}", Moves.OWN, body, name, unit) for name, unit in units.items()]
        ints.append([2 * k, first, first + 1 if twists else NONE])
        floats.append([wheelset.torsion, wheelset.torsion_damping])
    tables.head[Head.APART] = len(ints)
    tables.put(Head.APART_ROW, np.array(floats))
    tables.put_int(Head.APART_AT, np.array(ints, np.int64))


@kernel(inner=True)
def read_states(p, x):
    """Half the difference, of each wheel, to where its creepage is computed."""
    f, i = p
    for k in range(i[Head.APART]):
        at = i[Head.APART_AT] + At.SIZE * k
        half = 0.5 * x[i[at + At.SPIN_APART]]
        o = i[Head.CREEP] + Creep.SIZE * i[at + At.WHEEL]
        f[o + Creep.APART] = half
        f[o + Creep.SIZE + Creep.APART] = -half


@kernel(inner=True)
def moment_of(p, w):
    """Of all contacts of a wheel about the axle."""
    f, i = p
    block = i[Head.LANES] + BLOCK * (w // LANES)
    return both_parts(f, block, block + w % LANES, Lane.MOMENT_Y)


@kernel(inner=True)
def rates(p, x, dx):
    f, i = p
    for k in range(i[Head.APART]):
        at, o = i[Head.APART_AT] + At.SIZE * k, i[Head.APART_ROW] + Row.SIZE * k
        w = i[at + At.WHEEL]
        body = i[Head.BODY] + BodyField.SIZE * i[i[Head.WHEEL_AT] + WHEEL_INTS * w]
        apart = x[i[at + At.SPIN_APART]]
        torque = f[o + Row.DAMPING] * apart
        if i[at + At.TWIST] != NONE:
            torque += f[o + Row.STIFFNESS] * x[i[at + At.TWIST]]
            dx[i[at + At.TWIST]] = apart
        driven = moment_of(p, w) - moment_of(p, w + 1) - 2.0 * torque
        dx[i[at + At.SPIN_APART]] = 2.0 * f[body + BodyField.PER_INERTIA_Y] * driven
