"""Which part of a vehicle's Jacobian implicit methods keep: blocks of the wheelsets and of elements with states.

Creep forces and contact stiffness act between a wheelset and the rails, so what is stiff is the derivative of its
accelerations by its own position and velocity; bodies and suspension stay explicit. Wheelsets that no connection
joins share their difference quotients, and the equations to be solved fall apart into one block each.
"""

import numpy as np

from klingel.model.builder import Compiled
from klingel.model.system import Head


def _owner_of(compiled: Compiled) -> np.ndarray:
    """What each state belongs to: the number of a wheelset's body, or of an element behind all bodies; else -1."""
    layout = compiled.layout
    wheelsets = {name.rsplit(".", 1)[0] for name in layout.wheels} | set(layout.cones)
    numbers = {body: b for b, body in enumerate(layout.bodies) if body in wheelsets}
    numbers |= {element: len(layout.bodies) + 1 + k for k, element in enumerate(layout.own_states)}
    return np.array([numbers.get(state.owner, -1) for state in layout.state_info])


def stiff_blocks(compiled: Compiled) -> tuple[np.ndarray, np.ndarray]:
    """`pattern` and `implicit` of the HybridProblem: what may react to what, and what of it is kept."""
    owner, bodies = _owner_of(compiled), len(compiled.layout.bodies) + 1
    i = compiled.system.i
    at = int(i[Head.LINK_BODY])
    ends = i[at : at + 2 * int(i[Head.LINKS])].reshape(-1, 2)
    joined = np.eye(bodies, dtype=bool)
    joined[ends[:, 0], ends[:, 1]] = joined[ends[:, 1], ends[:, 0]] = True
    both = (owner[:, None] >= 0) & (owner[None, :] >= 0)
    wheels = both & (owner[:, None] < bodies) & (owner[None, :] < bodies)
    clipped = np.minimum(owner, bodies - 1)
    pattern = ~wheels | joined[np.ix_(clipped, clipped)]
    implicit = both & (owner[:, None] == owner[None, :])
    return pattern, implicit
