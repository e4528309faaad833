"""A kicked wheelset put on its rails: height and roll follow from contact under its static load.

A wheelset that is shifted by y, or turned by yaw, stands higher on one rail than on the other. Here z and roll
of every kicked wheelset are found at which it has no vertical and no roll acceleration, held in y and yaw, all
other bodies where they are, sliders unloaded and leaf springs on their line: the wheels carry what the suspension
puts on them. On a flange no such position has both wheels pressed, or the wheelset would be thrown off its rail in
the instant it is no longer held: a wheel presses harder than once it is `let_go`, or squeezes a flange beside its
tread. There its forces are those of a wheelset let go, and it slides down its flange.

Kicks in speed get those of z and roll with which no wheel point moves along its contact normal.
"""

from collections.abc import Collection
from typing import NamedTuple

import numpy as np

from klingel.model.builder import Compiled
from klingel.model.layout import Moves
from klingel.model.output import Contact, Wheel, outputs
from klingel.model.standing.balance import Balance, without_memory
from klingel.model.standing.equilibrium import Rest
from klingel.model.standing.let_go import Wheels, let_go, let_go_higher, squeezed
from klingel.model.standing.settled_modes import choose_sections, close_gaps
from klingel.model.system import Head, Run

ITERATIONS = 60
HALVINGS = 12
NEAR = 1e-6  # of the static load of a wheel, that may be left
STEP = 1e-8  # for slopes [m, rad]
MOVED = ("y", "yaw")  # coordinates whose kick needs another height
THROWN = 1.5  # force of a held wheel that is too much, of the one it has let go: half way to 2, where it lifts off
SQUEEZED = 0.15  # force of a flange that is too much, of the force on the tread beside it
FOUND = ("z", "roll")  # what is found, unless a kick names one of them


class OffTheRails(Exception):
    """A kick beyond the contact table of this wheelset."""


class Placed(NamedTuple):
    """One wheelset on its way to the rails."""

    name: str
    positions: list[int]  # of z and roll among the states
    rows: list[int]  # of their accelerations
    wheels: list[int]


def kicked(compiled: Compiled, names: Collection[str]) -> list[str]:
    """Wheelsets on profiles that are moved across or turned by a kick which leaves their height and roll open."""
    found = []
    for body in compiled.layout.wheelsets:
        moved = {f"{body}.{c}{dot}" for c in MOVED for dot in ("", "_dot")}
        typed = {f"{body}.{c}{dot}" for c in FOUND for dot in ("", "_dot")}
        free = {f"{body}.{c}" for c in FOUND} <= set(compiled.layout.states)
        if free and moved & set(names) and not typed & set(names):
            found.append(body)
    return found


def put_on_rails(compiled: Compiled, rest: Rest, x: np.ndarray, bodies: Collection[str]) -> np.ndarray:
    """The state x, already displaced, with heights and rolls of these wheelsets found; rails are ideal."""
    f, i = compiled.system
    acceleration, sources = int(i[Head.RUN]) + Run.ACCELERATION, int(i[Head.IRREGULARITY])
    given = f[acceleration], f[sources]
    f[acceleration], f[sources] = 0.0, 0.0 if i[Head.HAS_TRACK] else f[sources]
    try:
        static = _vertical(compiled, rest.x, rest.memory, rest.mode)
        for _ in range(2):  # speeds of the second pass press no wheel by the damping of its contact
            for wheelset in (_placed(compiled, body) for body in bodies):
                x = _stand(compiled, rest, x, wheelset, static[wheelset.wheels])
            before, x = x, _roll_along(compiled, rest, x, bodies)
            if (before == x).all():
                break
        return x
    finally:
        f[acceleration], f[sources] = given


def _placed(compiled: Compiled, body: str) -> Placed:
    layout = compiled.layout
    positions = [layout.state(f"{body}.{c}") for c in FOUND]
    first = int(compiled.system.i[Head.POSITIONS])
    rows = [layout.rate_of(f"{body}.{c}") - first for c in FOUND]
    return Placed(body, positions, rows, [w for w, n in enumerate(layout.wheels) if layout.wheelset_of(n) == body])


def _stand(compiled: Compiled, rest: Rest, x: np.ndarray, wheelset: Placed, static: np.ndarray) -> np.ndarray:
    search = without_memory(compiled)
    balance = Balance(search, x, rest.memory.copy(), search.mode.copy())  # sliders in a mode without force
    inertia = static.sum() / np.maximum(np.abs(balance.allowed[wheelset.rows]), 1e-300)  # accelerations as forces

    def unbalanced(state: np.ndarray) -> np.ndarray:
        return balance.accelerations(state)[wheelset.rows] * inertia * 1e-10

    def unshared(state: np.ndarray) -> np.ndarray:
        balance.settle(state)
        here = _vertical(balance.compiled, state, balance.memory, balance.mode)[wheelset.wheels]
        return (here - static) if np.isfinite(balance.force(state)).all() else np.full(2, np.nan)

    pressed = _solve(unshared, x, wheelset.positions, static)
    if pressed is None:
        raise OffTheRails(wheelset.name)
    held = _solve(unbalanced, pressed, wheelset.positions, static)
    wheels = None if held is None else _wheels(balance, held, wheelset)
    if wheels is None or held is None or wheels.normal.min() <= 0.0:
        loose = let_go(_wheels(balance, pressed, wheelset), pressed)
        return pressed if loose is None else loose.x
    if squeezed(wheels, held) > SQUEEZED and (higher := let_go_higher(wheels, held)):
        return higher.x
    loose = let_go(wheels, held) or let_go(_wheels(balance, pressed, wheelset), pressed)
    return held if loose is None or (wheels.normal <= THROWN * loose.normal).all() else loose.x


def _wheels(balance: Balance, x: np.ndarray, wheelset: Placed) -> Wheels:
    y = balance.compiled.layout.state(f"{wheelset.name}.y")
    rate = balance.compiled.layout.rate_of(f"{wheelset.name}.y") - balance.first
    return Wheels(balance, x, wheelset.wheels, [y, *wheelset.positions], [rate, *wheelset.rows])


def _solve(left, start: np.ndarray, positions: list[int], static: np.ndarray) -> np.ndarray | None:
    """Newton's method on two positions with halved steps; None if it does not get there."""
    x = start.copy()
    r = left(x)
    if not np.isfinite(r).all():
        return None
    for _ in range(ITERATIONS):
        if np.abs(r).max() <= NEAR * static.mean():
            return x
        slope = np.empty((2, 2))
        for k, at in enumerate(positions):
            ahead, behind = x.copy(), x.copy()
            ahead[at], behind[at] = x[at] + STEP, x[at] - STEP
            slope[:, k] = (left(ahead) - left(behind)) / (2.0 * STEP)
        if not np.isfinite(slope).all():
            return None
        if np.linalg.matrix_rank(slope / max(np.abs(slope).max(), 1e-300), tol=1e-9) < 2:
            x[positions[0]] -= 2e-5  # a wheel in the air has no slope
            r = left(x)
            continue
        change = np.linalg.solve(slope, -r)
        part = min(1.0, 1e-3 / max(np.abs(change).max(), 1e-300))
        for _ in range(HALVINGS):
            ahead = x.copy()
            ahead[positions] += part * change
            here = left(ahead)
            if np.isfinite(here).all() and np.linalg.norm(here) < np.linalg.norm(r):
                break
            part *= 0.5
        x, r = ahead, here
        if not np.isfinite(r).all():
            return None
    return None


def _vertical(compiled: Compiled, x: np.ndarray, memory: np.ndarray, mode: np.ndarray) -> np.ndarray:
    """Vertical force of every wheel [N]."""
    row = outputs(compiled, np.zeros(1), x[None], memory[None], mode[None])
    return row.wheel[0, :, Wheel.Q]


def _roll_along(compiled: Compiled, rest: Rest, x: np.ndarray, bodies: Collection[str]) -> np.ndarray:
    """Speeds of z and roll at which the normal forces are those of a wheelset that does not move."""
    rates = {body: [compiled.layout.rate_of(f"{body}.{c}") for c in FOUND] for body in bodies}
    still = x.copy()
    for k, state in enumerate(compiled.layout.state_info):
        if state.moves == Moves.RATE and state.owner in bodies and state.coordinate in (*MOVED, *FOUND):
            still[k] = 0.0
    if (still == x).all():
        return x
    memory, mode = rest.memory.copy(), rest.mode.copy()
    choose_sections(compiled, x, mode)
    close_gaps(compiled, x, memory, mode)

    def normals(state: np.ndarray) -> np.ndarray:
        row = outputs(compiled, np.zeros(1), state[None], memory[None], mode[None])
        return np.nansum(row.contact[0, :, :, Contact.NORMAL], axis=1)

    wanted = normals(still)
    x = x.copy()
    for body in bodies:
        wheels = _placed(compiled, body).wheels
        for _ in range(8):
            left = (normals(x) - wanted)[wheels]
            if np.abs(left).max() <= NEAR * max(wanted[wheels].mean(), 1.0):
                break
            slope = np.empty((2, 2))
            for k, at in enumerate(rates[body]):
                ahead, behind = x.copy(), x.copy()
                ahead[at], behind[at] = x[at] + 1e-3, x[at] - 1e-3
                slope[:, k] = (normals(ahead) - normals(behind))[wheels] / 2e-3
            x[rates[body]] -= np.linalg.lstsq(slope, left, rcond=1e-9)[0]
    return x
