"""Modes and memory that agree with a given state: sections of the wheels, dead bands, sliders and leaf springs."""

import numpy as np

from klingel.elements import dead_band, leaf_spring
from klingel.model import assembly
from klingel.model.bodies.motion import LANES, PORT_ROW
from klingel.model.builder import Compiled
from klingel.model.system import BAND_SIZE, Head, PortField, System


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


def load_elements(compiled: Compiled, x: np.ndarray, memory: np.ndarray, mode: np.ndarray) -> None:
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


def choose_sections(compiled: Compiled, x: np.ndarray, mode: np.ndarray) -> None:
    """Every wheel in the section of its table, or the overlap, that holds its lateral shift on ideal rails."""
    i = compiled.system.i
    for w in range(int(i[Head.WHEELS])):
        at = i[Head.WHEEL_AT] + 5 * w
        slot = i[i[Head.SLOT] + 12 * i[at] + 1]
        mode[i[at + 1]] = assembly.state_of_wheel(compiled.system, w, x[slot])


def close_bands(compiled: Compiled, x: np.ndarray, memory: np.ndarray, mode: np.ndarray) -> None:
    """Every dead band in the mode of its deformation."""
    f, i = compiled.system
    u = port_deformation(compiled.system, x, memory, mode)
    for k in range(int(i[Head.BANDS])):
        port, at = i[i[Head.BAND_AT] + 2 * k : i[Head.BAND_AT] + 2 * k + 2]
        low, high = f[i[Head.BAND] + BAND_SIZE * k : i[Head.BAND] + BAND_SIZE * k + 2]
        mode[at] = dead_band.mode_at(float(u[column(port)]), float(low), float(high))
