"""Dry friction without a spring in series (true stick), in one direction or in a plane.

========  ===========================  ==========================================  ==========================
mode      force                        exit                                        leads to
========  ===========================  ==========================================  ==========================
STICK     whatever holds the face at   LIMIT: its length reaches static_ratio T    SLIP_POS, SLIP_NEG; START
          zero relative acceleration
SLIP_POS  +T                           END: v falls to 0                           STICK
SLIP_NEG  -T                           END: v rises to 0                           STICK
SLIP      T v / |v|                    END: |v| falls to `resting_speed`           STICK
START     T d, d where it was pushed   AWAY: |v| reaches twice `resting_speed`     SLIP
          to when it gave way          END: v along d falls to 0                   STICK
========  ===========================  ==========================================  ==========================

SLIP_POS and SLIP_NEG are those of one direction, SLIP and START those of a plane. In one direction the end of slip
is a change of sign. In a plane the length of the slip velocity has none: slip has ended where it falls to
`resting_speed`, and a face that gives way slides where it was pushed to until it is clearly faster than that.

The force of a stuck face is a multiplier of the whole system (`stick_or_slip`), positive when it resists a
positive deformation. At the end of slip the relative velocity is set to zero, with the impulses of all stuck
faces; which faces then stick is decided together, and one that is not held slides on at the same instant. No
deformation is remembered: the state loses a velocity. T may follow a normal load (`friction_limit`).
"""

from dataclasses import dataclass
from enum import IntEnum
from math import isfinite, sqrt

from klingel._errors import InputError
from klingel._jit import kernel
from klingel.elements.friction_limit import check_limits

STILL = 1e-9  # rate beyond zero at which slip in one direction has ended [m/s, rad/s]


class Mode(IntEnum):
    STICK, SLIP_POS, SLIP_NEG, SLIP, START = range(5)


class Guard(IntEnum):
    LIMIT, END, AWAY = range(3)


EXITS = {
    Guard.LIMIT.name: "holding force reaches the static limit",
    Guard.END.name: "slip velocity falls to 0 (in a plane: to resting_speed)",
    Guard.AWAY.name: "slip velocity reaches 2 resting_speed",
}

TRANSITIONS = (
    (Mode.STICK, Guard.LIMIT.name, Mode.SLIP_POS),
    (Mode.STICK, Guard.LIMIT.name, Mode.SLIP_NEG),
    (Mode.SLIP_POS, Guard.END.name, Mode.STICK),
    (Mode.SLIP_NEG, Guard.END.name, Mode.STICK),
    (Mode.STICK, Guard.LIMIT.name, Mode.START),
    (Mode.START, Guard.AWAY.name, Mode.SLIP),
    (Mode.START, Guard.END.name, Mode.STICK),
    (Mode.SLIP, Guard.END.name, Mode.STICK),
)


@dataclass(frozen=True)
class RigidFriction:
    limit: float = 0.0  # constant part of T [N]
    friction: float = 0.0  # coefficient of the normal load [-]
    load_factor: float = 1.0  # normal force per force of the load port [-], of a pivot [m]
    static_ratio: float = 1.0  # of the limit of stick to that of slip [-]
    resting_speed: float = 1e-6  # in a plane slip slower than this has ended [m/s]

    def __post_init__(self) -> None:
        check_limits(self)
        if not (isfinite(self.resting_speed) and self.resting_speed > 0.0):
            raise InputError("resting_speed", self.resting_speed, "must be finite and positive")


@kernel
def force(mode, v, w, along, across, limit):
    """Both components of the force of a sliding face; zero for a stuck one. (along, across) is d."""
    if mode == Mode.SLIP_POS:
        return limit, 0.0
    if mode == Mode.SLIP_NEG:
        return -limit, 0.0
    if mode == Mode.SLIP:
        per_speed = limit / max(sqrt(v * v + w * w), 1e-300)
        return per_speed * v, per_speed * w
    if mode == Mode.START:
        return limit * along, limit * across
    return 0.0, 0.0


@kernel
def end_margin(mode, v, w, along, across, resting_speed):
    """Guard END [m/s]: positive while the face slides."""
    if mode == Mode.SLIP_POS:
        return v + STILL
    if mode == Mode.SLIP_NEG:
        return STILL - v
    if mode == Mode.START:
        return v * along + w * across + STILL
    return sqrt(v * v + w * w) - resting_speed


@kernel
def is_slow(mode, v, w, resting_speed):
    """Whether a face is at rest, to be caught at the end of its slip; not after a jump of its rate."""
    bound = 2.5 * resting_speed if mode >= Mode.SLIP else 10.0 * STILL
    return v * v + w * w <= bound * bound


@kernel
def slip_mode(v, plane):
    """Mode of a face that slides with the rate v."""
    if plane:
        return Mode.SLIP
    return Mode.SLIP_POS if v > 0.0 else Mode.SLIP_NEG
