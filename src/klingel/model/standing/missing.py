"""Why a vehicle does not stand: body, coordinate, the force that is missing there, and what helps."""

import numpy as np

from klingel._errors import InputError
from klingel.model import assembly
from klingel.model.builder import Compiled
from klingel.model.kinds.guide import SIDES
from klingel.model.layout import Moves
from klingel.model.rolling_line import EQUAL, difference, rolling_lines
from klingel.model.standing.balance import Balance, inertias, weights
from klingel.model.standing.statics import Statics

HALF_GAUGE = 0.75  # of the contact points, about [m]
LEVEL = 0.1  # rotation of wheelsets, of that of a body that falls over on them and does not take them along
NEARLY = 0.2  # of the deepest penetration: a tenth of the load
NEARER = "it needs the load nearer to the middle, or other supports"
REMEDY = {
    "x": "an element in x",
    "y": "an element in y",
    "z": "an element in z that reaches it: a spring, or a gap that closes",
    "roll": "elements in z left and right of its centre of mass, or its load nearer to the middle",
    "pitch": "elements in z before and behind its centre of mass, or its load nearer to the middle",
    "yaw": "elements in y before and behind its centre of mass",
    "spin": "wheels that press on the rails",
}


class EquilibriumError(InputError):
    """No rest position: names the coordinate that is not balanced."""


def what_is_missing(balance: Balance, held: Balance | None = None) -> EquilibriumError:
    """What statics says: a coordinate nothing can balance, a wheelset that is lifted; else where most is left.

    `held` is the vehicle on wheelsets that do not steer: at rest, or where a body has fallen over. The search ends
    anywhere: a wheelset with a wheel in the air steers aside, and most is left in x or y; a body that falls over
    lifts wheels in the end. Where the held vehicle leans and presses every wheel, the position drawn says nothing.
    """
    statics = balance.compiled.statics
    if statics.missing:
        name, force = max(statics.missing.items(), key=lambda item: abs(item[1]))
        return _unbalanced(name, force)
    pressed = held is not None and held.reached and not held.fallen and not _flying(held)
    if not pressed and (lifted := _lifted(statics)):
        return lifted
    for wheelset in balance.compiled.layout.wheelsets:
        if steering := _steering(balance, f"{wheelset}.yaw"):
            return steering
    if held and held.fallen and not held.reached and _wheelsets_turned(held) < LEVEL * held.largest_angle:
        return _fallen(held)
    if pressed and balance.fallen:
        return _fallen(balance)
    flying = (_flying(held) if held else {}) or _flying(balance)
    if flying:
        wheelset, wheels = next(iter(flying.items()))
        allowed = f"must be pressed on its rails, but its {' and '.join(wheels)} wheel lifts off: {NEARER}"
        return EquilibriumError(f"{wheelset}.{'z' if len(wheels) > 1 else 'roll'}", None, allowed)
    return _fallen(balance) if balance.reached or balance.fallen else _most_left(balance)


def _lifted(statics: Statics) -> EquilibriumError | None:
    """A wheelset that is lifted, or one of its wheels, in the position drawn."""
    for wheelset, (up, turn) in statics.reactions.items():
        if up <= 0.0:
            allowed = f"must be pressed on its rails, but is lifted with {_amount(up, 'N')}: {NEARER}"
            return EquilibriumError(f"{wheelset}.z", None, allowed)
        if abs(turn) > HALF_GAUGE * up:
            wheel = "right" if turn > 0.0 else "left"
            over = abs(turn) - HALF_GAUGE * up
            allowed = f"must be balanced by its rails, but {_amount(over, 'Nm')} lift its {wheel} wheel: {NEARER}"
            return EquilibriumError(f"{wheelset}.roll", None, allowed)
    return None


def wheel_depths(balance: Balance) -> list[float]:
    """By how much each wheel presses into its rail [m]; negative in the air."""
    state = balance.x, balance.memory, balance.mode, balance.compiled.system
    return [assembly.wheel_depth(0.0, *state, w) for w in range(len(balance.compiled.layout.wheels))]


def _flying(balance: Balance) -> dict[str, list[str]]:
    """Wheelsets with a wheel in the air, or nearly, where the search ended."""
    layout, found, depth = balance.compiled.layout, {}, wheel_depths(balance)
    for name, deep in zip(layout.wheels, depth, strict=True):
        if deep <= NEARLY * max(depth):
            found.setdefault(layout.wheelset_of(name), []).append(name.rpartition(".")[2])
    return found


def _wheelsets_turned(balance: Balance) -> float:
    """Largest roll [rad]."""
    layout = balance.compiled.layout
    names = {f"{w}.roll" for w in layout.wheelsets} & set(layout.states)
    return max((abs(balance.x[layout.state(name)]) for name in names), default=0.0)


def _fallen(balance: Balance) -> EquilibriumError:
    """A body has turned by more than a small angle."""
    states = balance.compiled.layout.state_info
    turned = [k for k, s in enumerate(states) if s.moves == Moves.POSITION and s.unit == "rad"]
    k = max(turned, key=lambda k: abs(balance.x[k]))
    allowed = (
        f"must stand upright, but turns by {abs(balance.x[k]):.2g} rad: it needs {REMEDY[states[k].coordinate]}"
    )
    return EquilibriumError(states[k].name, None, allowed)


def _most_left(balance: Balance) -> EquilibriumError:
    compiled = balance.compiled
    states = compiled.layout.state_info[balance.first :]
    left = np.nan_to_num(np.abs(balance.residual), nan=np.inf) / weights(compiled)
    of_bodies = np.array([s.moves == Moves.RATE for s in states])
    k = int(np.argmax(np.where(of_bodies, left, 0.0)))
    name = f"{states[k].owner}.{states[k].coordinate}"
    if not np.isfinite(balance.residual).all():
        allowed = f"must stay on the contact table: {NEARER}, or stiffer springs"
        return EquilibriumError(name, None, allowed)
    return _unbalanced(name, balance.residual[k] * inertias(compiled)[k])


def _steering(balance: Balance, name: str) -> EquilibriumError | None:
    """A wheelset that is pressed on its rails, but steers aside: its wheels roll on unlike radii."""
    k = balance.compiled.layout.wheelsets.index(name.rpartition(".")[0])
    apart = difference(balance.compiled, k, 0.0)
    if abs(apart) < EQUAL:
        return None
    lines = rolling_lines(balance.compiled, k)
    where = (
        f"equal at a shift of {1e3 * lines[0]:.2g} mm only" if lines else "at no shift of the contact table equal"
    )
    allowed = (
        f"must come to rest, but its wheels roll on radii that differ by {1e3 * abs(apart):.2g} mm in the middle, "
        f"{where}: it needs wheels that are more alike, another rail inclination, or stiffer springs in x"
    )
    return EquilibriumError(name, None, allowed)


def _unbalanced(name: str, force: float) -> EquilibriumError:
    coordinate = name.rpartition(".")[2]
    amount = _amount(force, "N" if coordinate in ("x", "y", "z") else "Nm")
    allowed = f"must be balanced at rest, but {amount} are missing: it needs {REMEDY[coordinate]}"
    return EquilibriumError(name, None, allowed)


def _amount(force: float, unit: str) -> str:
    return f"{abs(force) / 1e3:.3g} k{unit}" if abs(force) >= 1e3 else f"{abs(force):.3g} {unit}"


def closed_guide(compiled: Compiled, side: int) -> EquilibriumError:
    names = [name for name in compiled.layout.modes if name.rpartition(".")[2] in SIDES]
    allowed = "must leave a gap at rest: widen its clearance, or hold the bodies apart by a spring"
    return EquilibriumError(names[side].rpartition(".")[0], None, allowed)
