"""The constrained wheelset of the DAE test set, 10 s, next to SUNDIALS IDA at equal mescd.

The digits a solver reaches scatter by a few tenths from one tolerance to the next, because friction amplifies
rounding. So each side runs a list of tolerances, a quarter of a decade apart, and its time at a given number of
digits is read off a parabola through log(time) over mescd. Times are those of the processor: all runs have one
thread, and one side may meet busier neighbours than the other. IDA (through scikit-sundae) calls the same compiled
equations as our loops and gets what helps it: the consistent start, the multipliers in its error test, and the
better of its own difference quotients and a compiled Jacobian, with which one call from Python serves seventeen
residuals. It watches no lift-off, so our runs do not either.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from importlib import import_module
from time import process_time

import numpy as np

from klingel._jit import kernel
from klingel.bench.row import Row
from klingel.literature.wheelset_dae import problem as wheelset_dae
from klingel.literature.wheelset_dae.problem import DURATION, MASS, Formulation, Wheelset, mescd, motion, rolling
from klingel.literature.wheelset_dae.runs import Case, explicit_route
from klingel.numerics.dae.half_explicit import method as half_explicit
from klingel.numerics.dae.half_explicit.scheme import CASH_KARP_5
from klingel.numerics.dae.projection import difference_step
from klingel.numerics.dae.radau import method as radau
from klingel.numerics.dae.run import DaeRun

AIM = 6.0  # times faster
DIGITS = (2.0, 3.0, 4.0, 5.0)  # mescd
OURS = np.arange(3.0, 6.6, 0.25)  # -log10 of the tolerances
PEER = np.arange(4.0, 8.1, 0.25)
REPEATS = 3
PEER_NAME = "SUNDIALS IDA (scikit-sundae), same compiled residual"


@kernel(inner=True)
def _residual(u, du, p, f, r):
    left, right = motion(u, p, f)
    f[15] = rolling(left, u)
    f[16] = rolling(right, u)
    for i in range(17):
        r[i] = -f[i]
    for i in range(11):
        r[i] += du[i]


@kernel
def residual(u, du, p, f, r):
    """0 = M u' - f(u)."""
    _residual(u, du, p, f, r)


@kernel
def residual_jacobian(u, du, cj, p, work, jac):
    """Columns d r/d u + cj d r/d u' by one-sided differences; `work` has four rows."""
    for i in range(17):
        work[0, i] = u[i]
    _residual(work[0], du, p, work[1], work[2])
    for j in range(17):
        keep = work[0, j]
        delta = difference_step(keep)
        work[0, j] = keep + delta
        _residual(work[0], du, p, work[1], work[3])
        work[0, j] = keep
        for i in range(17):
            jac[i, j] = (work[3, i] - work[2, i]) / delta
        if j < 11:
            jac[j, j] += cj


def ida(case: Case, rtol: float, compiled_jacobian: bool) -> Callable[[], np.ndarray]:
    """A run of the peer, ready to be timed; returns the end values."""
    peer = import_module("sksundae.ida")  # an extra; its absence is reported in the row

    p = wheelset_dae.problem(case.wheelset, Formulation.INDEX_2, case.start).parameters
    f, work = np.zeros(17), np.zeros((4, 17))
    residual(case.start, np.zeros(17), p, f, np.zeros(17))
    rates = f * MASS

    def function(t, u, du, r):
        residual(u, du, p, f, r)

    def jacobian(t, u, du, r, cj, jac):
        residual_jacobian(u, du, cj, p, work, jac)

    options = {"rtol": rtol, "atol": rtol, "algebraic_idx": list(range(11, 17)), "max_num_steps": 10**6}
    if compiled_jacobian:
        options["jacfn"] = jacobian

    def run() -> np.ndarray:
        solver = peer.IDA(function, **options)
        return solver.solve(np.array([0.0, case.duration]), case.start, rates).y[-1]

    return run


def shortest_time(action: Callable[[], object]) -> float:
    """Of a few runs, time of the processor [s]."""
    times = []
    for _ in range(REPEATS):
        started = process_time()
        action()
        times.append(process_time() - started)
    return min(times)


def time_at(run: Callable[[float], np.ndarray], exponents: np.ndarray, reference: np.ndarray) -> np.ndarray:
    """Times [s] at DIGITS, from the runs of one solver with the tolerances 10^-exponents."""
    digits, times = [], []
    for exponent in exponents:
        digits.append(mescd(run(10.0**-exponent), reference))
        times.append(shortest_time(lambda e=exponent: run(10.0**-e)))
    return np.exp(np.polyval(np.polyfit(digits, np.log(times), 2), DIGITS))


def rows(report: Callable[[str], None] = lambda text: None) -> Iterator[Row]:
    wheelset = Wheelset()
    start = wheelset_dae.start(wheelset)
    reference, _ = explicit_route(wheelset, start)
    case = Case(wheelset, start, DURATION, reference)
    problem = wheelset_dae.problem(wheelset, Formulation.INDEX_2, start)
    problem = replace(problem, guards=None, guard_names=())
    solvers: dict[str, Callable[..., DaeRun]] = {
        "Radau IIA": radau.solve,
        "half-explicit Cash-Karp": partial(half_explicit.solve, scheme=CASH_KARP_5),
    }
    ours = {}
    for name, solve in solvers.items():
        report(f"constrained wheelset: {name}")
        run = partial(solve, problem, start, DURATION, check=False)
        ours[name] = time_at(lambda rtol, run=run: run(rtol=rtol, atol=rtol).end, OURS, reference)
    report("constrained wheelset: SUNDIALS IDA")
    peer = _peer_times(case)
    for k, digits in enumerate(DIGITS):
        name = min(ours, key=lambda key: ours[key][k])
        title = f"constrained wheelset DAE, 10 s, mescd {digits:g} ({name})"
        if peer is None:
            yield Row(title, float(ours[name][k]), PEER_NAME, None, AIM, "s", "peer not installed")
        else:
            yield Row(title, float(ours[name][k]), PEER_NAME, float(peer[k]), AIM, "s")


def _peer_times(case: Case) -> np.ndarray | None:
    """The better of its two Jacobians at each number of digits; None where the peer is not installed."""
    try:
        both = [
            time_at(lambda rtol, c=compiled: ida(case, rtol, c)(), PEER, case.reference)
            for compiled in (False, True)
        ]
    except ImportError:
        return None
    return np.minimum(*both)
