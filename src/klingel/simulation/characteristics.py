"""Static characteristics of suspension elements: force over deformation when moved slowly to and fro.

===============  =========================================================================
law              force along the path
===============  =========================================================================
spring           preload + k u; dampers rest
dry friction     clip(force + k du, -T, T)
dead band        k (u - gap) beyond a gap
leaf spring      exact loading and unloading branches of `elements.leaf_branch`
guide            0 up to the clearance, where it is rigid: the path turns there
===============  =========================================================================

Parts of one element (pendulum, sliders, bracket of a link) add up. Hoffmann (2006), figures 2.32, 2.33, 2.49 and
the loops of figures 5.36 to 5.39. Positive force resists positive deformation.
"""

from dataclasses import dataclass
from math import isfinite

import numpy as np

from klingel._errors import InputError
from klingel.elements.dead_band import DeadBand
from klingel.elements.dry_friction import DryFriction
from klingel.elements.leaf_branch import directed, static_force
from klingel.elements.leaf_branch import force as branch_force
from klingel.elements.leaf_spring import LeafSpring
from klingel.elements.spring import Spring
from klingel.model.description import COORDINATES, Guide, Law, Vehicle

KNOWN = (Spring, DryFriction, DeadBand, LeafSpring, Guide)
POINTS = 400  # per stroke from one end to the other
PLAIN = 0.01  # amplitude where the law has no length of its own [m, rad]


@dataclass(frozen=True)
class Whole:
    """Parts that share a deformation, and where in the vehicle they are found."""

    name: str  # without its connection: link_y
    connections: tuple[str, ...]  # with equal parts
    rotates: bool  # deformation is an angle
    laws: tuple[Law, ...]

    @property
    def leaf(self) -> LeafSpring | None:
        return next((law for law in self.laws if isinstance(law, LeafSpring)), None)


def wholes(vehicle: Vehicle) -> list[Whole]:
    """Elements of the vehicle whose laws are known here; equal ones of several connections once."""
    found: dict[tuple[str, str], list[Law]] = {}
    turning: dict[tuple[str, str], bool] = {}
    for element in vehicle.elements:
        head, _, last = element.name.removeprefix(f"{element.connection}.").rpartition(".")
        key = (element.connection, head or last)
        found.setdefault(key, []).append(element.law)
        turning[key] = element.direction in COORDINATES[3:]
    groups: dict[tuple[str, bool, tuple[Law, ...]], list[str]] = {}
    for (connection, name), laws in found.items():
        if all(isinstance(law, KNOWN) for law in laws):
            groups.setdefault((name, turning[connection, name], tuple(laws)), []).append(connection)
    return [Whole(name, tuple(at), rotates, laws) for (name, rotates, laws), at in groups.items()]


def reach(whole: Whole) -> float:
    """Amplitude that shows the whole law [m, rad]: beyond every break-out and gap."""
    lengths = [3.0 * law.limit / law.stiffness for law in whole.laws if isinstance(law, DryFriction)]
    for law in whole.laws:
        if isinstance(law, DeadBand):
            lengths += [1.4 * abs(gap) for gap in (law.gap_low, law.gap_high) if isfinite(gap) and gap != 0.0]
        if isinstance(law, Guide):
            lengths.append(law.clearance)
        if isinstance(law, LeafSpring):
            lengths.append(10.0 * law.decay)
    return max(lengths, default=PLAIN)


def loop(whole: Whole, amplitude: float, middle: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    """Deformation and force on the way middle -> +A -> -A -> +A -> -A about `middle` [m, rad; N, Nm]."""
    if not amplitude > 0.0:
        raise InputError("amplitude", amplitude, "must be positive")
    first = np.linspace(0.0, amplitude, POINTS // 2, endpoint=False)
    down = np.linspace(amplitude, -amplitude, POINTS, endpoint=False)
    u = middle + np.concatenate([first, down, -down, down, [-amplitude]])
    return u, np.sum([_along(law, u) for law in whole.laws], axis=0)


def closed(u: np.ndarray) -> slice:
    """The last two strokes of a `loop`."""
    return slice(len(u) - 2 * POINTS - 1, None)


def _along(law: Law, u: np.ndarray) -> np.ndarray:
    if isinstance(law, Spring):
        return law.preload + law.stiffness * u
    if isinstance(law, DryFriction):
        return _friction(law, u)
    if isinstance(law, DeadBand):
        above, under = np.maximum(u - law.gap_high, 0.0), np.minimum(u - law.gap_low, 0.0)
        return law.stiffness * (above + under)
    return _leaf(law, u) if isinstance(law, LeafSpring) else np.zeros_like(u)


def _friction(law: DryFriction, u: np.ndarray) -> np.ndarray:
    force = np.zeros_like(u)
    for k in range(1, len(u)):
        force[k] = min(max(force[k - 1] + law.stiffness * (u[k] - u[k - 1]), -law.limit), law.limit)
    return force


def _leaf(spring: LeafSpring, u: np.ndarray) -> np.ndarray:
    """Starts on the line without friction; u is the compression."""
    law = spring.law
    force = np.empty_like(u)
    force[0] = static_force(float(u[0] > spring.second_leaf), u[0], law)
    for k in range(1, len(u)):
        begin, end, carried = u[k - 1], u[k], force[k - 1]
        for target in _stops(begin, end, spring.second_leaf):
            stage = float(0.5 * (begin + target) > spring.second_leaf)
            branch = directed(1.0 if target > begin else -1.0, stage, begin, carried, law)
            begin, carried = target, branch_force(branch, target)
        force[k] = carried
    return force


def _stops(begin: float, end: float, corner: float) -> tuple[float, ...]:
    return (corner, end) if min(begin, end) < corner < max(begin, end) else (end,)
