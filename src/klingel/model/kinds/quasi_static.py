"""An element of affine pieces moved slowly along a path: its own walls decide, as they do in a run."""

from collections.abc import Callable
from typing import Any

import numpy as np

from klingel.elements.piece import Piece, Wall, force


def walk(
    u: np.ndarray,
    mode: int,
    memory: float,
    piece: Callable[[int, float], Piece],
    leave: Callable[[int, int, float, float, float], tuple[Any, float]],
) -> np.ndarray:
    """Force along the deformations u; dampers rest."""
    found = np.empty_like(u)
    here = float(u[0])
    for k, target in enumerate(u.tolist()):
        v = float(np.sign(target - here))
        while True:
            now = piece(mode, memory)
            if v < 0.0 and now.v_low == 0.0:
                wall, place = Wall.V_LOW, here
            elif v > 0.0 and now.v_high == 0.0:
                wall, place = Wall.V_HIGH, here
            elif target > now.u_high:
                wall, place = Wall.U_HIGH, now.u_high
            elif target < now.u_low:
                wall, place = Wall.U_LOW, now.u_low
            else:
                break
            mode, memory = leave(mode, wall, place, v, memory)
            here = place
        here = target
        found[k] = force(now, target, 0.0)
    return found
