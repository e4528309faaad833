"""Rows of the wheels: their contact tables one behind the other, lanes of scratch, conical wheelsets."""

from collections.abc import Mapping
from dataclasses import astuple
from enum import IntEnum
from functools import cache

import numpy as np

from klingel._errors import InputError
from klingel.contact.creep import fastsim_table
from klingel.contact.creep.catalogue import Law
from klingel.contact.table.wheel_table import WheelTable
from klingel.model.bodies.motion import LANES
from klingel.model.description import EQUIVALENT, INCLUDED, Vehicle
from klingel.model.kinds.wheels import wheel_lanes
from klingel.model.kinds.wheels.wheel_creep import AS_USUAL
from klingel.model.layout import Guard, Watch
from klingel.model.rows import Rows
from klingel.model.system import Head
from klingel.model.tables import Tables, contact_blocks

MOST_SECTIONS = 64  # modes are numbers of one byte, up to 127


@cache
def contact_states(sections: int) -> type[IntEnum]:
    """Modes of a wheel with so many sections in its table: 2k for section k, 2k + 1 for its overlap with the next.

    S0, S01, S1, S12, ... up to ten sections; S0, S0_1, S1, S1_2, ... S10, S10_11, ... for more.
    """
    joint = "" if sections <= 10 else "_"
    names = [f"S{k // 2}{joint}{k // 2 + 1}" if k % 2 else f"S{k // 2}" for k in range(2 * sections - 1)]
    members = list(zip(names, range(len(names)), strict=True))
    return IntEnum(f"ContactStates{sections}", members, module=__name__)  # type: ignore[return-value]


def _states_of(wheel: str, table: WheelTable) -> type[IntEnum]:
    sections = table.start.size
    if sections > MOST_SECTIONS:
        allowed = f"must be at most {MOST_SECTIONS}: smooth the measured profile (profile_residual, rail_residual)"
        raise InputError(f"{wheel} contact sections", sections, allowed)
    return contact_states(sections)


def put_wheels(
    vehicle: Vehicle, bodies, contact: Mapping[str, tuple[WheelTable, WheelTable]], tables, names: Rows
):
    """Wheels, their contact tables merged, their modes."""
    if not vehicle.wheelsets:
        return ()
    blocks = contact_blocks([side for w in vehicle.wheelsets for side in contact[w.body]])
    laws, at, wheel_names = [], [], []
    k = 0
    for wheelset in vehicle.wheelsets:
        for side, table in zip(("left", "right"), contact[wheelset.body], strict=True):
            ratio = wheelset.friction_ratio if side == "right" else 1.0
            laws.append((ratio * wheelset.friction, wheelset.damping))
            name = f"{wheelset.body}.{side}"
            mode = names.mode(name, _states_of(name, table), 0)
            at.append(
                [bodies[wheelset.body], mode, blocks.first_section[k], blocks.first_bound[k], blocks.states[k]]
            )
            wheel_names.append(name)
            k += 1
    tables.put(Head.SECTION, blocks.section)
    bound = tables.put(Head.BOUND, blocks.bound)
    tables.put(Head.SPLINE, blocks.spline)
    tables.head[Head.WHEELS] = len(at)
    at += at[:1] * (-len(at) % LANES)
    at = np.array(at, np.int64)
    at[:, 3] += bound  # bounds are addressed in the float array itself
    tables.put_int(Head.WHEEL_AT, at)
    tables.put_int(Head.SECTION_AT, blocks.section_at)
    tables.head[Head.BLOCKS] = len(at) // LANES
    tables.put(Head.LANES, lanes_of(laws, len(at) // LANES))
    return tuple(wheel_names)


def put_creep(vehicle: Vehicle, tables: Tables, fastsim: np.ndarray | None) -> None:
    """Creep laws of the wheels, where some wheelset asks for another one than usual."""
    special = any(not wheelset.usual for wheelset in vehicle.wheelsets)
    rows = []
    for wheelset in vehicle.wheelsets if special else ():
        law = AS_USUAL if wheelset.usual else float(Law[wheelset.creep.upper()])
        included = [float(word == INCLUDED) for word in (wheelset.along_track, wheelset.spin_moment)]
        rows += 2 * [[law, *included, float(wheelset.patches == EQUIVALENT), 0.0]]
    tables.head[Head.CREEP_WHEELS] = len(rows)
    tables.put(Head.CREEP, np.array(rows))
    asked = any(wheelset.creep == Law.FASTSIM_TABLE.name.lower() for wheelset in vehicle.wheelsets)
    stored = (fastsim_table.build_table() if fastsim is None else fastsim) if asked else np.zeros(0)
    tables.put(Head.CREEP_TABLE, stored)


def lanes_of(laws: list[tuple[float, float]], blocks: int) -> np.ndarray:
    """Scratch of the wheels, with what stays the same in it."""
    scratch = np.zeros((blocks, wheel_lanes.CONTACTS, wheel_lanes.Lane.SIZE, LANES))
    for w in range(blocks * LANES):
        friction, damping = laws[w] if w < len(laws) else laws[0]
        lane = scratch[w // LANES, :, :, w % LANES]
        lane[:, wheel_lanes.Lane.FRICTION] = friction
        lane[:, wheel_lanes.Lane.DAMPING] = damping
        lane[:, wheel_lanes.Lane.ONE] = lane[:, wheel_lanes.Lane.MOST] = 1.0
    nothing_read = [wheel_lanes.Lane.LOW, wheel_lanes.Lane.FROM]
    scratch[:, :, nothing_read] = np.inf
    return scratch


def watched(wheels: tuple[str, ...], modes: list[str]) -> list[Guard]:
    """The two bounds of the state of every wheel."""
    sides = (("low", Watch.SHIFT_LOW), ("high", Watch.SHIFT_HIGH))
    return [
        Guard(f"{wheel}.{end}", watch, "m", wheel, modes.index(wheel)) for wheel in wheels for end, watch in sides
    ]


def put_cones(vehicle: Vehicle, bodies: dict[str, int], tables: Tables) -> tuple[str, ...]:
    """Conical wheelsets, their fields in the order of ConeField."""
    tables.put(Head.CONE, np.array([(*astuple(w.cone), w.offset) for w in vehicle.conical_wheelsets]))
    tables.put_int(Head.CONE_AT, np.array([bodies[w.body] for w in vehicle.conical_wheelsets], np.int64))
    tables.head[Head.CONES] = len(vehicle.conical_wheelsets)
    return tuple(wheelset.body for wheelset in vehicle.conical_wheelsets)
