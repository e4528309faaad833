"""The fourteen equations of the Cooperrider bogie and the four of the single wheelset, written out by hand.

q1, q2 lateral and yaw of the front wheelset, q3, q4 of the rear one; q5, q6, q7 lateral, yaw, roll of the frame.
Independent of the engine: no bodies, points or elements.
"""

from dataclasses import dataclass, replace
from math import hypot

import numpy as np

NAMES = (
    "leading_front_wheelset.y", "leading_front_wheelset.yaw",
    "leading_rear_wheelset.y", "leading_rear_wheelset.yaw",
    "leading_frame.y", "leading_frame.yaw", "leading_frame.roll",
)  # fmt: skip


@dataclass(frozen=True)
class Parameters:
    mw: float = 1022.0
    iwy: float = 678.0
    mf: float = 2918.0
    ify: float = 6780.0
    ifr: float = 6780.0
    k1: float = 1.823e6
    k2: float = 3.646e6
    k3: float = 3.646e6
    k4: float = 0.1823e6
    k5: float = 0.3333e6
    k6: float = 2.710e6
    c1: float = 20e3
    c2: float = 29.2e3
    c6: float = 0.0
    a: float = 0.716
    b: float = 1.074
    d1: float = 0.620
    d2: float = 0.680
    h1: float = 0.0762
    h2: float = 0.6584
    r0: float = 0.4572
    conicity: float = 0.05
    psi: float = 0.54219
    phi: float = 0.60252
    gab: float = 6.563e6
    limit: float = 10e3
    k0: float = 14.6e6
    delta: float = 0.0091


REFERENCE = Parameters()
LINEAR = replace(REFERENCE, limit=np.inf, k0=0.0)  # no saturation, no flange: the linear part itself


def creep(p, y, yaw, y_dot, yaw_dot, speed):
    x = (p.a * yaw_dot / speed + p.conicity * y / p.r0) / p.psi
    z = (y_dot / speed - yaw) / p.phi
    u = p.gab * hypot(x, z) / p.limit
    force = p.gab * (1.0 - u / 3.0 + u * u / 27.0) if u < 3.0 else p.limit / hypot(x, z)
    return force * x, force * z


def flange(p, y):
    if y > p.delta:
        return p.k0 * (y - p.delta)
    return p.k0 * (y + p.delta) if y < -p.delta else 0.0


def bogie_accelerations(q, v, speed, p=REFERENCE):
    a1 = 2 * p.k1 * (q[0] - q[4] - p.b * q[5] - p.h1 * q[6])
    a2 = 2 * p.k1 * (q[2] - q[4] + p.b * q[5] - p.h1 * q[6])
    a3 = 2 * p.k2 * p.d1**2 * (q[1] - q[5])
    a4 = 2 * p.k2 * p.d1**2 * (q[3] - q[5])
    a5 = 2 * p.c2 * (v[4] - p.h2 * v[6]) + 2 * p.k4 * (q[4] - p.h2 * q[6])
    a6 = p.k6 * q[5] + p.c6 * v[5]
    a7 = 2 * p.c1 * p.d2**2 * v[6] + 2 * p.k5 * p.d2**2 * q[6] + 4 * p.k3 * p.d1**2 * q[6]
    x1, y1 = creep(p, q[0], q[1], v[0], v[1], speed)
    x2, y2 = creep(p, q[2], q[3], v[2], v[3], speed)
    return np.array(
        [
            (-a1 - 2 * y1 - flange(p, q[0])) / p.mw,
            (-a3 - 2 * p.a * x1) / p.iwy,
            (-a2 - 2 * y2 - flange(p, q[2])) / p.mw,
            (-a4 - 2 * p.a * x2) / p.iwy,
            (a1 + a2 - a5) / p.mf,
            (p.b * a1 - p.b * a2 + a3 + a4 - a6) / p.ify,
            (p.h1 * (a1 + a2) + p.h2 * a5 - a7) / p.ifr,
        ]
    )


def wheelset_accelerations(q, v, speed, p=REFERENCE):
    x, y = creep(p, q[0], q[1], v[0], v[1], speed)
    lateral = -2 * p.k1 * q[0] - 2 * y - flange(p, q[0])
    yaw = -2 * p.k2 * p.d1**2 * q[1] - 2 * p.a * x
    return np.array([lateral / p.mw, yaw / p.iwy])


def linear_matrix(speed, p=LINEAR):
    """d(q, v)'/d(q, v) of the bogie; the equations without saturation and flange are linear."""
    matrix = np.zeros((14, 14))
    matrix[:7, 7:] = np.eye(7)
    for j, unit in enumerate(np.eye(14)):
        matrix[7:, j] = bogie_accelerations(unit[:7], unit[7:], speed, p)
    return matrix
