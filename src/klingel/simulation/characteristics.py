"""Static characteristics of suspension elements: force over deformation when moved slowly to and fro.

The force of each law along the path is `along` of its kind: modes are left at the walls they have in a run,
dampers rest, a guide is free up to its clearance, where the path turns.

Parts of one element (pendulum, sliders, bracket of a link) add up. Hoffmann (2006), figures 2.32, 2.33, 2.49 and
the loops of figures 5.36 to 5.39. Positive force resists positive deformation.
"""

from dataclasses import dataclass
from math import isfinite

import numpy as np

from klingel._errors import InputError
from klingel.elements.leaf_spring import LeafSpring
from klingel.model.description import COORDINATES, Law, Vehicle
from klingel.model.kinds import slow_path
from klingel.model.kinds.registry import Kind, kind_of

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
        return next((law for law in self.laws if kind_of(law) == Kind.LEAF_SPRING), None)


def wholes(vehicle: Vehicle) -> list[Whole]:
    """Elements of the vehicle; equal ones of several connections once."""
    found: dict[tuple[str, str], list[Law]] = {}
    turning: dict[tuple[str, str], bool] = {}
    for element in vehicle.elements:
        head, _, last = element.name.removeprefix(f"{element.connection}.").rpartition(".")
        key = (element.connection, head or last)
        found.setdefault(key, []).append(element.law)
        turning[key] = element.direction in COORDINATES[3:]
    groups: dict[tuple[str, bool, tuple[Law, ...]], list[str]] = {}
    for (connection, name), laws in found.items():
        groups.setdefault((name, turning[connection, name], tuple(laws)), []).append(connection)
    return [Whole(name, tuple(at), rotates, laws) for (name, rotates, laws), at in groups.items()]


def reach(whole: Whole) -> float:
    """Amplitude that shows the whole law [m, rad]: beyond every break-out and gap."""
    return max((length for law in whole.laws for length in slow_path.reach(law)), default=PLAIN)


def loop(whole: Whole, amplitude: float, middle: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    """Deformation and force on the way middle -> +A -> -A -> +A -> -A about `middle` [m, rad; N, Nm]."""
    if not amplitude > 0.0:
        raise InputError("amplitude", amplitude, "must be positive")
    first = np.linspace(0.0, amplitude, POINTS // 2, endpoint=False)
    down = np.linspace(amplitude, -amplitude, POINTS, endpoint=False)
    u = middle + np.concatenate([first, down, -down, down, [-amplitude]])
    return u, np.sum([slow_path.along(law, u) for law in whole.laws], axis=0)


def closed(u: np.ndarray) -> slice:
    """The last two strokes of a `loop`."""
    return slice(len(u) - 2 * POINTS - 1, None)


def rigid_at(law: Law) -> tuple[float, ...]:
    """Deformations at which a law is rigid: it holds any force there [m, rad]."""
    ends = (-reached for reached in slow_path.reach(law)), slow_path.reach(law)
    return tuple(u for side in ends for u in side if not isfinite(sum(slow_path.hold(law, u, 0.0))))
