"""The least energy of a vehicle on wheelsets that do not steer: it comes to rest there, or something falls over.

A stop of 1e10 N/m that closes within a step is a corner: Newton's method comes back across it for ever, and
pseudo-time is thrown off it. On held wheelsets forces F follow from the positions, as slopes of an energy. A
Newton step d lowers it, and along the step

    F(x + s d) . d

falls, from above zero to below zero past the least energy: the step is halved until little of it points back, and
doubled as long as most of it is left. Weights of bodies that lean bend the energy the other way; where there is no
least energy a body turns further and further, and is the one that cannot stand, whatever lifts off afterwards.
"""

import numpy as np

from klingel.model.layout import Moves
from klingel.model.standing.balance import RELATIVE, Balance, inertias
from klingel.numerics.linear.least_squares import LeastSquares

STEPS = 150
LONGEST = 0.1  # step [m, rad]
BACK = 0.1  # of the force along the step, that may point back at its end
STILL = 0.5  # of it that is left, where the step may be longer
SHORTEST = 1e-12  # part of a step
SOFTEST = 1e-6  # weights of the heaviest body per metre, added to every stiffness
STIFFER = 100.0  # times, where the step leads uphill
TRIES = 6
NEAR = 1e4  # times the bound of rest, where Newton's method takes over


@np.errstate(over="ignore", invalid="ignore")  # of absurd vehicles; what is not finite ends the search
def descend(balance: Balance) -> bool:
    """Whether rest was reached; x is where it came to, or where a body has fallen over."""
    states = balance.compiled.layout.state_info[balance.first :]
    inertia = inertias(balance.compiled)[balance.row]
    bodies = np.array([states[k].moves != Moves.OWN for k in balance.row], bool)
    for _ in range(STEPS):
        slope = balance.jacobian()[balance.row]
        if not np.isfinite(slope).all() or not np.isfinite(balance.residual).all():
            return False
        force = balance.residual[balance.row] * inertia
        step = _downhill(-slope * inertia[:, None], force, bodies, SOFTEST * _heaviest(balance, inertia))
        if step is None or not _go(balance, step, inertia * bodies):
            return False
        if balance.fallen:
            return False
        if (np.abs(balance.residual) <= NEAR * balance.allowed).all() and balance.newton():
            return True
    return False


def _heaviest(balance: Balance, inertia: np.ndarray) -> float:
    return float((balance.allowed[balance.row] * inertia).max(initial=0.0)) / RELATIVE


def _downhill(stiffness: np.ndarray, force: np.ndarray, bodies: np.ndarray, added: float) -> np.ndarray | None:
    for _ in range(TRIES):
        step = LeastSquares(stiffness + np.diag(added * bodies), np.finfo(float).tiny).solve(force)
        if np.isfinite(step).all() and force[bodies] @ step[bodies] > 0.0:
            return step
        added *= STIFFER
    return None


def _go(balance: Balance, step: np.ndarray, inertia: np.ndarray) -> bool:
    """Along the step, to about the least energy there."""

    def goes(part: float) -> tuple[np.ndarray, float] | None:
        ahead = balance.moved(part * step)
        residual = balance.accelerations(ahead)
        left = float(residual[balance.row] @ (step * inertia))
        return (ahead, left) if np.isfinite(residual).all() and left >= -BACK * first else None

    first = float(balance.residual[balance.row] @ (step * inertia))
    longest = LONGEST / max(float(np.abs(step).max(initial=0.0)), np.finfo(float).tiny)
    part = min(1.0, longest)
    while (found := goes(part)) is None:
        part *= 0.5
        if part < SHORTEST:
            balance.accelerations(balance.x)
            return False
    while found[1] > STILL * first and 2.0 * part <= longest and (further := goes(2.0 * part)):
        found, part = further, 2.0 * part
    balance.x = found[0]
    balance.residual = balance.accelerations(balance.x)
    return True
