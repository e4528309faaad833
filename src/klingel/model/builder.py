"""From a description to tables: names become indices, laws become rows."""

from collections.abc import Mapping
from dataclasses import astuple, dataclass, field
from enum import IntEnum

import numpy as np

from klingel._errors import InputError
from klingel.contact.wheel_table import WheelTable
from klingel.elements import dead_band, dry_friction, impact, leaf_spring
from klingel.elements.dead_band import DeadBand
from klingel.elements.dry_friction import DryFriction
from klingel.elements.leaf_spring import LeafSpring
from klingel.elements.piece import Wall
from klingel.elements.spring import Spring
from klingel.model import wheels
from klingel.model.description import COORDINATES, SPIN, TRACK, Guide, Vehicle
from klingel.model.layout import Layout
from klingel.model.motion import AXES, LANES, LOAD_ROW, PORT_ROW, STATE_ROW, lever
from klingel.model.system import NONE, BodyField, Head, MotionField, System
from klingel.model.tables import Tables, contact_blocks
from klingel.model.way import put_track
from klingel.track.track import Track


class ContactState(IntEnum):
    """Mode of a wheel: 2k for section k of its table, 2k + 1 for the overlap with the next."""

    S0, S01, S1, S12, S2, S23, S3, S34, S4, S45, S5, S56, S6, S67, S7, S78, S8, S89, S9 = range(19)


@dataclass
class _Names:
    """Grows while the tables are filled."""

    modes: list[str] = field(default_factory=list)
    mode_types: list[type[IntEnum]] = field(default_factory=list)
    mode_values: list[int] = field(default_factory=list)
    memory: dict[str, int] = field(default_factory=dict)
    memory_size: int = 0
    elements: dict[str, int] = field(default_factory=dict)

    def mode(self, name: str, kind: type[IntEnum], value: int) -> int:
        self.modes.append(name)
        self.mode_types.append(kind)
        self.mode_values.append(value)
        return len(self.modes) - 1

    def remember(self, name: str, size: int) -> int:
        self.memory[name] = self.memory_size
        self.memory_size += size
        return self.memory[name]


def _states(vehicle: Vehicle) -> tuple[tuple[str, ...], np.ndarray]:
    """State names, positions first, and the slot table [body][position 6, velocity 6]."""
    positions, speeds = [], []
    slot = np.full((len(vehicle.bodies), 12), NONE, np.uint32)
    for b, body in enumerate(vehicle.bodies):
        for k, name in enumerate(COORDINATES):
            if name in body.free:
                slot[b, k] = len(positions)
                positions.append(f"{body.name}.{name}")
    for b, body in enumerate(vehicle.bodies):
        for k, name in enumerate(COORDINATES):
            spins = name == "pitch" and SPIN in body.free
            if name in body.free or spins:
                slot[b, 6 + k] = len(positions) + len(speeds)
                speeds.append(f"{body.name}.{SPIN}_dot" if spins else f"{body.name}.{name}_dot")
    return (*positions, *speeds), slot


def _bodies(vehicle: Vehicle, tables: Tables) -> dict[str, int]:
    radius = {w.body: w.radius for w in vehicle.wheelsets}
    index = {body.name: b for b, body in enumerate(vehicle.bodies)}
    index[TRACK] = len(vehicle.bodies)
    rows = np.zeros((len(index), BodyField.SIZE))  # that of the track stays zero: it is never accelerated
    for row, b in zip(rows, vehicle.bodies, strict=False):
        r = radius.get(b.name, 0.0)
        row[: BodyField.PER_MASS] = [b.mass, *b.inertia, *b.position, r]
        row[BodyField.PER_MASS : BodyField.PER_RADIUS] = [
            1.0 / value if value > 0.0 else 0.0 for value in (b.mass, *b.inertia)
        ]  # what does not turn may be given without inertia
        row[BodyField.PER_RADIUS] = 1.0 / r if r > 0.0 else 0.0
    tables.put(Head.BODY, rows)
    tables.put(Head.MOTION, np.zeros((len(index), MotionField.SIZE)))
    tables.put(Head.LOAD, np.zeros((len(index), LOAD_ROW)))
    return index


def _put_states(tables: Tables, slot: np.ndarray, spins: list[bool]) -> None:
    """Which state stands where in the motion of each body, and what the time derivative of each state is."""
    rate = np.zeros(int(slot[slot != NONE].max()) + 1, np.uint32)
    state, free = np.zeros((len(slot), STATE_ROW), np.uint32), np.zeros((len(slot), STATE_ROW))
    for b, row in enumerate(slot):
        first = MotionField.SIZE * b
        for k in np.flatnonzero(row != NONE):
            order, axis = divmod(int(k), AXES)
            spin = order == 1 and axis == 4 and spins[b]
            at = 2 * LANES * order + axis + axis // 3  # rows of three and a zero
            place = STATE_ROW - 1 if spin else at
            state[b, place], free[b, place] = row[k], 1.0
            if order == 0:
                rate[row[k]] = row[k + AXES]
            else:
                rate[row[k]] = first + (MotionField.SPIN_RATE if spin else at + MotionField.VELOCITY)
    tables.put_int(Head.STATE_OF, state)
    tables.put(Head.FREE, free)
    tables.put_int(Head.RATE_OF, rate)


def _links(vehicle: Vehicle, bodies: dict[str, int], tables: Tables) -> tuple[dict[str, int], np.ndarray]:
    """Links by name, and the inner and outer body of each."""
    places = [np.array(b.position) for b in vehicle.bodies] + [np.zeros(3)]
    arms, ends = [], []
    for link in vehicle.connections:
        for name in (link.inner, link.outer):
            if name not in bodies:
                raise InputError(f"{link.name}", name, f"must connect bodies out of {', '.join(bodies)}")
        pair = (bodies[link.inner], bodies[link.outer])
        ends.append(pair)
        arms.append(np.concatenate([np.array(link.point) - places[b] for b in pair]))
    tables.put(Head.ARM, np.array(arms))
    tables.put(Head.LEVER, lever(np.array(arms).reshape(-1, 6)))
    pairs = np.array(ends, np.int64).reshape(len(ends), 2)
    tables.put_int(Head.LINK_BODY, pairs)
    motion, load = int(tables.head[Head.MOTION]), int(tables.head[Head.LOAD])
    tables.put_int(Head.LINK_AT, np.hstack([motion + MotionField.SIZE * pairs, load + LOAD_ROW * pairs]))
    return {link.name: k for k, link in enumerate(vehicle.connections)}, pairs


def _ports(links: dict[str, int], wheelsets: int, tables: Tables) -> dict[str, int]:
    """Columns of every direction of every link in arrays over all ports, see `PortField`."""
    first = len(links) + -(-wheelsets // LANES)
    tables.head[Head.TURN_PORTS] = PORT_ROW * first
    tables.head[Head.PORT_ROWS] = first + len(links)
    return {
        f"{link}.{direction}": LANES * (k + first * (d // 3)) + d % 3
        for link, k in links.items()
        for d, direction in enumerate(COORDINATES)
    }


def _scan_rows(vehicle: Vehicle, ports: dict[str, int], tables: Tables) -> int:
    """Rows of a port field up to the last with more than plain springs; rotations seldom are among them."""
    used = [ports[f"{e.connection}.{e.direction}"] for e in vehicle.elements if not isinstance(e.law, Spring)]
    return max(int(tables.head[Head.TURN_PORTS]) // PORT_ROW, *(column // LANES + 1 for column in used), 0)


def _elements(vehicle: Vehicle, ports: dict[str, int], loads: Mapping[str, float], tables: Tables, names: _Names):
    """Rows of all laws; returns the ports with walls and those of the guides."""
    rows: dict[Head, list] = {h: [] for h in (Head.SPRING, Head.SLIDER, Head.BAND, Head.LEAF, Head.GUIDE)}
    at: dict[Head, list] = {
        h: [] for h in (Head.SPRING_AT, Head.SLIDER_AT, Head.BAND_AT, Head.LEAF_AT, Head.GUIDE_AT)
    }
    walled: dict[int, str] = {}
    for element in vehicle.elements:
        row, lane = divmod(ports[f"{element.connection}.{element.direction}"], LANES)
        port = PORT_ROW * row + lane
        law, name = element.law, element.name
        if isinstance(law, Spring):
            names.elements[name] = len(rows[Head.SPRING])
            rows[Head.SPRING].append([law.stiffness, law.damping, law.preload])
            at[Head.SPRING_AT].append([port])
        elif isinstance(law, DryFriction):
            names.elements[name] = len(rows[Head.SLIDER])
            rows[Head.SLIDER].append([law.stiffness, law.limit])
            mode = names.mode(name, dry_friction.Mode, dry_friction.Mode.STICK)
            at[Head.SLIDER_AT].append([port, mode, names.remember(name, 1)])
            walled[port] = f"{element.connection}.{element.direction}"
        elif isinstance(law, DeadBand):
            names.elements[name] = len(rows[Head.BAND])
            rows[Head.BAND].append([law.gap_low, law.gap_high, law.stiffness])
            at[Head.BAND_AT].append([port, names.mode(name, dead_band.Mode, dead_band.Mode.FREE)])
            walled[port] = f"{element.connection}.{element.direction}"
        elif isinstance(law, LeafSpring):
            names.elements[name] = len(rows[Head.LEAF])
            rows[Head.LEAF].append([*law.pack(), law.static_deflection(loads[element.connection])])
            mode = names.mode(name, leaf_spring.Mode, leaf_spring.Mode.AUTO)
            at[Head.LEAF_AT].append([port, mode, names.remember(name, leaf_spring.BRANCH_SIZE)])
        elif isinstance(law, Guide):
            for sign, side in ((1, "plus"), (-1, "minus")):
                names.elements[f"{name}.{side}"] = len(rows[Head.GUIDE])
                rows[Head.GUIDE].append([law.clearance, law.restitution, law.resting_speed])
                mode = names.mode(f"{name}.{side}", impact.Mode, impact.Mode.FREE)
                at[Head.GUIDE_AT].append([port, mode, 0 if sign > 0 else 1])
    widths = {Head.SPRING: 3, Head.SLIDER: 2, Head.BAND: 3, Head.LEAF: leaf_spring.LAW_SIZE + 1, Head.GUIDE: 3}
    for head, values in rows.items():
        tables.put(head, np.array(values, float).reshape(len(values), widths[head]))
    for head, values in at.items():
        tables.put_int(head, np.array(values, np.int64).ravel())
    counts = (Head.SPRINGS, Head.SLIDERS, Head.BANDS, Head.LEAVES, Head.GUIDES)
    for count, head in zip(counts, rows, strict=True):
        tables.head[count] = len(rows[head])
    return walled


def _leaf_rows(tables: Tables) -> None:
    """Where each leaf spring stands in its row of ports, and whether one before it is in the same row."""
    ports = [int(port) for port in tables.ints[Head.LEAF_AT][::3]]
    rows = [port - port % PORT_ROW for port in ports]
    tables.put(Head.LEAF_LANE, np.eye(LANES)[[port % PORT_ROW for port in ports]])
    tables.put_int(Head.LEAF_ROW, np.array([[row, row in rows[:k]] for k, row in enumerate(rows)], np.int64))


def _gap_rows(tables: Tables, ends: np.ndarray, slot: np.ndarray, n_positions: int, n_speeds: int) -> np.ndarray:
    """Rate of every gap per free speed, by the kinematics of its port."""
    n = int(tables.head[Head.GUIDES])
    w = np.zeros((n_speeds, n))
    at = tables.ints[Head.GUIDE_AT].reshape(n, 3) if n else np.zeros((0, 3), int)
    arms = tables.floats[Head.ARM][: 6 * len(ends)].reshape(-1, 6)
    spins = tables.floats[Head.BODY].reshape(-1, BodyField.SIZE)[:, BodyField.RADIUS] > 0.0
    for k, (port, _, minus) in enumerate(at):
        sign = -1.0 if minus else 1.0
        turns, place = divmod(int(port), int(tables.head[Head.TURN_PORTS]))
        link, d = place // PORT_ROW, 3 * turns + place % PORT_ROW
        for end, outer in ((0, -1.0), (1, 1.0)):
            b = int(ends[link, end])
            if b >= slot.shape[0]:
                continue
            px, py, pz = arms[link, 3 * end : 3 * end + 3]
            moves = np.zeros((6, 6))  # [direction][coordinate]
            moves[:, :] = np.eye(6)
            moves[0, 4], moves[0, 5] = pz, -py
            moves[1, 3], moves[1, 5] = -pz, px
            moves[2, 3], moves[2, 4] = py, -px
            for c in range(6):
                speed = int(slot[b, 6 + c]) - n_positions
                if slot[b, 6 + c] != NONE and not (c == 4 and spins[b]):
                    w[speed, k] -= sign * outer * moves[d, c]
    return w


def _inverse_mass(vehicle: Vehicle, slot: np.ndarray, n_positions: int, n_speeds: int) -> np.ndarray:
    inverse = np.zeros((n_speeds, n_speeds))
    for b, body in enumerate(vehicle.bodies):
        weights = [body.mass] * 3 + list(body.inertia)
        for c in range(6):
            if slot[b, 6 + c] != NONE:
                k = int(slot[b, 6 + c]) - n_positions
                inverse[k, k] = 1.0 / weights[c]
    return inverse


def _wheels(vehicle: Vehicle, bodies, contact: Mapping[str, tuple[WheelTable, WheelTable]], tables, names: _Names):
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
    at += at[:1] * (-len(at) % wheels.LANES)
    at = np.array(at, np.int64)
    at[:, 3] += bound  # bounds are addressed in the float array itself
    tables.put_int(Head.WHEEL_AT, at)
    tables.put_int(Head.SECTION_AT, blocks.section_at)
    tables.head[Head.SECTIONS] = len(blocks.section)
    tables.head[Head.BLOCKS] = len(at) // wheels.LANES
    tables.put(Head.LANES, _lanes(laws, len(at) // wheels.LANES))
    return tuple(wheel_names)


def _lanes(laws: list[tuple[float, float]], blocks: int) -> np.ndarray:
    """Scratch of the wheels, with what stays the same in it."""
    scratch = np.zeros((blocks, wheels.CONTACTS, wheels.Lane.SIZE, wheels.LANES))
    for w in range(blocks * wheels.LANES):
        friction, damping = laws[w] if w < len(laws) else laws[0]
        lane = scratch[w // wheels.LANES, :, :, w % wheels.LANES]
        lane[:, wheels.Lane.FRICTION] = friction
        lane[:, wheels.Lane.DAMPING] = damping
    scratch[:, :, wheels.Lane.LOW] = np.inf  # nothing read yet
    return scratch


def _cones(vehicle: Vehicle, bodies: dict[str, int], tables: Tables) -> tuple[str, ...]:
    """Conical wheelsets, their fields in the order of ConeField."""
    tables.put(Head.CONE, np.array([astuple(wheelset.cone) for wheelset in vehicle.conical_wheelsets]))
    tables.put_int(Head.CONE_AT, np.array([bodies[w.body] for w in vehicle.conical_wheelsets], np.int64))
    tables.head[Head.CONES] = len(vehicle.conical_wheelsets)
    return tuple(wheelset.body for wheelset in vehicle.conical_wheelsets)


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
    states, slot = _states(vehicle)
    positions = slot[:, :6]
    n_positions = int(np.count_nonzero(positions != NONE))
    n_speeds = len(states) - n_positions
    tables, names = Tables(), _Names()
    track = track or Track()
    run = [
        speed,
        acceleration,
        vehicle.gravity,
        distance,
        float(track.frame),
        track.cant_reference,
        np.nan,
        np.nan,
        0.0,
        0.0,
    ]
    tables.put(Head.RUN, np.array(run))
    bodies = _bodies(vehicle, tables)
    links, ends = _links(vehicle, bodies, tables)
    loads = static_loads(vehicle)
    ports = _ports(links, len(vehicle.wheelsets), tables)
    walled = _elements(vehicle, ports, loads, tables, names)
    _leaf_rows(tables)
    wheel_names = _wheels(vehicle, bodies, contact, tables, names)
    cones = _cones(vehicle, bodies, tables)
    tables.put(Head.GUIDE_ROW, _gap_rows(tables, ends, slot, n_positions, n_speeds))
    tables.put(Head.WEIGHT, _inverse_mass(vehicle, slot, n_positions, n_speeds))
    tables.put_int(Head.SLOT, slot)
    _put_states(tables, slot, [SPIN in body.free for body in vehicle.bodies])
    tables.put_int(Head.PORT, np.array(list(walled), np.int64))
    tables.head[Head.BODIES] = len(vehicle.bodies)
    tables.head[Head.LINKS] = len(links)
    tables.head[Head.PORTS] = len(walled)
    tables.head[Head.SCAN_ROWS] = _scan_rows(vehicle, ports, tables)
    tables.head[Head.STATES] = len(states)
    tables.head[Head.SPEEDS] = n_speeds
    tables.head[Head.POSITIONS] = n_positions
    tables.head[Head.WHEELSETS] = len(vehicle.wheelsets)
    tables.head[Head.STAGE] = names.memory_size
    for body in vehicle.bodies:
        names.remember(f"{body.name}.stage", 1)
    _scratch(tables, len(states))
    put_track(tables, track, len(bodies))
    guards, owner = _guards(walled, names, vehicle, wheel_names)
    layout = Layout(
        states, tuple(names.modes), tuple(names.mode_types), guards, owner, ports, names.memory, wheel_names,
        names.elements, tuple(body.name for body in vehicle.bodies), cones,
    )  # fmt: skip
    return Compiled(tables.system(), layout, names.memory_size, np.array(names.mode_values, np.int8), loads)


def _scratch(tables: Tables, states: int) -> None:
    n = int(tables.head[Head.GUIDES])
    impact_size = 5 * n + int(impact.work_size(n))
    tables.head[Head.IMPACT_SIZE] = impact_size
    tables.put(Head.PORT_STATE, np.zeros(PORT_ROW * int(tables.head[Head.PORT_ROWS])))
    tables.put(Head.ACCELERATION, np.zeros(max(states, 32)))
    tables.put(Head.IMPACT, np.zeros(impact_size))


def _guards(walled: dict[int, str], names: _Names, vehicle: Vehicle, wheels: tuple[str, ...]):
    """Guard names in the order of `assembly.guards`, and the mode each belongs to (-1 where several share it)."""
    guards, owner = [], []
    for port in walled.values():
        guards += [f"{port}.{wall.name.lower()}" for wall in Wall]
        owner += [-1] * len(Wall)
    for element in vehicle.elements:
        if isinstance(element.law, LeafSpring):
            guards += [f"{element.name}.{guard.name.lower()}" for guard in leaf_spring.Guard]
            owner += [names.modes.index(element.name)] * len(leaf_spring.Guard)
    for wheel in wheels:
        guards += [f"{wheel}.low", f"{wheel}.high"]
        owner += [names.modes.index(wheel)] * 2
    for element in vehicle.elements:
        if isinstance(element.law, Guide):
            for side in ("plus", "minus"):
                guards.append(f"{element.name}.{side}")
                owner.append(names.modes.index(f"{element.name}.{side}"))
    return tuple(guards), tuple(owner)
