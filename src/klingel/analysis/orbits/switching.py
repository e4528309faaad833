"""From one branch of orbits to another: at period doubling, loss of symmetry, and where branches cross.

The multiplier -1 has a direction: neighbours in it come back on the other side. An orbit displaced along it,
followed over twice the period (or, of a symmetric orbit, over both halves), is a guess for the new branch; it is
corrected with the displacement held.

Where branches cross with the same period and the same events, the equations have a second direction without
change there; the other branch is sought along it, across the tangent of the one that is known.
"""

from dataclasses import replace

import numpy as np
from scipy.linalg import svd

from klingel.analysis.orbits.arclength import NoConvergence, correct
from klingel.analysis.orbits.find_orbit import NoOrbit, Settings, Start, orbit_of_run
from klingel.analysis.orbits.flow import FlowError
from klingel.analysis.orbits.orbit import Orbit
from klingel.analysis.orbits.segment import split
from klingel.analysis.orbits.special_points import BRANCH, PERIOD_DOUBLING, SYMMETRY, Special

SIZES = (0.02, 0.005, 0.05)  # of the displacement, of the size of the orbit
LEAVES = (PERIOD_DOUBLING, SYMMETRY, BRANCH)  # where another branch begins
BACK = 0.5  # of the displacement: an orbit found nearer to the old branch is one of it


def switched(special: Special, settings: Settings) -> tuple[Orbit, np.ndarray]:
    """First orbit of the branch that leaves here, and the direction away (in units of its weights)."""
    orbit = special.orbit
    if special.kind == PERIOD_DOUBLING:
        times = 2
    elif special.kind == SYMMETRY and orbit.half:
        times = 1
    elif special.kind in (SYMMETRY, BRANCH):
        return _crossing_branch(special, settings)
    else:
        raise NoOrbit(f"no branch is known to leave at a {special.kind}")
    pieces = 2 * settings.pieces if isinstance(settings.pieces, int) else settings.pieces  # it is twice as long
    wanted = replace(settings, half=False, turns=times * orbit.equations.turns, pieces=pieces)
    failed = ""
    for size in SIZES:
        try:
            ahead, behind = (_displaced(orbit, side * size, times, wanted) for side in (1.0, -1.0))
            if ahead.unknowns.size != behind.unknowns.size:
                raise NoOrbit("neighbours on both sides meet other events")
            step = (ahead.unknowns - behind.unknowns) / ahead.equations.weights
            along = step / np.linalg.norm(step)
            return ahead.corrected(settings.tolerance, along), along
        except (NoConvergence, NoOrbit, FlowError) as error:
            failed = str(error)
    raise NoOrbit(f"no orbit found beside the {special.kind} at {special.parameter:.6g}: {failed}")


def _crossing_branch(special: Special, settings: Settings) -> tuple[Orbit, np.ndarray]:
    orbit = special.orbit
    e = orbit.equations
    scaled = orbit.jacobian * e.weights[None, :]
    scaled = scaled / np.maximum(np.abs(scaled).max(axis=1), 1e-300)[:, None]
    _, _, rows = svd(scaled)
    near = rows[-2:]  # the plane in which nothing changes: the tangents of both branches lie in it
    assert special.along is not None
    known = near @ special.along
    along = np.array([-known[1], known[0]]) / np.linalg.norm(known) @ near
    failed = ""
    for size in SIZES:
        try:
            guess = orbit.unknowns + size * e.weights * along
            u = correct(e, guess, along, settings.tolerance, largest=2.0 * size).u
            moved = (u - orbit.unknowns) / e.weights
            if np.linalg.norm(moved - (moved @ along) * along) > size / BACK:
                raise NoOrbit("the corrections lead away")
            return replace(orbit, unknowns=u), along
        except (NoConvergence, NoOrbit, FlowError) as error:
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
