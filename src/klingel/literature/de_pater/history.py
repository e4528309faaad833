"""From a trajectory to all one wants to see: roll, height, forces, the moved rails, the tractive effort."""

from dataclasses import dataclass
from enum import IntEnum

import numpy as np

from klingel._errors import InputError
from klingel._jit import kernel
from klingel.literature.de_pater.equations_of_motion import motion, push_force
from klingel.literature.de_pater.geometry import LEFT, RIGHT, flange, tread
from klingel.literature.de_pater.hybrid_system import free_rail
from klingel.literature.de_pater.layout import STATES, P, Second, X
from klingel.numerics.trajectory import Trajectory


class Column(IntEnum):
    """What is kept of a row besides the state; contacts 3 and 4 are the right and the left flange."""

    ROLL, HEIGHT, N1, N2, N3, N4, TX1, TX2, TX3, TX4, TY1, TY2, TY3, TY4 = range(14)
    RIGHT_RAIL, LEFT_RAIL = 14, 15  # how far the rails are moved outwards [m]
    TRACTION, PUSH = 16, 17  # L of (4-36), lateral force on the axle [N]
    GRADIENT = 18  # of the kinetic energy over the distance, from the accelerations [N]
    POWER = 19  # of all forces over the speed [N]


@dataclass(frozen=True)
class History:
    s: np.ndarray  # distance [m]
    state: np.ndarray  # in the order of `X`
    columns: np.ndarray  # in the order of `Column`

    def __getitem__(self, name: str) -> np.ndarray:
        """A state (`v`, `psi_prime` …) or a column (`n1`, `traction` …)."""
        if name in STATES:
            return self.state[:, STATES.index(name)]
        if name.upper() in Column.__members__:
            return self.columns[:, Column[name.upper()]]
        raise InputError("quantity", name, f"must be one of {', '.join([*STATES, *Column.__members__]).lower()}")


@kernel
def _kinetic_gradient(x, at, now, p):
    """d/ds of V^2/2 q'^T M q', gyroscopic terms do no work."""
    inertia = p[P.MASS] * (1.0 + at.height_v**2) + p[P.I] * at.roll_v**2
    bend = p[P.MASS] * at.height_v * at.height_vv + p[P.I] * at.roll_v * at.roll_vv
    return p[P.V] ** 2 * (
        p[P.MASS] * x[X.U_1] * now.u
        + p[P.I_Y] * x[X.CHI_1] * now.chi
        + inertia * x[X.V_1] * now.v
        + bend * x[X.V_1] ** 3
        + p[P.I] * x[X.PSI_1] * now.psi
    )


@kernel
def _contact_power(side, angle, c, x, at, p):
    """Power over the speed of a contact on the motion relative to the body."""
    r, b = p[P.R], p[P.B]
    sine, cosine = np.sin(angle), np.cos(angle)
    y = x[X.V_1]
    z, roll = at.height_v * x[X.V_1], at.roll_v * x[X.V_1]
    along = x[X.U_1] + r * x[X.CHI_1] - side * b * x[X.PSI_1]
    across = y - r * roll
    down = z + side * b * roll
    return -(
        c.tx * along + c.ty * (cosine * across - side * sine * down) + c.n * (side * sine * across + cosine * down)
    )


@kernel
def _power(s, x, at, right, left, now, p):
    springs = -(
        p[P.C_X] * (x[X.U] * x[X.U_1] + p[P.L1] ** 2 * x[X.PSI] * x[X.PSI_1])
        + p[P.C_Y] * x[X.V] * x[X.V_1]
        + p[P.C_Z] * (at.height * at.height_v + p[P.L1] ** 2 * at.roll * at.roll_v) * x[X.V_1]
    )
    return (
        springs
        + (p[P.G] * at.height_v + push_force(s, p)) * x[X.V_1]
        + _contact_power(RIGHT, at.angle_1, now.one, x, at, p)
        + _contact_power(LEFT, at.angle_2, now.two, x, at, p)
        + _contact_power(RIGHT, right.angle, now.right, x, at, p)
        + _contact_power(LEFT, left.angle, now.left, x, at, p)
    )


@kernel
def _write_row(s, x, memory, mode, p, row):
    at = tread(x[X.V], p)
    now = motion(s, x, memory, mode, p)
    row[Column.ROLL], row[Column.HEIGHT] = at.roll, at.height
    row[Column.N1], row[Column.TX1], row[Column.TY1] = now.one.n, now.one.tx, now.one.ty
    row[Column.N2], row[Column.TX2], row[Column.TY2] = now.two.n, now.two.tx, now.two.ty
    row[Column.N3], row[Column.TX3], row[Column.TY3] = now.right.n, now.right.tx, now.right.ty
    row[Column.N4], row[Column.TX4], row[Column.TY4] = now.left.n, now.left.tx, now.left.ty
    right, left = flange(RIGHT, x[X.V], at, p), flange(LEFT, x[X.V], at, p)
    row[Column.RIGHT_RAIL] = right.overlap if mode[0] == Second.PRESSED else free_rail(s, 0, memory, p)
    row[Column.LEFT_RAIL] = left.overlap if mode[1] == Second.PRESSED else free_rail(s, 1, memory, p)
    row[Column.TRACTION] = -p[P.C_X] * x[X.U]
    row[Column.PUSH] = push_force(s, p)
    row[Column.GRADIENT] = _kinetic_gradient(x, at, now, p)
    row[Column.POWER] = _power(s, x, at, right, left, now, p)


@kernel
def _write_rows(s, states, memories, modes, p, out):
    for i in range(s.size):
        _write_row(s[i], states[i], memories[i], modes[i], p, out[i])


def history(run: Trajectory) -> History:
    """All quantities at every row of a run; the counters of its work are left alone."""
    p = run.problem.parameters.copy()
    out = np.empty((run.t.size, len(Column)))
    _write_rows(run.t, run.x, run.memory, run.mode, p, out)
    return History(run.t, run.x, out)
