"""Where a vehicle stands when a run begins on bent track: in a curve, a transition, on a ramp or a gradient.

Every body has the frame of its own place, and these frames are turned against each other. Wheelsets begin in their
frames as on straight track, in Hoffmann's untilted frame on the canted rails; the other bodies where the links are
deformed, and deform, least. From there Newton's method looks for the quasi-static position: accelerations vanish
at the rates of the moving frames, sliders stuck and unloaded, leaf springs on their static load, wheels in the
section of their lateral shift. Where it finds none (flange and jumps of the contact points are not smooth) the run
begins with the first guess, whose modes are consistent, and settles by itself.
"""

import numpy as np

from klingel._errors import InputError
from klingel.model.bodies.motion import LANES
from klingel.model.builder import Compiled
from klingel.model.kinds.guide import gaps
from klingel.model.on_track.track_at_bodies import SHIFTS
from klingel.model.on_track.track_tables import enter_stages
from klingel.model.standing.balance import Balance, without_memory
from klingel.model.standing.equilibrium import Rest, settled
from klingel.model.standing.settled_modes import port_deformation, port_rate
from klingel.model.system import NONE, BodyField, Head, Run

# what contacts see of canted rails -> the state that undoes it: y, z, roll, then their rates
UNDONE = ((1, 1), (2, 2), (3, 3), (5, 7), (6, 8), (7, 9))


def stand_on_bent_track(compiled: Compiled, rest: Rest) -> Rest:
    """Start at the distance of the run from rest on straight track; rails are ideal, the speed is held."""
    f, i = compiled.system
    acceleration, sources = int(i[Head.RUN]) + Run.ACCELERATION, int(i[Head.IRREGULARITY])
    given = f[acceleration], f[sources]
    f[acceleration], f[sources] = 0.0, 0.0
    try:
        stands = _quasi_static(compiled, _first_guess(compiled, rest))
        _refuse_closed_guides(compiled, stands)
    finally:
        f[acceleration], f[sources] = given
    return stands


def _first_guess(compiled: Compiled, rest: Rest) -> Rest:
    system = compiled.system
    x, memory, mode = rest.x.copy(), rest.memory.copy(), rest.mode.copy()
    bent, system.i[Head.HAS_TRACK] = int(system.i[Head.HAS_TRACK]), 0
    straight = port_deformation(system, x, memory, mode)
    system.i[Head.HAS_TRACK] = bent
    enter_stages(system, memory)
    _stand_on_cant(compiled, x, memory, mode)
    _follow_wheelsets(compiled, x, memory, mode, straight)
    return settled(compiled, x, memory)


def _quasi_static(compiled: Compiled, guess: Rest) -> Rest:
    """Newton's method from the guess; the guess if it does not get there."""
    free = without_memory(compiled)
    balance = Balance(free, guess.x, guess.memory.copy(), free.mode.copy())
    return settled(compiled, balance.x, guess.memory) if balance.newton() else guess


def _slots(compiled: Compiled, spinning: bool) -> list[tuple[int, np.ndarray]]:
    """Bodies that spin, or those that do not, with the states of their coordinates and rates."""
    f, i = compiled.system
    found = []
    for b in range(int(i[Head.BODIES])):
        if (f[i[Head.BODY] + BodyField.SIZE * b + BodyField.RADIUS] > 0.0) == spinning:
            found.append((b, i[i[Head.SLOT] + 12 * b : i[Head.SLOT] + 12 * b + 12]))
    return found


def _stand_on_cant(compiled: Compiled, x: np.ndarray, memory: np.ndarray, mode: np.ndarray) -> None:
    f, i = compiled.system
    port_deformation(compiled.system, x, memory, mode)  # leaves what the track does in the scratch
    for b, slot in _slots(compiled, spinning=True):
        shift = f[i[Head.CONTACT_SHIFT] + SHIFTS * b : i[Head.CONTACT_SHIFT] + SHIFTS * (b + 1)]
        for seen, state in UNDONE:
            if slot[state] != NONE:
                x[slot[state]] -= shift[seen]


def _follow_wheelsets(
    compiled: Compiled, x: np.ndarray, memory: np.ndarray, mode: np.ndarray, straight: np.ndarray
) -> None:
    """Bodies without wheels where the ends of the links are nearest to where they were, and move least."""
    system = compiled.system
    place = np.arange(straight.size)
    across = (place // LANES < int(system.i[Head.LINKS])) & (place % LANES < 3)  # lengths, not angles
    for first, ports, wanted in ((0, port_deformation, straight[across]), (6, port_rate, 0.0)):
        free = np.array(
            [s for _, slot in _slots(compiled, spinning=False) for s in slot[first : first + 6] if s != NONE], int
        )
        if not free.size:
            continue
        here = ports(system, x, memory, mode)[across]
        columns = []
        for state in free:
            moved = x.copy()
            moved[state] += 1.0
            columns.append(ports(system, moved, memory, mode)[across] - here)
        x[free] -= np.linalg.lstsq(np.column_stack(columns), here - wanted, rcond=1e-9)[0]


def _refuse_closed_guides(compiled: Compiled, start: Rest) -> None:
    f, i = compiled.system
    u = port_deformation(compiled.system, start.x, start.memory, start.mode)
    if (gaps(compiled.system, u) <= 0.0).any():
        at = float(f[i[Head.RUN] + Run.DISTANCE])
        raise InputError("distance", at, "must not be in a curve so tight that guides are closed at the start")
