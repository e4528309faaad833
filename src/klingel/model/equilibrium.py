"""Static equilibrium of a running vehicle: solved, not typed in.

Unknown are all positions and the spins; all accelerations must vanish, at zero velocities, with every slider stuck
and unloaded and every leaf spring carrying its static load. Wheels roll: the spin on top of V/r0 makes the
longitudinal creepage vanish at the contact point, which is not at the nominal radius.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from klingel.model import assembly
from klingel.model.builder import Compiled
from klingel.model.description import SPIN
from klingel.model.kinds.wheel_lanes import WHEEL_INTS
from klingel.model.layout import Moves
from klingel.model.on_track.track_tables import enter_stages
from klingel.model.settled_modes import load_elements
from klingel.model.system import NONE, BodyField, Head, Run

RESIDUAL = 1e-9  # [m/s2, rad/s2]
ITERATIONS = 60
ROUNDINGS = 4.0  # of one metre, radian or radian per second in an acceleration that cannot be told from zero
FIRST_PENETRATION = 5e-5  # [m]


@dataclass(frozen=True)
class Rest:
    x: np.ndarray
    memory: np.ndarray
    mode: np.ndarray
    residual: float  # largest acceleration left [m/s2, rad/s2]


class EquilibriumError(RuntimeError):
    """No rest position found."""


def _roll_freely(compiled: Compiled, x: np.ndarray) -> None:
    """Spins with which the contact points of the nominal position do not slip longitudinally."""
    system = compiled.system
    f, i = system.f, system.i
    speed = f[i[Head.RUN]]
    for w in range(int(i[Head.WHEELS])):
        at = i[Head.WHEEL_AT] + WHEEL_INTS * w
        per_radius = f[i[Head.BODY] + BodyField.SIZE * i[at] + BodyField.PER_RADIUS]
        slot = i[i[Head.SLOT] + 12 * i[at] + 10]
        if slot != NONE:
            x[slot] = speed / assembly.rolling_radius(system, w, 0.0) - speed * per_radius


def _sink(compiled: Compiled, x: np.ndarray, memory: np.ndarray, mode: np.ndarray) -> None:
    """Lower all bodies until the wheels press on the rails: the slope of a wheel in the air says nothing."""
    lowest = 0.0
    for w in range(int(compiled.system.i[Head.WHEELS])):
        lowest = min(lowest, assembly.wheel_depth(0.0, x, memory, mode, compiled.system, w))
    for k, state in enumerate(compiled.layout.state_info):
        if state.moves == Moves.POSITION and state.coordinate == "z":
            x[k] = lowest - FIRST_PENETRATION


def find_rest(compiled: Compiled) -> Rest:
    """Rest on straight track at the start speed, held constant: Newton's method over positions and spins."""
    system = compiled.system
    acceleration = int(system.i[Head.RUN]) + Run.ACCELERATION
    given, bent = system.f[acceleration], int(system.i[Head.HAS_TRACK])
    system.f[acceleration], system.i[Head.HAS_TRACK] = 0.0, 0
    try:
        rest = _solve(compiled)
    finally:
        system.f[acceleration], system.i[Head.HAS_TRACK] = given, bent
    enter_stages(system, rest.memory)
    return rest


def _solve(compiled: Compiled) -> Rest:
    system = compiled.system
    x = np.zeros(int(system.i[Head.STATES]))
    memory, mode = np.zeros(compiled.memory_size), compiled.mode.copy()
    for w in range(int(system.i[Head.WHEELS])):
        mode[system.i[system.i[Head.WHEEL_AT] + WHEEL_INTS * w + 1]] = assembly.state_of_wheel(system, w, 0.0)
    load_elements(compiled, x, memory, mode)
    _sink(compiled, x, memory, mode)
    _roll_freely(compiled, x)
    rest, bound = _newton(compiled, Rest(x, memory, mode, np.inf))
    if not rest.residual <= bound:
        raise EquilibriumError(
            f"no static equilibrium found: {rest.residual:.3g} m/s2 left after {ITERATIONS} iterations"
        )
    return rest


def unknowns(compiled: Compiled) -> np.ndarray:
    """States that are sought: positions, spins and states of elements, as many as there are conditions."""
    sought = [
        s.moves != Moves.RATE or s.coordinate == SPIN for s in compiled.layout.state_info
    ]  # fmt: skip
    return np.flatnonzero(sought)


def accelerations(compiled: Compiled, x: np.ndarray, memory: np.ndarray, mode: np.ndarray) -> np.ndarray:
    """Of all free speeds at the start, and rates of the elements' own states.

    Not a number where a wheel is outside its table.
    """
    first = int(compiled.system.i[Head.POSITIONS])
    dx = np.zeros(x.size)
    refused = assembly.rhs(0.0, x, memory, mode, compiled.system, dx)
    return np.full(x.size - first, np.nan) if refused else dx[first:]


def slopes(function: Callable[[np.ndarray], np.ndarray], values: np.ndarray, r: np.ndarray) -> np.ndarray:
    """Jacobian matrix by differences from r = function(values)."""
    step = 1e-9 + 1e-7 * np.abs(values)
    columns = [(function(values + h * e) - r) / h for h, e in zip(step, np.eye(values.size), strict=True)]
    return np.column_stack(columns)


def reachable(jacobian: np.ndarray) -> float:
    """Residual that Newton's method should get below [m/s2, rad/s2].

    RESIDUAL, or what rounding leaves where contacts are stiffer than in any wagon of the library: positions of
    metres are known to 2e-16 only.
    """
    return max(RESIDUAL, ROUNDINGS * np.finfo(float).eps * float(np.abs(jacobian).sum(axis=1).max()))


def _newton(compiled: Compiled, start: Rest) -> tuple[Rest, float]:
    """The best of the iterates, which scatter by rounding near the root, and the residual to be reached."""
    unknown = unknowns(compiled)
    x, memory, mode = start.x.copy(), start.memory.copy(), start.mode.copy()

    def residual(values: np.ndarray) -> np.ndarray:
        state = x.copy()
        state[unknown] = values
        return accelerations(compiled, state, memory, mode)

    best, bound = start, RESIDUAL
    for _ in range(ITERATIONS):
        values = x[unknown]
        r = residual(values)
        left = float(np.abs(r).max())
        if left < best.residual:
            best = Rest(x.copy(), memory.copy(), mode.copy(), left)
        if left < RESIDUAL:
            break
        jacobian = slopes(residual, values, r)
        if not np.isfinite(jacobian).all():
            break
        bound = reachable(jacobian)
        x[unknown] = values - np.clip(np.linalg.lstsq(jacobian, r, rcond=1e-14)[0], -1e-3, 1e-3)
        load_elements(compiled, x, memory, mode)
    return best, bound
