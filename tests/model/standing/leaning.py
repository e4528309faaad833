"""How far a vehicle leans when its weight tips what it leans on, apart from the engine.

Wheelsets stand on four springs after Hertz and may move along, not aside or in yaw; every other body moves as it
may. Without the tipping forces have an energy, which has one least value; from there the tipping grows to its full
size, and the rest is followed by Newton's method. Where it ends, in a fold, the vehicle falls.
"""

import numpy as np

from tests.model.standing.random_vehicles import GRAVITY, INDEX, left_on

HALF = 0.75  # of the gauge of the contact points [m]
NEAR = 1e-8  # of the weight
STEP = 1e-8  # of differences
SHORTEST = 1e-3  # part of the tipping


def lean(vehicle, found, hertz):
    """Largest angle [rad]; infinite where there is no rest."""
    q, turned, further = _rest(vehicle, found, hertz), 0.0, 0.1
    while q is not None and turned < 1.0:
        ahead = _rest(vehicle, found, hertz, min(turned + further, 1.0), q)
        if ahead is not None and np.abs(ahead - q).max() < 0.1:
            q, turned = ahead, min(turned + further, 1.0)
        elif (further := further / 2) < SHORTEST:
            return np.inf
    angles = (
        [abs(x) for (_, c), x in zip(_free(vehicle), q, strict=True) if c in ("roll", "pitch", "yaw")]
        if q is not None
        else []
    )
    return max(angles, default=np.inf)


def _free(vehicle):
    wheeled = {w.body for w in vehicle.wheelsets}
    held = ("y", "yaw")
    return [
        (b.name, c) for b in vehicle.bodies for c in b.free if c in INDEX and not (b.name in wheeled and c in held)
    ]


def _left(vehicle, found, hertz, turned, q):
    place = {b.name: np.zeros(6) for b in vehicle.bodies}
    for (name, coordinate), x in zip(_free(vehicle), q, strict=True):
        place[name][INDEX[coordinate]] = x
    total = left_on(vehicle, place, found, turned)
    for w in vehicle.wheelsets:
        for y in (HALF, -HALF):
            load = hertz * max(-(place[w.body][2] + y * place[w.body][3]), 0.0) ** 1.5
            total[w.body][[2, 3]] += load, y * load
    return np.array([total[name][INDEX[coordinate]] for name, coordinate in _free(vehicle)])


def _rest(vehicle, found, hertz, turned=0.0, q=None):
    """From q, or, without tipping, from the position drawn with steps that lower the energy."""
    weight = sum(b.mass for b in vehicle.bodies) * GRAVITY
    first = q is None
    q = np.array([-1e-4 if c == "z" else 0.0 for _, c in _free(vehicle)]) if first else q
    for _ in range(400 if first else 30):
        left = _left(vehicle, found, hertz, turned, q)
        if np.abs(left).max() < NEAR * weight:
            return q
        moved = STEP * np.eye(q.size)
        slope = np.column_stack(
            [
                _left(vehicle, found, hertz, turned, q + m) - _left(vehicle, found, hertz, turned, q - m)
                for m in moved
            ]
        ) / (2 * STEP)
        step = -np.linalg.solve(slope - first * 1e-3 * weight * np.eye(q.size), left)
        part = min(1.0, 0.05 / np.abs(step).max())
        while first and part > 1e-12:
            if -_left(vehicle, found, hertz, turned, q + part * step) @ step <= 0.1 * abs(left @ step):
                break
            part *= 0.5  # beyond the least energy along the step
        q = q + part * step
    return None
