"""Whether a vehicle at rest falls over: balanced, but as a pendulum upside down is.

Sliders hold as they do at rest. Wheelsets are held where rails steer them (y, yaw and spin), so that forces follow
from the positions alone; along the track they roll and hold nothing. What is asked is the growth of a small push.
"""

from typing import NamedTuple

import numpy as np

from klingel.model.builder import Compiled
from klingel.model.description import SPIN
from klingel.model.layout import Moves
from klingel.model.standing.balance import Balance
from klingel.model.standing.equilibrium import Rest
from klingel.model.standing.growth import fastest_growth

STEERED = ("y", "yaw", SPIN)


class Toppling(NamedTuple):
    name: str  # of the rotation, or of the position, that moves most
    rate: float  # of growth [1/s]


def toppling(compiled: Compiled, rest: Rest) -> Toppling | None:
    """What grows fastest from rest; None where the vehicle stays."""
    layout = compiled.layout
    steered = frozenset(f"{w}.{c}" for w in layout.wheelsets for c in STEERED)
    held = Balance(compiled, rest.x, rest.memory, rest.mode, steered)
    places = np.flatnonzero([layout.state_info[k].moves == Moves.POSITION for k in held.unknown])
    found = fastest_growth(held.jacobian()[np.ix_(held.row[places], places)])
    if found is None:
        return None
    names = [layout.states[k] for k in held.unknown[places]]
    turns = np.array([layout.state_info[k].unit == "rad" for k in held.unknown[places]])
    told = np.where(turns, found.shape, 0.0) if (found.shape * turns).any() else found.shape
    return Toppling(names[int(np.argmax(told))], found.rate)
