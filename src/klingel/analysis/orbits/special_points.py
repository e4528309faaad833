"""Special points between two orbits of a branch: what changes sign there, and where it is zero.

==================  ==============================================================================================
kind                zero of
==================  ==============================================================================================
fold                rate of the parameter along the branch
period-doubling     distance of a real multiplier from -1
symmetry            the same for the half map of a symmetric orbit; of an orbit of a symmetric system followed over
                    its whole period: a multiplier +1, or a fold, where the orbit is its own mirror image
branch              distance of a real multiplier from +1 without a fold, where there is no symmetry
torus               product of all multipliers two by two less 1, where the two are a complex pair
grazing             rate of the guard at an event, or least value of a guard inside a segment, where the event
                    would change the state or the rates
sequence            the same where it would not: a corner; or the length of a segment; or the rate with which
                    a guard leaves zero where a segment begins (onset of sticking)
==================  ==============================================================================================
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from klingel.analysis.orbits.arclength import tangent
from klingel.analysis.orbits.between import Between
from klingel.analysis.orbits.find_orbit import Settings
from klingel.analysis.orbits.orbit import REAL, Orbit
from klingel.analysis.orbits.saltation import crossing, rate
from klingel.analysis.orbits.segment import Segment, split
from klingel.analysis.orbits.validity import Dip, check

FOLD, PERIOD_DOUBLING, SYMMETRY, BRANCH, TORUS = "fold", "period-doubling", "symmetry", "branch", "torus"
GRAZING, SEQUENCE, HOPF = "grazing", "sequence", "hopf"
GENTLE = 1e-6  # jump of rates or of the derivative of an action that counts as none
ON_CIRCLE = 1e-4  # distance of the modulus of a pair from 1 at a torus
MIRRORED = 5e-3  # of the size of the orbit, between rows joined by straight lines
BETWEEN = 16  # rows per step of the mesh


@dataclass(frozen=True)
class Special:
    kind: str
    parameter: float
    orbit: Orbit
    detail: str = ""
    along: np.ndarray | None = None  # tangent of the branch, in units of the weights, where branches may cross


def parameter_rate(orbit: Orbit, along: np.ndarray) -> float:
    """Of the parameter along the branch, on the side of the direction `along` (in units of the weights)."""
    return float(tangent(orbit.jacobian, orbit.equations.weights, along)[-1])


def _is_real(values: np.ndarray) -> np.ndarray:
    return np.abs(np.imag(values)) <= REAL * np.maximum(np.abs(values), 1e-300)


def counts(orbit: Orbit) -> tuple[int, int, int]:
    """How many multipliers lie beyond +1, beyond -1, and in pairs outside the unit circle."""
    return orbit.outside


def _through(where: float) -> Callable[[Orbit], float]:
    """Product of the distances of all multipliers from `where`: changes sign when a real one passes it."""

    def test(orbit: Orbit) -> float:
        values = orbit.floquet.values
        if np.isnan(values).any():  # at a grazing
            return np.nan
        return float(np.real(np.prod((where - values) / (1.0 + np.abs(values)))))

    return test


def _pairs(orbit: Orbit) -> float:
    """Product of the distances of all products of two multipliers from 1: a pair that passes the unit circle."""
    values = orbit.floquet.values
    if np.isnan(values).any():
        return np.nan
    products = np.outer(values, values)[np.triu_indices(values.size, 1)]
    return float(np.real(np.prod((1.0 - products) / (1.0 + np.abs(products)))))


def _on_circle(orbit: Orbit) -> bool:
    """Whether a complex pair lies on the unit circle; two real multipliers of product 1 are no torus."""
    values = orbit.floquet.values
    pairs = np.abs(values[~_is_real(values)])
    return bool(np.any(np.abs(pairs - 1.0) < ON_CIRCLE))


def is_own_mirror(orbit: Orbit) -> bool:
    """Whether an orbit followed over its whole period is its own mirror image half a period later."""
    if orbit.family.symmetry is None or orbit.half:
        return orbit.half
    e = orbit.equations
    mirror = e.family.mirror(e.size)
    t, z, _ = orbit.nodes(BETWEEN, rates=False)
    late = (t - t[0] + 0.5 * orbit.period) % orbit.period
    after = np.column_stack([np.interp(late, t - t[0], column) for column in z.T])
    away = np.abs((after - z @ mirror.T) / e.scale)
    return bool(np.quantile(away, 0.9) < MIRRORED)  # at events, where coordinates jump, rows are not compared


def smooth_points(
    a: Orbit, b: Orbit, along_a: np.ndarray, along_b: np.ndarray, settings: Settings
) -> tuple[list[Special], bool]:
    """Folds and changes of stability between two neighbours with the same events; whether all were located."""
    between = Between(a, b, settings.tolerance)
    found: list[Special] = []
    all_located = True
    folds = along_a[-1] * along_b[-1] < 0.0
    if folds:
        orbit = between.located(lambda o: parameter_rate(o, between.across), settings, turns=True)
        all_located = orbit is not None
        if orbit is not None:
            turns = a.family.symmetry is not None and not a.half and is_own_mirror(orbit)
            found.append(Special(SYMMETRY if turns else FOLD, orbit.parameter, orbit, along=between.across))
    plus, minus, pairs = (x != y for x, y in zip(counts(a), counts(b), strict=True))
    tests = [
        (minus, SYMMETRY if a.half else PERIOD_DOUBLING, _through(-1.0)),
        (plus and not folds, BRANCH, _through(1.0)),
        (pairs, TORUS, _pairs),
    ]
    for changed, kind, test in tests:
        orbit = between.located(test, settings) if changed else None
        all_located = all_located and not (changed and orbit is None)
        if orbit is None or (kind == TORUS and not _on_circle(orbit)):
            continue
        if kind == BRANCH and not a.half and is_own_mirror(orbit):
            kind = SYMMETRY
        found.append(Special(kind, orbit.parameter, orbit, along=between.across))
    return found, all_located


def border_points(a: Orbit, b: Orbit, tolerance: float) -> list[Special]:
    """Grazings and other changes of the event sequence between two neighbours."""
    between = Between(a, b, tolerance)
    found: list[Special] = []
    names = b.family.at(b.parameter).guard_names
    events = [i for i, segment in enumerate(b.segments) if segment.guard >= 0]
    for n, (before, after) in enumerate(zip(a.crossing_rates, b.crossing_rates, strict=True)):
        if before < 0.0 < after:
            orbit = between.locate(lambda o, n=n: float(o.crossing_rates[n]))
            if orbit is not None:
                segment = b.segments[events[n]]
                kind = GRAZING if _changes(orbit, events[n], None) else SEQUENCE
                found.append(Special(kind, orbit.parameter, orbit, names[segment.guard]))
    entered = [] if found else _entered(a, b, between, names)
    if entered:
        return entered
    known = {special.detail for special in found}
    for dip in check(b).dips:
        if dip.value < 0.0 and names[dip.guard] not in known:
            orbit = between.locate(lambda o, dip=dip: _dip_value(o, dip))
            if orbit is not None:
                touching = _same_dip(orbit, dip)
                kind = GRAZING if touching is None or _changes(orbit, dip.segment, touching) else SEQUENCE
                found.append(Special(kind, orbit.parameter, orbit, names[dip.guard]))
    for i in np.flatnonzero((a.durations > 0.0) & (b.durations < 0.0)):
        orbit = between.locate(lambda o, i=i: float(o.durations[i]))
        if orbit is not None and not any(s.kind == GRAZING for s in found):
            found.append(Special(SEQUENCE, orbit.parameter, orbit, names[b.segments[i].guard]))
    return found


def part_before_border(a: Orbit, b: Orbit) -> float | None:
    """Part of the way from a to b, which is no motion, after which it ceases to be one; by straight lines."""
    found = [(float(x), float(y)) for x, y in zip(a.durations, b.durations, strict=True)]
    found += [(-float(x), -float(y)) for x, y in zip(a.crossing_rates, b.crossing_rates, strict=True)]
    before, after = check(a), check(b)
    dips = {(dip.segment, dip.guard): dip.value for dip in before.dips}
    found += [(dips.get((dip.segment, dip.guard), np.nan), dip.value) for dip in after.dips]
    entries = {(entry.segment, entry.guard): entry.rate for entry in before.entries}
    found += [(entries.get((entry.segment, entry.guard), np.nan), entry.rate) for entry in after.entries]
    return min((x / (x - y) for x, y in found if y < 0.0 < x), default=None)


def _entered(a: Orbit, b: Orbit, between: Between, names) -> list[Special]:
    """Where a segment begins to turn back at once onto the boundary it begins on: onset of sticking."""
    before = {(entry.segment, entry.guard): entry.rate for entry in check(a).entries}
    for entry in check(b).entries:
        key = entry.segment, entry.guard
        if entry.rate < 0.0 < before.get(key, 0.0):
            orbit = between.locate(lambda o, key=key: _entry_rate(o, key))
            if orbit is not None:
                return [Special(SEQUENCE, orbit.parameter, orbit, names[entry.guard])]
    return []


def _entry_rate(orbit: Orbit, key: tuple[int, int]) -> float:
    return next((entry.rate for entry in check(orbit).entries if (entry.segment, entry.guard) == key), np.nan)


def _same_dip(orbit: Orbit, like: Dip) -> Dip | None:
    same = [d for d in check(orbit).dips if (d.segment, d.guard) == (like.segment, like.guard)]
    return same[0] if same else None


def _dip_value(orbit: Orbit, like: Dip) -> float:
    same = _same_dip(orbit, like)
    return same.value if same is not None else like.size


def _changes(orbit: Orbit, i: int, dip: Dip | None) -> bool:
    """Whether an event at the end of segment i, or at a dip inside it, would be felt to first order."""
    e = orbit.equations
    starts, durations, t0, value = e.unpack(orbit.unknowns)
    flow, begin_spans = e.flow(value), e.times(durations, t0)
    pieces = [k for k in range(len(e.owner)) if e.owner[k] == i]
    if dip is None:
        segment, k = e.segments[i], pieces[-1]
        t, z = begin_spans[0][k] + begin_spans[1][k], orbit.derivatives.ends[k]
    else:
        k = max((k for k in pieces if begin_spans[0][k] <= dip.time), default=pieces[0])
        segment = Segment(e.segments[i].mode, e.segments[i].memory, ((dip.guard,),))
        x, memory = split(flow, segment, starts[k])
        t = dip.time
        end = flow.end(begin_spans[0][k], t - begin_spans[0][k], x, memory, segment.mode, e.meshes[k])
        z = np.concatenate([end, starts[k][flow.n :]])
    step = 1e-6 * e.time_scale if orbit.family.driven else 0.0
    event = crossing(flow, segment, t, z, step)
    moved = np.abs(event.after - z) / e.scale
    turned = np.abs((event.after_z - np.eye(e.size)) * e.scale[None, :] / e.scale[:, None])
    follower = _mode_after(orbit, segment, t, z)
    jump = np.abs(rate(flow, follower, t, event.after) - rate(flow, segment, t, z)) / e.scale
    return bool(max(moved.max(), turned.max(), jump.max() * e.time_scale) > GENTLE)


def _mode_after(orbit: Orbit, segment: Segment, t: float, z: np.ndarray) -> Segment:
    """Segment the first action at the end of another leads to."""
    flow = orbit.equations.flow(orbit.parameter)
    x, memory = split(flow, segment, z)
    x, mode = x.copy(), segment.mode.copy()
    flow.enter(t, x, memory, mode)
    flow.margins(t, x, memory, mode)
    fired = np.zeros(len(flow.problem.guard_names), np.bool_)
    fired[list(segment.rounds[0])] = True
    flow.act(t, x, memory, mode, flow.problem.parameters, fired)
    return Segment(mode, memory)
