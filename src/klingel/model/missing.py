"""Why a vehicle does not stand: body, coordinate, the force that is missing there, and what helps."""

import numpy as np

from klingel._errors import InputError
from klingel.model import assembly
from klingel.model.balance import RELATIVE, Balance, weights
from klingel.model.builder import Compiled
from klingel.model.kinds.guide import SIDES
from klingel.model.layout import Moves
from klingel.model.system import BodyField, Head

UNHELD = 1e-7  # singular value of the scaled Jacobian matrix below which a direction is not held
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


def what_is_missing(balance: Balance) -> EquilibriumError:
    """The coordinate with the largest unbalanced force, of those that nothing holds if there are some."""
    compiled = balance.compiled
    states = compiled.layout.state_info[balance.first :]
    residual = np.nan_to_num(balance.residual, nan=np.inf)
    left = np.abs(residual) / (weights(compiled) + balance.bound / RELATIVE)
    unheld = _unheld(balance)
    bodies = np.array([s.moves == Moves.RATE for s in states])
    chosen = left * unheld if (left * unheld).max(initial=0.0) > RELATIVE else left
    k = int(np.argmax(np.where(bodies, chosen, 0.0)))
    state = states[k]
    flying = _flying(balance)
    if not np.isfinite(balance.residual).all():
        allowed = "must stay on the contact table: put the load nearer to the middle, or give springs a preload"
        return EquilibriumError(f"{state.owner}.{state.coordinate}", None, allowed)
    force = abs(residual[k]) * _inertia(compiled, state.owner, state.coordinate)
    unit = "N" if state.coordinate in ("x", "y", "z") else "Nm"
    amount = f"{force / 1e3:.3g} k{unit}" if force >= 1e3 else f"{force:.3g} {unit}"
    air = f" ({', '.join(flying)} in the air)" if flying else ""
    allowed = f"must be balanced at rest, but {amount} are missing{air}: it needs {REMEDY[state.coordinate]}"
    return EquilibriumError(f"{state.owner}.{state.coordinate}", None, allowed)


def closed_guide(compiled: Compiled, side: int) -> EquilibriumError:
    names = [name for name in compiled.layout.modes if name.rpartition(".")[2] in SIDES]
    allowed = "must leave a gap at rest: widen its clearance, or hold the bodies apart by a spring"
    return EquilibriumError(names[side].rpartition(".")[0], None, allowed)


def _unheld(balance: Balance) -> np.ndarray:
    """Part of each coordinate in directions no element resists, 0 to 1."""
    jacobian = np.nan_to_num(balance.jacobian())
    row = 1.0 / np.maximum(np.abs(jacobian).max(axis=1, initial=0.0), 1e-6)
    left, sizes, _ = np.linalg.svd(jacobian * row[:, None])
    loose = np.concatenate([sizes, np.zeros(left.shape[1] - sizes.size)]) < UNHELD * sizes.max(initial=0.0)
    return np.linalg.norm(left[:, loose], axis=1)


def _flying(balance: Balance) -> list[str]:
    names = balance.compiled.layout.wheels
    depth = [
        assembly.wheel_depth(0.0, balance.x, balance.memory, balance.mode, balance.compiled.system, w)
        for w in range(len(names))
    ]
    return [name for name, q in zip(names, depth, strict=True) if q <= 0.0]


def _inertia(compiled: Compiled, body: str, coordinate: str) -> float:
    field = {"roll": BodyField.INERTIA_X, "yaw": BodyField.INERTIA_Z}.get(coordinate, BodyField.INERTIA_Y)
    field = BodyField.MASS if coordinate in ("x", "y", "z") else field
    first = int(compiled.system.i[Head.BODY]) + BodyField.SIZE * compiled.layout.bodies.index(body)
    return float(compiled.system.f[first + field])
