"""A periodic orbit of a hybrid problem: its segments, where they start, how long they last; its multipliers."""

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

import numpy as np

from klingel.analysis.orbits.arclength import correct
from klingel.analysis.orbits.family import Family
from klingel.analysis.orbits.monodromy import Multipliers, multipliers, without_direction
from klingel.analysis.orbits.saltation import rate
from klingel.analysis.orbits.segment import Segment, split
from klingel.analysis.orbits.shooting import Derivatives, Shooting

LEAST = 1e-8  # modulus, of the largest, that the tangents of whole pieces tell
REAL = 1e-9  # imaginary part, of the modulus, of a multiplier that counts as real
CONTRACTION = 1e-4  # below it a piece is no accurate factor
NEUTRAL = 2e-5  # pairs of multipliers this near to the unit circle, or nearer than their error, are not unstable
GRAZING = 1e-6  # rate of a guard at its crossing, of what it changes in a period: no multipliers below


@dataclass(frozen=True)
class Orbit:
    equations: Shooting
    unknowns: np.ndarray

    @property
    def family(self) -> Family:
        return self.equations.family

    @property
    def segments(self) -> tuple[Segment, ...]:
        return self.equations.segments

    @property
    def parameter(self) -> float:
        return float(self.unknowns[-1])

    @property
    def period(self) -> float:
        return self.equations.period(self.unknowns)

    @property
    def half(self) -> bool:
        return self.equations.half

    @property
    def phase(self) -> float:
        """Time of the start, of a driven system [s]."""
        return self.equations.unpack(self.unknowns)[2]

    @property
    def start(self) -> np.ndarray:
        """States at the start, then the memory coordinates that events of the orbit change."""
        return self.equations.unpack(self.unknowns)[0][0].copy()

    @property
    def durations(self) -> np.ndarray:
        """Of the segments; of half the orbit where it closes on its mirror image [s]."""
        return self.equations.unpack(self.unknowns)[1].copy()

    @cached_property
    def derivatives(self) -> Derivatives:
        return self.equations.derivatives(self.unknowns)

    @cached_property
    def jacobian(self) -> np.ndarray:
        """Of the equations of the orbit."""
        return self.equations.jacobian(self.unknowns, self.derivatives)

    @cached_property
    def crossing_rates(self) -> np.ndarray:
        """Rate of the guard at the end of each segment that an event ends: negative for a true crossing."""
        known = self.__dict__.get("derivatives")
        crossings = known.crossings if known is not None else self.equations.crossings(self.unknowns)
        return np.array([c.guard_rate for c in crossings if c is not None])

    @property
    def grazes(self) -> bool:
        """Whether an event that is felt to first order is hardly a crossing: multipliers have no limit there."""
        e = self.equations
        for event in self.derivatives.crossings:
            if event is not None:
                size = float(np.abs(event.guard_z) @ e.scale)
                turned = (event.after_z - np.eye(e.size)) * e.scale[None, :] / e.scale[:, None]
                if abs(event.guard_rate) * e.time_scale < GRAZING * size and np.abs(turned).max() > GRAZING:
                    return True
        return False

    @cached_property
    def factors(self) -> list[np.ndarray]:
        """Their product, the last one first, is the derivative of the (half) return map at the start."""
        return self._factors(fine=False)

    def _factors(self, fine: bool) -> list[np.ndarray]:
        """A piece is one factor; if `fine`, one for every step of its mesh where it contracts much."""
        e, of = self.equations, self.derivatives
        starts, durations, t0, value = e.unpack(self.unknowns)
        flow, found = e.flow(value), []
        begin, spans = e.times(durations, t0)
        for k, event in enumerate(of.crossings):
            found.extend(self._flow_factors(k, begin[k], spans[k]) if fine else [of.tangents[k]])
            last = k + 1 == len(of.crossings)
            if event is not None:
                if last:
                    mirrored = e.mirror @ event.after
                    after = e.mirror @ rate(flow, self.segments[0], t0, mirrored)
                else:
                    after = rate(flow, self.segments[e.owner[k + 1]], begin[k] + spans[k], starts[k + 1])
                found.append(event.saltation(after))
            if last and self.half:
                found.append(e.mirror)
        return found

    def _flow_factors(self, k: int, t: float, span: float) -> list[np.ndarray]:
        e, whole = self.equations, self.derivatives.tangents[k]
        sizes = np.linalg.svd(whole * e.scale[None, :] / e.scale[:, None], compute_uv=False)
        if sizes[-1] > CONTRACTION * sizes[0]:
            return [whole]
        flow, segment, mesh = e.flow(self.parameter), self.segments[e.owner[k]], e.meshes[k]
        x, memory = split(flow, segment, e.unpack(self.unknowns)[0][k])
        found, halves = [], np.array([0.0, 0.5, 1.0])
        for a, b in pairwise(mesh):
            begin, step = t + a * span, (b - a) * span
            x, y = flow.tangents(begin, step, x, memory, segment.mode, halves, np.eye(e.size))
            found.append(y)
        return found

    @cached_property
    def monodromy(self) -> np.ndarray:
        """Derivative of the return map over states and memory; of the half map of a symmetric orbit."""
        return np.linalg.multi_dot(self.factors[::-1]) if len(self.factors) > 1 else self.factors[0]

    @cached_property
    def time_shift(self) -> float:
        """Multiplier along the flow of an autonomous orbit, as computed: its distance from 1 tells accuracy."""
        e = self.equations
        f = rate(e.flow(self.parameter), self.segments[0], self.phase, self.start) / e.scale
        carried = self.monodromy @ (f * e.scale) / e.scale
        return float(f @ carried / (f @ f))

    @property
    def neutral(self) -> float:
        """Distance from the unit circle within which a pair is that of an undamped mode.

        Never less than the error of multipliers, for which that along the flow stands: it should be 1.
        """
        return NEUTRAL if self.family.driven else max(NEUTRAL, abs(self.time_shift - 1.0))

    @cached_property
    def floquet(self) -> Multipliers:
        """Multipliers of the (half) return map without those that follow from structure; NaN at a grazing.

        Moduli below LEAST of the largest are lost in the tangents of the pieces; `fine_floquet` has them.
        """
        return self._multipliers(self.factors, LEAST)

    @cached_property
    def fine_floquet(self) -> Multipliers:
        """The same from one factor for every step of the mesh: logarithms of very small multipliers too."""
        return self._multipliers(self._factors(fine=True))

    def _multipliers(self, factors: list[np.ndarray], least: float = 0.0) -> Multipliers:
        e = self.equations
        if self.grazes:
            nothing = np.full(e.size, np.nan)
            return Multipliers(nothing.astype(complex), nothing)
        scaled = [factor * e.scale[None, :] / e.scale[:, None] for factor in factors]
        if not self.family.driven:
            scaled = without_direction(scaled, self._directions(scaled))
        return multipliers(scaled, least)

    def _directions(self, scaled: list[np.ndarray]) -> list[np.ndarray]:
        """Rates of the coordinates before every factor and after the last, in units of their scale."""
        e = self.equations
        f = rate(e.flow(self.parameter), self.segments[0], self.phase, self.start) / e.scale
        found = [f]
        for factor in scaled:
            found.append(factor @ found[-1])
        found[-1] = f
        return found

    @property
    def multipliers(self) -> np.ndarray:
        """Of the whole orbit, the largest first, without those that follow from structure."""
        values = self.floquet.values
        return values**2 if self.half else values

    @property
    def stable(self) -> bool:
        """Whether no multiplier lies outside the unit circle; undamped modes do not count, see `neutral`."""
        return sum(self.outside) == 0 and not bool(np.isnan(self.floquet.values).any())

    @property
    def outside(self) -> tuple[int, int, int]:
        """How many multipliers of the (half) return map lie beyond +1, beyond -1, and in pairs outside."""
        values = self.floquet.values
        real = np.abs(np.imag(values)) <= REAL * np.maximum(np.abs(values), 1e-300)
        beyond, pairs = np.real(values)[real], np.abs(values[~real])
        return int(np.sum(beyond >= 1.0)), int(np.sum(beyond <= -1.0)), int(np.sum(pairs > 1.0 + self.neutral))

    def nodes(self, finer: int = 1, rates: bool = True) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Time, coordinates and their rates along the segments (half of a symmetric orbit), `finer` per step."""
        e = self.equations
        starts, durations, t0, value = e.unpack(self.unknowns)
        flow = e.flow(value)
        begin, spans = e.times(durations, t0)
        t, z, f = [], [], []
        for k, i in enumerate(e.owner):
            segment, mesh = self.segments[i], e.meshes[k]
            fine = np.interp(np.arange(finer * (mesh.size - 1) + 1) / finer, np.arange(mesh.size), mesh)
            x, memory = split(flow, segment, starts[k])
            states = flow.nodes(begin[k], spans[k], x, memory, segment.mode, fine)
            flow.enter(begin[k], x, memory, segment.mode)
            at = begin[k] + spans[k] * fine
            t.append(at)
            z.append(np.hstack([states, np.tile(starts[k][flow.n :], (fine.size, 1))]))
            f.append(np.zeros_like(z[-1]))
            if rates:
                f[-1][:, : flow.n] = flow.rates(at, states, memory, segment.mode)
        return np.concatenate(t), np.vstack(z), np.vstack(f)

    def corrected(self, tolerance: float, across: np.ndarray | None = None) -> "Orbit":
        """The orbit at the same parameter, or in the plane across a direction of the unknowns."""
        e = self.equations
        if across is None:
            across = np.zeros(self.unknowns.size)
            across[-1] = 1.0
        return replace(self, unknowns=correct(e, self.unknowns, across, tolerance).u)
