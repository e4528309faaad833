"""De Pater's wheelset in motion: what the example `de-pater` computes besides the contact geometry.

Small motion below and above the critical speed, linear and nonlinear; his integration method and force
iteration next to ours; hunting against the flanges; a side push through tread-to-flange contact and back; the
limit of a stiffening rail. The paper prints no parameter: see `literature.de_pater.parameters` for the choice.
"""

from dataclasses import dataclass, replace
from math import cos, log, sin

import numpy as np
from numpy.typing import NDArray

from klingel._errors import InputError
from klingel.literature.de_pater.history import History, history
from klingel.literature.de_pater.hybrid_system import de_pater_problem, rhs, start
from klingel.literature.de_pater.layout import STATES, P, X
from klingel.literature.de_pater.linear import (
    critical_speed,
    hunting_mode,
    lateral_matrix,
    symmetric_matrix,
    whole_matrix,
)
from klingel.literature.de_pater.parameters import DePaterWheelset
from klingel.literature.de_pater.rigid import flange_mass, restitution, rigid_double_contact
from klingel.numerics.integrate import integrate
from klingel.numerics.ode.workspace import Status
from klingel.numerics.trajectory import Trajectory

SLOWEST, FASTEST = 5.0, 200.0  # between which the critical speed is sought [m/s]
SMALL = 1e-4  # lateral start of the motion compared with the linear one [m]
TINY = 1e-7  # … of the motion whose eigenvalue is measured [m]
WAVES = 12.0  # length of the small motions in wavelengths
SAME = 1e-7  # tolerance at which his method and ours are compared
NO_FRICTION = 1e-9  # stands for zero
APPROACH = 2e-3  # v' of a collision with the flange [-]
LONG_ENOUGH = 2.0  # for the flange to leave again [m]
PERIODS = 5  # of the longitudinal vibration over which a steady force is averaged
STEPS = np.array([1e-8] * 4 + [1e-9] * 4)  # of the difference quotients; the law bends like tau |tau|


@dataclass(frozen=True)
class SmallMotion:
    wheelset: DePaterWheelset
    s: NDArray
    linear: NDArray  # v [m]
    nonlinear: NDArray
    mode: complex  # eigenvalue of the linear equations [1/m]
    measured: complex  # … and of the nonlinear run

    @property
    def difference(self) -> float:
        """Largest difference of both motions over the largest shift."""
        return float(np.abs(self.linear - self.nonlinear).max() / np.abs(self.linear).max())


def travel(
    wheelset: DePaterWheelset, x: NDArray, distance: float, step: float | None, method: str, rtol: float
) -> Trajectory:
    return integrate(
        de_pater_problem(wheelset), x, distance, method=method, rtol=rtol, atol=1e-4 * rtol, output_step=step
    )


def small_motion(wheelset: DePaterWheelset, method: str) -> SmallMotion:
    """A start of 0.1 mm, followed for some waves by both sets of equations."""
    mode = hunting_mode(wheelset)
    length = WAVES * 2.0 * np.pi / mode.imag
    run = travel(wheelset, start(v=SMALL), length, length / 600.0, method, 1e-9)
    values, vectors = np.linalg.eig(whole_matrix(wheelset))
    shares = np.linalg.solve(vectors, start(v=SMALL).astype(complex))
    linear = (np.exp(np.outer(run.t, values)) * shares) @ vectors[X.V]
    return SmallMotion(wheelset, run.t, linear.real, run["v"], mode, measured_mode(wheelset, method))


def measured_mode(wheelset: DePaterWheelset, method: str) -> complex:
    """Eigenvalue of the nonlinear run: how the hunting mode's share of a tiny motion evolves [1/m]."""
    values, left = np.linalg.eig(lateral_matrix(wheelset).T)
    mode = int(np.argmax(np.real(values) + 1e-9 * (np.imag(values) > 0.0)))
    span = 0.3 * 2.0 * np.pi / abs(values[mode].imag)
    run = integrate(de_pater_problem(wheelset), start(v=TINY), span, method=method, rtol=1e-10, atol=1e-17)
    shares = left[:, mode] @ run.x[[0, -1]][:, [X.V, X.PSI, X.V_1, X.PSI_1]].T
    rate = complex(np.log(shares[1] / shares[0]) / span)
    return complex(rate.real, abs(rate.imag))


def linearisation_error(wheelset: DePaterWheelset) -> float:
    """Largest difference of the closed-form matrix and difference quotients, over the largest entry of its row."""
    problem, exact = de_pater_problem(wheelset), whole_matrix(wheelset)
    found = np.empty_like(exact)

    def derivative(x: NDArray) -> NDArray:
        dx = np.empty(x.size)
        rhs(0.0, x, problem.memory.copy(), problem.mode.copy(), problem.parameters, dx)
        return dx

    for j, h in enumerate(STEPS):
        e = h * np.eye(len(STATES))[j]
        wide, narrow = derivative(2 * e) - derivative(-2 * e), derivative(e) - derivative(-e)
        found[:, j] = (8.0 * narrow - wide) / (12.0 * h)
    return float(np.max(np.abs(found - exact) / np.abs(exact).max(axis=1, keepdims=True)))


@dataclass(frozen=True)
class Methods:
    """His way (RKF23, force iteration from the previous step) and ours on one motion."""

    difference: float  # over the largest shift
    his_steps: int
    our_steps: int
    his_rounds: float  # of the force iteration per evaluation
    our_rounds: float


def compare_methods(wheelset: DePaterWheelset, distance: float) -> Methods:
    ours = travel(wheelset, start(v=3e-3), distance, distance / 400.0, "dopri54", SAME)
    his_way = replace(wheelset, forces="previous-step")
    his = travel(his_way, start(v=3e-3), distance, distance / 400.0, "rkf23", SAME)
    rounds = [run.problem.parameters[P.ROUNDS] / run.problem.parameters[P.CALLS] for run in (his, ours)]
    apart = float(np.abs(his["v"] - ours["v"]).max() / np.abs(ours["v"]).max())
    return Methods(apart, his.stats.accepted, ours.stats.accepted, *(float(r) for r in rounds))


def power_defect(wheelset: DePaterWheelset, distance: float) -> tuple[float, float]:
    """Largest d(kinetic energy)/ds not explained by the power of the forces, over the largest power.

    First with all terms of inertia, then without J*' q*' as in (4-19).
    """
    found = []
    for terms in ("complete", "first-order"):
        w = replace(wheelset, inertia_terms=terms)
        h = history(travel(w, start(v=5e-3, v_prime=1e-3), distance, distance / 400.0, "dopri54", 1e-8))
        found.append(float(np.abs(h["gradient"] - h["power"]).max() / np.abs(h["power"]).max()))
    return found[0], found[1]


@dataclass(frozen=True)
class Stiffening:
    """Steady double contact on rails of growing stiffness."""

    stiffness: NDArray  # [N/m]
    force: NDArray  # of the flange [N]
    limit: float  # … on a rigid rail [N]

    @property
    def order(self) -> float:
        """Exponent p of error ~ k^-p over the last two entries."""
        errors = np.abs(self.force - self.limit)[-2:]
        return log(errors[0] / errors[1]) / log(self.stiffness[-1] / self.stiffness[-2])


@dataclass(frozen=True)
class Collisions:
    """One hit of the flange on rails of growing stiffness."""

    stiffness: NDArray  # [N/m]
    rebound: NDArray  # speed after over speed before
    largest: NDArray  # lateral force on the rail [N]
    smooth_rebound: NDArray  # the same without friction
    smooth_impulse: NDArray  # over m_e times the approach
    limit: float  # of the rebound without friction, closed form

    def extrapolated(self, values: NDArray) -> float:
        """Limit of a + b k^-1/2 + c/k through the last three entries."""
        x = self.stiffness[-3:] ** -0.5
        return float(np.polyfit(x / x[-1], values[-3:], 2)[-1])

    @property
    def growth(self) -> float:
        """Exponent of the largest force over the stiffness, last two entries."""
        return log(self.largest[-1] / self.largest[-2]) / log(self.stiffness[-1] / self.stiffness[-2])


def steady_force(wheelset: DePaterWheelset, method: str) -> float:
    """Normal force of the flange on the push's plateau, its mean over the last longitudinal vibrations.

    These fade very slowly: the body holds u by a spring without damping, and the wheel rolls along.
    """
    wave = 2.0 * np.pi / np.abs(np.linalg.eigvals(symmetric_matrix(wheelset)).imag).max()
    end = wheelset.push_start + wheelset.push_ramp + wheelset.push_hold
    step = wave / 20.0
    run = travel(wheelset, start(), end, step, method, 1e-8)
    if run.status != Status.DONE:
        raise InputError("push", wheelset.push, f"must not unload a tread: {run.ended}")
    return float(history(run)["n3"][run.t > end - (PERIODS + 1e-9) * wave][1:].mean())


def collide(wheelset: DePaterWheelset, method: str) -> tuple[float, float, float]:
    """Rebound, impulse over m_e times the approach, and largest lateral force of one hit of the flange."""
    w = replace(wheelset, push=0.0)
    x = start(v=w.flange_clearance - 2e-6, v_prime=APPROACH, psi=APPROACH)
    run = integrate(de_pater_problem(w), x, LONG_ENOUGH, method=method, rtol=1e-9, atol=1e-13)
    h = history(run)
    touches, leaves = (run.events.of(f"right flange {word}") for word in ("touches", "leaves"))
    if touches.size == 0 or leaves.size == 0:
        raise InputError("rail_stiffness", w.rail_stiffness, f"must let the flange touch and leave: {run.ended}")
    touch, leave = touches[0], leaves[0]
    first, last = int(np.flatnonzero(h.s == touch)[-1]), int(np.flatnonzero(h.s == leave)[0])
    part = slice(first, last + 1)
    lateral = h["n3"][part] * sin(w.flange_angle) + h["ty3"][part] * cos(w.flange_angle)
    approach = h["v_prime"][first]
    # the damper's part of the impulse cancels but for the rail's last displacement
    elastic = np.trapezoid(w.rail_stiffness * h["right_rail"][part], h.s[part]) / w.speed
    impulse = elastic + w.rail_damping * (h["right_rail"][last] - h["right_rail"][first])
    size = flange_mass(w) * w.speed * approach
    return float(-h["v_prime"][last] / approach), float(impulse / size), float(lateral.max())


def stiffening(wheelset: DePaterWheelset, factors: NDArray, method: str) -> Stiffening:
    stiffer = [wheelset.stiffened(float(f)) for f in factors]
    forces = np.array([steady_force(w, method) for w in stiffer])
    return Stiffening(np.array([w.rail_stiffness for w in stiffer]), forces, rigid_double_contact(wheelset).n3)


def collisions(wheelset: DePaterWheelset, factors: NDArray, method: str) -> Collisions:
    stiffer = [wheelset.stiffened(float(f)) for f in factors]
    hits = np.array([collide(w, method) for w in stiffer])
    smooth = np.array([collide(replace(w, friction=NO_FRICTION), method) for w in stiffer])
    return Collisions(
        stiffness=np.array([w.rail_stiffness for w in stiffer]),
        rebound=hits[:, 0],
        largest=hits[:, 2],
        smooth_rebound=smooth[:, 0],
        smooth_impulse=smooth[:, 1],
        limit=restitution(wheelset.damping_ratio(flange_mass(wheelset))),
    )


def push_through(wheelset: DePaterWheelset, method: str) -> tuple[Trajectory, History]:
    """A side force that presses the flange to the rail and lets it go again."""
    w = wheelset
    end = w.push_start + 2.0 * w.push_ramp + w.push_hold + 30.0
    run = travel(w, start(), end, 0.02, method, 1e-8)
    return run, history(run)


def hunt(wheelset: DePaterWheelset, distance: float, method: str) -> tuple[Trajectory, History]:
    """Hunting above the critical speed, bounded by the flanges."""
    run = travel(wheelset, start(v=1e-3), distance, 0.02, method, 1e-7)
    return run, history(run)


def critical(wheelset: DePaterWheelset) -> float:
    return critical_speed(wheelset, SLOWEST, FASTEST)
