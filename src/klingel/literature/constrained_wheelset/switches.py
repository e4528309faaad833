"""Discrete modes of the constrained wheelset: the flange, and the sign of both normal forces.

=============  ========================  =================================================
mode           values                    ways out
=============  ========================  =================================================
flange         FREE, UPPER, LOWER        walls of the dead band on y (`elements.dead_band`)
left, right    PRESSED, PULLED           the normal force passes through zero
=============  ========================  =================================================
"""

import numpy as np

from klingel._jit import kernel
from klingel.elements import dead_band
from klingel.elements.piece import Wall
from klingel.literature.constrained_wheelset.forces import Load, flange_piece

MODE_NAMES = ("flange", "left wheel", "right wheel")
MODE_TYPES = (dead_band.Mode, Load, Load)
GUARD_NAMES = ("flange, y falls", "flange, y rises", "left normal force", "right normal force")
GUARD_OWNER = (0, 0, 1, 2)
GUARD_TOLERANCE = (1e-12, 1e-12, 1e-6, 1e-6)  # [m], [m], [N], [N]
N_GUARDS = len(GUARD_NAMES)


@kernel
def write_guards(y, n_left, n_right, mode, p, g):
    piece = flange_piece(mode[0], p)
    g[0] = y - piece.u_low
    g[1] = piece.u_high - y
    g[2] = n_left if mode[1] == Load.PRESSED else -n_left
    g[3] = n_right if mode[2] == Load.PRESSED else -n_right


@kernel
def act(mode, fired):
    if fired[0]:
        mode[0] = dead_band.leave(mode[0], Wall.U_LOW)
    if fired[1]:
        mode[0] = dead_band.leave(mode[0], Wall.U_HIGH)
    for side in (1, 2):
        if fired[side + 1]:
            mode[side] = Load.PULLED if mode[side] == Load.PRESSED else Load.PRESSED


def start_modes() -> np.ndarray:
    """Flange free, both wheels pressed; the event loop corrects them at once where a start contradicts."""
    return np.array([dead_band.Mode.FREE, Load.PRESSED, Load.PRESSED], np.int8)
