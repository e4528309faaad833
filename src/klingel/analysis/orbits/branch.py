"""A branch of periodic orbits, followed by pseudo-arclength through folds and changes of the event sequence.

Every point is a solution of the equations of its orbit and a motion of its system: no guard violated, every
event a true crossing. Where the sequence of events stops being the true one the place is located, the new
sequence is read off a run, and the branch goes on with it; where the event is an impact there may be nothing to
go on with, and the branch ends at the grazing. Meshes, scales and phase are renewed at every step.

Longer than other files: a step, a border and the way on after it share one state, the point and its step.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace

import numpy as np

from klingel.analysis.orbits.arclength import NoConvergence, correct, tangent
from klingel.analysis.orbits.between import needs_own_mesh
from klingel.analysis.orbits.event_changes import begun_elsewhere, with_events_of_run, without_vanishing
from klingel.analysis.orbits.find_orbit import NoOrbit, Settings, remeshed
from klingel.analysis.orbits.flow import FlowError
from klingel.analysis.orbits.orbit import Orbit
from klingel.analysis.orbits.special_points import (
    GRAZING,
    HOPF,
    Special,
    border_points,
    counts,
    part_before_border,
    smooth_points,
)
from klingel.analysis.orbits.stored import Progress
from klingel.analysis.orbits.validity import FROM_OUTSIDE, NEGATIVE_LENGTH, check

FIRST_STEP, LARGEST_STEP, SMALLEST_STEP = 0.01, 0.25, 1e-7  # in units of the weights
QUICK, EASY, HARD = 6, 8, 11  # iterations of the corrector
LEAP, GROW, SHRINK = 4.0, 2.0, 0.5
VANISHED = 2e-4  # of the largest size of the branch: the orbit has shrunk onto rest
NEAR_BORDER = 2e-3  # step with which a change of the event sequence is met: nothing is to be missed before it
LOCATES = 0.02  # longer steps, in which a change of the multipliers is not found again, are shortened
MOST_BACK = 30  # steps
SAME = 1e-6  # of it: special points of one kind nearer than this are one
CORNER = 0.3  # of a step: how far from where it led an orbit with other events may lie, to be the same branch
FINER = 8  # rows per step of a mesh, between which extremes are not to fall
BEND = 0.97  # least cosine between successive tangents: a pair of folds may lie within a step that turns farther
OTHER_WAY = 0.7  # cosine below which two tangents have nothing to do with each other


@dataclass(frozen=True)
class Range:
    """Values of the parameter between which a branch is followed, and how far at most."""

    low: float
    high: float
    points: int = 400
    step: float = FIRST_STEP
    largest_step: float = LARGEST_STEP
    over_corners: bool = False  # go on with another order of events at once where hardly anything is felt of it


@dataclass
class Branch:
    orbits: list[Orbit] = field(default_factory=list)
    special: list[Special] = field(default_factory=list)
    ended: str = ""  # a sentence

    @property
    def parameter(self) -> np.ndarray:
        return np.array([orbit.parameter for orbit in self.orbits])

    @property
    def stable(self) -> np.ndarray:
        return np.array([orbit.stable for orbit in self.orbits])

    def of_kind(self, kind: str) -> list[Special]:
        return [special for special in self.special if special.kind == kind]


class _Beyond(Exception):
    """The step leads over a change of the event sequence."""

    def __init__(self, reason: str, part: float | None):
        super().__init__(reason)
        self.part = part  # of the step, after which it comes, about


class _EndsThere(Exception):
    """Nothing to go on with."""


class _BeginElsewhere(Exception):
    """The same point, begun at another of its events, is what to go on from."""

    def __init__(self, point: "_Point"):
        self.point = point


@dataclass(frozen=True)
class _Point:
    orbit: Orbit
    along: np.ndarray  # tangent, in units of the weights
    size: float  # of the orbit: mean scale


def follow(
    start: Orbit,
    within: Range,
    settings: Settings,
    along: np.ndarray | None = None,
    rising: bool = True,
    on_point: Callable[[Orbit], bool | None] | None = None,
    on_progress: Callable[[Progress, list[Special]], None] | None = None,
) -> Branch:
    """Follow the branch through `start`.

    `along` is a direction in the unknowns of `start` (in units of their weights) to leave in; without it the
    parameter rises, or falls. `on_point` is called with every orbit; a true answer ends the branch. `on_progress`
    is called before it with all that `resume` needs, and the special points since the call before.
    """
    branch = Branch()
    follower = _Follower(start, within, settings, branch)
    return _followed(follower, follower.points(along, rising), on_point, on_progress)


def resume(
    progress: Progress,
    earlier: Branch,
    within: Range,
    settings: Settings,
    on_point: Callable[[Orbit], bool | None] | None = None,
    on_progress: Callable[[Progress, list[Special]], None] | None = None,
) -> Branch:
    """Go on with a branch where it stood; `earlier` holds its last orbits and special points, and is extended."""
    follower = _Follower(progress.orbit, within, settings, earlier)
    follower.step, follower.largest = progress.step, progress.largest
    return _followed(follower, follower.further(progress), on_point, on_progress)


def _followed(follower: "_Follower", points: Iterator[_Point], on_point, on_progress) -> Branch:
    branch, told = follower.branch, len(follower.branch.special)
    for point in points:
        branch.orbits.append(point.orbit)
        if on_progress is not None:
            progress = Progress(point.orbit, point.along, follower.step, follower.largest)
            on_progress(progress, branch.special[told:])
            told = len(branch.special)
        if on_point is not None and on_point(point.orbit):
            branch.ended = "ended by the caller"
            break
    return branch


def _vanishing(orbits: list[Orbit], last: _Point) -> float:
    """Parameter at which the size of the orbits, a straight line through the last two, is zero."""
    before, size = orbits[-2], float(np.max(orbits[-2].equations.scale))
    slope = (last.orbit.parameter - before.parameter) / (last.size - size)
    return last.orbit.parameter - slope * last.size


class _Follower:
    def __init__(self, start: Orbit, within: Range, settings: Settings, branch: Branch):
        self.start, self.within, self.branch = start, within, branch
        self.settings = replace(settings, half=start.half, turns=start.equations.turns)
        self.step = within.step
        self.largest = 0.0
        self.border_ahead = False  # within the next step of NEAR_BORDER, about
        self.usual = 0.0  # step up to the last border: up to it steps grow again in leaps

    def points(self, along: np.ndarray | None, rising: bool) -> Iterator[_Point]:
        here = self._point(self.start, along)
        if along is None and (here.along[-1] > 0.0) != rising:
            here = replace(here, along=-here.along)
        yield here
        yield from self._from(here)

    def further(self, progress: Progress) -> Iterator[_Point]:
        """Points beyond one that was kept."""
        here = _Point(progress.orbit, progress.along, float(np.max(progress.orbit.equations.scale)))
        if len(self.branch.orbits) < 2 or not self._ends(here):
            yield from self._from(here)

    def _from(self, here: _Point) -> Iterator[_Point]:
        while len(self.branch.orbits) < self.within.points:
            found = self._next(here)
            if found is None:
                return
            here = found
            yield here
            if self._ends(here):
                return
        self.branch.ended = f"{self.within.points} points"

    def _ends(self, here: _Point) -> bool:
        """Whether nothing is to follow after this point, and why."""
        if not self.within.low <= here.orbit.parameter <= self.within.high:
            self.branch.ended = "reached the end of the range"
            return True
        if here.size < VANISHED * self.largest:
            self.branch.special.append(Special(HOPF, _vanishing(self.branch.orbits, here), here.orbit))
            self.branch.ended = "the orbits shrink onto rest"
            return True
        return False

    def _point(self, orbit: Orbit, before: np.ndarray | None) -> _Point:
        e = orbit.equations
        size = float(np.max(e.scale))
        self.largest = max(self.largest, size)
        return _Point(orbit, tangent(orbit.jacobian, e.weights, before), size)

    def _next(self, here: _Point) -> _Point | None:
        elsewhere = False
        while self.step > SMALLEST_STEP:
            try:
                return self._try(here, not elsewhere)
            except _Beyond as border:
                self.branch.ended = f"no orbit found beyond {here.orbit.parameter:.9g}: {border}"
                self._shorten(border.part)
            except (NoConvergence, NoOrbit, FlowError) as error:
                self.branch.ended = f"no orbit found beyond {here.orbit.parameter:.9g}: {error}"
                self.step *= SHRINK
            except _BeginElsewhere as same:
                here, elsewhere = same.point, True
            except _EndsThere as end:
                self.branch.ended = str(end)
                return None
        return None

    def _shorten(self, part: float | None) -> None:
        """A step that ends a little before a change of the event sequence; a short one over it is next."""
        if part is None:
            self.step *= SHRINK
            return
        self.usual = self.step
        before = part * self.step - 0.5 * NEAR_BORDER
        self.border_ahead = before > 0.5 * NEAR_BORDER
        self.step = min(before, 0.9 * self.step) if self.border_ahead else NEAR_BORDER

    def _try(self, here: _Point, may_begin_elsewhere: bool) -> _Point:
        orbit, step = here.orbit, self.step
        weights = orbit.equations.weights
        predicted = replace(orbit, unknowns=orbit.unknowns + step * weights * here.along)
        mesh = remeshed(predicted, self.settings)
        scaled = here.along * weights / mesh.equations.weights
        across = scaled / np.linalg.norm(scaled)
        found = correct(
            mesh.equations, predicted.unknowns, across, self.settings.tolerance, orbit.jacobian, largest=2.0 * step
        )
        reached = replace(mesh, unknowns=found.u)
        verdict = check(reached)
        if not verdict.valid and step > NEAR_BORDER and not self.within.over_corners:
            raise _Beyond(verdict.reason, part_before_border(orbit, reached))
        there = self._point(reached, across)
        if needs_own_mesh(there.orbit):
            there, across = self._on_own_mesh(there, across)
            verdict = check(there.orbit)
        bend = OTHER_WAY if self.within.over_corners else BEND  # corners of forces turn it as well
        if there.along @ across < bend and step > 100.0 * SMALLEST_STEP:
            raise NoConvergence("the branch bends too sharply")
        if not verdict.valid:
            self.border_ahead = False
            return self._other_sequence(here, there, verdict.reason, may_begin_elsewhere)
        special, all_located = smooth_points(
            orbit, there.orbit, self._as_seen(here, there), there.along, self.settings
        )
        if not all_located and step > LOCATES and not self.within.over_corners:
            raise NoConvergence("a special point within the step is not found")
        self.branch.special += special
        if self.border_ahead:
            self.step, self.border_ahead = NEAR_BORDER, False
        elif found.iterations <= EASY:
            leaps = found.iterations <= QUICK and LEAP * step <= self.usual
            self.step = min(step * (LEAP if leaps else GROW), self.within.largest_step)
        elif found.iterations >= HARD:
            self.step *= SHRINK
        return there

    def _on_own_mesh(self, there: _Point, across: np.ndarray) -> tuple[_Point, np.ndarray]:
        """The mesh was that of the guess; sharp corners may lie elsewhere on the orbit itself."""
        fine = remeshed(there.orbit, self.settings)
        scaled = across * there.orbit.equations.weights / fine.equations.weights
        scaled /= np.linalg.norm(scaled)
        u = correct(fine.equations, there.orbit.unknowns, scaled, self.settings.tolerance, there.orbit.jacobian).u
        return self._point(replace(fine, unknowns=u), scaled), scaled

    @staticmethod
    def _as_seen(here: _Point, there: _Point) -> np.ndarray:
        scaled = here.along * here.orbit.equations.weights / there.orbit.equations.weights
        return scaled / np.linalg.norm(scaled)

    def _other_sequence(self, here: _Point, there: _Point, reason: str, may_begin_elsewhere: bool) -> _Point:
        """The point `there` is none: find where the sequence of events ends, and the one that follows."""
        if self.within.over_corners:
            beyond = self._over_corner(here, there, reason)
            if beyond is not None:
                return beyond
        if self.step > NEAR_BORDER:
            raise NoOrbit(reason)
        if may_begin_elsewhere and reason in (NEGATIVE_LENGTH, FROM_OUTSIDE):
            same = begun_elsewhere(here.orbit, there.orbit, self.settings)
            if same is not None:
                point = self._point(same, None)
                raise _BeginElsewhere(replace(point, along=self._same_way(here, point)))
        special = border_points(here.orbit, there.orbit, self.settings.tolerance)
        near = SAME * here.orbit.equations.parameter_scale
        for point in special:
            same = (old for old in self.branch.special if old.kind == point.kind)
            if not any(abs(old.parameter - point.parameter) < near for old in same):
                self.branch.special.append(point)
        try:
            found: Orbit | None = None
            if reason in (NEGATIVE_LENGTH, FROM_OUTSIDE) and special:
                found = without_vanishing(special[0].orbit, self.settings)
            new = self._point(found or with_events_of_run(here.orbit, there.orbit, self.settings, reason), None)
        except (NoConvergence, NoOrbit, FlowError) as error:
            grazing = [s for s in special if s.kind == GRAZING]
            if grazing:
                raise _EndsThere(f"grazing of {grazing[0].detail} at {grazing[0].parameter:.9g}") from error
            raise
        way = self._valid_way(new) if found is not None else None
        return self._walked_back(here, replace(new, along=self._same_way(here, new) if way is None else way))

    def _over_corner(self, here: _Point, there: _Point, reason: str) -> _Point | None:
        """The orbit with the events that a run meets, where it is that without them but for a corner of a force.

        A contact may change dozens of times in a period, and the order of these changes is
        another one every few steps of a branch. None where more than that has changed.
        """
        try:
            new = self._point(with_events_of_run(here.orbit, there.orbit, self.settings, reason), None)
        except (NoConvergence, NoOrbit, FlowError):
            return None
        new = replace(new, along=self._same_way(here, new))
        same = (new.along[-1] > 0.0) == (here.along[-1] > 0.0) and counts(here.orbit) == counts(new.orbit)
        if not same or new.orbit.equations.size != here.orbit.equations.size:
            return None
        before, meant, found = (_summary(p.orbit, here.orbit) for p in (here, there, new))
        moved = float(np.linalg.norm(meant - before))
        return new if float(np.linalg.norm(found - meant)) < CORNER * moved else None

    def _valid_way(self, new: _Point) -> np.ndarray | None:
        """At the border itself only one of the two ways along the branch is open; None where both seem to be."""
        e, step = new.orbit.equations, NEAR_BORDER
        open_ = []
        for along in (new.along, -new.along):
            guess = new.orbit.unknowns + step * e.weights * along
            with suppress(NoConvergence, FlowError):
                u = correct(e, guess, along, self.settings.tolerance, new.orbit.jacobian, 2.0 * step).u
                if check(replace(new.orbit, unknowns=u)).valid:
                    open_.append(along)
        return open_[0] if len(open_) == 1 else None

    def _walked_back(self, here: _Point, new: _Point) -> _Point:
        """A point of the new sequence as near to the border as needed: nothing must be missed in between."""
        step = self.step
        for _ in range(MOST_BACK):
            if (here.along[-1] > 0.0) == (new.along[-1] > 0.0) and counts(here.orbit) == counts(new.orbit):
                break
            e = new.orbit.equations
            guess = new.orbit.unknowns - step * e.weights * new.along
            try:
                u = correct(e, guess, new.along, self.settings.tolerance, new.orbit.jacobian, 2.0 * step).u
                orbit = replace(new.orbit, unknowns=u)
                if not check(orbit).valid:
                    raise NoOrbit("too far back")
                new = self._point(orbit, new.along)
            except (NoConvergence, NoOrbit, FlowError):
                step *= SHRINK
        self.step = max(min(step, self.step), 10.0 * SMALLEST_STEP)
        return new

    @staticmethod
    def _same_way(here: _Point, new: _Point) -> np.ndarray:
        """The tangent of another sequence of events, on the side on which parameter, period and size go on."""
        now, before = _summary(new.orbit, here.orbit), _summary(here.orbit, here.orbit)
        ways = []
        for point, at in ((new, now), (here, before)):
            e = point.orbit.equations
            moved = replace(point.orbit, unknowns=point.orbit.unknowns + 1e-3 * e.weights * point.along)
            way = _summary(moved, here.orbit) - at
            ways.append(way / np.linalg.norm(way))
        forward = float(ways[0] @ ways[1])
        if abs(forward) < OTHER_WAY:
            forward = float(ways[0] @ (now - before))
        return new.along if forward >= 0.0 else -new.along


def _summary(orbit: Orbit, like: Orbit) -> np.ndarray:
    """Parameter, period and spread of every state, in units of another orbit: its events may be others."""
    e, old = orbit.equations, like.equations
    states = e.flow(orbit.parameter).n
    z = orbit.nodes(FINER, rates=False)[1]
    spread = 0.5 * np.ptp(np.vstack([z, z @ e.mirror.T]), axis=0)[:states]
    return np.concatenate(
        [[orbit.parameter / old.parameter_scale, orbit.period / old.time_scale], spread / old.scale[:states]]
    )
