"""A mass that sticks and slips on a moving belt: two modes, and the guards between them."""

import numpy as np

import klingel as kg

BELT, STIFFNESS, STATIC, KINETIC = 0.1, 1.0, 0.6, 0.4
STICK, SLIP = 0, 1


def rhs(t, x, memory, mode, p, dx):
    dx[0] = BELT if mode[0] == STICK else x[1]
    dx[1] = 0.0 if mode[0] == STICK else KINETIC - STIFFNESS * x[0]


def guards(t, x, memory, mode, p, g):
    g[0] = STATIC - STIFFNESS * x[0] if mode[0] == STICK else BELT - x[1]


def act(t, x, memory, mode, p, fired):
    mode[0] = SLIP if mode[0] == STICK else STICK
    x[1] = BELT


mass = kg.HybridProblem(
    rhs,
    np.zeros(1),
    ("position", "speed"),
    guards=guards,
    act=act,
    guard_names=("stick or slip",),
    guard_owner=(0,),
    mode_names=("friction",),
    mode=np.array([STICK]),
)
run = kg.integrate(mass, [0.0, BELT], t_end=30.0)
print(run.events.time)
