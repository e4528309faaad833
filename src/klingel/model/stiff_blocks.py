"""Which part of a vehicle's Jacobian implicit methods keep: of each wheelset, its own block.

Creep forces and contact stiffness act between a wheelset and the rails, so what is stiff is the derivative of its
accelerations by its own position and velocity; bodies and suspension stay explicit. Wheelsets that no connection
joins share their difference quotients, and the equations to be solved fall apart into one block each.
"""

import numpy as np

from klingel.model.builder import Compiled
from klingel.model.system import Head


def _wheelset_of(compiled: Compiled) -> np.ndarray:
    """Body of each state if it is a wheelset, else -1."""
    layout = compiled.layout
    wheelsets = {name.rsplit(".", 1)[0] for name in layout.wheels} | set(layout.cones)
    bodies = [state.rsplit(".", 1)[0] for state in layout.states]
    return np.array([layout.bodies.index(body) if body in wheelsets else -1 for body in bodies])


def stiff_blocks(compiled: Compiled) -> tuple[np.ndarray, np.ndarray]:
    """`pattern` and `implicit` of the HybridProblem: what may react to what, and what of it is kept."""
    owner = _wheelset_of(compiled)
    i = compiled.system.i
    at = int(i[Head.LINK_BODY])
    ends = i[at : at + 2 * int(i[Head.LINKS])].reshape(-1, 2)
    joined = np.eye(len(compiled.layout.bodies) + 1, dtype=bool)
    joined[ends[:, 0], ends[:, 1]] = joined[ends[:, 1], ends[:, 0]] = True
    both = (owner[:, None] >= 0) & (owner[None, :] >= 0)
    pattern = ~both | joined[np.ix_(owner, owner)]
    implicit = both & (owner[:, None] == owner[None, :])
    return pattern, implicit
