"""Can it do more than trains?

A mass on a moving belt is held by a spring: it sticks to the belt, is carried along, slips back, and sticks again.
The equations of motion, the event functions and what happens at an event are three plain Python functions; the
integrator finds the events.
"""

import numpy as np

import klingel as kg
from klingel.plots.style import figure, save

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
run = kg.integrate(mass, [0.0, BELT], t_end=40.0, output_step=0.02)
fig, (motion, phase) = figure(1, 2, height_cm=7.0)
motion.plot(run.t, run["position"])
motion.plot(run.events.time, np.interp(run.events.time, run.t, run["position"]), "o", markersize=4)
motion.set(xlabel="time [s]", ylabel="position [m]")
phase.plot(run["position"], run["speed"])
phase.set(xlabel="position [m]", ylabel="speed [m/s]")
save(fig, "belt.png")
