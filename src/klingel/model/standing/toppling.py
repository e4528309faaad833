"""Whether a vehicle at rest falls over: balanced, but as a pendulum upside down is.

Sliders hold as they do at rest. Wheelsets are held where rails steer them (y, yaw and spin), so that forces follow
from the positions alone; along the track they roll and hold nothing. What is asked is the growth of a small push.
"""

from typing import NamedTuple

import numpy as np

from klingel.model.builder import Compiled
from klingel.model.description import SPIN
from klingel.model.layout import Moves
from klingel.model.standing.equilibrium import GROWS, SLOPE_ERROR, Rest, accelerations
from klingel.model.system import Head

STEERED = ("y", "yaw", SPIN)
STEP = 1e-7  # of differences [m, rad]


class Toppling(NamedTuple):
    name: str  # of the rotation, or of the position, that moves most
    rate: float  # of growth [1/s]


def toppling(compiled: Compiled, rest: Rest) -> Toppling | None:
    """What grows fastest from rest; None where the vehicle stays."""
    layout, first = compiled.layout, int(compiled.system.i[Head.POSITIONS])
    steered = {f"{w}.{c}" for w in layout.wheelsets for c in STEERED}
    places = [
        k for k, s in enumerate(layout.state_info) if s.moves == Moves.POSITION and s.name not in steered
    ]  # fmt: skip
    rows = [layout.rate_of(layout.states[k]) - first for k in places]
    slopes = np.empty((len(rows), len(places)))
    for column, k in enumerate(places):
        ahead, behind = rest.x.copy(), rest.x.copy()
        ahead[k], behind[k] = rest.x[k] + STEP, rest.x[k] - STEP
        there, here = (accelerations(compiled, x, rest.memory, rest.mode)[rows] for x in (ahead, behind))
        slopes[:, column] = (there - here) / (2.0 * STEP)
    if not slopes.size or not np.isfinite(slopes).all():
        return None
    values, shapes = np.linalg.eig(slopes)
    grows = np.where(np.abs(np.imag(values)) <= GROWS, np.real(values), -np.inf)
    fastest = int(np.argmax(grows))
    if grows[fastest] <= GROWS + SLOPE_ERROR * np.abs(values).max():
        return None
    shape = np.abs(shapes[:, fastest])
    turns = np.array([layout.state_info[k].unit == "rad" for k in places])
    told = np.where(turns, shape, 0.0) if (shape * turns).any() else shape
    return Toppling(layout.states[places[int(np.argmax(told))]], float(np.sqrt(grows[fastest])))
