"""Equations of a periodic orbit: multiple shooting over segments whose durations are unknown.

Unknowns, in this order: the coordinates (states, memory) at the start of every piece, the duration of every
segment, of driven systems with events the phase of the start, and the parameter. A long segment has several pieces
of equal duration. Equations:

    start of the next piece - end of this one, after the action of its event = 0; the last one meets the first
    guard at the end of a segment ended by an event = 0
    durations of a driven system add up to the period of its drive
    f(reference) . (start - reference) = 0, the phase of an autonomous orbit without events

No event is searched: the flow within a segment goes on beyond its boundary, so the equations are smooth through a
grazing, where the return time of a search has a square root. With a symmetry the orbit closes after half of its
period on its own mirror image.

Memory that no action of the orbit changes is no coordinate of it, see `held_memory`.
"""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from klingel.analysis.orbits.family import Family
from klingel.analysis.orbits.flow import Flow, FlowError
from klingel.analysis.orbits.saltation import Crossing, crossing, rate
from klingel.analysis.orbits.segment import Segment, events, split

PARAMETER_STEP = 1e-6  # of differences in the parameter, of its scale
TIME_STEP = 1e-6  # of differences in time, of the period


@dataclass(frozen=True)
class Derivatives:
    """Of all pieces at one point."""

    tangents: list[np.ndarray]  # of the flow of each piece
    crossings: list[Crossing | None]  # at the end of each piece
    ends: list[np.ndarray]  # coordinates at the end of each piece, before an action
    rates: list[np.ndarray]  # of all coordinates there


@dataclass(frozen=True)
class Shooting:
    """Equations for one sequence of segments, on fixed meshes."""

    family: Family
    segments: tuple[Segment, ...]
    pieces: tuple[int, ...]  # of each segment
    meshes: tuple[np.ndarray, ...]  # of each piece
    scale: np.ndarray  # typical size of each coordinate
    time_scale: float  # period, about [s]
    parameter_scale: float
    rtol: float
    half: bool  # closed by the symmetry
    reference: tuple[float, np.ndarray, np.ndarray]  # start time, start coordinates and their rates
    turns: int = 1  # periods of the drive in one of the orbit
    _flows: dict[float, Flow] = field(default_factory=dict, compare=False, repr=False)

    @property
    def smooth(self) -> bool:
        return self.segments[-1].guard < 0

    @property
    def free_phase(self) -> bool:
        """Whether the time of the start is solved for."""
        return self.family.driven and not self.smooth

    @cached_property
    def size(self) -> int:
        return int(self.scale.size)

    @cached_property
    def mirror(self) -> np.ndarray:
        return self.family.mirror(self.size) if self.half else np.eye(self.size)

    @cached_property
    def owner(self) -> list[int]:
        """Segment of each piece."""
        return [i for i, count in enumerate(self.pieces) for _ in range(count)]

    @cached_property
    def weights(self) -> np.ndarray:
        """Typical size of each unknown; all coordinates together weigh as much as the period."""
        pieces = len(self.owner)
        phase = [self.time_scale] if self.free_phase else []
        return np.concatenate(
            [
                np.tile(self.scale * np.sqrt(pieces * self.size), pieces),
                np.full(len(self.segments), self.time_scale * np.sqrt(len(self.segments))),
                phase,
                [self.parameter_scale],
            ]
        )

    def pack(self, starts: list[np.ndarray], durations, t0: float, value: float) -> np.ndarray:
        phase = [t0] if self.free_phase else []
        return np.concatenate([*starts, durations, phase, [value]])

    def unpack(self, u: np.ndarray) -> tuple[np.ndarray, np.ndarray, float, float]:
        """Starts of the pieces, durations of the segments, time of the start, parameter."""
        pieces = len(self.owner)
        starts = u[: pieces * self.size].reshape(pieces, self.size)
        durations = u[pieces * self.size : pieces * self.size + len(self.segments)]
        t0 = float(u[-2]) if self.free_phase else self.reference[0]
        return starts, durations, t0, float(u[-1])

    def flow(self, value: float) -> Flow:
        if value not in self._flows:
            while len(self._flows) >= 4:
                self._flows.pop(next(iter(self._flows)))
            self._flows[value] = self.family.flow(value, self.scale, self.rtol)
        return self._flows[value]

    def period(self, u: np.ndarray) -> float:
        """Of the whole orbit [s]."""
        return float(np.sum(self.unpack(u)[1])) * (2.0 if self.half else 1.0)

    def times(self, durations: np.ndarray, t0: float) -> tuple[np.ndarray, np.ndarray]:
        """Start time and duration of each piece."""
        spans = np.array([durations[i] / self.pieces[i] for i in self.owner])
        return t0 + np.concatenate([[0.0], np.cumsum(spans)[:-1]]), spans

    def last_of_segment(self, k: int) -> bool:
        return k + 1 == len(self.owner) or self.owner[k + 1] != self.owner[k]

    def residual(self, u: np.ndarray) -> np.ndarray:
        starts, durations, t0, value = self.unpack(u)
        flow = self.flow(value)
        begin, spans = self.times(durations, t0)
        links, guards = [], []
        for k, i in enumerate(self.owner):
            segment = self.segments[i]
            x, memory = split(flow, segment, starts[k])
            end = flow.end(begin[k], spans[k], x, memory, segment.mode, self.meshes[k])
            z, t = np.concatenate([end, starts[k][flow.n :]]), begin[k] + spans[k]
            if self.last_of_segment(k) and segment.guard >= 0:
                values, after = events(flow, segment, t, z[None, :])
                guards.append(float(values[0]))
                z = after[0]
            last = k + 1 == len(self.owner)
            links.append(starts[0] - self.mirror @ z if last else starts[k + 1] - z)
        return np.concatenate([*links, guards, self._closing(starts, durations, value)])

    def _closing(self, starts, durations, value: float) -> list[float]:
        closing = []
        if self.family.drive is not None:
            span = self.family.drive(value) * (0.5 if self.half else 1.0)
            closing.append(float(np.sum(durations)) - span * self.turns)
        elif self.smooth:
            _, z, f = self.reference
            size = float(np.sum((f / self.scale) ** 2))
            if not 0.0 < size < np.inf:  # of a guess that ran away
                raise FlowError("the motion grows beyond all bounds")
            closing.append(float((f / self.scale) @ ((starts[0] - z) / self.scale)) / size)
        return closing

    def derivatives(self, u: np.ndarray) -> Derivatives:
        starts, durations, t0, value = self.unpack(u)
        flow = self.flow(value)
        begin, spans = self.times(durations, t0)
        tangents, crossings, ends, rates = [], [], [], []
        for k, i in enumerate(self.owner):
            segment = self.segments[i]
            x, memory = split(flow, segment, starts[k])
            end, y = flow.tangents(
                begin[k], spans[k], x, memory, segment.mode, self.meshes[k], np.eye(self.size)
            )  # fmt: skip
            z, t = np.concatenate([end, starts[k][flow.n :]]), begin[k] + spans[k]
            crossings.append(self._crossing(flow, k, t, z))
            tangents.append(y)
            ends.append(z)
            rates.append(rate(flow, segment, t, z))
        return Derivatives(tangents, crossings, ends, rates)

    def crossings(self, u: np.ndarray) -> list[Crossing | None]:
        """Those of `derivatives` without the tangents, which take most of the time."""
        starts, durations, t0, value = self.unpack(u)
        flow = self.flow(value)
        begin, spans = self.times(durations, t0)
        found = []
        for k, i in enumerate(self.owner):
            segment = self.segments[i]
            x, memory = split(flow, segment, starts[k])
            end = flow.end(begin[k], spans[k], x, memory, segment.mode, self.meshes[k])
            z = np.concatenate([end, starts[k][flow.n :]])
            found.append(self._crossing(flow, k, begin[k] + spans[k], z))
        return found

    def _crossing(self, flow: Flow, k: int, t: float, z: np.ndarray) -> Crossing | None:
        """Event at the end of a piece, if there is one."""
        segment = self.segments[self.owner[k]]
        if segment.guard < 0 or not self.last_of_segment(k):
            return None
        return crossing(flow, segment, t, z, TIME_STEP * self.time_scale if self.family.driven else 0.0)

    def jacobian(self, u: np.ndarray, of: Derivatives | None = None) -> np.ndarray:
        """Of the residual; one column more than rows, that of the parameter."""
        of = of or self.derivatives(u)
        pieces, size = len(self.owner), self.size
        matrix = np.zeros((u.size - 1, u.size))
        at_guard, first_duration = pieces * size, pieces * size
        for k, i in enumerate(self.owner):
            rows = slice(k * size, (k + 1) * size)
            event = of.crossings[k]
            forward = of.tangents[k] if event is None else event.after_z @ of.tangents[k]
            moved = of.rates[k] if event is None else event.after_z @ of.rates[k] + event.after_t
            turn = self.mirror if k + 1 == pieces else np.eye(size)
            matrix[rows, k * size : (k + 1) * size] -= turn @ forward
            following = 0 if k + 1 == pieces else k + 1
            matrix[rows, following * size : (following + 1) * size] += np.eye(size)
            matrix[rows, first_duration + i] -= turn @ moved / self.pieces[i]
            if event is not None:
                matrix[at_guard, k * size : (k + 1) * size] = event.guard_z @ of.tangents[k]
                matrix[at_guard, first_duration + i] = event.guard_rate / self.pieces[i]
                at_guard += 1
        if self.family.driven:
            matrix[-1, first_duration : first_duration + len(self.segments)] = 1.0
        elif self.smooth:
            _, _, f = self.reference
            scaled = f / self.scale**2
            matrix[-1, :size] = scaled / float(np.sum((f / self.scale) ** 2))
        if self.family.driven:
            self._add_time(matrix, u)
        self._difference(matrix, u, u.size - 1, PARAMETER_STEP * self.parameter_scale)
        return matrix

    def _difference(self, matrix: np.ndarray, u: np.ndarray, column: int, step: float) -> None:
        ahead, behind = u.copy(), u.copy()
        ahead[column] += step
        behind[column] -= step
        width = ahead[column] - behind[column]
        matrix[:, column] = (self.residual(ahead) - self.residual(behind)) / width

    def _add_time(self, matrix: np.ndarray, u: np.ndarray) -> None:
        """A driven system: durations and the phase shift the clock of all that follows."""
        first = len(self.owner) * self.size
        for column in range(first, u.size - 1):
            self._difference(matrix, u, column, TIME_STEP * self.time_scale)
