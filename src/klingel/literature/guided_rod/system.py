"""Guided rod: a rigid rod moves in the plane between four fixed guides, as a wheelset in its axle guidance.

    M q'' = h + sum_i w_i lambda_i,   q = (x, y, psi),   M = diag(m, m, I_zz)

Guide i stands at (s_i (b/2 + c), e_i l/2), s = (+, +, -, -), e = (+, -, +, -), with box width b, clearance c
and length l. The gap is the guide's distance from the face of the rod, in the frame of the rod:

    g_i = s_i ((s_i (b/2 + c) - x) cos psi + (e_i l/2 - y) sin psi) - b/2,      w_i = dg_i/dq

In the printed g_N3 and g_N4 the sine terms have the wrong sign (the gap is *minus* the local x there).

========  ======================  ====================================================================
mode      condition               ways out
========  ======================  ====================================================================
FREE      g_i > 0                 g_i = 0: impact of all closed gaps together (`elements.impact`)
RESTING   g_i'' = 0               lambda_i falls to 0: FREE
========  ======================  ====================================================================

A contact rests when it closes slower than the resting speed *and* the external forces press it; without
external force a slow rod keeps rebounding. Gaps that are closed within `contact_tolerance` at one impact
belong to it, so that two contacts that differ by rounding make one double impact.

Source: Hoffmann (2006), appendix B.3. It gives no restitution for the rod: 0.9 is that of B.1.

Longer than other files: the whole system, parameters to start state, is read from top to bottom.
"""

from dataclasses import dataclass
from enum import IntEnum
from math import cos, inf, isfinite, sin

import numpy as np

from klingel._errors import InputError
from klingel._jit import kernel
from klingel.elements import impact
from klingel.numerics.problem import HybridProblem
from klingel.numerics.signatures import ACT, GUARDS, RHS

CONTACTS = 4
_SIDE = (1.0, 1.0, -1.0, -1.0)  # s_i
_END = (1.0, -1.0, 1.0, -1.0)  # e_i
REFUSED = 1  # by a right-hand side far inside a guide, or whose contact forces cannot be found


@dataclass(frozen=True)
class GuidedRod:
    """Numbers of appendix B.3; the external force is ours, for contacts that rest."""

    mass: float = 1022.0  # m [kg]
    inertia: float = 678.0  # I_zz [kg m2]
    length: float = 2.0  # l_y [m]
    box_width: float = 0.265  # d_box [m]
    clearance: float = 4 * 0.0225  # d_clear [m], four times that of a wagon to be visible
    restitution: float = 0.9  # eps [-]
    resting_speed: float = 1e-4  # a pressed contact that closes slower rests [m/s]
    contact_tolerance: float = 1e-9  # gaps closed within it take part in an impact [m]
    force_x: float = 0.0  # h_x [N]
    force_y: float = 0.0  # h_y [N]
    moment: float = 0.0  # h_psi [Nm]

    def __post_init__(self):
        for name in ("mass", "inertia", "length", "box_width", "clearance", "contact_tolerance"):
            _require(self, name, 0.0 < getattr(self, name) < inf, "must be positive and finite")
        for name in ("force_x", "force_y", "moment"):
            _require(self, name, isfinite(getattr(self, name)), "must be finite")
        _require(self, "resting_speed", 0.0 <= self.resting_speed < inf, "must be zero or more, and finite")
        _require(self, "restitution", 0.0 <= self.restitution <= 1.0, "must lie between 0 and 1")

    def flat(self) -> np.ndarray:
        """Parameters of the kernels in the order of `P`, with their scratch numbers behind."""
        p = np.zeros(Scratch.END)
        p[: P.END] = [
            self.box_width / 2 + self.clearance, self.length / 2, self.box_width / 2,
            self.restitution, self.resting_speed, self.contact_tolerance,
            self.force_x, self.force_y, self.moment,
        ]  # fmt: skip
        p[Scratch.INVERSE_MASS : Scratch.FREE_ACCELERATION] = np.diag(
            [1 / self.mass, 1 / self.mass, 1 / self.inertia]
        ).ravel()
        return p


def _require(parameters, name: str, good: bool, allowed: str) -> None:
    if not good:
        raise InputError(name, getattr(parameters, name), allowed)


class P(IntEnum):
    """Index into the flat parameters."""

    GUIDE, HALF_LENGTH, HALF_BOX, RESTITUTION, RESTING_SPEED, TOLERANCE, FORCE_X, FORCE_Y, MOMENT, END = range(10)


class Scratch(IntEnum):
    """Where each array behind the parameters begins."""

    W = P.END  # (3, 4) directions of the contacts
    INVERSE_MASS = W + 12  # (3, 3)
    FREE_ACCELERATION = INVERSE_MASS + 9  # (4,) of the gaps, without contact forces [m/s2]
    FORCE = FREE_ACCELERATION + 4  # (4,) contact forces [N] or impulses [N s]
    RATE = FORCE + 4  # (4,) gap rates [m/s] or accelerations [m/s2]
    CHOSEN = RATE + 4  # (4,) 1 for the contacts of a contact problem, else 0
    EPSILON = CHOSEN + 4  # (4,) restitution of each contact in this impact
    NEVER = EPSILON + 4  # (4,) zeros: resting speeds, which are dealt with in EPSILON
    WORK = NEVER + 4
    END = WORK + impact.work_size(CONTACTS)


class Memory(IntEnum):
    IMPACT_LOSS = 0  # kinetic energy lost in impacts so far [J]
    SINGLE = 1  # impacts with one contact so far
    MULTIPLE = 2  # impacts with two or more contacts so far


class State(IntEnum):
    X, Y, PSI, X_DOT, Y_DOT, PSI_DOT = range(6)


@kernel
def gap(i, x, p):
    """g_i [m]"""
    c, s = cos(x[State.PSI]), sin(x[State.PSI])
    ahead = _SIDE[i] * p[P.GUIDE] - x[State.X]
    aside = _END[i] * p[P.HALF_LENGTH] - x[State.Y]
    return _SIDE[i] * (ahead * c + aside * s) - p[P.HALF_BOX]


@kernel
def write_directions(x, p):
    """W of all contacts and the accelerations of their gaps without contact forces."""
    w = p[Scratch.W : Scratch.INVERSE_MASS].reshape(3, CONTACTS)
    inverse_mass = p[Scratch.INVERSE_MASS : Scratch.FREE_ACCELERATION].reshape(3, 3)
    c, s, turn = cos(x[State.PSI]), sin(x[State.PSI]), x[State.PSI_DOT]
    across = x[State.X_DOT] * s - x[State.Y_DOT] * c
    for i in range(CONTACTS):
        ahead = _SIDE[i] * p[P.GUIDE] - x[State.X]
        aside = _END[i] * p[P.HALF_LENGTH] - x[State.Y]
        w[0, i] = -_SIDE[i] * c
        w[1, i] = -_SIDE[i] * s
        w[2, i] = _SIDE[i] * (aside * c - ahead * s)
        convective = _SIDE[i] * (2.0 * turn * across - turn * turn * (ahead * c + aside * s))
        p[Scratch.FREE_ACCELERATION + i] = (
            convective
            + w[0, i] * inverse_mass[0, 0] * p[P.FORCE_X]
            + w[1, i] * inverse_mass[1, 1] * p[P.FORCE_Y]
            + w[2, i] * inverse_mass[2, 2] * p[P.MOMENT]
        )
    return w, inverse_mass


@kernel(inner=True)
def hold_contacts(x, mode, p):
    """Forces of the resting contacts into the scratch array FORCE; False when they cannot be held."""
    w, inverse_mass = write_directions(x, p)
    for i in range(CONTACTS):
        p[Scratch.CHOSEN + i] = 1.0 if mode[i] == impact.Mode.RESTING else 0.0
    return impact.hold(
        w,
        inverse_mass,
        p[Scratch.CHOSEN : Scratch.EPSILON],
        p[Scratch.FREE_ACCELERATION : Scratch.FORCE],
        p[Scratch.FORCE : Scratch.RATE],
        p[Scratch.WORK : Scratch.END],
    )


@kernel(inner=True)
def any_resting(mode):
    resting = False
    for i in range(CONTACTS):
        resting = resting or mode[i] == impact.Mode.RESTING
    return resting


@kernel(inner=True)
def far_inside_a_guide(x, p):
    """Deeper than the clearance: a step so long that it could turn the rod through the guides unseen."""
    deep = False
    for i in range(CONTACTS):
        deep = deep or gap(i, x, p) < p[P.HALF_BOX] - p[P.GUIDE]
    return deep


@kernel(signature=RHS)
def rhs(t, x, memory, mode, p, dx):
    if far_inside_a_guide(x, p):
        return REFUSED
    inverse_mass = p[Scratch.INVERSE_MASS : Scratch.FREE_ACCELERATION].reshape(3, 3)
    for i in range(3):
        dx[i] = x[3 + i]
        dx[3 + i] = inverse_mass[i, i] * p[P.FORCE_X + i]
    if any_resting(mode):
        if not hold_contacts(x, mode, p):
            return REFUSED
        w = p[Scratch.W : Scratch.INVERSE_MASS].reshape(3, CONTACTS)
        impact.add_forces(w, inverse_mass, p[Scratch.FORCE : Scratch.RATE], dx[3:])
    return 0


@kernel(signature=GUARDS)
def guards(t, x, memory, mode, p, g):
    if any_resting(mode):
        hold_contacts(x, mode, p)
    for i in range(CONTACTS):
        free = mode[i] == impact.Mode.FREE
        g[i] = gap(i, x, p) if free else inf
        g[CONTACTS + i] = inf if free else p[Scratch.FORCE + i]


@kernel(inner=True)
def kinetic_energy(x, inverse_mass):
    return 0.5 * (
        x[State.X_DOT] ** 2 / inverse_mass[0, 0]
        + x[State.Y_DOT] ** 2 / inverse_mass[1, 1]
        + x[State.PSI_DOT] ** 2 / inverse_mass[2, 2]
    )


@kernel(inner=True)
def count_impact(impulse, memory):
    contacts = 0
    for i in range(CONTACTS):
        if impulse[i] > 0.0:
            contacts += 1
    if contacts == 1:
        memory[Memory.SINGLE] += 1.0
    elif contacts > 1:
        memory[Memory.MULTIPLE] += 1.0


@kernel(inner=True)
def strike(x, memory, mode, p):
    """One impact of all closed gaps, then who rests; returns an `lcp.Status`."""
    w, inverse_mass = write_directions(x, p)
    velocity = x[3:]
    chosen = p[Scratch.CHOSEN : Scratch.EPSILON]
    free_acceleration = p[Scratch.FREE_ACCELERATION : Scratch.FORCE]
    force, rate = p[Scratch.FORCE : Scratch.RATE], p[Scratch.RATE : Scratch.CHOSEN]
    work = p[Scratch.WORK : Scratch.END]
    for i in range(CONTACTS):
        resting = mode[i] == impact.Mode.RESTING
        chosen[i] = 1.0 if resting or gap(i, x, p) <= p[P.TOLERANCE] else 0.0
        slow = -impact.gap_rate(w, velocity, i) <= p[P.RESTING_SPEED]
        p[Scratch.EPSILON + i] = 0.0 if slow and free_acceleration[i] < 0.0 else p[P.RESTITUTION]
    before = kinetic_energy(x, inverse_mass)
    epsilon, never = p[Scratch.EPSILON : Scratch.NEVER], p[Scratch.NEVER : Scratch.WORK]
    status = impact.strike(w, inverse_mass, chosen, epsilon, never, velocity, force, rate, work)
    if status != 0:
        return status
    memory[Memory.IMPACT_LOSS] += before - kinetic_energy(x, inverse_mass)
    count_impact(force, memory)
    w, inverse_mass = write_directions(x, p)
    return choose_resting(w, inverse_mass, mode, chosen, free_acceleration, force, rate, work, p[P.RESTING_SPEED])


@kernel(inner=True)
def choose_resting(w, inverse_mass, mode, chosen, free_acceleration, force, rate, work, resting_speed):
    """Of the closed contacts that no longer move, those that carry force rest."""
    still = 1e-9 * resting_speed
    for i in range(CONTACTS):
        chosen[i] = 1.0 if chosen[i] and abs(rate[i]) <= still else 0.0
    status = impact.press(w, inverse_mass, chosen, free_acceleration, force, rate, work)
    for i in range(CONTACTS):
        mode[i] = impact.Mode.RESTING if chosen[i] and force[i] > 0.0 else impact.Mode.FREE
    return status


@kernel(signature=ACT)
def act(t, x, memory, mode, p, fired):
    closed = False
    for i in range(CONTACTS):
        closed = closed or fired[i]
        if fired[CONTACTS + i]:
            mode[i] = impact.Mode.FREE
    if closed and strike(x, memory, mode, p) != 0:
        return 1
    return 0


def guided_rod(parameters: GuidedRod | None = None) -> HybridProblem:
    """The rod with impacts and resting contacts; states as in `State`, in m, rad and s."""
    parameters = parameters or GuidedRod()
    names = ("front_left", "front_right", "rear_left", "rear_right")
    return HybridProblem(
        rhs=rhs,
        guards=guards,
        act=act,
        parameters=parameters.flat(),
        state_names=tuple(state.name.lower() for state in State),
        guard_names=tuple(f"{name}.{what}" for what in ("gap", "force") for name in names),
        guard_owner=(0, 1, 2, 3, 0, 1, 2, 3),
        guard_tolerance=(*(4 * [parameters.contact_tolerance]), *(4 * [1e-9])),  # [m] and [N]
        mode_names=names,
        mode_types=4 * (impact.Mode,),
        memory=np.zeros(len(Memory)),
        mode=np.full(CONTACTS, impact.Mode.FREE, np.int8),
    )


def gaps(parameters: GuidedRod, x: np.ndarray) -> np.ndarray:
    """Gaps (rows, 4) of a trajectory's states (rows, 6) [m]."""
    p = parameters.flat()
    return np.array([[gap(i, row, p) for i in range(CONTACTS)] for row in np.ascontiguousarray(x)])
