"""Static equilibrium of a running vehicle: solved, not typed in.

Unknown are all positions, the spins and the elements' own states; all accelerations must vanish, at zero
velocities, with every slider stuck and unloaded and every leaf spring carrying its static load (`balance`).
Wheels roll: the spin on top of V/r0 makes the longitudinal creepage vanish at the contact point, which is not
at the nominal radius.
"""

from dataclasses import dataclass

import numpy as np

from klingel.model import assembly
from klingel.model.builder import Compiled
from klingel.model.description import SPIN
from klingel.model.kinds.guide import gaps
from klingel.model.kinds.wheels.wheel_lanes import WHEEL_INTS
from klingel.model.layout import Moves
from klingel.model.on_track.track_tables import enter_stages
from klingel.model.rolling_line import rolling_lines
from klingel.model.standing.balance import Balance, without_memory
from klingel.model.standing.descent import descend
from klingel.model.standing.growth import fastest_growth
from klingel.model.standing.missing import closed_guide, what_is_missing
from klingel.model.standing.release import release
from klingel.model.standing.settled_modes import choose_sections, close_gaps, load_elements, port_deformation
from klingel.model.system import NONE, BodyField, Head, Run

RESIDUAL = 1e-9  # of the wagons of the library [m/s2, rad/s2]
FIRST_PENETRATION = 5e-5  # [m]
STEERED = ("x", "y", "yaw", SPIN)
LEANS = 0.01  # of a body that may be balanced on an edge [rad]
ASIDE = (1e-3, -1e-3, 2e-3, -2e-3, 4e-3, -4e-3)  # shifts from which wheelsets are released [m]
ROUNDS = 3  # of pseudo-time, each from where the one before ended


@dataclass(frozen=True)
class Rest:
    x: np.ndarray
    memory: np.ndarray
    mode: np.ndarray
    residual: float  # largest acceleration left [m/s2, rad/s2]


def find_rest(compiled: Compiled) -> Rest:
    """Rest on straight track at the start speed, held constant."""
    system = compiled.system
    acceleration = int(system.i[Head.RUN]) + Run.ACCELERATION
    given, bent = system.f[acceleration], int(system.i[Head.HAS_TRACK])
    system.f[acceleration], system.i[Head.HAS_TRACK] = 0.0, 0
    try:
        rest = _solve(compiled)
    finally:
        system.f[acceleration], system.i[Head.HAS_TRACK] = given, bent
    enter_stages(system, rest.memory)
    return rest


def _solve(compiled: Compiled) -> Rest:
    balance = _balanced(compiled)
    rest = settled(compiled, balance.x, np.zeros(compiled.memory_size))
    closed = gaps(compiled.system, port_deformation(compiled.system, rest.x, rest.memory, rest.mode)) <= 0.0
    if closed.any():
        raise closed_guide(compiled, int(np.flatnonzero(closed)[0]))
    return rest


def _balanced(compiled: Compiled) -> Balance:
    """Newton's method from every start, then from a rest on held wheelsets; then pseudo-time from the starts."""
    starts = _starts(compiled)
    for start in starts:
        balance = _placed(compiled, start)
        if balance.newton() and _stands(balance):
            return balance
        if compiled.statics.missing:
            raise what_is_missing(balance)
    held, ended = _held(compiled, starts[0]), balance
    if held and held.reached and not held.fallen:
        ended = held.let_go()
        if ended.newton() and _stands(ended):
            return ended
        if (released := release(held)) and _stands(released):
            return released
        for aside in ASIDE:
            beside = _held(compiled, [aside] * len(starts[0]))
            if beside and beside.reached and (released := release(beside)) and _stands(released):
                return released
        if _let_down(ended) and _stands(ended):
            return ended
    for start in starts:
        balance = _placed(compiled, start)
        if _let_down(balance) and _stands(balance):
            return balance
    raise what_is_missing(ended if ended.reached else balance, held)


def _held(compiled: Compiled, start: list[float]) -> Balance | None:
    """Rest, or a lean, of everything above the wheelsets, which do not steer: wheels that lift are seen there.

    Also where a body has fallen over; none if neither is found.
    """
    steered = frozenset(f"{w}.{c}" for w in compiled.layout.wheelsets for c in STEERED)
    balance = _placed(compiled, start, steered)
    if balance.newton() and not balance.fallen:
        return balance
    if balance.fallen:  # angles are small ones: a rest beyond them is none
        balance = _placed(compiled, start, steered)
    if descend(balance) or balance.fallen or _let_down(balance):
        return balance
    return None


def _let_down(balance: Balance) -> bool:
    return any(balance.let_down() for _ in range(ROUNDS))


def _starts(compiled: Compiled) -> list[list[float]]:
    """Shifts of all wheelsets: on their rolling lines, nearest ones first, and in the middle."""
    lines = [rolling_lines(compiled, k) for k in range(len(compiled.layout.wheelsets))]
    middle = [0.0] * len(lines)
    most = max((len(line) for line in lines), default=0)
    found = [[line[min(k, len(line) - 1)] if line else 0.0 for line in lines] for k in range(most)]
    return found if middle in found else [*found, middle]


def _placed(compiled: Compiled, shift: list[float], held: frozenset[str] = frozenset()) -> Balance:
    """Wheelsets moved aside by so much, lowered on their rails, rolling."""
    search = without_memory(compiled)
    x = np.zeros(int(search.system.i[Head.STATES]))
    for body, y in zip(compiled.layout.wheelsets, shift, strict=True):
        if (name := f"{body}.y") in compiled.layout.states:
            x[compiled.layout.state(name)] = y
    memory, mode = np.zeros(compiled.memory_size), search.mode.copy()
    choose_sections(search, x, mode)
    assembly.prepare(search.system, memory, mode)
    _sink(search, x, memory, mode)
    _roll_freely(search, x, dict(zip(compiled.layout.wheelsets, shift, strict=True)))
    return Balance(search, x, memory, mode, held)


def _stands(balance: Balance) -> bool:
    """A body that has fallen over does not stand, nor one balanced on an edge."""
    return not balance.fallen and not (balance.largest_angle > LEANS and _falls_from(balance))


def _falls_from(balance: Balance) -> bool:
    """Whether a small push grows, on wheelsets that do not steer, where forces follow from the positions alone.

    Of bodies that lean only: one that is upright may be held there by dry friction, which is unloaded here.
    """
    steered = frozenset(f"{w}.{c}" for w in balance.compiled.layout.wheelsets for c in STEERED)
    held = Balance(balance.compiled, balance.x.copy(), balance.memory.copy(), balance.mode.copy(), steered)
    return fastest_growth(held.jacobian()[held.row]) is not None


def settled(compiled: Compiled, x: np.ndarray, memory: np.ndarray) -> Rest:
    """Rest at x: sliders stuck and unloaded there, leaf springs near rest, gaps and wheels as they are there."""
    memory, mode = memory.copy(), compiled.mode.copy()
    choose_sections(compiled, x, mode)
    close_gaps(compiled, x, memory, mode)
    load_elements(compiled, x, memory, mode)
    return Rest(x.copy(), memory, mode, float(np.abs(accelerations(compiled, x, memory, mode)).max(initial=0.0)))


def accelerations(compiled: Compiled, x: np.ndarray, memory: np.ndarray, mode: np.ndarray) -> np.ndarray:
    """Of all free speeds at the start, and rates of the elements' own states.

    Not a number where a wheel is outside its table.
    """
    first = int(compiled.system.i[Head.POSITIONS])
    dx = np.zeros(x.size)
    refused = assembly.rhs(0.0, x, memory, mode, compiled.system, dx)
    return np.full(x.size - first, np.nan) if refused else dx[first:]


def _roll_freely(compiled: Compiled, x: np.ndarray, shift: dict[str, float]) -> None:
    """Spins with which the contact points at these shifts do not slip longitudinally."""
    system = compiled.system
    f, i = system.f, system.i
    speed = f[i[Head.RUN]]
    for w in range(int(i[Head.WHEELS])):
        at = i[Head.WHEEL_AT] + WHEEL_INTS * w
        per_radius = f[i[Head.BODY] + BodyField.SIZE * i[at] + BodyField.PER_RADIUS]
        slot = i[i[Head.SLOT] + 12 * i[at] + 10]
        if slot != NONE:
            y = shift[compiled.layout.wheelset_of(compiled.layout.wheels[w])]
            x[slot] = speed / assembly.rolling_radius(system, w, y) - speed * per_radius


def _sink(compiled: Compiled, x: np.ndarray, memory: np.ndarray, mode: np.ndarray) -> None:
    """Lower all bodies until the wheels press on the rails: the slope of a wheel in the air says nothing."""
    lowest = 0.0
    for w in range(int(compiled.system.i[Head.WHEELS])):
        lowest = min(lowest, assembly.wheel_depth(0.0, x, memory, mode, compiled.system, w))
    for k, state in enumerate(compiled.layout.state_info):
        if state.moves == Moves.POSITION and state.coordinate == "z":
            x[k] = lowest - FIRST_PENETRATION
