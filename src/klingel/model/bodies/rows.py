"""Rows of bodies and links: states and where they stand, inertia, arms, how speeds move the gaps."""

import numpy as np

from klingel._errors import InputError
from klingel.model.bodies.motion import AXES, LANES, LOAD_ROW, PORT_ROW, STATE_ROW, lever
from klingel.model.description import COORDINATES, SPIN, TRACK, Vehicle, unit_of
from klingel.model.layout import Moves, State
from klingel.model.system import NONE, BodyField, Head, MotionField
from klingel.model.tables import Tables


def state_slots(vehicle: Vehicle) -> tuple[tuple[State, ...], np.ndarray]:
    """States, positions first, and the slot table [body][position 6, velocity 6]."""
    positions, speeds = [], []
    slot = np.full((len(vehicle.bodies), 12), NONE, np.uint32)
    for b, body in enumerate(vehicle.bodies):
        for k, name in enumerate(COORDINATES):
            if name in body.free:
                slot[b, k] = len(positions)
                positions.append(_state(body.name, name, Moves.POSITION))
    for b, body in enumerate(vehicle.bodies):
        for k, name in enumerate(COORDINATES):
            spins = name == "pitch" and SPIN in body.free
            if name in body.free or spins:
                slot[b, 6 + k] = len(positions) + len(speeds)
                speeds.append(_state(body.name, SPIN if spins else name, Moves.RATE))
    return (*positions, *speeds), slot


def _state(body: str, coordinate: str, moves: Moves) -> State:
    unit = unit_of(coordinate)
    if moves == Moves.POSITION:
        return State(f"{body}.{coordinate}", moves, body, coordinate, unit)
    return State(f"{body}.{coordinate}_dot", moves, body, coordinate, f"{unit}/s")


def put_bodies(vehicle: Vehicle, tables: Tables) -> dict[str, int]:
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


def put_states(tables: Tables, slot: np.ndarray, spins: list[bool]) -> None:
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
            rate[row[k]] = first + (MotionField.SPIN_RATE if spin else at + MotionField.VELOCITY)
    tables.put_int(Head.STATE_OF, state)
    tables.put(Head.FREE, free)
    tables.put_int(Head.RATE_OF, rate)


def put_links(vehicle: Vehicle, bodies: dict[str, int], tables: Tables) -> tuple[dict[str, int], np.ndarray]:
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


def gap_rows(
    tables: Tables,
    sides: list[tuple[int, bool]],
    ends: np.ndarray,
    slot: np.ndarray,
    n_positions: int,
    n_speeds: int,
) -> np.ndarray:
    """Rate of every gap per free speed, by the kinematics of its port: sides are (port, negative deformations)."""
    w = np.zeros((n_speeds, len(sides)))
    arms = tables.floats[Head.ARM][: 6 * len(ends)].reshape(-1, 6)
    spins = tables.floats[Head.BODY].reshape(-1, BodyField.SIZE)[:, BodyField.RADIUS] > 0.0
    for k, (port, minus) in enumerate(sides):
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


def inverse_mass(vehicle: Vehicle, slot: np.ndarray, n_positions: int, n_speeds: int) -> np.ndarray:
    inverse = np.zeros((n_speeds, n_speeds))
    for b, body in enumerate(vehicle.bodies):
        weights = [body.mass] * 3 + list(body.inertia)
        for c in range(6):
            if slot[b, 6 + c] != NONE:
                k = int(slot[b, 6 + c]) - n_positions
                inverse[k, k] = 1.0 / weights[c]
    return inverse
