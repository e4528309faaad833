"""What a run is asked for afterwards, row by row: deformations, forces, contacts, accelerations.

The integrator keeps states, memory and modes only; everything else follows from them. One pass per row of output:
port sums of the row's modes, right-hand side, then every quantity is read where the right-hand side left it.
"""

from enum import IntEnum
from math import nan, sqrt
from typing import NamedTuple

import numpy as np

from klingel._jit import kernel
from klingel.contact.table.wheel_table import Row
from klingel.elements.wheel_contact import ContactRow, creepage
from klingel.model import assembly
from klingel.model.bodies.motion import LANES, PORT_ROW
from klingel.model.builder import Compiled
from klingel.model.kinds.wheels import wheel_creep, wheel_states
from klingel.model.kinds.wheels.wheel import press_block, seen_by
from klingel.model.kinds.wheels.wheel_lanes import BLOCK, CONTACTS, PART, WHEEL_INTS, Lane
from klingel.model.port_pieces import field
from klingel.model.system import Head, PortField


class Wheel(IntEnum):
    """Forces of the rail on a wheel in the track frame, both contacts of an overlap together [N]."""

    X, Y, Q = range(3)
    SIZE = 3


class Contact(IntEnum):
    """One contact of a wheel; the second one exists in overlaps only."""

    NORMAL = 0  # [N]
    CREEP_X = 1  # [N]
    CREEP_Y = 2  # in the contact plane [N]
    PENETRATION = 3  # [m]
    ANGLE_SIN = 4  # of the contact plane
    WHEEL_Y = 5  # contact point on the wheel, wheelset's frame [m]
    RAIL_Y = 6  # and on the rail, track frame [m]
    CREEPAGE_X = 7
    CREEPAGE_Y = 8
    CREEPAGE_SPIN = 9  # [1/m]
    PATCH_A = 10  # semi-axis of the contact ellipse along the rail [m]
    PATCH_B = 11  # and across it
    SIZE = 12


class Outputs(NamedTuple):
    deformation: np.ndarray  # [row][port] [m, rad]
    rate: np.ndarray  # [row][port]
    force: np.ndarray  # [row][port], resists a positive deformation; without closed guides and stuck faces [N, Nm]
    element: np.ndarray  # [row][slot] of each element in each of its directions, see `Layout.slots` [N, Nm]
    acceleration: np.ndarray  # [row][state] time derivative of the state
    wheel: np.ndarray  # [row][wheel][Wheel]
    contact: np.ndarray  # [row][wheel][contact][Contact]


@kernel(inner=True)
def report_slip(p, t, w, part, state, contact):
    """Creepages and contact ellipse of a contact whose penetration stands in its row."""
    f, i = p
    s = i[Head.LANES] + BLOCK * (w // LANES) + PART * part + w % LANES
    section = i[i[Head.WHEEL_AT] + WHEEL_INTS * w + 2] + (state >> 1) + part * (state & 1)
    m, _, _ = seen_by(p, t, w)
    y = m.y
    sine, cosine, wheel_y, wheel_z = wheel_creep.geometry(p, w, part, y)
    along, across, spin = creepage(ContactRow(sine, cosine, wheel_y, wheel_z, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0), m)
    if w < i[Head.CREEP_WHEELS]:
        along, across, spin = wheel_creep.slip_at(p, t, w, sine, cosine, wheel_y, wheel_z)
    contact[Contact.CREEPAGE_X] = along
    contact[Contact.CREEPAGE_Y] = across
    contact[Contact.CREEPAGE_SPIN] = spin
    rise = (y - f[s + LANES * Lane.OVERLAP_LOW]) * f[s + LANES * Lane.PER_OVERLAP]
    weight = min(max(f[s + LANES * Lane.WEIGHT] + rise, 0.0), f[s + LANES * Lane.MOST])
    product = wheel_states.table_value(p, section, y, Row.AREA) * weight * max(contact[Contact.PENETRATION], 0.0)
    inside = wheel_states.inside_section(p, w, part, state, y)
    ratio = wheel_states.table_value(p, section, inside, Row.RATIO)
    contact[Contact.PATCH_A] = sqrt(product * ratio)
    contact[Contact.PATCH_B] = sqrt(product / ratio)


@kernel(inner=True)
def report_contact(p, w, part, wheel, contact):
    """One contact of wheel w, just evaluated, into its row; its force is added to those of the wheel."""
    f, i = p
    s = i[Head.LANES] + BLOCK * (w // LANES) + PART * part + w % LANES
    contact[Contact.NORMAL] = f[s + LANES * Lane.NORMAL]
    contact[Contact.CREEP_X] = f[s + LANES * Lane.CREEP_X]
    contact[Contact.CREEP_Y] = f[s + LANES * Lane.CREEP_Y]
    contact[Contact.PENETRATION] = f[s + LANES * Lane.PENETRATION]
    contact[Contact.ANGLE_SIN] = f[s + LANES * Lane.ANGLE_SIN]
    contact[Contact.WHEEL_Y] = f[s + LANES * Lane.WHEEL_Y]
    contact[Contact.RAIL_Y] = f[s + LANES * Lane.RAIL_Y]
    for c in range(Wheel.SIZE):
        wheel[c] += f[s + LANES * (Lane.FORCE_X + c)]


@kernel(inner=True)
def report_wheels(p, t, mode, wheel, contact):
    f, i = p
    for w in range(i[Head.WHEELS]):
        for k in range(Wheel.SIZE):
            wheel[w, k] = 0.0
        held = i[Head.LANES] + BLOCK * (w // LANES) + LANES * Lane.STATE + w % LANES
        state = 0
        for part in range(CONTACTS):
            for k in range(Contact.SIZE):
                contact[w, part, k] = nan
            if (part == 0 or state % 2 == 1) and press_block(p, t, mode, w // LANES, part):
                state = int(f[held])  # that of the contacts, which may follow the shift
                wheel_creep.renew(p, t, w, part)
                report_contact(p, w, part, wheel[w], contact[w, part])
                report_slip(p, t, w, part, state, contact[w, part])


@kernel
def energy_rows(t, x, memory, mode, p, rate, stored, heat):
    """Stored energy [J] and heat per time [W] of every element in all rows; the rate of the state besides."""
    for r in range(t.size):
        assembly.enter_modes(p, memory[r], mode[r])
        if assembly.rhs(t[r], x[r], memory[r], mode[r], p, rate[r]) != 0:
            rate[r, :] = nan  # a wheel has left its table
        assembly.report_energies(p, x[r], memory[r], mode[r], stored[r], heat[r])


@kernel
def report_rows(t, x, memory, mode, p, out):
    """Fill `out` for all rows; the port sums are those of the last row afterwards."""
    f, i = p
    n = LANES * i[Head.PORT_ROWS]
    for r in range(t.size):
        assembly.enter_modes(p, memory[r], mode[r])
        if assembly.rhs(t[r], x[r], memory[r], mode[r], p, out.acceleration[r]) != 0:
            out.acceleration[r, :] = nan  # a wheel has left its table
        for k in range(n):
            port = PORT_ROW * (k // LANES) + k % LANES
            out.deformation[r, k] = f[field(p, PortField.U) + port]
            out.rate[r, k] = f[field(p, PortField.V) + port]
            out.force[r, k] = f[field(p, PortField.FORCE) + port]
        assembly.report_elements(p, x[r], memory[r], mode[r], out.element[r])
        report_wheels(p, t[r], mode[r], out.wheel[r], out.contact[r])


def outputs(compiled: Compiled, t: np.ndarray, x: np.ndarray, memory: np.ndarray, mode: np.ndarray) -> Outputs:
    """Everything that follows from the rows of a trajectory of this vehicle."""
    system = compiled.system.copy()
    i, rows = system.i, t.size
    n, wheels_ = LANES * int(i[Head.PORT_ROWS]), int(i[Head.WHEELS])
    out = Outputs(
        np.empty((rows, n)),
        np.empty((rows, n)),
        np.empty((rows, n)),
        np.zeros((rows, compiled.layout.slot_count)),
        np.empty((rows, int(i[Head.STATES]))),
        np.empty((rows, wheels_, Wheel.SIZE)),
        np.empty((rows, wheels_, CONTACTS, Contact.SIZE)),
    )
    report_rows(t, x, memory, mode, system, out)
    return out


class Energies(NamedTuple):
    rate: np.ndarray  # [row][state] time derivative of the state
    stored: np.ndarray  # [row][slot] [J]
    heat: np.ndarray  # [row][slot] [W]


def energies(compiled: Compiled, t: np.ndarray, x: np.ndarray, memory: np.ndarray, mode: np.ndarray) -> Energies:
    """What the elements store and turn into heat at the rows of a trajectory."""
    slots = compiled.layout.slot_count
    out = Energies(np.empty_like(x), np.zeros((t.size, slots)), np.zeros((t.size, slots)))
    energy_rows(t, x, memory, mode, compiled.system.copy(), *out)
    return out
