"""A vehicle on straight track as a family of problems in one of its values, with its mirror symmetry."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import inf

import numpy as np

from klingel._errors import InputError
from klingel.analysis.orbits.family import Family
from klingel.analysis.orbits.flow_kernels import TANGENT
from klingel.io.vehicle.options import is_word, with_property
from klingel.model import assembly
from klingel.model.builder import Compiled
from klingel.model.description import Vehicle
from klingel.model.layout import Layout
from klingel.model.on_track.track_tables import is_plain
from klingel.model.problem import vehicle_problem
from klingel.model.standing.equilibrium import Rest, find_rest
from klingel.model.system import Head
from klingel.numerics.problem import HybridProblem
from klingel.simulation.lateral_motion import LATERAL
from klingel.simulation.setup import at_speed, check_speed, put_on_track
from klingel.track.track import Track
from klingel.vehicles.values import value as value_of

SPEED = "speed"
PROBES = 3  # states at which the symmetry is tried
MEMORY_STEP = 1e-5  # of differences, of the size of an entry of the memory or of 1
ON_TABLES = inf  # no finer mesh for tangents: at the nodes of a table of contacts it would never be fine enough
ASYMMETRY = 1e-8  # of the rates, that still counts as symmetric


@dataclass(frozen=True)
class VehicleFamily:
    family: Family
    vehicle: Vehicle
    track: Track
    parameter: str
    speed: float  # where something else changes [m/s]
    compiled: Compiled  # at the value it was made for; names do not change

    @property
    def layout(self) -> Layout:
        return self.compiled.layout

    def at(self, value: float) -> tuple[Compiled, Rest]:
        """The vehicle at a value of the parameter, and its rest."""
        if self.parameter == SPEED:
            compiled = at_speed(self.compiled, value)
        else:
            compiled = put_on_track(with_property(self.vehicle, self.parameter, value), self.track, self.speed)
        return compiled, find_rest(compiled)


def vehicle_family(vehicle: Vehicle, track: Track, parameter: str, value: float, speed: float) -> VehicleFamily:
    """Problems of the vehicle by the value of its speed, or of anything of it that is a number."""
    if not is_plain(track):
        raise InputError("track", track.title or "a track", "must be straight, level and smooth: orbits repeat")
    if parameter == SPEED:
        check_speed(value, 0.0, 1.0)
        made, at = put_on_track(vehicle, track, value), value
    else:
        if is_word(vehicle, parameter):
            raise InputError("parameter", parameter, "must be a number that can change little by little")
        if isinstance(value_of(vehicle, parameter), str):
            raise InputError("parameter", parameter, "must be a number that can change little by little")
        check_speed(speed, 0.0, 1.0)
        made, at = put_on_track(with_property(vehicle, parameter, value), track, speed), speed
    rest = find_rest(made)
    problem = vehicle_problem(made, rest.memory, rest.mode)
    problems = _problems(vehicle, track, parameter, made, problem, at)
    tangent = ON_TABLES if made.system.i[Head.WHEELS] else TANGENT
    family = Family(problems, None, mirror_of(made, rest), parameter, tangent)
    return VehicleFamily(family, vehicle, track, parameter, at, made)


def _problems(
    vehicle: Vehicle, track: Track, parameter: str, made: Compiled, problem: HybridProblem, speed: float
) -> Callable[[float], HybridProblem]:
    def faster(value: float) -> HybridProblem:
        return replace(problem, parameters=at_speed(made, value).system)

    def other(value: float) -> HybridProblem:
        return replace(
            problem, parameters=put_on_track(with_property(vehicle, parameter, value), track, speed).system
        )

    return faster if parameter == SPEED else other


def mirror_of(compiled: Compiled, rest: Rest) -> np.ndarray | None:
    """Left and right exchanged, over states and memory coordinates; None where the vehicle is not symmetric.

    Lateral coordinates change sign, others do not. Memory changes places with that of the element of the other
    side, which has its name with left for right; whether it changes sign is seen from what it does to the bodies.
    """
    layout = compiled.layout
    problem = vehicle_problem(compiled, rest.memory, rest.mode)
    at, n = problem.memory_coordinates, rest.x.size
    signs = np.array([-1.0 if state.coordinate in LATERAL else 1.0 for state in layout.state_info])
    names = [problem.remembered[k].name for k in at] if at.size else []
    sides = [names.index(other) if (other := _other_side(name)) in names else -1 for name in names]
    if -1 in sides:
        return None
    mirror = np.zeros((n + at.size, n + at.size))
    mirror[:n, :n] = np.diag(signs)
    random = np.random.default_rng(0)
    x = rest.x + 1e-4 * random.uniform(-1.0, 1.0, n)
    for k, other in enumerate(sides):
        one, two = (_felt(compiled, rest, signs * x if j == k else x, int(at[j])) for j in (k, other))
        mirror[n + other, n + k] = (
            -1.0 if np.abs(signs * one + two).max() < np.abs(signs * one - two).max() else 1.0
        )
    for _ in range(PROBES):
        z = np.concatenate([rest.x, rest.memory[at]])
        z[:n] += 1e-4 * random.uniform(-1.0, 1.0, n)
        z[n:] += 1e-4 * random.uniform(-1.0, 1.0, at.size) * np.where(z[n:] == 0.0, 1.0, z[n:])
        (here, walls), (there, others) = (_felt_at(compiled, rest, y[:n], y[n:], at) for y in (z, mirror @ z))
        if np.abs(signs * there - here).max() > ASYMMETRY * np.abs(here).max():
            return None
        if not np.allclose(walls, others, rtol=ASYMMETRY, atol=ASYMMETRY * np.abs(walls).max(initial=0.0)):
            return None  # limits of friction, gaps, bounds of contacts
    return mirror


def _other_side(name: str) -> str:
    return name.replace("left", "*").replace("right", "left").replace("*", "right")


def _rates(compiled: Compiled, rest: Rest, x: np.ndarray, remembered: np.ndarray, at: np.ndarray) -> np.ndarray:
    memory, dx = rest.memory.copy(), np.zeros_like(x)
    memory[at] = remembered
    assembly.prepare(compiled.system, memory, rest.mode)
    assembly.rhs(0.0, np.ascontiguousarray(x), memory, rest.mode, compiled.system, dx)
    return dx


def _felt_at(compiled: Compiled, rest: Rest, x, remembered, at) -> tuple[np.ndarray, np.ndarray]:
    """Rates, and distances to all boundaries that are set, in order of their size."""
    dx = _rates(compiled, rest, x, remembered, at)
    memory, g = rest.memory.copy(), np.zeros(len(compiled.layout.guards))
    memory[at] = remembered
    assembly.guards(0.0, np.ascontiguousarray(x), memory, rest.mode, compiled.system, g)
    return dx, np.sort(g[np.isfinite(g)])


def _felt(compiled: Compiled, rest: Rest, x: np.ndarray, entry: int) -> np.ndarray:
    """What a change of one entry of the memory does to the rates."""
    step = MEMORY_STEP * (abs(rest.memory[entry]) or 1.0)
    ends = [
        _rates(compiled, rest, x, rest.memory[entry : entry + 1] + s, np.array([entry])) for s in (step, -step)
    ]
    return (ends[0] - ends[1]) / (2.0 * step)
