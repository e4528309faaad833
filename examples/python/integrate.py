"""A bouncing ball: events are located, the ball is turned round at each."""

import numpy as np

import klingel as kg


def fall(t, x, memory, mode, p, dx):
    dx[0] = x[1]
    dx[1] = -9.81


def above_floor(t, x, memory, mode, p, g):
    g[0] = x[0]


def bounce(t, x, memory, mode, p, fired):
    x[1] *= -p[0]


ball = kg.HybridProblem(fall, np.array([0.9]), ("height", "speed"), above_floor, bounce, guard_names=("floor",))
run = kg.integrate(ball, [1.0, 0.0], t_end=3.0, rtol=1e-9, output_step=0.01)
print(run.events.time, run.ended)
