"""Small systems with known periodic orbits: smooth, switching, striking. Compiled once per process."""

import numpy as np
from scipy.optimize import fsolve

from klingel.analysis.orbits.family import Family
from klingel.analysis.orbits.find_orbit import Settings, Start, orbit_of_run
from klingel.analysis.orbits.flow import Flow
from klingel.numerics.problem import HybridProblem

NONE = np.zeros(0)


def start(*x: float, mode: tuple[int, ...] = (), t: float = 0.0) -> Start:
    return Start(np.array(x, float), NONE, np.array(mode, np.int8), t)


def _van_der_pol(t, x, memory, mode, p, dx):
    dx[0] = x[1]
    dx[1] = p[0] * (1.0 - x[0] ** 2) * x[1] - x[0]


VAN_DER_POL = Family(lambda mu: HybridProblem(_van_der_pol, np.array([float(mu)]), ("x", "v")))


def _linear(t, x, memory, mode, p, dx):
    dx[0] = x[1]
    dx[1] = np.cos(t) - x[1] - p[0] * x[0]


LINEAR = Family(
    lambda stiffness: HybridProblem(_linear, np.array([float(stiffness)]), ("x", "v")), drive=lambda _: 2.0 * np.pi
)


def _hopf_and_fold(t, x, memory, mode, p, dx):
    r = x[0] ** 2 + x[1] ** 2
    growth = p[0] + p[1] * r - r**2
    dx[0] = x[0] * growth - x[1]
    dx[1] = x[1] * growth + x[0]


HOPF_AND_FOLD = Family(lambda p1: HybridProblem(_hopf_and_fold, np.array([float(p1), 1.0]), ("x", "y")))


def _brusselator(t, x, memory, mode, p, dx):
    dx[0] = 1.0 - (p[0] + 1.0) * x[0] + x[0] ** 2 * x[1]
    dx[1] = p[0] * x[0] - x[0] ** 2 * x[1]


BRUSSELATOR = Family(lambda b: HybridProblem(_brusselator, np.array([float(b)]), ("u", "v")))


def _duffing(t, x, memory, mode, p, dx):
    dx[0] = x[1]
    dx[1] = p[0] * np.cos(p[1] * t) - 0.04 * x[1] - x[0] - x[0] ** 3


DUFFING = Family(
    lambda omega: HybridProblem(_duffing, np.array([0.015, float(omega)]), ("x", "v")),
    drive=lambda omega: 2.0 * np.pi / omega,
)


def _lure(t, x, memory, mode, p, dx):
    dx[0] = x[1]
    dx[1] = x[2]
    dx[2] = -p[0] * x[2] - x[1] - x[0] + x[0] ** 2


LURE = Family(lambda alpha: HybridProblem(_lure, np.array([float(alpha)]), ("x", "y", "z")))


def _planar(t, x, memory, mode, p, dx):
    r = np.sqrt(x[0] ** 2 + x[1] ** 2)
    growth, turn = (1.0 - r, 1.0) if mode[0] == 0 else (p[0] * (p[1] - r), p[2] + p[1] - r)
    dx[0] = growth * x[0] - turn * x[1]
    dx[1] = growth * x[1] + turn * x[0]


def _planar_side(t, x, memory, mode, p, g):
    g[0] = -x[0] if mode[0] == 0 else x[0]


def _planar_switch(t, x, memory, mode, p, fired):
    if fired[0]:
        mode[0] = 1 - mode[0]


def planar(alpha: float, gamma: float = 1.5) -> Family:
    """Two logistic spirals, one on each side of x = 0; the parameter is the radius of the right one."""
    return Family(
        lambda beta: HybridProblem(
            _planar, np.array([alpha, float(beta), gamma]), ("x", "y"), guards=_planar_side, act=_planar_switch,
            guard_names=("side",), guard_owner=(0,), mode_names=("side",), mode=np.array([0]),
        )
    )  # fmt: skip


def _struck(t, x, memory, mode, p, dx):
    dx[0] = x[1]
    dx[1] = p[0] * np.cos(p[1] * t) - 0.1 * x[1] - x[0]


def _stop(t, x, memory, mode, p, g):
    g[0] = 1.0 - x[0]


def _strike(t, x, memory, mode, p, fired):
    if fired[0]:
        x[1] = -0.8 * x[1]


def impact_oscillator(omega: float = 1.0) -> Family:
    """x'' + 0.1 x' + x = A cos(omega t), a stop at x = 1, restitution 0.8; the parameter is A."""
    return Family(
        lambda amplitude: HybridProblem(
            _struck, np.array([float(amplitude), omega]), ("x", "v"), guards=_stop, act=_strike,
            guard_names=("stop",), guard_owner=(0,), mode_names=("stop",), mode=np.array([0]),
        ),
        drive=lambda _: 2.0 * np.pi / omega,
    )  # fmt: skip


def _pushed(t, x, memory, mode, p, dx):
    push = -26.0 if mode[0] == 0 else 26.0
    dx[0] = x[1]
    dx[1] = push - 0.2 * x[1] - x[0] - x[0] ** 3


def _half_time(t, x, memory, mode, p, g):
    g[0] = np.sin(p[0] * t) if mode[0] == 0 else -np.sin(p[0] * t)


def _other_push(t, x, memory, mode, p, fired):
    if fired[0]:
        mode[0] = 1 - mode[0]


BANG_BANG = Family(
    lambda omega: HybridProblem(
        _pushed, np.array([float(omega)]), ("x", "v"), guards=_half_time, act=_other_push, guard_names=("push",),
        guard_owner=(0,), mode_names=("push",), mode=np.array([0]),
    ),
    drive=lambda omega: 2.0 * np.pi / omega,
    symmetry=-np.ones(2),
)  # fmt: skip


def _stick_slip(t, x, memory, mode, p, dx):
    """States u, q, q'; stick has u = 0."""
    force = p[0] ** 2 * np.sin(0.92 * t) ** 2 / (1.0 - x[1]) ** 2 - 0.04 * x[2] - x[1]
    slips = mode[0] == 1
    dx[0] = -3.17 - force / 5.0 if slips else -x[0]
    dx[1] = x[2]
    dx[2] = 3.17 + 1.2 * force if slips else force


def _stick_slip_guards(t, x, memory, mode, p, g):
    g[0] = 0.5 - x[1]
    g[1] = x[0] if mode[0] == 1 else np.inf


def _stick_slip_act(t, x, memory, mode, p, fired):
    if fired[0]:
        x[0] = 1.8 / 6.0 * x[2]
        x[2] = -0.8 * x[2]
        mode[0] = 1
    elif fired[1]:
        x[0] = 0.0
        mode[0] = 0


STICK_SLIP = Family(
    lambda voltage: HybridProblem(
        _stick_slip, np.array([float(voltage)]), ("u", "q", "v"), guards=_stick_slip_guards, act=_stick_slip_act,
        guard_names=("stop", "stick"), guard_owner=(0, 0), mode_names=("slider",), mode=np.array([0]),
    ),
    drive=lambda _: np.pi / 0.92,
)  # fmt: skip


def _circuit(t, x, memory, mode, p, dx):
    """Freire's circuit: r = 0.6, beta = 0.5, gamma = -0.6, cubic conductances 0.3 and 0.9."""
    between = 0.9 * (x[1] - x[0]) ** 3
    dx[0] = (-(0.5 + p[0]) * x[0] + 0.5 * x[1] - 0.3 * x[0] ** 3 + between) / 0.6
    dx[1] = 0.5 * x[0] + 0.1 * x[1] - x[2] - between
    dx[2] = x[1]


def circuit(symmetric: bool) -> Family:
    """The parameter is nu; told of its symmetry, or not."""
    return Family(
        lambda nu: HybridProblem(_circuit, np.array([float(nu)]), ("x", "y", "z")),
        symmetry=-np.ones(3) if symmetric else None,
    )


def _reactor(t, x, memory, mode, p, dx):
    made = p[0] * (1.0 - x[0]) * np.exp(x[1])
    dx[0] = -x[0] + made
    dx[1] = -3.0 * x[1] + 14.0 * made


REACTOR = Family(lambda p: HybridProblem(_reactor, np.array([float(p)]), ("u", "v")))


def _lorenz(t, x, memory, mode, p, dx):
    dx[0] = 10.0 * (x[1] - x[0])
    dx[1] = p[0] * x[0] - x[1] - x[0] * x[2]
    dx[2] = x[0] * x[1] - 8.0 / 3.0 * x[2]


LORENZ = Family(lambda r: HybridProblem(_lorenz, np.array([float(r)]), ("x", "y", "z")))


def rest_of(family: Family, value: float, near) -> np.ndarray:
    """A state of rest, by Newton's method on the right-hand side."""
    problem = family.at(value)
    return fsolve(lambda x: rates(problem, x), near, xtol=1e-12)


def rates(problem: HybridProblem, x) -> np.ndarray:
    dx = np.zeros(len(problem.state_names))
    flow = Flow(problem, np.ones(dx.size), 1e-9)
    return flow.rate(0.0, np.ascontiguousarray(x, float), problem.memory, problem.mode).copy()


def linearised(family: Family, value: float, rest: np.ndarray) -> np.ndarray:
    """Matrix of the rates about rest, by centred differences."""
    problem, step = family.at(value), 1e-6
    sides = [(rates(problem, rest + step * e) - rates(problem, rest - step * e)) for e in np.eye(rest.size)]
    return np.column_stack(sides) / (2.0 * step)


def born_at(family: Family, value: float, rest: np.ndarray, size: float, settings: Settings):
    """First small orbit at a Hopf point, and the direction away from it."""
    values, shapes = np.linalg.eig(linearised(family, value, rest))
    k = int(np.argmax(np.where(np.abs(values.real) < 1e-4, values.imag, -1.0)))
    shape = shapes[:, k] / np.abs(shapes[:, k]).max()
    period = 2.0 * np.pi / values[k].imag
    begin = start(*(rest + size * shape.real))
    guess = orbit_of_run(family, value, begin, period, settings)
    e = guess.equations
    turns = np.arange(len(e.owner)) / len(e.owner) * (0.5 if settings.half else 1.0)
    grown = np.concatenate([size * (shape * np.exp(2j * np.pi * part)).real for part in turns])
    along = np.zeros(guess.unknowns.size)
    along[: grown.size] = grown / e.weights[: grown.size]
    along /= np.linalg.norm(along)
    return guess.corrected(settings.tolerance, along), along


def _rubbed(t, x, memory, mode, p, dx):
    """x'' + 0.1 x' + x = 1.5 cos(omega t) - sign(x'); modes: 0 rising, 1 falling, 2 at rest on its support."""
    friction = 0.0 if mode[0] == 2 else (1.0 if mode[0] == 0 else -1.0)
    dx[0] = 0.0 if mode[0] == 2 else x[1]
    dx[1] = 0.0 if mode[0] == 2 else 1.5 * np.cos(p[0] * t) - 0.1 * x[1] - x[0] - friction


def _rubbed_guards(t, x, memory, mode, p, g):
    pull = 1.5 * np.cos(p[0] * t) - x[0]
    g[0] = x[1] if mode[0] == 0 else (-x[1] if mode[0] == 1 else np.inf)
    g[1] = p[1] - pull if mode[0] == 2 else np.inf
    g[2] = p[1] + pull if mode[0] == 2 else np.inf


def _rubbed_act(t, x, memory, mode, p, fired):
    pull = 1.5 * np.cos(p[0] * t) - x[0]
    if fired[0]:
        x[1] = 0.0
        mode[0] = 0 if pull > p[1] else (1 if pull < -p[1] else 2)
    if fired[1]:
        mode[0] = 0
    if fired[2]:
        mode[0] = 1


def rubbed(static: float = 1.0) -> Family:
    """Dry friction of level 1, `static` at rest; the parameter is omega."""
    return Family(
        lambda omega: HybridProblem(
            _rubbed, np.array([float(omega), static]), ("x", "v"), guards=_rubbed_guards, act=_rubbed_act,
            guard_names=("turn", "pulled up", "pulled down"), guard_owner=(0, 0, 0), mode_names=("slides",),
            mode=np.array([0]),
        ),
        drive=lambda omega: 2.0 * np.pi / omega,
        symmetry=-np.ones(2),
    )  # fmt: skip
