"""A block over the track, for tests of single kinds: no wheels, no gravity unless asked for."""

import numpy as np

from klingel.model.builder import Compiled, compile_vehicle
from klingel.model.description import Body, Connection, Element, Vehicle
from klingel.model.problem import displaced, vehicle_problem
from klingel.model.standing.equilibrium import Rest
from klingel.numerics.integrate import integrate

MASS = 2.0


def rig(*elements: Element, free=("x", "y", "z"), gravity=0.0) -> tuple[Vehicle, Compiled]:
    """A block, inner body of the connection `foot` whose outer end is the track: pressed down, u_z grows."""
    body = Body("block", MASS, (1.0, 1.0, 1.0), (0.0, 0.0, 1.0), tuple(free))
    link = Connection("foot", "block", "track", (0.0, 0.0, 1.0))
    vehicle = Vehicle("rig", (body,), (link,), elements, (), gravity)
    return vehicle, compile_vehicle(vehicle, {}, 1.0)


def at_rest(compiled: Compiled) -> Rest:
    memory = np.zeros(compiled.memory_size)
    return Rest(np.zeros(len(compiled.layout.states)), memory, compiled.mode.copy(), 0.0)


def move(compiled: Compiled, start: dict[str, float], duration: float, **options):
    rest = at_rest(compiled)
    x, mode = displaced(compiled, rest, start)
    return integrate(vehicle_problem(compiled, rest.memory, mode), x, duration, **options)
