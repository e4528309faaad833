"""A wheelset across the track, apart from the engine: profiles as points, springs after Hertz, no friction.

Neither a contact table nor its rules for two contacts are used. A wheel touches where the overlap of its profile
with that of the rail has a maximum (maxima within a patch are one contact); each of them carries c q^1.5 + d q'.
"""

from typing import NamedTuple

import numpy as np
from scipy.integrate import solve_ivp
from scipy.interpolate import CubicSpline

from klingel.contact.geometry.placement import RailPair, WheelPair
from klingel.contact.profiles.curve import sample
from klingel.contact.profiles.s1002 import s1002
from klingel.contact.profiles.uic60 import uic60

SPACING = 4e-5  # of the points of a wheel [m]
PATCH = 4e-3  # maxima nearer than this are one contact [m]
STEEP = 0.8  # contact angle of a flange [rad]


class Touch(NamedTuple):
    depth: float  # along the normal [m]
    normal: np.ndarray  # of the rail on the wheel: what a force of one does to y, z and roll
    angle: float


class Slide(NamedTuple):
    time: np.ndarray
    place: np.ndarray  # [row][y, z, roll]
    rate: np.ndarray
    force: np.ndarray  # normal forces [row][left, right]


class PlanarWheelset:
    """`loads`: force on y, z and roll of all but the rails; `stiffness`: c of both treads and of the flange."""

    def __init__(self, mass, loads, inclination, stiffness, damping, radius=0.46):
        self.mass, self.loads, self.stiffness, self.damping, self.radius = mass, loads, stiffness, damping, radius
        wheel = WheelPair(s1002(), radius=radius).placed()[0]
        rail = RailPair(uic60(), inclination=inclination).placed()[0]
        out, down = _points(wheel)
        even = np.arange(out[0], out[-1], SPACING)
        self.wheel = even, np.interp(even, out, down)
        self.ends = _points(rail)[0][[0, -1]]
        self.rail = CubicSpline(*_points(rail))

    def touches(self, place, side):
        """Contacts of the left (1) or the right (-1) wheel, the deepest first."""
        y, z, roll = place
        across, up = side * self.wheel[0], -self.wheel[1]
        at_y = side * (y + np.cos(roll) * across - np.sin(roll) * up)
        at_z = self.radius + z + np.sin(roll) * across + np.cos(roll) * up
        over = np.where((at_y > self.ends[0]) & (at_y < self.ends[1]), self.rail(at_y) - at_z, -1.0)
        tops = np.flatnonzero((over[1:-1] > 0.0) & (over[1:-1] >= over[:-2]) & (over[1:-1] > over[2:])) + 1
        found, taken = [], []
        for k in tops[np.argsort(-over[tops])]:
            if any(abs(at_y[k] - other) < PATCH for other in taken):
                continue
            taken.append(at_y[k])
            low, mid, high = over[k - 1 : k + 2]
            top = mid + 0.125 * (high - low) ** 2 / max(2.0 * mid - low - high, 1e-300)
            slope = side * float(self.rail(at_y[k], 1))
            size = np.hypot(1.0, slope)
            n = np.array([-slope, 1.0]) / size
            arm = np.array([side * at_y[k] - y, at_z[k] - self.radius - z])
            found.append(Touch(top / size, np.array([*n, arm[0] * n[1] - arm[1] * n[0]]), np.arctan(abs(slope))))
        return found

    def normal_forces(self, place, rate):
        """Of both wheels, and what they do to y, z and roll."""
        forces, total = np.zeros(2), np.zeros(3)
        for w, side in enumerate((1, -1)):
            for touch in self.touches(place, side):
                c = self.stiffness[2 if touch.angle > STEEP else w]
                force = max(c * touch.depth**1.5 - self.damping * touch.normal @ rate, 0.0)
                total += force * touch.normal
                forces[w] += force
        return forces, total

    def slide(self, place, duration):
        """Let go at rest at `place`."""

        def rates(_, x):
            total = self.normal_forces(x[:3], x[3:])[1] + self.loads(x[:3])
            return np.concatenate([x[3:], total / self.mass])

        done = solve_ivp(rates, (0.0, duration), [*place, 0.0, 0.0, 0.0], rtol=1e-5, atol=1e-8, max_step=1e-4)
        assert done.success
        force = [self.normal_forces(x[:3], x[3:])[0] for x in done.y.T]
        return Slide(done.t, done.y[:3].T, done.y[3:].T, np.array(force))


def _points(pieces):
    """Outwards and up, or the radius, in rising order."""
    rows = np.empty((100 * len(pieces) + 1, 6))
    sample(pieces, np.linspace(0.0, len(pieces), len(rows)), rows)
    out, index = np.unique(rows[:, 0], return_index=True)
    kept = np.concatenate([[True], np.diff(out) > 1e-7])
    return out[kept], rows[index, 1][kept]


def linear(loads, place):
    """Loads near `place` without the leaf springs' kinks."""
    at = np.array(place)
    slope = np.column_stack([(loads(at + d) - loads(at - d)) / 2e-5 for d in 1e-5 * np.eye(3)])
    here = loads(at)
    return lambda p: here + slope @ (p - at)
