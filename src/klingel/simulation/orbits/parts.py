"""Follows a branch and, where asked for, those that leave it: at period doubling, loss of symmetry, crossings.

A branch that leaves where symmetry is lost ends where it meets the symmetric one again; that place is not left a
second time. What cannot be switched to is told, and is no reason to lose the rest.
"""

from collections.abc import Callable
from dataclasses import replace

from klingel.analysis.orbits.arclength import NoConvergence
from klingel.analysis.orbits.branch import Branch, Range, follow, resume
from klingel.analysis.orbits.find_orbit import NoOrbit, Settings
from klingel.analysis.orbits.flow import FlowError
from klingel.analysis.orbits.orbit import Orbit
from klingel.analysis.orbits.special_points import SYMMETRY, Special
from klingel.analysis.orbits.stored import Progress
from klingel.analysis.orbits.switching import LEAVES, switched
from klingel.simulation.orbits.keeper import Keeper, Part
from klingel.simulation.orbits.orbit_starts import FirstOrbit

SAME = 1e-5  # of the range: special points nearer than this are one place
MOST_PARTS = 20

OnPoint = Callable[[Orbit], bool | None] | None


class Follower:
    """All parts of a branch, kept as they come; parts that a journal has already are gone on with."""

    def __init__(self, keeper: Keeper, within: Range, settings: Settings, on_point: OnPoint):
        self.keeper, self.within, self.settings, self.on_point = keeper, within, settings, on_point
        self.stopped = False

    def first(self, begin: Callable[[], tuple[FirstOrbit, list[dict]]], rising: bool) -> None:
        parts = self.keeper.parts
        if parts:
            self._further(parts[0])
        else:
            start, known = begin()
            self.keeper.begin({}, 0, known)
            self._follow(start, rising)

    def leaving(self, generations: int) -> None:
        """Parts that leave those that are known, in the order of their special points."""
        for generation in range(1, generations + 1):
            older = [part for part in self.keeper.parts if part.generation == generation - 1]
            for special in [s for part in older for s in part.special if s.kind in LEAVES]:
                if self.stopped or len(self.keeper.parts) >= MOST_PARTS:
                    return
                self._leave(special, generation)

    def _leave(self, special: Special, generation: int) -> None:
        origin = {"type": special.kind, "parameter": special.parameter}
        known = [part for part in self.keeper.parts if part.origin and self._same(part.origin, special)]
        if known:
            self._further(known[0])
            return
        if special.kind == SYMMETRY and any(self._met(part, special) for part in self.keeper.parts):
            return
        self.keeper.begin(origin, generation, [])
        try:
            orbit, along = switched(special, replace(self.settings, half=special.orbit.half))
        except (NoOrbit, NoConvergence, FlowError) as error:
            self.keeper.end(str(error), [])
            return
        self._follow(FirstOrbit(orbit, along), rising=True)

    def _same(self, origin: dict, special: Special) -> bool:
        return origin["type"] == special.kind and self._near(origin["parameter"], special)

    def _near(self, value: float, special: Special) -> bool:
        return abs(value - special.parameter) < SAME * (self.within.high - self.within.low)

    def _met(self, part: Part, special: Special) -> bool:
        """Whether an asymmetric part has come back to the symmetric branch there."""
        return part.origin.get("type") == SYMMETRY and any(
            s.kind == SYMMETRY and not s.orbit.half and self._near(s.parameter, special) for s in part.special
        )

    def _follow(self, start: FirstOrbit, rising: bool) -> None:
        branch = follow(
            start.orbit, self.within, self._of(start.orbit), start.along, rising, self._seen, self._keep
        )
        self._close(branch)

    def _further(self, part: Part) -> None:
        if part.ended or part.progress is None:
            return
        earlier = Branch(part.orbits, part.special)
        branch = resume(part.progress, earlier, self.within, self._of(part.progress.orbit), self._seen, self._keep)
        self._close(branch)

    def _of(self, orbit: Orbit) -> Settings:
        return replace(self.settings, half=orbit.half, turns=orbit.equations.turns)

    def _keep(self, progress: Progress, special: list[Special]) -> None:
        part = self.keeper.parts[-1]
        self.keeper.keep(progress, special)
        part.special = [*part.special, *(s for s in special if all(s is not old for old in part.special))]

    def _seen(self, orbit: Orbit) -> bool | None:
        part = self.keeper.parts[-1]
        if part.generation and any(s.kind == SYMMETRY and not s.orbit.half for s in part.special):
            return True
        self.stopped = bool(self.on_point is not None and self.on_point(orbit))
        return self.stopped

    def _close(self, branch: Branch) -> None:
        part = self.keeper.parts[-1]
        if self.stopped:
            self.keeper.end(branch.ended, [])
            return
        new = [s for s in branch.special if all(s is not old for old in part.special)]
        part.special = [*part.special, *new]
        if branch.ended == "ended by the caller":
            branch.ended = "meets the symmetric branch again"
        self.keeper.end(branch.ended, new)
