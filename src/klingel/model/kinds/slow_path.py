"""A law moved slowly along a path, and what it holds at rest.

Elements of affine pieces leave their modes at the walls they have in a run (`walk`); dampers rest. A kind says
what is special to it by its hooks `along`, `reach`, `clearance`, `hold` and `secant`.
"""

from collections.abc import Callable
from math import isfinite
from typing import Any

import numpy as np

from klingel.elements.piece import Piece, Wall, force
from klingel.model.kinds.registry import of


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
            if v < 0.0 and isfinite(now.v_low):
                wall, place = Wall.V_LOW, here
            elif v > 0.0 and isfinite(now.v_high):
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


def along(law: Any, u: np.ndarray) -> np.ndarray:
    """Force along the deformations u [N, Nm]."""
    return of(law).along(law, u) if hasattr(of(law), "along") else np.zeros_like(u)


def reach(law: Any) -> list[float]:
    """Amplitudes that show the whole law [m, rad]; none if it has no length of its own."""
    return of(law).reach(law) if hasattr(of(law), "reach") else []


def clearance(law: Any) -> list[float]:
    """Free ways to either side before it carries anything [m, rad]."""
    return of(law).clearance(law) if hasattr(of(law), "clearance") else []


def hold(law: Any, u: float, load: float) -> tuple[float, float]:
    """Forces between which it can rest at the deformation u under a static load [N, Nm]."""
    if hasattr(of(law), "hold"):
        return of(law).hold(law, u, load)
    force_there = float(along(law, np.array([u]))[0])
    return force_there, force_there


def secant(law: Any, amplitude: float) -> float:
    """Stiffness of a motion to and fro [N/m]; estimates count springs and friction sliders only."""
    return of(law).secant(law, amplitude) if hasattr(of(law), "secant") else 0.0
