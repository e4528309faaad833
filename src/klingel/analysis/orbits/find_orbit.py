"""A periodic orbit near a run: its sequence of events from the run, then Newton's method."""

from dataclasses import dataclass, replace

import numpy as np

from klingel.analysis.orbits.arclength import NoConvergence
from klingel.analysis.orbits.family import Family
from klingel.analysis.orbits.flow import Flow, FlowError
from klingel.analysis.orbits.held_memory import Sequence, without_held
from klingel.analysis.orbits.orbit import Orbit
from klingel.analysis.orbits.saltation import rate
from klingel.analysis.orbits.segment import Segment, Stretch, split, stretches
from klingel.analysis.orbits.shooting import Shooting
from klingel.numerics.integrate import integrate
from klingel.numerics.trajectory import IntegrationError, Trajectory

RTOL = 1e-10  # of the mesh
RUN_RTOL = 1e-9
TOLERANCE = 1e-9  # of Newton's corrections, in the size of the orbit
PIECES = 4  # of an orbit, at least
ONCE = 1e-3  # of the period: how much later an event still belongs to it
REACH = 0.3  # of the period: how far from it the closing event is searched
MOST_UNKNOWNS = 6000  # of an orbit: its matrix has their square
FLOOR = 1e-3  # least scale of a state, of the largest; of a memory coordinate, of its own size


class NoOrbit(RuntimeError):
    """There is no periodic orbit where one was looked for."""


@dataclass(frozen=True)
class Settings:
    rtol: float = RTOL
    tolerance: float = TOLERANCE
    parameter_scale: float = 1.0
    half: bool = False
    turns: int = 1
    pieces: int | tuple[int, ...] = PIECES  # of the orbit, at least; or of each segment


@dataclass(frozen=True)
class Start:
    """State, memory and modes a run starts from."""

    x: np.ndarray
    memory: np.ndarray
    mode: np.ndarray
    t: float = 0.0


def run_from(family: Family, value: float, start: Start, duration: float, scale=None) -> Trajectory:
    """Every step kept, every event located."""
    problem = replace(family.at(value), memory=start.memory, mode=start.mode)
    atol = 1e-12 if scale is None else RUN_RTOL * scale[: start.x.size]
    # what a problem keeps in its parameters still belongs to the modes of another start
    flow = Flow(problem, np.ones(start.x.size + problem.memory_coordinates.size), RUN_RTOL)
    flow.enter(start.t, start.x, start.memory, start.mode)
    try:
        return integrate(
            problem, start.x, start.t + duration, t_start=start.t, method="verner65", rtol=RUN_RTOL, atol=atol,
            redo_events=True,
        )  # fmt: skip
    except IntegrationError as error:
        raise NoOrbit(f"the motion cannot be followed: {error}") from error


def find_near(
    family: Family, value: float, start: Start, period: float, settings: Settings | None = None
) -> Orbit:
    """The orbit near the motion from `start`, which must about return after `period` [s]."""
    settings = settings or Settings()
    guess = orbit_of_run(family, value, start, period, settings)
    if guess.unknowns.size > MOST_UNKNOWNS:
        told = f"{guess.unknowns.size} unknowns of the pieces between events in one period"
        raise NoOrbit(f"{told} are too many, at most {MOST_UNKNOWNS}")
    try:
        return guess.corrected(settings.tolerance)
    except (NoConvergence, FlowError) as error:
        raise NoOrbit(f"no orbit of period {period:.4g} s near the motion: {error}") from error


def orbit_of_run(family: Family, value: float, start: Start, period: float, settings: Settings) -> Orbit:
    """Segments, starts and durations as a run over one period has them; not yet closed."""
    span = period * (0.5 if settings.half else 1.0)
    family = family.freed
    run = run_from(family, value, start, (1.0 + REACH) * span)
    scale = scale_of(run)
    seen = list(stretches(run))
    if not any(s.end - start.t <= (1.0 + ONCE) * span for s in seen):
        z = np.concatenate([run.x[0], run.memory[0][run.problem.memory_coordinates]])
        segment = Segment(run.mode[0].copy(), run.memory[0].copy())
        if not family.driven:
            span = _return_time(family, value, run, segment, z, span, scale, settings)
        seen_once = Sequence((segment,), [z], [span], start.t)
        return moving_orbit(family, value, seen_once, scale, settings)
    first = seen[0]
    rows = np.flatnonzero(run.t == first.end)
    begin = Start(run.x[rows[-1]], run.memory[rows[-1]], run.mode[rows[-1]], first.end)
    run = run_from(family, value, begin, (1.0 + REACH) * span, scale)
    seen = list(stretches(run))
    mirror = family.mirror(scale.size) if settings.half else np.eye(scale.size)
    used = _closed(seen, first.end, span, mirror, scale)
    lengths = [s.end - s.start for s in used]
    closed = Sequence(tuple(s.segment for s in used), [s.first for s in used], lengths, first.end)
    return moving_orbit(family, value, closed, scale, settings)


def moving_orbit(family: Family, value: float, of: Sequence, scale: np.ndarray, settings: Settings) -> Orbit:
    """An orbit of these segments, not yet closed; memory that none of its events changes is held."""
    family, of, scale = without_held(family, value, of, scale, settings.half)
    return assemble(family, value, of.segments, of.starts, of.durations, of.t0, scale, settings)


def _return_time(family: Family, value: float, run: Trajectory, segment, z, span, scale, settings) -> float:
    """When, about a period later, a motion without events is nearest to where it began."""
    flow = family.flow(value, scale, settings.rtol)
    mirror = family.mirror(scale.size) if settings.half else np.eye(scale.size)
    aim = (mirror @ z)[: flow.n]
    rows = np.flatnonzero(np.abs(run.t - run.t[0] - span) < REACH * span)
    best = min(rows, key=lambda k: float(np.linalg.norm((run.x[k] - aim) / scale[: flow.n])))
    f = rate(flow, segment, float(run.t[best]), np.concatenate([run.x[best], z[flow.n :]]))[: flow.n]
    f, away = f / scale[: flow.n], (run.x[best] - aim) / scale[: flow.n]
    late = float(f @ away / (f @ f))
    return float(run.t[best] - run.t[0]) - float(np.clip(late, -0.1 * span, 0.1 * span))


def _closed(seen: list[Stretch], t: float, span: float, mirror: np.ndarray, scale: np.ndarray) -> list[Stretch]:
    """The stretches up to the event, about a period later, after which the motion is nearest to where it began."""
    if not seen:
        raise NoOrbit("the motion meets no event a second time")
    near = [k for k, s in enumerate(seen) if abs(s.end - t - span) < REACH * span]
    if not near:
        raise NoOrbit(f"no event ends the motion within {REACH:g} of the period {span:.4g} s")
    first = seen[0].first
    best = min(near, key=lambda k: float(np.linalg.norm((mirror @ seen[k].after - first) / scale)))
    return seen[: best + 1]


def scale_of(run: Trajectory) -> np.ndarray:
    """Half of peak to peak of every coordinate."""
    rows = np.hstack([run.x, run.memory[:, run.problem.memory_coordinates]])
    return scale_of_rows(rows, run.x.shape[1])


def scale_of_rows(rows: np.ndarray, n: int) -> np.ndarray:
    """The same of rows of n states and of memory coordinates, whose units have nothing to do with each other."""
    half = 0.5 * np.ptp(rows, axis=0)
    largest = half[:n].max() or 1.0
    least = FLOOR * np.abs(rows).max(axis=0)
    return np.maximum(half, np.where((np.arange(half.size) < n) | (least == 0.0), FLOOR * largest, least))


def assemble(
    family: Family, value: float, segments, starts, durations, t0: float, scale: np.ndarray, settings: Settings
) -> Orbit:
    """An orbit on new meshes; long segments in several pieces."""
    flow = family.flow(value, scale, settings.rtol)
    pieces = settings.pieces
    if isinstance(pieces, int):
        longest = max(sum(durations) / pieces, 1e-300)
        pieces = tuple(max(1, int(np.ceil(d / longest - 1e-6))) for d in durations)
    meshes, all_starts, t = [], [], t0
    for segment, z, duration, count in zip(segments, starts, durations, pieces, strict=True):
        for _ in range(count):
            x, memory = split(flow, segment, z)
            mesh = flow.mesh(t, duration / count, x, memory, segment.mode)
            meshes.append(mesh)
            all_starts.append(z)
            end = flow.end(t, duration / count, x, memory, segment.mode, mesh)
            z, t = np.concatenate([end, z[flow.n :]]), t + duration / count
    first = np.asarray(starts[0], float)
    equations = Shooting(
        family, tuple(segments), pieces, tuple(meshes), scale, float(sum(durations)), settings.parameter_scale,
        settings.rtol, settings.half, (t0, first, rate(flow, segments[0], t0, first)), settings.turns,
    )  # fmt: skip
    return Orbit(equations, equations.pack(all_starts, durations, t0, value))


def event_cycle(orbit: Orbit) -> list[int]:
    """Guards that fire along the whole orbit, as a run meets them."""
    flow = orbit.equations.flow(orbit.parameter)
    x, memory = split(flow, orbit.segments[0], orbit.start)
    start = Start(x, memory, orbit.segments[0].mode, orbit.phase)
    run = run_from(orbit.family, orbit.parameter, start, (1.0 + ONCE) * orbit.period, orbit.equations.scale)
    fired = run.events.fired
    return fired.guard[fired.time > start.t + ONCE * orbit.period].tolist()


def remeshed(orbit: Orbit, settings: Settings, pieces: int | None = None) -> Orbit:
    """The same orbit with the mesh and the scale it would get now, not corrected; pieces stay if not given."""
    e = orbit.equations
    _, z, _ = orbit.nodes(rates=False)
    if orbit.half:
        z = np.vstack([z, z @ e.mirror.T])
    scale = scale_of_rows(z, e.flow(orbit.parameter).n)
    starts, durations, t0, value = e.unpack(orbit.unknowns)
    firsts = [k for k in range(len(e.owner)) if k == 0 or e.owner[k] != e.owner[k - 1]]
    settings = replace(
        settings, half=orbit.half, turns=e.turns, parameter_scale=e.parameter_scale,
        pieces=e.pieces if pieces is None else pieces,
    )  # fmt: skip
    return assemble(e.family, value, e.segments, [starts[k] for k in firsts], durations, t0, scale, settings)
