"""Runs of the constrained wheelset: our solvers, the published run characteristics, and who beats whom.

What is counted. The published #f leaves out the evaluations for Jacobians (DDASSL at 1e-4: 10304 evaluations, 1407
Jacobians of 17 columns). Of ours, `evaluations` is everything: right-hand sides, those for difference Jacobians,
inner iterations, and the evaluations of the constraints alone on which half-explicit methods live, each as a full
one. A published row is beaten if that number is not above its #f. `as_printed` leaves our difference Jacobians out
as well: the same count on both sides.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf, nan
from time import process_time
from typing import Any

import numpy as np

from klingel.literature.wheelset_dae import ode
from klingel.literature.wheelset_dae import problem as wheelset_dae
from klingel.literature.wheelset_dae.problem import DURATION, REFERENCE, Formulation, Wheelset, mescd, scd
from klingel.numerics.dae.half_explicit import method as half_explicit
from klingel.numerics.dae.half_explicit.scheme import BRASEY_HAIRER_4, CASH_KARP_5, Scheme
from klingel.numerics.dae.problem import Treatment
from klingel.numerics.dae.radau import method as radau
from klingel.numerics.dae.run import DaeRun

IMPLICIT_TOLERANCE = 1e-11  # of the two most accurate runs
EXPLICIT_TOLERANCE = 1e-12
DEFAULT = radau.Options()


@dataclass(frozen=True)
class Published:
    """A row of Table II.22.3; CPU times of a computer of 2006 are left out."""

    solver: str
    tolerance: float
    mescd: float
    scd: float
    steps: int
    accepted: int
    rhs: int
    jacobians: int

    @property
    def evaluations(self) -> int:
        """With the 17 evaluations of a difference Jacobian, which `rhs` leaves out."""
        return self.rhs + 17 * self.jacobians


PUBLISHED = (
    Published("DDASSL", 1e-4, 1.35, 0.15, 5949, 5117, 10304, 1407),
    Published("DDASSL", 1e-5, 2.78, 1.40, 9888, 8667, 16150, 1815),
    Published("DDASSL", 1e-6, 3.67, 2.32, 16010, 14298, 25256, 2577),
    Published("MEBDFI", 1e-4, 1.32, 0.12, 5758, 5188, 42694, 1185),
    Published("MEBDFI", 1e-5, 3.93, 2.59, 9317, 8485, 64945, 1765),
    Published("MEBDFI", 1e-6, 4.89, 3.22, 13240, 12255, 86260, 2248),
    Published("PSIDE-1", 1e-4, 1.53, 0.42, 1276, 945, 22090, 547),
    Published("PSIDE-1", 1e-5, 2.81, 1.67, 2335, 1507, 39204, 608),
    Published("PSIDE-1", 1e-6, 4.52, 3.34, 3070, 2068, 54074, 571),
)


@dataclass(frozen=True)
class Row:
    """One run in the columns of Table II.22.3, and a few more."""

    solver: str
    rtol: float
    atol: str
    h0: str
    mescd: float
    scd: float
    steps: int
    accepted: int
    rhs: int  # every evaluation
    jacobians: int
    factorisations: int
    cpu: float  # [s]
    rhs_jacobian: int  # of these, for difference Jacobians
    constraints: int
    drift: float  # of g1 [m]; not a number where g1 is the constraint itself
    end: np.ndarray

    @property
    def evaluations(self) -> int:
        return self.rhs + self.constraints

    @property
    def as_printed(self) -> int:
        return self.evaluations - self.rhs_jacobian


@dataclass(frozen=True)
class Case:
    """A wheelset with its consistent start and the values its runs are measured against."""

    wheelset: Wheelset
    start: np.ndarray
    duration: float
    reference: np.ndarray


def weights(rtol: float) -> np.ndarray:
    """Absolute tolerances that save steps: displacements and their speeds tighter, the fast spin looser."""
    atol = np.full(17, rtol)
    atol[:8] *= 0.1
    atol[10] *= 10.0
    return atol


@dataclass(frozen=True)
class Solver:
    name: str
    run: Callable[[Case, float], DaeRun]
    loosest: float = 1e-4
    tightest: float = 1e-10
    atol: str = "rtol"


def implicit(
    formulation: Formulation, weighted: bool = False, options: radau.Options = DEFAULT
) -> Callable[[Case, float], DaeRun]:
    treatment = Treatment.STABILISE if formulation == Formulation.STABILISED else Treatment.REPORT

    def run(case: Case, rtol: float) -> DaeRun:
        problem = wheelset_dae.problem(case.wheelset, formulation, case.start)
        settings = {
            "rtol": rtol,
            "atol": weights(rtol) if weighted else rtol,
            "treatment": treatment,
            "check": False,
        }
        return radau.solve(problem, case.start, case.duration, options=options, **settings)

    return run


def explicit(scheme: Scheme, weighted: bool = False) -> Callable[[Case, float], DaeRun]:
    def run(case: Case, rtol: float) -> DaeRun:
        problem = wheelset_dae.problem(case.wheelset, Formulation.INDEX_2, case.start)
        atol = weights(rtol) if weighted else rtol
        settings = {"rtol": rtol, "atol": atol, "scheme": scheme, "check": False}
        return half_explicit.solve(problem, case.start, case.duration, **settings)

    return run


SOLVERS = (
    Solver("Radau IIA, index 2", implicit(Formulation.INDEX_2)),
    Solver("Radau IIA, stabilised index 2", implicit(Formulation.STABILISED)),
    Solver("Radau IIA, index 3", implicit(Formulation.INDEX_3)),
    Solver("half-explicit Cash-Karp", explicit(CASH_KARP_5)),
    Solver("half-explicit Brasey-Hairer", explicit(BRASEY_HAIRER_4), tightest=1e-7),
)


def tuned(name: str, **options: Any) -> Solver:
    run = implicit(Formulation.INDEX_2, weighted=True, options=radau.Options(**options))
    return Solver(f"Radau IIA, index 2, {name}", run, atol="weighted")


# settings tried against the published rows, each with its -log10 rtol: fewest evaluations, few evaluations where
# a coarse Newton iteration would lose the motion, few besides Jacobians, fewest steps
CHALLENGERS = (
    (tuned("coarse Newton", reuse_rate=0.5, newton_tolerance=0.3), np.arange(4.25, 5.1, 0.125)),
    (tuned("old Jacobians", reuse_rate=0.5, newton_tolerance=0.1), np.arange(2.5, 6.6, 0.125)),
    (tuned("new Jacobians", reuse_rate=0.2, newton_tolerance=0.1), np.arange(2.5, 4.6, 0.125)),
    (
        tuned("long steps", reuse_rate=0.5, newton_tolerance=0.01, max_newton=15, safety=0.95),
        np.arange(2.25, 4.9, 0.125),
    ),
)


def measure(solver: Solver, case: Case, rtol: float) -> Row:
    """One timed run."""
    started = process_time()
    done = solver.run(case, rtol)
    cpu = process_time() - started
    stats = done.stats
    whole = done.t[-1] == case.duration
    return Row(
        solver=solver.name,
        rtol=rtol,
        atol=solver.atol,
        h0="automatic",
        mescd=mescd(done.end, case.reference) if whole else -inf,
        scd=scd(done.end, case.reference) if whole else -inf,
        steps=stats.steps,
        accepted=stats.accepted,
        rhs=stats.rhs,
        jacobians=stats.jacobians,
        factorisations=stats.factorisations,
        cpu=cpu,
        rhs_jacobian=stats.rhs_jacobian,
        constraints=stats.constraints,
        drift=max(done.drift.values(), default=nan),
        end=done.end,
    )


def beats(ours: Row, theirs: Published, count: str = "evaluations") -> bool:
    """The same or better mescd with no more steps, and no more evaluations than the printed #f."""
    return ours.mescd >= theirs.mescd and excess(ours, theirs, count) <= 1.0


def excess(ours: Row, theirs: Published, count: str = "evaluations") -> float:
    """Ours over theirs, in steps or in evaluations, whichever is larger."""
    return max(ours.steps / theirs.steps, getattr(ours, count) / theirs.rhs)


def challengers(case: Case) -> list[Row]:
    """All runs set against the published rows."""
    return [measure(solver, case, 10.0**-exponent) for solver, exponents in CHALLENGERS for exponent in exponents]


def challenge(theirs: Published, rows: Sequence[Row], count: str = "evaluations") -> Row:
    """Of our runs with the same or better mescd the one with the smallest excess."""
    able = [row for row in rows if row.mescd >= theirs.mescd]
    return min(able, key=lambda row: excess(row, theirs, count))


def implicit_route(
    wheelset: Wheelset, start: np.ndarray, duration: float = DURATION, tolerance: float = IMPLICIT_TOLERANCE
) -> DaeRun:
    """Most accurate implicit run, on the index-2 DAE."""
    problem = wheelset_dae.problem(wheelset, Formulation.INDEX_2, start)
    return radau.solve(problem, start, duration, rtol=tolerance, atol=tolerance)


def explicit_route(wheelset: Wheelset, start: np.ndarray, duration: float = DURATION) -> tuple[np.ndarray, DaeRun]:
    """End values of the underlying ODE by an explicit method with projection, and its run."""
    problem = ode.problem(wheelset, start)
    settings = {"rtol": EXPLICIT_TOLERANCE, "atol": EXPLICIT_TOLERANCE, "scheme": CASH_KARP_5}
    done = half_explicit.solve(problem, start[:11], duration, treatment=Treatment.PROJECT, **settings)
    return ode.all_components(problem, done.end), done


def published_case() -> Case:
    """Default parameters, measured against the published end values."""
    wheelset = Wheelset()
    return Case(wheelset, wheelset_dae.start(wheelset), DURATION, REFERENCE)
