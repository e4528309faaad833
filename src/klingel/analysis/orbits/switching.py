"""From one branch of orbits to another: at period doubling, and where an orbit loses its symmetry.

The multiplier -1 has a direction: neighbours in it come back on the other side. An orbit displaced along it,
followed over twice the period (or, of a symmetric orbit, over both halves), is a guess for the new branch; it is
corrected with the displacement held.
"""

from dataclasses import replace

import numpy as np

from klingel.analysis.orbits.arclength import NoConvergence
from klingel.analysis.orbits.find_orbit import NoOrbit, Settings, Start, orbit_of_run
from klingel.analysis.orbits.orbit import Orbit
from klingel.analysis.orbits.segment import split
from klingel.analysis.orbits.special_points import PERIOD_DOUBLING, SYMMETRY, Special

SIZES = (0.02, 0.005, 0.05)  # of the displacement, of the size of the orbit


def switched(special: Special, settings: Settings) -> tuple[Orbit, np.ndarray]:
    """First orbit of the branch that leaves here, and the direction away (in units of its weights)."""
    orbit = special.orbit
    if special.kind == PERIOD_DOUBLING:
        times = 2
    elif special.kind == SYMMETRY and orbit.half:
        times = 1
    else:
        raise NoOrbit(f"no branch is known to leave at a {special.kind}")
    wanted = replace(settings, half=False, turns=times * orbit.equations.turns)
    failed = ""
    for size in SIZES:
        try:
            ahead, behind = (_displaced(orbit, side * size, times, wanted) for side in (1.0, -1.0))
            if ahead.unknowns.size != behind.unknowns.size:
                raise NoOrbit("neighbours on both sides meet other events")
            step = (ahead.unknowns - behind.unknowns) / ahead.equations.weights
            along = step / np.linalg.norm(step)
            return ahead.corrected(settings.tolerance, along), along
        except (NoConvergence, NoOrbit) as error:
            failed = str(error)
    raise NoOrbit(f"no orbit found beside the {special.kind} at {special.parameter:.6g}: {failed}")


def _displaced(orbit: Orbit, size: float, times: int, settings: Settings) -> Orbit:
    e = orbit.equations
    values, vectors = np.linalg.eig(orbit.monodromy * e.scale[None, :] / e.scale[:, None])
    direction = np.real(vectors[:, np.argmin(np.abs(values + 1.0))])
    starts, durations, t0, value = e.unpack(orbit.unknowns)
    flow = e.flow(value)
    begin, spans = e.times(durations, t0)
    segment = e.segments[0]
    x, memory = split(flow, segment, starts[0])
    y = (direction * e.scale / np.abs(direction).max())[:, None]
    middle, carried = flow.tangents(begin[0], 0.5 * spans[0], x, memory, segment.mode, e.meshes[0], y)
    memory[flow.coordinates] += size * carried[flow.n :, 0]
    start = Start(middle + size * carried[: flow.n, 0], memory, segment.mode, begin[0] + 0.5 * spans[0])
    return orbit_of_run(orbit.family, value, start, times * orbit.period, settings)
