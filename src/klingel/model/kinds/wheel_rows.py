"""Rows of the wheels: their contact tables one behind the other, lanes of scratch, conical wheelsets."""

from collections.abc import Mapping
from dataclasses import astuple
from enum import IntEnum

import numpy as np

from klingel.contact.table.wheel_table import WheelTable
from klingel.model.bodies.motion import LANES
from klingel.model.description import Vehicle
from klingel.model.kinds import wheel_lanes
from klingel.model.layout import Guard, Watch
from klingel.model.rows import Rows
from klingel.model.system import Head
from klingel.model.tables import Tables, contact_blocks


class ContactState(IntEnum):
    """Mode of a wheel: 2k for section k of its table, 2k + 1 for the overlap with the next."""

    S0, S01, S1, S12, S2, S23, S3, S34, S4, S45, S5, S56, S6, S67, S7, S78, S8, S89, S9 = range(19)


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
        for side in ("left", "right"):
            laws.append((wheelset.friction, wheelset.damping))
            name = f"{wheelset.body}.{side}"
            mode = names.mode(name, ContactState, 0)
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


def lanes_of(laws: list[tuple[float, float]], blocks: int) -> np.ndarray:
    """Scratch of the wheels, with what stays the same in it."""
    scratch = np.zeros((blocks, wheel_lanes.CONTACTS, wheel_lanes.Lane.SIZE, LANES))
    for w in range(blocks * LANES):
        friction, damping = laws[w] if w < len(laws) else laws[0]
        lane = scratch[w // LANES, :, :, w % LANES]
        lane[:, wheel_lanes.Lane.FRICTION] = friction
        lane[:, wheel_lanes.Lane.DAMPING] = damping
    scratch[:, :, wheel_lanes.Lane.LOW] = np.inf  # nothing read yet
    return scratch


def watched(wheels: tuple[str, ...], modes: list[str]) -> list[Guard]:
    """The two bounds of the state of every wheel."""
    sides = (("low", Watch.SHIFT_LOW), ("high", Watch.SHIFT_HIGH))
    return [
        Guard(f"{wheel}.{end}", watch, "m", wheel, modes.index(wheel)) for wheel in wheels for end, watch in sides
    ]


def put_cones(vehicle: Vehicle, bodies: dict[str, int], tables: Tables) -> tuple[str, ...]:
    """Conical wheelsets, their fields in the order of ConeField."""
    tables.put(Head.CONE, np.array([astuple(wheelset.cone) for wheelset in vehicle.conical_wheelsets]))
    tables.put_int(Head.CONE_AT, np.array([bodies[w.body] for w in vehicle.conical_wheelsets], np.int64))
    tables.head[Head.CONES] = len(vehicle.conical_wheelsets)
    return tuple(wheelset.body for wheelset in vehicle.conical_wheelsets)
