"""A rigid wheelset on rigid rails that crosses the singular set, ridges located as events, with a jump law.

States y, yaw and their speeds; roll and height follow from the contact of both wheels (`wheelset_contact`), the
accelerations from the constrained equations of motion (`wheelset_forces`), the modes are in `wheelset_kernels`.

The creep forces stay finite in the limit of a jump (they grow slower than the normal force), so the jump of the
smoothed wheelset is the regularised law without friction. A friction coefficient of the jump law adds Coulomb
friction on the configuration space, as in theorem 1 of Frischmuth (1995).

Data of the wheelset: Cooperrider bogie as in Kaas-Petersen (1986); the suspension, soft enough to let the
wheelset hunt from flange to flange, and the spin inertia are ours (the paper prints none).
"""

from dataclasses import dataclass
from math import isfinite

import numpy as np
from numpy.typing import NDArray

from klingel._errors import InputError
from klingel.contact.geometry.placement import RailPair, WheelPair
from klingel.contact.geometry.wheelset_on_track import WheelsetOnTrack
from klingel.contact.profiles import pieces as make
from klingel.contact.profiles.s1002 import s1002
from klingel.contact.profiles.uic60 import uic60
from klingel.literature.nonsmooth_manifold.jump_laws import Law
from klingel.literature.nonsmooth_manifold.wheel import check_inclination, wheel_pieces
from klingel.literature.nonsmooth_manifold.wheelset_contact import WheelMode
from klingel.literature.nonsmooth_manifold.wheelset_forces import P
from klingel.literature.nonsmooth_manifold.wheelset_kernels import (
    Column,
    act,
    after_step,
    describe_state,
    guards,
    rhs,
)
from klingel.numerics.problem import HybridProblem
from klingel.numerics.trajectory import Trajectory

STATES = ("y", "yaw", "y_dot", "yaw_dot")
GUARD_NAMES = ("left ridge", "left second", "right ridge", "right second", "left lifts", "right lifts")


@dataclass(frozen=True)
class Wheelset:
    mass: float = 1022.0  # m [kg]
    roll_inertia: float = 678.0  # [kg m2]
    yaw_inertia: float = 678.0  # [kg m2]
    spin_inertia: float = 80.0  # [kg m2], ours
    axle_load: float = 133.2e3  # weight on the rails [N]
    speed: float = 20.0  # V [m/s]
    radius: float = 0.4572  # r0 [m]
    lateral_force: float = 0.0  # constant, on the axle [N]
    lateral_stiffness: float = 2.0e5  # [N/m], ours
    lateral_damping: float = 0.0  # [N s/m]
    yaw_stiffness: float = 2.0e5  # [N m/rad], ours
    yaw_damping: float = 0.0  # [N m s/rad]
    creep_along: float = 6.563e6 / 0.54219  # f11 [N]
    creep_across: float = 6.563e6 / 0.60252  # f22 [N]
    friction: float = 0.15  # mu of the creep law [-]
    inclination: float = 1 / 40  # of the rails
    gauge: float = 1.435  # [m]
    resting_speed: float = 1e-5  # approach of a second section below which it stays in contact [m/s]

    def __post_init__(self) -> None:
        for field in ("mass", "roll_inertia", "yaw_inertia", "axle_load", "speed", "radius", "creep_along",
                      "creep_across", "friction", "resting_speed"):  # fmt: skip
            value = getattr(self, field)
            if not (isfinite(value) and value > 0.0):
                raise InputError(field, value, "must be positive")
        for field in ("spin_inertia", "lateral_stiffness", "lateral_damping", "yaw_stiffness", "yaw_damping"):
            value = getattr(self, field)
            if not (isfinite(value) and value >= 0.0):
                raise InputError(field, value, "must not be negative")
        if not isfinite(self.lateral_force):
            raise InputError("lateral_force", self.lateral_force, "must be a finite force")
        check_inclination(self.inclination)


def describe(run: Trajectory) -> NDArray:
    """Columns of `Column` for every row of a run."""
    out = np.empty((run.t.size, len(Column)))
    for i, row in enumerate(out):
        describe_state(run.problem.parameters, run.x[i], run.memory[i], run.mode[i], row)
    return out


def wheelset_problem(
    wheelset: Wheelset, law: Law = Law.REGULARISED, number: float = 0.0, nu: float = 0.0, y: float = 0.0
) -> HybridProblem:
    """The hybrid system; `number` is the friction or the share of the jump law, nu > 0 smooths instead.

    The start modes and the start value of the roll are those at lateral shift `y` [m] and zero yaw.
    """
    if not nu >= 0.0:
        raise InputError("nu", nu, "must not be negative")
    if not (isfinite(number) and number >= 0.0 and (law != Law.POLAR_CONE or number <= 1.0)):
        raise InputError("number", number, "must not be negative, and at most 1 for the polar cone")
    wheels = WheelPair(s1002(), radius=wheelset.radius)
    rails = RailPair(uic60(), inclination=wheelset.inclination, gauge=wheelset.gauge)
    wheel, sections = wheel_pieces(wheels, 0.0)
    tables = [sections, wheel, rails.placed()[0], make.ends(rails.placed()[0])[:, 0]]
    contact = WheelsetOnTrack(wheels, rails).at([y])
    touching = [_section(sections, side.first.wheel_t[0]) for side in (contact.left, contact.right)]
    return HybridProblem(
        rhs,
        _parameters(wheelset, [law, number, nu, wheelset.resting_speed], tables),
        STATES,
        guards=guards,
        act=act,
        after_step=after_step,
        guard_names=GUARD_NAMES,
        guard_owner=(0, 0, 1, 1, 0, 1),
        mode_names=("left wheel", "right wheel"),
        mode_types=(WheelMode, WheelMode),
        memory=np.sin(contact.roll),
        mode=np.array(touching, np.int8),
    )


def _section(sections: NDArray, t: float) -> int:
    """The section that holds wheel parameter `t`, or the one next to it."""
    return int(np.argmin(np.maximum(sections[:, 0] - t, 0.0) + np.maximum(t - sections[:, 1], 0.0)))


def _parameters(wheelset: Wheelset, settings: list[float], tables: list[NDArray]) -> NDArray:
    w = wheelset
    numbers = [
        w.mass, w.roll_inertia, w.yaw_inertia, w.spin_inertia, w.axle_load, w.speed, w.radius,
        w.lateral_force, w.lateral_stiffness, w.lateral_damping, w.yaw_stiffness, w.yaw_damping,
        w.creep_along, w.creep_across, w.friction, *settings, len(tables[1]), len(tables[2]),
    ]  # fmt: skip
    scratch = np.zeros(P.SECTIONS - len(numbers))
    return np.concatenate([numbers, scratch, *(table.ravel() for table in tables)])
