"""Lateral model of a car body on two Cooperrider bogies on cones, written down by its springs; no engine in it.

Every spring and damper is a row that tells its deformation from the coordinates; stiffness and damping matrices
are sums of row^T k row. Coordinates: of each bogie those of `cooperrider_equations` (y, yaw of both wheelsets; y,
yaw, roll of the frame), then y, yaw, roll of the car body. Seventeen coordinates, 34 equations.
"""

from dataclasses import dataclass

import numpy as np

from tests.model.cooperrider_equations import REFERENCE, Parameters

BOGIES = ("leading", "trailing")
OF_BOGIE = ("front_wheelset.y", "front_wheelset.yaw", "rear_wheelset.y", "rear_wheelset.yaw",
            "frame.y", "frame.yaw", "frame.roll")  # fmt: skip
BODY = ("carbody.y", "carbody.yaw", "carbody.roll")
NAMES = (*(f"{bogie}_{name}" for bogie in BOGIES for name in OF_BOGIE), *BODY)
SIZE = len(NAMES)


@dataclass(frozen=True)
class Car:
    mass: float = 44388.0
    roll: float = 2.8e5
    yaw: float = 5.0e5
    pivot: float = 7.5  # half the distance of the bogies
    above: float = 0.9  # centre of mass above the secondary springs


CAR = Car()


def _row(**shares: float) -> np.ndarray:
    row = np.zeros(SIZE)
    for name, share in shares.items():
        body, _, coordinate = name.rpartition("__")
        row[NAMES.index(f"{body}.{coordinate}")] = share
    return row


def matrices(p: Parameters = REFERENCE, car: Car = CAR) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Mass, stiffness and damping of everything but the wheels."""
    mass, stiffness, damping = np.zeros(SIZE), np.zeros((SIZE, SIZE)), np.zeros((SIZE, SIZE))

    def put(row: np.ndarray, k: float, c: float = 0.0) -> None:
        nonlocal stiffness, damping
        stiffness += k * np.outer(row, row)
        damping += c * np.outer(row, row)

    for bogie, at in zip(BOGIES, (car.pivot, -car.pivot), strict=True):
        frame = f"{bogie}_frame"
        for axle, sx in (("front", 1.0), ("rear", -1.0)):
            w = f"{bogie}_{axle}_wheelset"
            mass[NAMES.index(f"{w}.y")], mass[NAMES.index(f"{w}.yaw")] = p.mw, p.iwy
            across = _row(
                **{f"{w}__y": 1.0, f"{frame}__y": -1.0, f"{frame}__yaw": -sx * p.b, f"{frame}__roll": -p.h1}
            )
            put(across, 2.0 * p.k1)
            put(_row(**{f"{w}__yaw": p.d1, f"{frame}__yaw": -p.d1}), 2.0 * p.k2)
            put(_row(**{f"{frame}__roll": p.d1}), 2.0 * p.k3)
        for name, m in (("y", p.mf), ("yaw", p.ify), ("roll", p.ifr)):
            mass[NAMES.index(f"{frame}.{name}")] = m
        # a point above the frame moves by y - h2 roll, one below the body by y + above roll + at yaw
        across = _row(**{f"{frame}__y": 1.0, f"{frame}__roll": -p.h2, "carbody__y": -1.0, "carbody__yaw": -at,
                         "carbody__roll": -car.above})  # fmt: skip
        put(across, 2.0 * p.k4, 2.0 * p.c2)
        put(_row(**{f"{frame}__roll": p.d2, "carbody__roll": -p.d2}), 2.0 * p.k5, 2.0 * p.c1)
        put(_row(**{f"{frame}__yaw": 1.0, "carbody__yaw": -1.0}), p.k6, p.c6)
    for name, m in zip(BODY, (car.mass, car.yaw, car.roll), strict=True):
        mass[NAMES.index(name)] = m
    return mass, stiffness, damping


def linear_matrix(speed: float, p: Parameters = REFERENCE, car: Car = CAR) -> np.ndarray:
    """d(q, v)'/d(q, v) about rest: creep without saturation, no flange."""
    mass, stiffness, damping = matrices(p, car)
    for bogie in BOGIES:
        for axle in ("front", "rear"):
            w = f"{bogie}_{axle}_wheelset"
            y, yaw = NAMES.index(f"{w}.y"), NAMES.index(f"{w}.yaw")
            # lateral force -2 gab/phi (y'/V - yaw), yaw moment -2 a gab/psi (a yaw'/V + conicity y/r0)
            damping[y, y] += 2.0 * p.gab / p.phi / speed
            stiffness[y, yaw] -= 2.0 * p.gab / p.phi
            damping[yaw, yaw] += 2.0 * p.a**2 * p.gab / p.psi / speed
            stiffness[yaw, y] += 2.0 * p.a * p.gab / p.psi * p.conicity / p.r0
    matrix = np.zeros((2 * SIZE, 2 * SIZE))
    matrix[:SIZE, SIZE:] = np.eye(SIZE)
    matrix[SIZE:, :SIZE] = -stiffness / mass[:, None]
    matrix[SIZE:, SIZE:] = -damping / mass[:, None]
    return matrix
