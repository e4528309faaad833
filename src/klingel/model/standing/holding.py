"""What holds a vehicle at rest: the forces between which each element can rest at its deformation.

With dry friction rest is a set, not a point. Sliders rest anywhere in their box, leaf springs between their
envelopes, closed guides push with any force; springs, bands and stops have one force, dampers none.
"""

from typing import NamedTuple

import numpy as np

from klingel.model.builder import Compiled
from klingel.model.description import Vehicle
from klingel.model.kinds.slow_path import hold
from klingel.model.standing.settled_modes import port_deformation, port_force


class Held(NamedTuple):
    """One direction of one element at rest."""

    element: str
    port: str  # <connection>.<direction>
    low: float  # [N, Nm]
    high: float


def holding_limits(
    vehicle: Vehicle, compiled: Compiled, x: np.ndarray, memory: np.ndarray, mode: np.ndarray
) -> list[Held]:
    """Forces that resist a positive deformation, element by element, at the positions of the state x."""
    u = port_deformation(compiled.system, x, memory, mode)
    pressing = port_force(compiled.system, x, memory, mode)
    found, statics = [], compiled.statics
    for element in vehicle.elements:
        load = statics.found.get(element.name, 0.0)
        if element.load is not None:
            load = float(pressing[compiled.layout.ports[element.load]])
        for port in element.ports:
            low, high = hold(element.law, float(u[compiled.layout.ports[port]]), load)
            found.append(Held(element.name, port, low, high))
    return found
