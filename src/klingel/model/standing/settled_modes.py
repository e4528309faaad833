"""Modes and memory that agree with a given state: sections of the wheels, dead bands, sliders and leaf springs."""

import numpy as np

from klingel.model import assembly
from klingel.model.bodies.motion import LANES, PORT_ROW
from klingel.model.builder import Compiled
from klingel.model.kinds.registry import with_hook
from klingel.model.kinds.wheels.wheel_lanes import WHEEL_INTS
from klingel.model.system import Head, PortField, System


def _port_field(system: System, x, memory, mode, name: PortField) -> np.ndarray:
    dx = np.zeros_like(x)
    assembly.rhs(0.0, np.ascontiguousarray(x), memory, mode, system, dx)
    first, rows = int(system.i[Head.PORT_STATE]), int(system.i[Head.PORT_ROWS])
    return system.f[first : first + PORT_ROW * rows].reshape(rows, PortField.SIZE, LANES)[:, name].ravel()


def port_deformation(system: System, x: np.ndarray, memory: np.ndarray, mode: np.ndarray) -> np.ndarray:
    """Deformation of every port at the state x [m, rad]."""
    return _port_field(system, x, memory, mode, PortField.U)


def port_rate(system: System, x: np.ndarray, memory: np.ndarray, mode: np.ndarray) -> np.ndarray:
    """Deformation rate of every port at the state x [m/s, rad/s]."""
    return _port_field(system, x, memory, mode, PortField.V)


def port_force(system: System, x: np.ndarray, memory: np.ndarray, mode: np.ndarray) -> np.ndarray:
    """Force of every port at the state x [N, Nm]."""
    return _port_field(system, x, memory, mode, PortField.FORCE)


def load_elements(compiled: Compiled, x: np.ndarray, memory: np.ndarray, mode: np.ndarray) -> None:
    """Sliders and faces stuck and unloaded at the present deformation, leaf springs on their load, near rest.

    Anchors that are states are written into x.
    """
    u = port_deformation(compiled.system, x, memory, mode)
    for kind in with_hook("rest"):
        kind.rest(compiled.system, u, memory, mode)
    for kind in with_hook("unwind"):
        kind.unwind(compiled.system, u, x)
    assembly.prepare(compiled.system, memory, mode)


def drag(compiled: Compiled, x: np.ndarray, before: np.ndarray, memory: np.ndarray, mode: np.ndarray) -> None:
    """Sliders that rested as `before` says, dragged slowly to the state x: at their limit they have slid along."""
    u = port_deformation(compiled.system, x, memory, mode)
    for kind in with_hook("drag"):
        kind.drag(compiled.system, u, before, memory)
    assembly.prepare(compiled.system, memory, mode)


def choose_sections(compiled: Compiled, x: np.ndarray, mode: np.ndarray) -> None:
    """Every wheel in the section of its table, or the overlap, that holds its lateral shift on ideal rails."""
    i = compiled.system.i
    for w in range(int(i[Head.WHEELS])):
        at = i[Head.WHEEL_AT] + WHEEL_INTS * w
        slot = i[i[Head.SLOT] + 12 * i[at] + 1]
        mode[i[at + 1]] = assembly.state_of_wheel(compiled.system, w, x[slot])


def close_gaps(compiled: Compiled, x: np.ndarray, memory: np.ndarray, mode: np.ndarray) -> None:
    """Dead bands and stops in the mode of their deformation."""
    u = port_deformation(compiled.system, x, memory, mode)
    v = port_rate(compiled.system, x, memory, mode)
    for kind in with_hook("close"):
        kind.close(compiled.system, u, v, mode)
