"""Largest Lyapunov exponent of a hybrid problem, events included, with its error.

One tangent is carried along the motion, through the saltation matrix of every event, and shortened whenever it has
grown. The growth rates of equal blocks of time scatter about the exponent; their standard error is the error told,
a lower bound where blocks are correlated. One block goes before them, in which the tangent turns into the
direction that grows most; what is large for each coordinate is taken from it and from the transient, and is the
same for all blocks. Steps and differences follow each block: memory may be empty at first and large later, and a
motion that decays must be followed as finely as one that lasts.
"""

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from klingel._arguments import check_number, check_whole
from klingel._errors import InputError
from klingel.analysis.orbits.family import Family
from klingel.analysis.orbits.find_orbit import scale_of_rows
from klingel.analysis.orbits.tangent_run import carried_along
from klingel.numerics.integrate import integrate
from klingel.numerics.options import check_problem, check_start
from klingel.numerics.problem import HybridProblem
from klingel.numerics.trajectory import Trajectory

LEAST_BLOCKS = 4
COARSE = 1e-5  # error of a tangent over a step, of its size: blocks scatter far more


class Lyapunov(NamedTuple):
    exponent: float  # [1/s]
    error: float  # standard error of the mean of the blocks [1/s]
    blocks: np.ndarray  # growth rate of each [1/s]


def largest_lyapunov(
    problem: HybridProblem,
    x0: ArrayLike,
    duration: float,
    *,
    transient: float = 0.0,
    blocks: int = 20,
    rtol: float = 1e-8,
    atol: ArrayLike = 1e-10,
    seed: int = 0,
) -> Lyapunov:
    """Largest exponent of the motion from x0, over `duration` after `transient` [s] and one block."""
    check_problem(problem)
    problem = Family.of_one(problem).at(0.0)  # compiled once
    x = check_start(problem, x0)
    for name, value in (("duration", duration), ("transient", transient)):
        check_number(name, value, "s")
    check_whole("blocks", blocks)
    if not duration > 0.0 or blocks < LEAST_BLOCKS:
        raise InputError("blocks" if duration > 0.0 else "duration", blocks if duration > 0.0 else duration,
                         f"must be positive; at least {LEAST_BLOCKS} blocks")  # fmt: skip
    options = {"method": "verner65", "rtol": rtol, "atol": atol, "redo_events": True}
    t, length = 0.0, duration / blocks
    seen: list[np.ndarray] = []
    if transient > 0.0:
        run = integrate(problem, x, transient, **options)
        x, t = run.x[-1], transient
        seen.append(_rows(run))
        problem = replace(problem, memory=run.memory[-1], mode=run.mode[-1])
    size = x.size + problem.memory_coordinates.size
    y = np.random.default_rng(seed).standard_normal((size, 1))
    y[x.size :] = 0.0
    rates = []
    scale: np.ndarray | None = None
    for k in range(-1, blocks):
        run = integrate(problem, x, t + length, t_start=t, **options)
        rows = _rows(run)
        scale = scale_of_rows(np.concatenate([*seen, rows]), x.size) if scale is None else scale
        y, grown = _through(run, y, scale, scale_of_rows(rows, x.size))
        if k >= 0:
            rates.append(grown / length)
        x, t = run.x[-1], t + length
        problem = replace(problem, memory=run.memory[-1], mode=run.mode[-1])
    found = np.array(rates)
    return Lyapunov(float(found.mean()), float(found.std(ddof=1) / np.sqrt(blocks)), found)


def _rows(run: Trajectory) -> np.ndarray:
    """States and memory coordinates."""
    return np.concatenate([run.x, run.memory[:, run.problem.memory_coordinates]], axis=1)


def _through(run: Trajectory, y: np.ndarray, scale: np.ndarray, steps: np.ndarray) -> tuple[np.ndarray, float]:
    """The tangent at the end of a run, of unit length in `scale`, and the logarithm of its growth."""
    y = y / np.linalg.norm(y / scale[:, None])
    parts, grown = carried_along(run, y, steps, tangent=COARSE), 0.0
    send: np.ndarray | None = None
    try:
        while True:
            part = parts.send(send)
            size = float(np.linalg.norm(part.tangents / scale[:, None]))
            grown, y = grown + np.log(size), part.tangents / size
            send = y
    except StopIteration:
        return y, grown
