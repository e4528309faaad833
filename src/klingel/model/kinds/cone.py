"""All conical wheelsets: creep forces on their bodies, and what a run reports of them.

The law is `elements.conical_wheelset`. Only the lateral force and the yaw moment reach the body. It keeps its
plain inertia: the rolling speed V/r0 has no state of its own, and the classical models have no gyroscopic terms.
"""

from enum import IntEnum

import numpy as np

from klingel._jit import kernel
from klingel.elements import conical_wheelset
from klingel.model.bodies.motion import LOAD_ROW, MOMENT, RATES, ROW, YAW, gather
from klingel.model.system import ConeField, Head, Run, System


class ConeReport(IntEnum):
    """Of one conical wheelset, one wheel: creepages [-] and the force the rail holds against them [N]."""

    CREEPAGE_X, CREEPAGE_Y, FORCE_X, FORCE_Y = range(4)
    SIZE = 4


@kernel(inner=True)
def cone_creep(p, t, k):
    """Creepages and creep forces of conical wheelset k at the gathered motion."""
    f, i = p
    run, c = i[Head.RUN], i[Head.CONE] + ConeField.SIZE * k
    o = i[Head.MOTION] + ROW * i[i[Head.CONE_AT] + k]
    speed = f[run + Run.SPEED] + f[run + Run.ACCELERATION] * t
    ahead = f[c + ConeField.OFFSET]
    y, y_rate = f[o + 1] + ahead * f[o + YAW], f[o + RATES + 1] + ahead * f[o + RATES + YAW]
    xi_x, xi_y = conical_wheelset.creepages(
        y, f[o + YAW], y_rate, f[o + RATES + YAW], speed,
        f[c + ConeField.CONICITY], f[c + ConeField.RADIUS], f[c + ConeField.HALF_GAUGE],
    )  # fmt: skip
    x, y = conical_wheelset.creep_forces(
        xi_x, xi_y, f[c + ConeField.STIFFNESS], f[c + ConeField.PSI], f[c + ConeField.PHI], f[c + ConeField.LIMIT]
    )
    return xi_x, xi_y, x, y


@kernel(inner=True)
def add_forces(p, t):
    """Lateral force and yaw moment of both wheels on every conical wheelset."""
    f, i = p
    for k in range(i[Head.CONES]):
        _, _, x, y = cone_creep(p, t, k)
        load, c = i[Head.LOAD] + LOAD_ROW * i[i[Head.CONE_AT] + k], i[Head.CONE] + ConeField.SIZE * k
        f[load + 1] -= 2.0 * y
        f[load + MOMENT + 2] -= 2.0 * (f[c + ConeField.HALF_GAUGE] * x + f[c + ConeField.OFFSET] * y)


@kernel
def report_cones(t, x, p, out):
    """Fill out[row][cone][ConeReport]."""
    for r in range(t.size):
        gather(p, x[r])
        for k in range(p[1][Head.CONES]):
            out[r, k, 0], out[r, k, 1], out[r, k, 2], out[r, k, 3] = cone_creep(p, t[r], k)


def cone_outputs(system: System, t: np.ndarray, x: np.ndarray) -> np.ndarray:
    """[row][cone][ConeReport] of the rows of a trajectory."""
    own = system.copy()
    out = np.empty((t.size, int(own.i[Head.CONES]), ConeReport.SIZE))
    if out.size:
        report_cones(t, x, own, out)
    return out
