"""Leaf spring, one- or two-stage: the state machine around the closed forms of `leaf_spring_law`.

===============  ==========================  ==============================================================
mode             law                         exits
===============  ==========================  ==============================================================
0 AUTO           near rest, per Reading      |c (z - z*) - F| = F_tol (LIMIT) -> 1..4 by the sign of v;
                                             z = z0 (SECOND_LEAF) -> 2 rising, 4 falling
1 LOADING_H      loading, main leaves        v = 0 (TURN) -> 0 or 4;  z = z0 (SECOND_LEAF) -> 2
2 LOADING_HZ     loading, second leaf too    v = 0 (TURN) -> 0 or 3
3 UNLOADING_HZ   unloading, second leaf too  v = 0 (TURN) -> 0 or 2;  z = z0 (SECOND_LEAF) -> 4
4 UNLOADING_H    unloading, main leaves      v = 0 (TURN) -> 0 or 1
===============  ==========================  ==============================================================

A turning point leads to AUTO when |c (z - z*) - F| < F_tol there. z is the total compression [m], F the
spring force [N], positive when it carries load; the force is continuous at every exit. The mode numbers are
those of the published event diagram. Crossing z0 in AUTO leads to the running mode beyond it: the slope
jumps there, so the motion is not the smooth one AUTO is meant for, and the next turning point leads back.

In AUTO with Reading.FULL turning points do not stop the integrator: `after_step` finds them on the
interpolant and moves the reference. Two of them within one step go unseen (they enclose a loop of the size
of the step's error).

Source: Hoffmann (2006), section 2.3.2, figure 2.31, table 5.1 and figure 5.40; parameters table B.1.
"""

from dataclasses import dataclass
from enum import IntEnum
from math import inf, isfinite

import numpy as np

from klingel._errors import InputError
from klingel._jit import kernel
from klingel.elements.leaf_spring_law import BRANCH_SIZE as BRANCH_SIZE
from klingel.elements.leaf_spring_law import LAW_SIZE as LAW_SIZE
from klingel.elements.leaf_spring_law import Branch as Branch
from klingel.elements.leaf_spring_law import Law as Law
from klingel.elements.leaf_spring_law import Reading as Reading
from klingel.elements.leaf_spring_law import directed as directed
from klingel.elements.leaf_spring_law import envelope as envelope
from klingel.elements.leaf_spring_law import force as force
from klingel.elements.leaf_spring_law import rate as rate
from klingel.elements.leaf_spring_law import rate_simplified as rate_simplified
from klingel.elements.leaf_spring_law import read_branch as read_branch
from klingel.elements.leaf_spring_law import read_law as read_law
from klingel.elements.leaf_spring_law import simplified as simplified
from klingel.elements.leaf_spring_law import slope as slope
from klingel.elements.leaf_spring_law import static_force as static_force
from klingel.elements.leaf_spring_law import write_branch as write_branch

TURN_ITERATIONS = 60  # bisection alone reaches rounding in as many


class Mode(IntEnum):
    AUTO, LOADING_H, LOADING_HZ, UNLOADING_HZ, UNLOADING_H = range(5)


class Guard(IntEnum):
    """Order of `guards`."""

    TURN, SECOND_LEAF, LIMIT = range(3)


EXITS = {
    Guard.TURN.name: "v = 0; to AUTO if |c (z - z*) - F| < F_tol",
    Guard.SECOND_LEAF.name: "z = z0",
    Guard.LIMIT.name: "|c (z - z*) - F| = F_tol; by the sign of v and the stage",
}

TRANSITIONS = (
    (Mode.AUTO, Guard.LIMIT.name, Mode.LOADING_H),
    (Mode.AUTO, Guard.LIMIT.name, Mode.LOADING_HZ),
    (Mode.AUTO, Guard.LIMIT.name, Mode.UNLOADING_HZ),
    (Mode.AUTO, Guard.LIMIT.name, Mode.UNLOADING_H),
    (Mode.AUTO, Guard.SECOND_LEAF.name, Mode.LOADING_HZ),
    (Mode.AUTO, Guard.SECOND_LEAF.name, Mode.UNLOADING_H),
    (Mode.LOADING_H, Guard.SECOND_LEAF.name, Mode.LOADING_HZ),
    (Mode.LOADING_H, Guard.TURN.name, Mode.UNLOADING_H),
    (Mode.LOADING_H, Guard.TURN.name, Mode.AUTO),
    (Mode.LOADING_HZ, Guard.TURN.name, Mode.UNLOADING_HZ),
    (Mode.LOADING_HZ, Guard.TURN.name, Mode.AUTO),
    (Mode.UNLOADING_HZ, Guard.SECOND_LEAF.name, Mode.UNLOADING_H),
    (Mode.UNLOADING_HZ, Guard.TURN.name, Mode.LOADING_HZ),
    (Mode.UNLOADING_HZ, Guard.TURN.name, Mode.AUTO),
    (Mode.UNLOADING_H, Guard.TURN.name, Mode.LOADING_H),
    (Mode.UNLOADING_H, Guard.TURN.name, Mode.AUTO),
)


@dataclass(frozen=True)
class LeafSpring:
    """Parameters; with `second_leaf` = inf the spring has one stage and `stiffness_second` is not used."""

    stiffness: float  # c_h, main leaves [N/m]
    stiffness_second: float  # c_z, main leaves and second leaf [N/m]
    friction: float  # mu0 [-]
    residual: float  # F_r [N]
    decay: float  # beta [m]
    near_equilibrium: float  # F_tol [N]
    second_leaf: float = inf  # z0, compression at which the second leaf begins to carry [m]
    reading: Reading = Reading.FULL  # law of the mode AUTO; SIMPLIFIED, as printed, never damps small motions

    def __post_init__(self) -> None:
        for field in ("stiffness", "stiffness_second", "residual", "decay", "near_equilibrium"):
            value = getattr(self, field)
            if not (isfinite(value) and value > 0.0):
                raise InputError(field, value, "must be finite and positive")
        if not 0.0 <= self.friction < 1.0:
            raise InputError("friction", self.friction, "must lie in [0, 1)")
        if not self.second_leaf > 0.0:
            raise InputError("second_leaf", self.second_leaf, "must be positive, inf for one stage")
        self._check_passive()

    def _check_passive(self) -> None:
        # G >= c beta (1 + mu0/2): dynamically stiffer than statically, or small loops would create energy
        least = self.stiffness * self.decay * (1.0 + 0.5 * self.friction)
        if isfinite(self.second_leaf):
            ahead = self.friction * self.stiffness * self.second_leaf
            least_second = self.stiffness_second * self.decay * (1.0 + 0.5 * self.friction) - ahead
            least = max(least, least_second)
        if self.residual < least:
            raise InputError(
                "residual", self.residual, f"must be at least {least:g} N, or small loops create energy"
            )

    @property
    def z_star(self) -> float:
        """Compression at which the line of the second stage meets zero force [m]."""
        if not isfinite(self.second_leaf):
            return 0.0
        return (1.0 - self.stiffness / self.stiffness_second) * self.second_leaf

    @property
    def law(self) -> Law:
        return Law(
            self.stiffness,
            self.stiffness_second,
            self.friction,
            self.residual,
            self.decay,
            self.near_equilibrium,
            self.second_leaf,
            self.z_star,
            int(self.reading),
        )

    def pack(self) -> np.ndarray:
        """LAW_SIZE numbers for a flat parameter array; `read_law` is the way back."""
        return np.array(self.law, dtype=float)

    def static_deflection(self, load: float) -> float:
        """Compression at which the spring carries `load` [N] without friction [m]."""
        z = load / self.stiffness
        return z if z <= self.second_leaf else load / self.stiffness_second + self.z_star


# Hoffmann (2006), table B.1, in the printed reading of AUTO; F_tol from section 2.3.2, where the parabolic one is
# printed F_tot
TRAPEZOIDAL = LeafSpring(
    stiffness=1.1e6, stiffness_second=1.1e6, friction=0.10, residual=7e3, decay=3.0e-3, near_equilibrium=5e3,
    reading=Reading.SIMPLIFIED,
)  # fmt: skip
PARABOLIC = LeafSpring(
    stiffness=0.65e6,
    stiffness_second=1.82e6,
    friction=0.075,
    residual=7e3,
    decay=2.0e-3,
    near_equilibrium=5e3,
    second_leaf=62.9e-3,
    reading=Reading.SIMPLIFIED,
)


@kernel
def running_mode(direction, stage):
    """The loading or unloading mode of a stage."""
    if direction > 0.0:
        return Mode.LOADING_HZ if stage > 0.5 else Mode.LOADING_H
    return Mode.UNLOADING_HZ if stage > 0.5 else Mode.UNLOADING_H


@kernel
def _enter_auto(direction, stage, z, f, law):
    if law.reading == Reading.FULL:
        return directed(direction, stage, z, f, law)
    return simplified(stage, z, f, law)


@kernel
def start(z, v, force, law):
    """Mode and branch of a spring that carries `force` at (z, v)."""
    stage = 1.0 if z > law.second_leaf else 0.0
    direction = 1.0 if v >= 0.0 else -1.0
    if abs(static_force(stage, z, law) - force) < law.near_equilibrium:
        return Mode.AUTO, _enter_auto(direction, stage, z, force, law)
    return running_mode(direction, stage), directed(direction, stage, z, force, law)


@kernel
def guards(mode, branch, z, v, law):
    """Margins in the order of `Guard`: [m/s], [m], [N]; positive inside, inf when not armed."""
    if mode == Mode.AUTO:
        limit = law.near_equilibrium - abs(static_force(branch.stage, z, law) - force(branch, z))
        leaf = z - law.second_leaf if branch.stage > 0.5 else law.second_leaf - z
        return inf, leaf, limit
    if mode == Mode.LOADING_H:
        return v, law.second_leaf - z, inf
    if mode == Mode.LOADING_HZ:
        return v, inf, inf
    if mode == Mode.UNLOADING_HZ:
        return -v, z - law.second_leaf, inf
    return -v, inf, inf


@kernel
def write_guards(mode, branch, z, v, law, g, first):
    """The three margins into the guard vector, from index `first`."""
    g[first], g[first + 1], g[first + 2] = guards(mode, branch, z, v, law)


@kernel
def leave(mode, guard, branch, z, v, law):
    """Next mode and its branch; the force is continuous."""
    f = force(branch, z)
    stage = branch.stage
    if guard == Guard.TURN:
        direction = -1.0 if mode == Mode.LOADING_H or mode == Mode.LOADING_HZ else 1.0
        if abs(static_force(stage, z, law) - f) < law.near_equilibrium:
            return Mode.AUTO, _enter_auto(direction, stage, z, f, law)
    elif guard == Guard.SECOND_LEAF:
        stage = 1.0 - stage
        direction = 1.0 if stage > 0.5 else -1.0
    else:
        direction = 1.0 if v >= 0.0 else -1.0
    return running_mode(direction, stage), directed(direction, stage, z, f, law)


@kernel
def settle(mode, branch, z, v, law):
    """Mode and branch after a jump of the rate: a branch whose direction is gone turns."""
    if mode == Mode.AUTO:
        if branch.kappa * v > 0.0:
            direction = 1.0 if v > 0.0 else -1.0
            branch = directed(direction, branch.stage, z, force(branch, z), law)
        return Mode.AUTO, branch
    rising = mode == Mode.LOADING_H or mode == Mode.LOADING_HZ
    if (rising and v < 0.0) or (not rising and v > 0.0):
        return leave(mode, Guard.TURN, branch, z, v, law)
    return running_mode(1.0 if rising else -1.0, branch.stage), branch


@kernel
def _polynomial(start, shape, s):
    """start + sum_k shape[k] s^(k+1) and its derivative."""
    value = 0.0
    derivative = 0.0
    for k in range(shape.shape[0] - 1, -1, -1):
        derivative = derivative * s + (k + 1) * shape[k]
        value = (value + shape[k]) * s
    return start + value, derivative


@kernel
def _turning_point(v, v_shape, direction):
    """Part of the step at which the rate leaves `direction`; its end is known to have the other sign."""
    low, high, s = 0.0, 1.0, 0.5
    if v * direction <= 0.0:
        return 0.0
    for _ in range(TURN_ITERATIONS):
        value, derivative = _polynomial(v, v_shape, s)
        if value * direction > 0.0:
            low = s
        else:
            high = s
        newton = s - value / derivative if derivative != 0.0 else low
        following = newton if low < newton < high else 0.5 * (low + high)
        if abs(following - s) <= 1e-15:
            break
        s = following
    return s


@kernel
def after_step(mode, branch, z, v, z_shape, v_shape, law):
    """Soft update in AUTO with Reading.FULL: (1 if the branch changed else 0, branch).

    `z`, `v` are the values at the start of the step, `z_shape[k]`, `v_shape[k]` the coefficients of s^(k+1)
    of their interpolants (`shape` in docs/reference/hybrid-systems.md, combined as z is from the state).
    """
    if mode != Mode.AUTO or law.reading != Reading.FULL:
        return 0, branch
    direction = 1.0 if branch.kappa < 0.0 else -1.0
    v_end, _ = _polynomial(v, v_shape, 1.0)
    if v_end * direction >= 0.0:
        return 0, branch
    z_turn, _ = _polynomial(z, z_shape, _turning_point(v, v_shape, direction))
    return 1, directed(-direction, branch.stage, z_turn, force(branch, z_turn), law)
