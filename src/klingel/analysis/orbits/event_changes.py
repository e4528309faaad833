"""Orbits beyond the place where their sequence of events ends: with the events of a run, or with fewer.

A new contact, or two events that change places, are found by a run from the orbit that is no longer valid: it
follows the orbit to the guard that is violated, and meets it. A contact that is lost is not: with the old sequence
the parameter turns back where the segment has no length left, and a run from there still meets it. Its segment is
taken out instead, and what stood before and after it becomes one. Where that is the first or the last of the list
the orbit is begun at another of its events before.
"""

from dataclasses import replace

import numpy as np

from klingel.analysis.orbits.arclength import NoConvergence, tangent
from klingel.analysis.orbits.find_orbit import NoOrbit, Settings, Start, event_cycle, moving_orbit, orbit_of_run
from klingel.analysis.orbits.flow import FlowError
from klingel.analysis.orbits.held_memory import Sequence
from klingel.analysis.orbits.orbit import Orbit
from klingel.analysis.orbits.segment import Segment, split
from klingel.analysis.orbits.validity import check


def with_events_of_run(valid: Orbit, orbit: Orbit, settings: Settings, reason: str) -> Orbit:
    """The orbit near an invalid one with the events that a run from it meets; not those of the last valid one."""
    start = _away_from_events(orbit)
    guess = orbit_of_run(orbit.family, orbit.parameter, start, orbit.period, settings)
    found = _settled(guess, settings)
    verdict = check(found)
    if not verdict.valid:
        raise NoOrbit(verdict.reason)
    if _same_cycle(event_cycle(valid), event_cycle(found)):
        raise NoOrbit(reason)
    return found


def without_vanishing(border: Orbit, settings: Settings) -> Orbit | None:
    """An orbit at which a segment has no length left, without this segment; None where that is not possible."""
    e = border.equations
    starts, durations, t0, value = e.unpack(border.unknowns)
    count, k = len(e.segments), int(np.argmin(durations))
    firsts = [starts[e.owner.index(i)] for i in range(count)]
    segments, times = list(e.segments), durations.tolist()
    if count == 2:
        kept = segments[1 - k]
        whole = Segment(kept.mode, kept.memory)
        after = 0.0 if k == 1 else times[0]
        new, begin, lengths = [whole], [firsts[1 - k]], [sum(times)]
        t0 += after
    elif 0 < k < count - 1 and np.array_equal(segments[k - 1].mode, segments[k + 1].mode):
        merged = replace(segments[k - 1], rounds=segments[k + 1].rounds)
        new = [*segments[: k - 1], merged, *segments[k + 2 :]]
        begin = [*firsts[:k], *firsts[k + 2 :]]
        lengths = [*times[: k - 1], sum(times[k - 1 : k + 2]), *times[k + 2 :]]
    else:
        return None
    pieces = settings.pieces if isinstance(settings.pieces, int) else 2
    settings = replace(settings, half=border.half, turns=e.turns, pieces=pieces)
    try:
        guess = moving_orbit(
            e.family, value, Sequence(tuple(new), begin, [float(v) for v in lengths], t0), e.scale, settings
        )
        found = _settled(guess, settings)
    except (NoConvergence, FlowError):
        return None
    return found if check(found).valid else None


def begun_elsewhere(valid: Orbit, beyond: Orbit, settings: Settings) -> Orbit | None:
    """The valid orbit begun at another event, if the segment that vanishes behind it is the first or the last one.

    Half of a symmetric orbit has no modes to begin anywhere in it with: they are read off a run.
    """
    e, count = valid.equations, len(valid.segments)
    if count < 4 or int(np.argmin(beyond.durations)) not in (0, count - 1):
        return None
    _, durations, t0, value = e.unpack(valid.unknowns)
    spans = e.times(durations, t0)[1]
    inner = [k for k, i in enumerate(e.owner) if 0 < i < count - 2]
    k = max(inner, key=lambda k: spans[k])
    guess = orbit_of_run(e.family, value, _inside(valid, k), valid.period, settings)
    found = _settled(guess, settings)
    return found if len(found.segments) == count and check(found).valid else None


def _settled(guess: Orbit, settings: Settings) -> Orbit:
    """Corrected across its own tangent: at this value of the parameter there may be no orbit."""
    return guess.corrected(settings.tolerance, tangent(guess.jacobian, guess.equations.weights))


def _same_cycle(a: list[int], b: list[int]) -> bool:
    """Whether two lists are the same round, wherever they begin."""
    return len(a) == len(b) and any(a == b[k:] + b[:k] for k in range(max(len(b), 1)))


def _away_from_events(orbit: Orbit) -> Start:
    """A place of the orbit in the middle of its longest piece."""
    e = orbit.equations
    _, durations, t0, _ = e.unpack(orbit.unknowns)
    return _inside(orbit, int(np.argmax(e.times(durations, t0)[1])))


def _inside(orbit: Orbit, k: int) -> Start:
    """The middle of a piece."""
    e = orbit.equations
    starts, durations, t0, value = e.unpack(orbit.unknowns)
    flow = e.flow(value)
    begin, spans = e.times(durations, t0)
    segment = e.segments[e.owner[k]]
    x, memory = split(flow, segment, starts[k])
    middle = flow.end(begin[k], 0.5 * spans[k], x, memory, segment.mode, e.meshes[k])
    return Start(middle, memory, segment.mode.copy(), begin[k] + 0.5 * spans[k])
