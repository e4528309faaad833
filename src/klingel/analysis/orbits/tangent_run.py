"""Tangents along a run: flow between its events, saltation at each, over states and memory coordinates."""

from collections.abc import Generator
from typing import NamedTuple

import numpy as np

from klingel.analysis.orbits.flow import Flow
from klingel.analysis.orbits.flow_kernels import TANGENT
from klingel.analysis.orbits.saltation import crossing, rate
from klingel.analysis.orbits.segment import Segment, split, stretches
from klingel.numerics.trajectory import Trajectory

TIME_STEP = 1e-6  # of the run, of differences in time


class Carried(NamedTuple):
    time: float  # up to which the tangents have come [s]
    tangents: np.ndarray  # columns over states and memory coordinates


Walk = Generator[Carried, np.ndarray | None, None]


def carried_along(
    run: Trajectory, y: np.ndarray, scale: np.ndarray, rtol: float = 1e-9, tangent: float = TANGENT
) -> Walk:
    """Tangents after every event of a run with every step kept, and at its end; `tangent`: see `Family`.

    What is sent back into the iterator replaces the tangents: a caller may shorten or turn them.
    """
    flow = Flow(run.problem, scale, rtol, tangent)
    seen = list(stretches(run))
    step = TIME_STEP * float(run.t[-1] - run.t[0])
    for k, stretch in enumerate(seen):
        z, y = _flown(flow, stretch.segment, stretch.start, stretch.end, stretch.first, y)
        event = crossing(flow, stretch.segment, stretch.end, z, step)
        after = seen[k + 1].segment if k + 1 < len(seen) else _last_segment(run)
        first = seen[k + 1].first if k + 1 < len(seen) else stretch.after
        y = event.saltation(rate(flow, after, stretch.end, first)) @ y
        changed = yield Carried(stretch.end, y)
        y = y if changed is None else changed
    begin = seen[-1].end if seen else float(run.t[0])
    first = seen[-1].after if seen else np.concatenate([run.x[0], run.memory[0][flow.coordinates]])
    if run.t[-1] > begin:
        _, y = _flown(flow, _last_segment(run), begin, float(run.t[-1]), first, y)
        yield Carried(float(run.t[-1]), y)


def derivative(run: Trajectory, scale: np.ndarray, rtol: float = 1e-9) -> np.ndarray:
    """Of the end of a run with respect to its start, states and memory coordinates."""
    size = scale.size
    found = np.eye(size)
    for part in carried_along(run, found, scale, rtol):
        found = part.tangents
    return found


def _last_segment(run: Trajectory) -> Segment:
    return Segment(run.mode[-1].copy(), run.memory[-1].copy())


def _flown(flow: Flow, segment: Segment, begin: float, end: float, first: np.ndarray, y: np.ndarray):
    x, memory = split(flow, segment, first)
    mesh = flow.mesh(begin, end - begin, x, memory, segment.mode)
    x, y = flow.tangents(begin, end - begin, x, memory, segment.mode, mesh, y)
    return np.concatenate([x, first[flow.n :]]), y
