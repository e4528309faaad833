"""From a description to tables: names become indices, laws become rows."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from klingel.contact.wheel_table import WheelTable
from klingel.elements import impact
from klingel.elements.leaf_spring import LeafSpring
from klingel.model import guides
from klingel.model.body_rows import gap_rows, inverse_mass, put_bodies, put_links, state_places, state_slots
from klingel.model.description import COORDINATES, SPIN, Vehicle
from klingel.model.element_rows import Names, guard_names, put_elements
from klingel.model.layout import Layout
from klingel.model.motion import AXES
from klingel.model.system import NONE, Head, PortField, System
from klingel.model.tables import Tables
from klingel.model.way import put_track
from klingel.model.wheel_rows import put_cones, put_wheels
from klingel.track.track import Track


@dataclass(frozen=True)
class Compiled:
    system: System
    layout: Layout
    memory_size: int
    mode: np.ndarray  # all elements at rest
    loads: dict[str, float]  # static vertical load of each connection with a leaf spring [N]


def static_loads(vehicle: Vehicle) -> dict[str, float]:
    """Vertical load of each connection with a leaf spring at rest: the least of those that balance the body."""
    carried = {e.connection for e in vehicle.elements if isinstance(e.law, LeafSpring)}
    links = [c for c in vehicle.connections if c.name in carried]
    loads: dict[str, float] = {}
    for body in vehicle.bodies:
        mine = [c for c in links if c.inner == body.name]
        if not mine:
            continue
        arms = np.array([[1.0, c.point[0] - body.position[0], c.point[1] - body.position[1]] for c in mine])
        wanted = np.array([body.mass * vehicle.gravity, 0.0, 0.0])
        share = np.linalg.lstsq(arms.T, wanted, rcond=None)[0]
        loads.update({c.name: float(load) for c, load in zip(mine, share, strict=True)})
    return loads


def compile_vehicle(
    vehicle: Vehicle,
    contact: Mapping[str, tuple[WheelTable, WheelTable]],
    speed: float,
    acceleration: float = 0.0,
    track: Track | None = None,
    distance: float = 0.0,
) -> Compiled:
    """Tables of the vehicle with the compiled contact tables of each wheelset; straight track unless given."""
    states, slot = state_slots(vehicle)
    positions = slot[:, :6]
    n_positions = int(np.count_nonzero(positions != NONE))
    n_speeds = len(states) - n_positions
    tables, names = Tables(), Names()
    track = track or Track()
    run = [speed, acceleration, vehicle.gravity, distance, float(track.frame), track.cant_reference, np.nan]
    tables.put(Head.RUN, np.array(run))
    bodies = put_bodies(vehicle, tables)
    links, ends = put_links(vehicle, bodies, tables)
    loads = static_loads(vehicle)
    walled = put_elements(vehicle, links, loads, tables, names)
    wheel_names = put_wheels(vehicle, bodies, contact, tables, names)
    cones = put_cones(vehicle, bodies, tables)
    tables.put(Head.GUIDE_ROW, gap_rows(tables, ends, slot, n_positions, n_speeds))
    tables.put(Head.WEIGHT, inverse_mass(vehicle, slot, n_positions, n_speeds))
    tables.put_int(Head.SLOT, slot)
    place, rate = state_places(slot, [SPIN in body.free for body in vehicle.bodies])
    tables.put_int(Head.MOTION_OF, place)
    tables.put_int(Head.RATE_OF, rate)
    tables.put_int(Head.PORT, np.array(list(walled), np.int64))
    tables.head[Head.BODIES] = len(vehicle.bodies)
    tables.head[Head.LINKS] = len(links)
    tables.head[Head.PORTS] = len(walled)
    tables.head[Head.STATES] = len(states)
    tables.head[Head.SPEEDS] = n_speeds
    tables.head[Head.STAGE] = names.memory_size
    for body in vehicle.bodies:
        names.remember(f"{body.name}.stage", 1)
    _scratch(tables, len(links), len(states))
    put_track(tables, track, len(bodies), len(links))
    guards, owner = guard_names(walled, names, vehicle, wheel_names)
    ports = {
        f"{link}.{direction}": AXES * k + d for link, k in links.items() for d, direction in enumerate(COORDINATES)
    }
    layout = Layout(
        states, tuple(names.modes), tuple(names.mode_types), guards, owner, ports, names.memory, wheel_names,
        names.elements, tuple(body.name for body in vehicle.bodies), cones,
    )  # fmt: skip
    return Compiled(tables.system(), layout, names.memory_size, np.array(names.mode_values, np.int8), loads)


def _scratch(tables: Tables, links: int, states: int) -> None:
    n = int(tables.head[Head.GUIDES])
    impact_size = guides.VECTORS * n + int(impact.work_size(n))
    tables.head[Head.IMPACT_SIZE] = impact_size
    tables.put(Head.PORT_STATE, np.zeros(PortField.SIZE * AXES * links))
    tables.put(Head.WHEEL_OLD, np.zeros(2 * tables.head[Head.WHEELS]))
    tables.put(Head.ACCELERATION, np.zeros(max(states, 32)))
    tables.put(Head.IMPACT, np.zeros(impact_size))
