"""Compiled functions of de Pater's wheelset for the event loop; the independent variable is the distance s [m].

=========  ==============================================  =====================================
flange     force                                           ways out
=========  ==============================================  =====================================
FREE       none; a rail let go at s_0, moved by delta_0,   the flange reaches the rail -> PRESSED
           returns like delta_0 exp(-k (s - s_0)/(d V))
PRESSED    k delta + d V delta' on the rail                the force falls to zero -> FREE
=========  ==============================================  =====================================

A run stops where a tread carries no load: there the wheel would climb, with one more degree of freedom.
"""

from math import exp, inf

import numpy as np

from klingel._jit import kernel
from klingel.literature.de_pater.equations_of_motion import motion, rail_force
from klingel.literature.de_pater.geometry import LEFT, RIGHT, flange, tread
from klingel.literature.de_pater.layout import STATES, Forces, Mem, P, Second, X
from klingel.literature.de_pater.parameters import DePaterWheelset
from klingel.numerics.problem import HybridProblem
from klingel.numerics.signatures import ACT, AFTER_STEP, GUARDS, RHS

REFUSED = 1
STOP = 1
GUARD_NAMES = (
    "right flange touches",
    "right flange leaves",
    "left flange touches",
    "left flange leaves",
    "right tread unloaded",
    "left tread unloaded",
)
GUARD_TOLERANCE = (1e-12, 1e-6, 1e-12, 1e-6, 1e-6, 1e-6)  # [m], [N]
_SIDES = (RIGHT, LEFT)


@kernel(signature=RHS)
def rhs(t, x, memory, mode, p, dx):
    now = motion(t, x, memory, mode, p)
    for i in range(4):
        dx[i] = x[i + 4]
    dx[X.U_1] = now.u
    dx[X.CHI_1] = now.chi
    dx[X.V_1] = now.v
    dx[X.PSI_1] = now.psi
    return 0 if now.found else REFUSED


@kernel
def free_rail(t, k, memory, p):
    """How far a rail let go is still moved."""
    delta = memory[2 * k]
    if delta == 0.0 or p[P.D_RAIL] == 0.0:
        return 0.0
    return delta * exp(-p[P.K_RAIL] * (t - memory[2 * k + 1]) / (p[P.D_RAIL] * p[P.V]))


@kernel(signature=GUARDS)
def guards(t, x, memory, mode, p, g):
    at = tread(x[X.V], p)
    for k in range(2):
        g[2 * k] = g[2 * k + 1] = inf
        if p[P.K_RAIL] > 0.0:
            second = flange(_SIDES[k], x[X.V], at, p)
            if mode[k] == Second.FREE:
                g[2 * k] = free_rail(t, k, memory, p) - second.overlap
            else:
                g[2 * k + 1] = rail_force(second, x, p)
    now = motion(t, x, memory, mode, p)
    g[4] = now.one.n
    g[5] = now.two.n


@kernel(signature=ACT)
def act(t, x, memory, mode, p, fired):
    at = tread(x[X.V], p)
    for k in range(2):
        if fired[2 * k]:
            mode[k] = Second.PRESSED
        if fired[2 * k + 1]:
            mode[k] = Second.FREE
            memory[2 * k] = max(flange(_SIDES[k], x[X.V], at, p).overlap, 0.0)
            memory[2 * k + 1] = t
    return STOP if fired[4] or fired[5] else 0


@kernel(signature=AFTER_STEP)
def after_step(t, h, x, shape, x_new, memory, mode, p):
    """Keep the tangential forces as start of the next iteration, (7-4); the derivative does not depend on them."""
    if int(p[P.FORCES]) == Forces.PREVIOUS_STEP:
        now = motion(t + h, x_new, memory, mode, p)
        memory[Mem.T_Y1] = now.one.ty
        memory[Mem.T_Y2] = now.two.ty
    return 0


def de_pater_problem(wheelset: DePaterWheelset) -> HybridProblem:
    """The hybrid system; start it with both flanges free."""
    return HybridProblem(
        rhs,
        wheelset.flat(),
        STATES,
        guards=guards,
        act=act,
        after_step=after_step,
        guard_names=GUARD_NAMES,
        guard_owner=(0, 0, 1, 1, -1, -1),
        guard_tolerance=GUARD_TOLERANCE,
        mode_names=("right flange", "left flange"),
        mode_types=(Second, Second),
        memory=np.zeros(len(Mem)),
        mode=np.full(2, Second.FREE, np.int8),
    )


def start(**values: float) -> np.ndarray:
    """A state by the names of its components, zero elsewhere."""
    x = np.zeros(len(STATES))
    for name, value in values.items():
        x[STATES.index(name)] = value
    return x
