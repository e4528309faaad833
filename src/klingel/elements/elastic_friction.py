"""Dry friction of a face with a contact stiffness, in one direction or in a plane; its limit may follow a load.

=====  ===================  ==============================================  =====================================
mode   force                exit                                            anchor z
=====  ===================  ==============================================  =====================================
STICK  k (u - z)            LIMIT: its length reaches static_ratio T        rests
SLIP   T e, e = direction   END: the slip speed e.v - d(T/k)/dt falls to 0  dragged; at END set to u - e T/k
       of u - z
=====  ===================  ==============================================  =====================================

The anchor z, a state of its own in each direction, is where the stuck spring is unloaded. Sliding, it follows u at
the distance T/k: with e' across e,

    u - z = e T/k,    so    dz/dt = e (e.v - d(T/k)/dt)    and    de/dt = e' (e'.v) k/T

The factor of e in dz/dt is the speed at which the face really slips. In a plane the length of the slip velocity
never changes its sign, this component does: its zero is where slip ends. It needs the rate of the normal load, the
force does not: the anchor is dragged by (e.v) e + (1 - |u - z| k/T) (e'.v) e', which turns e as it must, and its
distance, which nobody asks for while the face slides, is put right when it sticks.

Stored: |F|^2 / 2k. Heat: T times the slip speed. With `static_ratio` above 1 the force drops at the break, and
what the spring had stored beyond T is heat. T may follow a normal load (`friction_limit`); where it falls, a stuck
face begins to slide without being moved.
"""

from dataclasses import dataclass
from enum import IntEnum
from math import isfinite, sqrt

from klingel._errors import InputError
from klingel._jit import kernel
from klingel.elements.friction_limit import check_limits

SHORTEST = 1e-6  # T/k of a face that is nearly unloaded counts as this much when e turns [m, rad]


class Mode(IntEnum):
    STICK, SLIP = range(2)


class Guard(IntEnum):
    LIMIT, END = range(2)


EXITS = {
    Guard.LIMIT.name: "force reaches the static limit",
    Guard.END.name: "slip speed along the force falls to 0",
}

TRANSITIONS = ((Mode.STICK, Guard.LIMIT.name, Mode.SLIP), (Mode.SLIP, Guard.END.name, Mode.STICK))


@dataclass(frozen=True)
class ElasticFriction:
    stiffness: float  # k [N/m]
    limit: float = 0.0  # constant part of T [N]
    friction: float = 0.0  # coefficient of the normal load [-]
    load_factor: float = 1.0  # normal force per force of the load port [-], of a pivot [m]
    static_ratio: float = 1.0  # of the limit of stick to that of slip [-]

    def __post_init__(self) -> None:
        if not (isfinite(self.stiffness) and self.stiffness > 0.0):
            raise InputError("stiffness", self.stiffness, "must be finite and positive")
        check_limits(self)


@kernel
def direction(a, b):
    """Unit vector of (a, b); zero where it has none."""
    length = sqrt(a * a + b * b)
    return (a / length, b / length) if length > 0.0 else (0.0, 0.0)


@kernel
def force(mode, a, b, stiffness, limit):
    """Both components, (a, b) = u - z."""
    if mode == Mode.STICK:
        return stiffness * a, stiffness * b
    one, two = direction(a, b)
    return limit * one, limit * two


@kernel
def anchor_rate(mode, a, b, v, w, stiffness, limit):
    """dz/dt in both directions."""
    if mode == Mode.STICK:
        return 0.0, 0.0
    one, two = direction(a, b)
    ahead, across = one * v + two * w, one * w - two * v
    turned = 1.0 - sqrt(a * a + b * b) / max(limit / stiffness, SHORTEST)
    return ahead * one - turned * across * two, ahead * two + turned * across * one


@kernel
def slip_speed(a, b, v, w, stiffness, limit_rate):
    """e.v - d(T/k)/dt: speed of the anchor along the force [m/s]."""
    one, two = direction(a, b)
    return one * v + two * w - limit_rate / stiffness
