"""A heater switched by a thermostat: two modes, and the guards between them."""

import numpy as np

import klingel as kg

OFF, ON = 0, 1


def rhs(t, x, memory, mode, p, dx):
    dx[0] = 5.0 * mode[0] - 0.1 * x[0]


def guards(t, x, memory, mode, p, g):
    g[0] = p[1] - x[0] if mode[0] == ON else x[0] - p[0]


def act(t, x, memory, mode, p, fired):
    mode[0] = OFF if mode[0] == ON else ON


room = kg.HybridProblem(
    rhs, np.array([19.0, 21.0]), ("temperature",), guards=guards, act=act, guard_names=("thermostat",),
    guard_owner=(0,), mode_names=("heater",), mode=np.array([ON]),
)  # fmt: skip
run = kg.integrate(room, [18.0], t_end=30.0)
print(run.events.time)  # every switch, located in time
