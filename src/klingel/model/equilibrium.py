"""Static equilibrium of a running vehicle: solved, not typed in.

Unknown are all positions and the spins; all accelerations must vanish, at zero velocities, with every slider stuck
and unloaded and every leaf spring carrying its static load. Wheels roll: the spin on top of V/r0 makes the
longitudinal creepage vanish at the contact point, which is not at the nominal radius.
"""

from dataclasses import dataclass

import numpy as np

from klingel.elements import leaf_spring
from klingel.model import assembly
from klingel.model.builder import Compiled
from klingel.model.motion import LANES, PORT_ROW
from klingel.model.system import NONE, BodyField, Head, PortField, Run, System
from klingel.model.way import enter_stages

RESIDUAL = 1e-9  # [m/s2, rad/s2]
ITERATIONS = 60
FIRST_PENETRATION = 5e-5  # [m]


@dataclass(frozen=True)
class Rest:
    x: np.ndarray
    memory: np.ndarray
    mode: np.ndarray
    residual: float  # largest acceleration left [m/s2, rad/s2]


class EquilibriumError(RuntimeError):
    """No rest position found."""


def _port_field(system: System, x, memory, mode, name: PortField) -> np.ndarray:
    dx = np.zeros_like(x)
    assembly.rhs(0.0, np.ascontiguousarray(x), memory, mode, system, dx)
    first, rows = int(system.i[Head.PORT_STATE]), int(system.i[Head.PORT_ROWS])
    return system.f[first : first + PORT_ROW * rows].reshape(rows, PortField.SIZE, LANES)[:, name].ravel()


def column(port: int) -> int:
    """Where a port stands in arrays over all ports, as `Layout.ports` counts them."""
    row, lane = divmod(int(port), PORT_ROW)
    return LANES * row + lane


def port_deformation(system: System, x: np.ndarray, memory: np.ndarray, mode: np.ndarray) -> np.ndarray:
    """Deformation of every port at the state x [m, rad]."""
    return _port_field(system, x, memory, mode, PortField.U)


def port_rate(system: System, x: np.ndarray, memory: np.ndarray, mode: np.ndarray) -> np.ndarray:
    """Deformation rate of every port at the state x [m/s, rad/s]."""
    return _port_field(system, x, memory, mode, PortField.V)


def _load_elements(compiled: Compiled, x, memory, mode) -> None:
    """Sliders stuck and unloaded at the present deformation, leaf springs on their static load, near rest."""
    system, i, f = compiled.system, compiled.system.i, compiled.system.f
    u = port_deformation(system, x, memory, mode)
    for k in range(int(i[Head.SLIDERS])):
        port, _, at = i[i[Head.SLIDER_AT] + 3 * k : i[Head.SLIDER_AT] + 3 * k + 3]
        memory[at] = u[column(port)]
    size = leaf_spring.LAW_SIZE + 1
    for k in range(int(i[Head.LEAVES])):
        port, mode_at, at = i[i[Head.LEAF_AT] + 3 * k : i[Head.LEAF_AT] + 3 * k + 3]
        row = f[i[Head.LEAF] + size * k : i[Head.LEAF] + size * (k + 1)]
        law = leaf_spring.read_law(row, 0)
        z = row[-1] + u[column(port)]
        stage = 1.0 if z > law.second_leaf else 0.0
        load = leaf_spring.static_force(stage, z, law)
        mode[mode_at], branch = leaf_spring.start(z, 0.0, load, law)
        leaf_spring.write_branch(branch, memory, at)
    assembly.prepare(system, memory, mode)


def _roll_freely(compiled: Compiled, x: np.ndarray) -> None:
    """Spins with which the contact points of the nominal position do not slip longitudinally."""
    system = compiled.system
    f, i = system.f, system.i
    speed = f[i[Head.RUN]]
    for w in range(int(i[Head.WHEELS])):
        at = i[Head.WHEEL_AT] + 5 * w
        per_radius = f[i[Head.BODY] + BodyField.SIZE * i[at] + BodyField.PER_RADIUS]
        slot = i[i[Head.SLOT] + 12 * i[at] + 10]
        if slot != NONE:
            x[slot] = speed / assembly.rolling_radius(system, w, 0.0) - speed * per_radius


def _sink(compiled: Compiled, x: np.ndarray, memory: np.ndarray, mode: np.ndarray) -> None:
    """Lower all bodies until the wheels press on the rails: the slope of a wheel in the air says nothing."""
    lowest = 0.0
    for w in range(int(compiled.system.i[Head.WHEELS])):
        lowest = min(lowest, assembly.wheel_depth(0.0, x, memory, mode, compiled.system, w))
    for k, name in enumerate(compiled.layout.states):
        if name.endswith(".z"):
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
    n = int(system.i[Head.STATES])
    n_speeds = int(system.i[Head.SPEEDS])
    x = np.zeros(n)
    memory, mode = np.zeros(compiled.memory_size), compiled.mode.copy()
    for w in range(int(system.i[Head.WHEELS])):
        mode[system.i[system.i[Head.WHEEL_AT] + 5 * w + 1]] = assembly.state_of_wheel(system, w, 0.0)
    _load_elements(compiled, x, memory, mode)
    spins = [k for k, name in enumerate(compiled.layout.states) if name.endswith(".spin_dot")]
    unknown = np.array([*range(n - n_speeds), *spins])
    _sink(compiled, x, memory, mode)
    _roll_freely(compiled, x)
    dx = np.zeros(n)

    def residual(values: np.ndarray) -> np.ndarray:
        state = x.copy()
        state[unknown] = values
        assembly.rhs(0.0, state, memory, mode, system, dx)
        return dx[n - n_speeds :].copy()

    values = x[unknown].copy()
    for _ in range(ITERATIONS):
        r = residual(values)
        if np.abs(r).max() < RESIDUAL:
            break
        step = 1e-9 + 1e-7 * np.abs(values)
        jacobian = np.column_stack(
            [(residual(values + h * e) - r) / h for h, e in zip(step, np.eye(values.size), strict=True)]
        )
        values = values - np.clip(np.linalg.lstsq(jacobian, r, rcond=1e-14)[0], -1e-3, 1e-3)
        x[unknown] = values
        _load_elements(compiled, x, memory, mode)
    x[unknown] = values
    left = float(np.abs(residual(values)).max())
    if not left < 1e3 * RESIDUAL:
        raise EquilibriumError(f"no static equilibrium found: {left:.3g} m/s2 left after {ITERATIONS} iterations")
    return Rest(x, memory, mode, left)
