"""From a description to tables: names become indices, laws become rows."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from klingel.contact.table.wheel_table import WheelTable
from klingel.elements import impact
from klingel.elements.leaf_spring import Reading
from klingel.elements.piece import Wall
from klingel.model.bodies.motion import LANES, PORT_ROW
from klingel.model.bodies.rows import gap_rows, inverse_mass, put_bodies, put_links, put_states, state_slots
from klingel.model.description import SPIN, Vehicle, unit_of
from klingel.model.kinds import elastic_friction, impacts, leaf_spring
from klingel.model.kinds.held_faces import put_held
from klingel.model.kinds.registry import Kind, kind_of, module, of, with_hook
from klingel.model.kinds.wheels import wheel_following
from klingel.model.kinds.wheels.wheel_rows import put_cones, put_creep, put_wheels
from klingel.model.kinds.wheels.wheel_rows import watched as watched_by_wheels
from klingel.model.kinds.wheels.wheel_turning import put_turning
from klingel.model.layout import Guard, Layout, Moves, Remembered, Role, Watch
from klingel.model.on_track.track_tables import put_track
from klingel.model.port_places import put_ports, scan_rows
from klingel.model.rows import Rows
from klingel.model.standing.statics import Statics, static_loads
from klingel.model.stiff_blocks import stiff_blocks
from klingel.model.system import Head, Run, System
from klingel.model.tables import Tables
from klingel.track.track import Track

STAGE = (Remembered("", Role.BOOKKEEPING),)  # of the track a body is in
GUARDED = (
    Kind.LEAF_SPRING,
    None,
    Kind.GUIDE,
    Kind.STOP,
    Kind.RIGID_FRICTION,
    Kind.ELASTIC_FRICTION,
    Kind.SERIES_DAMPER,
)  # order of `assembly.guards`; None: the wheels


@dataclass(frozen=True)
class Compiled:
    system: System
    layout: Layout
    mode: np.ndarray  # all elements at rest
    statics: Statics  # what carries the vehicle in the position drawn

    @property
    def memory_size(self) -> int:
        return len(self.layout.remembered)

    @cached_property
    def jumps(self) -> bool:
        """Whether the force of some wheel jumps where its contact state changes."""
        return wheel_following.jumps(self.system)

    @cached_property
    def soft_springs(self) -> bool:
        """Whether some leaf spring moves its reference near rest without an event."""
        return any(law.reading == Reading.FULL for _, law, _ in leaf_spring.each(self.system))

    @cached_property
    def stiff_blocks(self) -> tuple[np.ndarray, np.ndarray]:
        """What may react to what, and what of it implicit methods keep."""
        return stiff_blocks(self.layout, self.system)


def compile_vehicle(
    vehicle: Vehicle,
    contact: Mapping[str, tuple[WheelTable, WheelTable]],
    speed: float,
    acceleration: float = 0.0,
    track: Track | None = None,
    distance: float = 0.0,
    fastsim: np.ndarray | None = None,
) -> Compiled:
    """Tables of the vehicle with the compiled contact tables of each wheelset; straight track unless given."""
    states, slot = state_slots(vehicle)
    n_positions = sum(state.moves == Moves.POSITION for state in states)
    n_speeds = len(states) - n_positions
    tables = Tables()
    track = track or Track()
    run = [speed, acceleration, vehicle.gravity, distance, float(track.frame), track.cant_reference]
    kept = np.zeros(Run.SIZE)
    kept[: Run.SCANNED] = run
    kept[Run.SCANNED] = kept[Run.EVALUATED] = np.nan
    kept[Run.ONES : Run.ONES + LANES] = 1.0
    tables.put(Head.RUN, kept)
    bodies = put_bodies(vehicle, tables)
    links, ends = put_links(vehicle, bodies, tables)
    statics = static_loads(vehicle)
    ports = put_ports(links, len(vehicle.wheelsets), tables)
    rows = Rows(ports, statics.found, len(states))
    for element in vehicle.elements:
        of(element.law).put(element, rows)
    for kind in with_hook("finish"):
        kind.finish(rows, tables)
    rows.write(tables)
    wheel_names = put_wheels(vehicle, bodies, contact, tables, rows)
    put_creep(vehicle, tables, fastsim)
    put_turning(vehicle, tables, rows)
    cones = put_cones(vehicle, bodies, tables)
    sides = [(at[impacts.At.PORT], bool(at[impacts.At.MINUS])) for at in rows.ints[Kind.GUIDE]]
    tables.put(Head.GUIDE_ROW, gap_rows(tables, sides, ends, slot, n_positions, n_speeds))
    tables.put(Head.WEIGHT, inverse_mass(vehicle, slot, n_positions, n_speeds))
    put_held(vehicle, rows, ends, slot, n_positions, tables)
    tables.put_int(Head.SLOT, slot)
    put_states(tables, slot, [SPIN in body.free for body in vehicle.bodies])
    tables.put_int(Head.PORT, np.array(list(rows.walled), np.int64))
    tables.head[Head.BODIES] = len(vehicle.bodies)
    tables.head[Head.LINKS] = len(links)
    tables.head[Head.PORTS] = len(rows.walled)
    tables.head[Head.SCAN_ROWS] = scan_rows(vehicle, rows.ports, tables)
    tables.head[Head.STATES] = len(states) + len(rows.own)
    tables.head[Head.SPEEDS] = n_speeds
    tables.head[Head.POSITIONS] = n_positions
    tables.head[Head.OWN_STATES] = len(rows.own)
    tables.head[Head.STAGE] = len(rows.remembered)
    for body in vehicle.bodies:
        rows.remember(f"{body.name}.stage", STAGE)
    _scratch(tables, len(states) + len(rows.own))
    put_track(tables, track, len(bodies))
    layout = Layout(
        (*states, *rows.own), tuple(rows.modes), tuple(rows.mode_types), _guards(vehicle, rows, wheel_names),
        dict(rows.ports), rows.memory, tuple(rows.remembered), wheel_names,
        tuple(wheelset.body for wheelset in vehicle.wheelsets), rows.elements,
        tuple(body.name for body in vehicle.bodies), cones, rows.own_states,
        _own_ends(vehicle, rows), rows.slots, rows.slot_count,
        tuple(wheelset.called for wheelset in vehicle.conical_wheelsets),
    )  # fmt: skip
    return Compiled(tables.system(), layout, np.array(rows.mode_values, np.int8), statics)


def _own_ends(vehicle: Vehicle, rows: Rows) -> dict[str, tuple[str, str]]:
    ends = {c.name: (c.inner, c.outer) for c in vehicle.connections}
    return {e.name: ends[e.connection] for e in vehicle.elements if e.name in rows.own_states}


def _guards(vehicle: Vehicle, rows: Rows, wheels: tuple[str, ...]) -> tuple[Guard, ...]:
    """In the order of `assembly.guards`."""
    found: list[Guard] = []
    for port, direction in rows.walled.values():
        for wall in Wall:
            watch = Watch.DEFORMATION if wall <= Wall.U_HIGH else Watch.RATE
            unit = unit_of(direction) + ("" if watch == Watch.DEFORMATION else "/s")
            found.append(Guard(f"{port}.{wall.name.lower()}", watch, unit, port, -1))
    for kind in GUARDED:
        if kind is None:
            found += watched_by_wheels(wheels, rows.modes)
            continue
        for element in (e for e in vehicle.elements if kind_of(e.law) == kind):
            own = (name == element.name or name.startswith(f"{element.name}.") for name in rows.modes)
            first = next((k for k, is_own in enumerate(own) if is_own), -1)
            found += module(kind).watched(element, first)
    return tuple(found)


def _scratch(tables: Tables, states: int) -> None:
    n = int(tables.head[impacts.COUNT])
    impact_size = impacts.VECTORS * n + int(impact.work_size(n))
    tables.head[Head.IMPACT_SIZE] = impact_size
    tables.put(Head.PORT_STATE, np.zeros(PORT_ROW * int(tables.head[Head.PORT_ROWS])))
    tables.put(Head.ACCELERATION, np.zeros(max(states, 32)))
    tables.put(Head.EVALUATED, np.zeros(states))
    tables.put(Head.IMPACT, np.zeros(impact_size))
    tables.put(Head.PROBE, np.zeros(2 * states if tables.head[elastic_friction.COUNT] > 0 else 0))
