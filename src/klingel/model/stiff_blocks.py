"""Which part of a vehicle's Jacobian implicit methods keep: blocks of the wheelsets and of elements with states.

Creep forces and contact stiffness act between a wheelset and the rails, so what is stiff is the derivative of its
accelerations by its own position and velocity; bodies and suspension stay explicit. Wheelsets that no connection
joins share their difference quotients, and the equations to be solved fall apart into one block each. An element
with states of its own is stiff together with the two bodies it acts on: these make a block with it (its own
states alone would cost more steps than an explicit method takes, measured).
"""

import numpy as np

from klingel.model.layout import Layout
from klingel.model.system import Head, System


def stiff_blocks(layout: Layout, system: System) -> tuple[np.ndarray, np.ndarray]:
    """`pattern` and `implicit` of the HybridProblem: what may react to what, and what of it is kept."""
    i = system.i
    at = int(i[Head.LINK_BODY])
    ends = i[at : at + 2 * int(i[Head.LINKS])].reshape(-1, 2)
    wheelsets = {*layout.wheelsets, *layout.cones}
    owner = np.array([_number(layout.bodies, state.owner) for state in layout.state_info])
    rolls = np.array([state.owner in wheelsets for state in layout.state_info])
    joined = np.eye(len(layout.bodies) + 1, dtype=bool)
    joined[ends[:, 0], ends[:, 1]] = joined[ends[:, 1], ends[:, 0]] = True
    if i[Head.HELD_ROWS] > 0:  # stuck faces hand accelerations on from body to body
        joined[:] = True
    both = rolls[:, None] & rolls[None, :]
    pattern = ~both | joined[np.ix_(owner, owner)]
    group = _groups(layout, wheelsets)
    implicit = (group[:, None] >= 0) & (group[:, None] == group[None, :])
    return pattern, implicit


def _number(bodies: tuple[str, ...], owner: str) -> int:
    return bodies.index(owner) if owner in bodies else len(bodies)


def _groups(layout: Layout, wheelsets: set[str]) -> np.ndarray:
    """Number of the block each state belongs to, -1 for explicit ones."""
    group = {body: b for b, body in enumerate(layout.bodies) if body in wheelsets}
    for k, (element, ends) in enumerate(layout.own_ends.items()):
        together = {group[name] for name in ends if name in group} | {len(layout.bodies) + k}
        group |= dict.fromkeys((element, *(name for name in ends if name in layout.bodies)), min(together))
        group = {name: min(together) if number in together else number for name, number in group.items()}
    return np.array([group.get(state.owner, -1) for state in layout.state_info])
