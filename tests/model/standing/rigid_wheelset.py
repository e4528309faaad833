"""A wheelset with rigid wheels on rigid rails, apart from the engine; contact points from the table."""

import numpy as np

from klingel.contact.table.wheel_table import ROW, Row, evaluate, state_at
from tests.model.standing.random_vehicles import INDEX, left_on

MOVING = [INDEX[c] for c in ("y", "z", "roll")]


class RigidWheelset:
    """The first body of a vehicle; `sides` are the tables of its wheels, all other bodies stay at `places`."""

    def __init__(self, vehicle, sides, places, found):
        self.vehicle, self.sides, self.places, self.found = vehicle, sides, places, found
        self.body, radius = vehicle.bodies[0], vehicle.wheelsets[0].radius
        self.radius = radius
        self.part = [0, 0]  # which contact of an overlap each wheel stands on
        self.mass = np.array([self.body.mass, self.body.mass, self.body.inertia[0]])

    def row(self, side, y):
        table, found = self.sides[side], np.zeros(ROW)
        state = state_at(table, y)
        assert evaluate(table, state // 2 + state % 2 * self.part[side], y, ROW, found)
        return found

    def depth(self, place):
        """Penetration of both wheels at y, z, roll."""
        y, z, roll = place
        found = []
        for side in (0, 1):
            r = self.row(side, y)
            across, up = r[Row.RAIL_Y] - y, r[Row.RAIL_Z] - self.radius - z
            b_y = np.cos(roll) * across + np.sin(roll) * up - r[Row.WHEEL_Y]
            b_z = np.cos(roll) * up - np.sin(roll) * across - r[Row.WHEEL_Z]
            found.append(b_z * r[Row.COS] - b_y * r[Row.SIN])
        return np.array(found)

    def normals(self, place):
        """What a normal force of one does to y, z and roll, by wheel."""
        y, _, roll = place
        found = []
        for side in (0, 1):
            r = self.row(side, y)
            across, up = -r[Row.SIN], r[Row.COS]
            arm = r[Row.WHEEL_Y] * up - r[Row.WHEEL_Z] * across
            found.append([across - roll * up, up + roll * across, arm])
        return np.array(found)

    def loads(self, place):
        """Weight and suspension on y, z and roll, other bodies held."""
        places = {name: p.copy() for name, p in self.places.items()}
        places[self.body.name][MOVING] = place
        return left_on(self.vehicle, places, self.found)[self.body.name][MOVING]

    def slopes(self, place):
        """Of both penetrations by y, z and roll; the table's own, between its nodes not quite the normal."""
        return np.column_stack([(self.depth(place + d) - self.depth(place - d)) / 2e-8 for d in 1e-8 * np.eye(3)])

    def touching(self, roll, guess):
        """y and z at which both wheels touch, at this roll."""
        at = np.array([*guess, roll], float)
        for _ in range(30):
            r = self.depth(at)
            if np.abs(r).max() < 1e-13:
                return at
            at[:2] -= np.linalg.solve(self.slopes(at)[:, :2], r)
        raise AssertionError(f"no position with roll {roll}")

    def let_go(self, place, other):
        """Normal forces of both wheels when it is let go there at rest under its loads and `other` ones."""
        g, slope = self.normals(place), self.slopes(place)
        matrix, free = -(slope / self.mass) @ g.T, -(slope / self.mass) @ (self.loads(place) + other)
        for pressed in ([0, 1], [0], [1]):
            n = np.zeros(2)
            n[pressed] = np.linalg.solve(matrix[np.ix_(pressed, pressed)], -free[pressed])
            if (n >= 0.0).all() and (matrix @ n + free >= -1e-9).all():
                return n
        raise AssertionError("both wheels in the air")

    def slide(self, place, end, step=1e-5):
        """Let go at rest, sliding without friction until its shift is `end`: times, places, normal forces.

        Roll is the coordinate of the one motion that rigid contacts leave.
        """
        path = [self.touching(place[2], place[:2])]
        while True:
            slope = self.slopes(path[-1])
            guess = path[-1][:2] + np.linalg.solve(slope[:, :2], slope[:, 2]) * step
            if guess[0] <= end:
                break
            path.append(self.touching(path[-1][2] - step, guess))
        path = np.array(path)
        slope = np.gradient(path, -step, axis=0, edge_order=2)
        bend = np.gradient(slope, -step, axis=0, edge_order=2)
        square, force, rates = 0.0, [], []
        for p, s, b in zip(path, slope, bend, strict=True):
            matrix = np.column_stack([self.mass * s, -self.normals(p).T])
            turn, *normal = np.linalg.solve(matrix, self.loads(p) - self.mass * b * square)
            force.append(normal)
            rates.append(np.sqrt(square))
            square -= 2.0 * turn * step  # d(rate^2) = 2 turn d(roll)
        rates = np.array(rates)
        time = np.concatenate([[0.0], np.cumsum(2.0 * step / (rates[1:] + rates[:-1]))])
        return time, path, np.array(force)
