"""From a description to tables: names become indices, laws become rows."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from klingel.contact.table.wheel_table import WheelTable
from klingel.elements import impact
from klingel.elements.leaf_spring import LeafSpring
from klingel.model import guides
from klingel.model.bodies.motion import PORT_ROW
from klingel.model.bodies.rows import gap_rows, inverse_mass, put_bodies, put_links, put_states, state_slots
from klingel.model.description import SPIN, Vehicle
from klingel.model.element_rows import Names, guard_names, put_elements, put_leaf_rows
from klingel.model.layout import Layout
from klingel.model.on_track.track_tables import put_track
from klingel.model.port_rows import put_ports, scan_rows
from klingel.model.system import NONE, Head, System
from klingel.model.tables import Tables
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
    run = [speed, acceleration, vehicle.gravity, distance, float(track.frame), track.cant_reference]
    run += [np.nan, np.nan, 0.0, 0.0]  # of the scan, see `Run`
    tables.put(Head.RUN, np.array(run))
    bodies = put_bodies(vehicle, tables)
    links, ends = put_links(vehicle, bodies, tables)
    loads = static_loads(vehicle)
    ports = put_ports(links, len(vehicle.wheelsets), tables)
    walled = put_elements(vehicle, ports, loads, tables, names)
    put_leaf_rows(tables)
    wheel_names = put_wheels(vehicle, bodies, contact, tables, names)
    cones = put_cones(vehicle, bodies, tables)
    tables.put(Head.GUIDE_ROW, gap_rows(tables, ends, slot, n_positions, n_speeds))
    tables.put(Head.WEIGHT, inverse_mass(vehicle, slot, n_positions, n_speeds))
    tables.put_int(Head.SLOT, slot)
    put_states(tables, slot, [SPIN in body.free for body in vehicle.bodies])
    tables.put_int(Head.PORT, np.array(list(walled), np.int64))
    tables.head[Head.BODIES] = len(vehicle.bodies)
    tables.head[Head.LINKS] = len(links)
    tables.head[Head.PORTS] = len(walled)
    tables.head[Head.SCAN_ROWS] = scan_rows(vehicle, ports, tables)
    tables.head[Head.STATES] = len(states)
    tables.head[Head.SPEEDS] = n_speeds
    tables.head[Head.POSITIONS] = n_positions
    tables.head[Head.STAGE] = names.memory_size
    for body in vehicle.bodies:
        names.remember(f"{body.name}.stage", 1)
    _scratch(tables, len(states))
    put_track(tables, track, len(bodies))
    guards, owner = guard_names(walled, names, vehicle, wheel_names)
    layout = Layout(
        states, tuple(names.modes), tuple(names.mode_types), guards, owner, ports, names.memory, wheel_names,
        names.elements, tuple(body.name for body in vehicle.bodies), cones,
    )  # fmt: skip
    return Compiled(tables.system(), layout, names.memory_size, np.array(names.mode_values, np.int8), loads)


def _scratch(tables: Tables, states: int) -> None:
    n = int(tables.head[Head.GUIDES])
    impact_size = guides.VECTORS * n + int(impact.work_size(n))
    tables.head[Head.IMPACT_SIZE] = impact_size
    tables.put(Head.PORT_STATE, np.zeros(PORT_ROW * int(tables.head[Head.PORT_ROWS])))
    tables.put(Head.ACCELERATION, np.zeros(max(states, 32)))
    tables.put(Head.IMPACT, np.zeros(impact_size))
