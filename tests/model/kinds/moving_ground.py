"""Blocks on ground that moves as prescribed: a body so heavy that nothing on it is felt, on springs of its own."""

from dataclasses import dataclass

import numpy as np

from klingel.model.builder import Compiled, compile_vehicle
from klingel.model.description import Body, Connection, Element, Vehicle
from klingel.model.problem import displaced, vehicle_problem
from klingel.model.standing.equilibrium import Rest
from klingel.numerics.integrate import integrate

HEAVY = 1e15  # [kg]
TIGHT = {"rtol": 1e-11, "atol": 1e-13, "method": "dopri54"}


def point(name: str, mass: float, free: tuple[str, ...]) -> Body:
    return Body(name, mass, (mass, mass, mass), (0.0, 0.0, 0.0), free)


@dataclass(frozen=True)
class Rig:
    vehicle: Vehicle
    compiled: Compiled

    def run(self, start: dict[str, float], duration: float, **options):
        memory = np.zeros(self.compiled.memory_size)
        rest = Rest(np.zeros(len(self.compiled.layout.states)), memory, self.compiled.mode.copy(), 0.0)
        x, mode = displaced(self.compiled, rest, start)
        return integrate(vehicle_problem(self.compiled, memory, mode), x, duration, **TIGHT | options)

    def column(self, run, name: str) -> np.ndarray:
        return run.x[:, self.compiled.layout.state(name)]


def blocks(masses: dict[str, float], links: dict[str, tuple[str, str]], *elements: Element, free=("x",)) -> Rig:
    """Bodies and links by name, all in one place; a link deforms by its outer body less its inner one."""
    bodies = tuple(point(name, mass, free) for name, mass in masses.items())
    joints = tuple(Connection(name, inner, outer, (0.0, 0.0, 0.0)) for name, (inner, outer) in links.items())
    vehicle = Vehicle("blocks", bodies, joints, elements, (), 0.0)
    return Rig(vehicle, compile_vehicle(vehicle, {}, 1.0))
