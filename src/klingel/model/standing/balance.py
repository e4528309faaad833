"""Positions at which all accelerations vanish: damped Newton's method on a vehicle without memory.

At rest sliders are unloaded and leaf springs on their line c (z - z*), whatever the deformation: then forces
are a function of the positions alone, and the Jacobian matrix is that of this function. Sliders are left out,
leaf springs follow their line, dead bands and stops are in the mode of their deformation, wheels in the section
of their shift.

Steps are those of Newton's method, halved until the next step (with the same matrix) would be shorter. Rows and
columns are scaled; what nothing holds has no column and stays where it is. Where that does not come nearer,
pseudo-time: the vehicle is let down as if every body moved through a thick medium,

    (1/tau - J) dx = a(x),     tau grows as the accelerations a fall,

which follows the motion of a heavily damped vehicle to its rest and ends in Newton's method.
"""

from dataclasses import dataclass, replace

import numpy as np

from klingel.model import assembly
from klingel.model.builder import Compiled
from klingel.model.description import SPIN
from klingel.model.kinds.registry import with_hook
from klingel.model.layout import Moves
from klingel.model.standing.settled_modes import choose_sections, port_deformation, port_rate
from klingel.model.system import BodyField, Head, Run
from klingel.numerics.linear.least_squares import LeastSquares

ITERATIONS = 40
PSEUDO_STEPS = 60
SHORT = 12  # iterations of Newton's method tried on the way
POLISH = 3  # iterations below the bound, as long as they come nearer
HALVINGS = 10
DIFFERENCE = 1e-8  # of positions and spins for the Jacobian matrix; a loaded wheel penetrates 1e-4 m
SMALLEST_PIVOT = 1e-10  # of the scaled matrix, rounding of the differences is below it
LARGEST_STEP = 0.05  # of a step in pseudo-time [m, rad, rad/s]
LARGEST_ANGLE = 0.2  # of a body at rest [rad]
RELATIVE = 1e-10  # force that may be left, of the weight of a body
ROUNDINGS = 8.0  # of one metre, radian or radian per second in an acceleration that cannot be told from zero


@dataclass
class Balance:
    """A vehicle on the way to its rest; `compiled` is a copy without sliders, `x` the best position so far.

    What is `held`, <body>.<coordinate>, stays where it is, and what is left there is not looked at. `helping` is
    taken from all accelerations: what a hand gives that has not let go yet.
    """

    compiled: Compiled
    x: np.ndarray
    memory: np.ndarray
    mode: np.ndarray
    held: frozenset[str] = frozenset()
    helping: np.ndarray | float = 0.0

    def __post_init__(self) -> None:
        states = self.compiled.layout.state_info
        free = np.array([f"{s.owner}.{s.coordinate}" not in self.held for s in states], bool)
        sought = [s.moves != Moves.RATE or s.coordinate == SPIN for s in states]
        self.unknown = np.flatnonzero(free & sought)
        self.first = int(self.compiled.system.i[Head.POSITIONS])
        self.counts = free[self.first :]
        rows = {(s.owner, s.coordinate): k for k, s in enumerate(states[self.first :])}
        self.row = np.array([rows[states[k].owner, states[k].coordinate] for k in self.unknown], int)
        self.allowed = RELATIVE * weights(self.compiled)
        self.bound = self.allowed
        self.residual = self.accelerations(self.x)

    def let_go(self) -> "Balance":
        """From here on with nothing held."""
        return Balance(self.compiled, self.x.copy(), self.memory.copy(), self.mode.copy())

    def help(self, helping: np.ndarray) -> None:
        self.helping = helping
        self.residual = self.accelerations(self.x)

    def settle(self, x: np.ndarray) -> None:
        choose_sections(self.compiled, x, self.mode)
        system = self.compiled.system
        u, v = (port(system, x, self.memory, self.mode) for port in (port_deformation, port_rate))
        for kind in with_hook("close"):
            kind.close(system, u, v, self.mode)
        for kind in with_hook("static_line"):
            kind.static_line(system, u, self.memory, self.mode)
        assembly.prepare(system, self.memory, self.mode)

    def force(self, x: np.ndarray) -> np.ndarray:
        """Accelerations and rates of own states in the present modes; not a number off the contact table."""
        dx = np.zeros(x.size)
        refused = assembly.rhs(0.0, x, self.memory, self.mode, self.compiled.system, dx)
        if refused:
            return np.full(x.size - self.first, np.nan)
        return np.where(self.counts, dx[self.first :] - self.helping, 0.0)

    def accelerations(self, x: np.ndarray) -> np.ndarray:
        """In the modes that belong to x."""
        self.settle(x)
        return self.force(x)

    def jacobian(self) -> np.ndarray:
        """Of the accelerations by the unknowns at x, whose modes are kept."""
        columns = []
        for k in self.unknown:
            h = DIFFERENCE * max(1.0, abs(self.x[k]))
            ahead, behind = self.x.copy(), self.x.copy()
            ahead[k] += h
            behind[k] -= h
            columns.append((self.force(ahead) - self.force(behind)) / (ahead[k] - behind[k]))
        return np.column_stack(columns) if columns else np.zeros((self.residual.size, 0))

    @property
    def reached(self) -> bool:
        return bool((np.abs(self.residual) <= self.bound).all())

    @property
    def largest_angle(self) -> float:
        """Of any body [rad]."""
        states = self.compiled.layout.state_info
        turns = [abs(self.x[k]) for k, s in enumerate(states) if s.moves == Moves.POSITION and s.unit == "rad"]
        return max(turns, default=0.0)

    @property
    def fallen(self) -> bool:
        """Rotations are small angles: a body that has turned further does not stand."""
        return self.largest_angle >= LARGEST_ANGLE

    def moved(self, change: np.ndarray) -> np.ndarray:
        x = self.x.copy()
        x[self.unknown] += change
        return x

    @np.errstate(over="ignore", invalid="ignore")  # of absurd vehicles; what is not finite ends the search
    def newton(self, iterations: int = ITERATIONS) -> bool:
        """Whether rest was reached; x is where it came to."""
        best, polished = (self.x.copy(), np.inf), 0
        for _ in range(iterations):
            jacobian = self.jacobian()
            if not np.isfinite(jacobian).all() or not np.isfinite(self.residual).all():
                break
            size = np.maximum(1.0, np.abs(self.x[self.unknown]))
            self.bound = self.allowed + ROUNDINGS * np.finfo(float).eps * (np.abs(jacobian) @ size)
            left = float(np.abs(self.residual / self.bound).max(initial=0.0))
            if left < best[1]:
                best = (self.x.copy(), left)
            elif left <= 1.0:
                break
            if left == 0.0 or (left <= 1.0 and (polished := polished + 1) > POLISH):
                break
            if not self._step(jacobian, left <= 1.0):
                break
        self.x = best[0]
        self.residual = self.accelerations(self.x)
        return best[1] <= 1.0

    def _step(self, jacobian: np.ndarray, near: bool) -> bool:
        solve = _solver(jacobian)
        change = -solve(self.residual)
        length = np.linalg.norm(change)
        part = 1.0
        for _ in range(HALVINGS):
            ahead = self.moved(part * change)
            residual = self.accelerations(ahead)
            if np.isfinite(residual).all() and (
                near or np.linalg.norm(solve(residual)) <= (1.0 - 0.25 * part) * length
            ):
                self.x, self.residual = ahead, residual
                return True
            part *= 0.5
        self.accelerations(self.x)
        return False

    @np.errstate(over="ignore", invalid="ignore")
    def let_down(self) -> bool:
        """Pseudo-time until Newton's method finds rest."""
        tau, size = 1e-4, float(np.linalg.norm(self.residual / self.allowed))
        for count in range(1, PSEUDO_STEPS + 1):
            jacobian = self.jacobian()
            if not np.isfinite(jacobian).all() or not np.isfinite(size):
                return False
            while True:
                matrix = np.eye(self.row.size) / tau - jacobian[self.row]
                change = LeastSquares(matrix, np.finfo(float).tiny).solve(self.residual[self.row])
                if np.abs(change).max(initial=0.0) <= LARGEST_STEP:
                    ahead = self.moved(change)
                    residual = self.accelerations(ahead)
                    if np.isfinite(residual).all():
                        break
                tau *= 0.25
                if tau < 1e-14:
                    self.accelerations(self.x)
                    return False
            before, size = size, float(np.linalg.norm(residual / self.allowed))
            self.x, self.residual = ahead, residual
            tau *= min(max(before / max(size, 1e-300), 0.7), 3.0) * 1.3
            if count % 10 == 0:
                kept = self.x.copy(), self.residual.copy()
                if self.newton(SHORT):
                    return True
                self.x, self.residual = kept
                self.accelerations(self.x)
        return False


def without_memory(compiled: Compiled) -> Compiled:
    """A copy in which sliders carry nothing."""
    found = replace(compiled, system=compiled.system.copy(), mode=compiled.mode.copy())
    for kind in with_hook("unload"):
        kind.unload(found.system, found.mode)
    return found


def weights(compiled: Compiled) -> np.ndarray:
    """Acceleration a body's weight would give each of its coordinates, with an arm of one metre for rotations."""
    system, layout = compiled.system, compiled.layout
    gravity = max(float(system.f[system.i[Head.RUN] + Run.GRAVITY]), 1.0)
    states = layout.state_info[int(system.i[Head.POSITIONS]) :]
    own = [1.0 if s.moves == Moves.OWN else _body(compiled, s.owner)[BodyField.MASS] for s in states]
    return gravity * np.array(own) / inertias(compiled)


def inertias(compiled: Compiled) -> np.ndarray:
    """Mass or moment of inertia of each coordinate whose acceleration is looked at; one for own states."""
    turned = {"roll": BodyField.INERTIA_X, "pitch": BodyField.INERTIA_Y, "yaw": BodyField.INERTIA_Z}
    turned[SPIN] = BodyField.INERTIA_Y
    return np.array(
        [
            1.0 if s.moves == Moves.OWN else _body(compiled, s.owner)[turned.get(s.coordinate, BodyField.MASS)]
            for s in compiled.layout.state_info[int(compiled.system.i[Head.POSITIONS]) :]
        ]
    )


def _body(compiled: Compiled, name: str) -> np.ndarray:
    first = int(compiled.system.i[Head.BODY]) + BodyField.SIZE * compiled.layout.bodies.index(name)
    return compiled.system.f[first : first + BodyField.SIZE]


def _solver(jacobian: np.ndarray):
    """Least squares with the least change, of the matrix with rows and columns scaled."""
    row = 1.0 / np.maximum(np.abs(jacobian).max(axis=1, initial=0.0), 1e-6)
    scaled = jacobian * row[:, None]
    column = 1.0 / np.maximum(np.abs(scaled).max(axis=0, initial=0.0), 1e-6)
    factors = LeastSquares(scaled * column, SMALLEST_PIVOT)

    def solve(r: np.ndarray) -> np.ndarray:
        return column * factors.solve(row * r)

    return solve
