"""Is a DAE what it claims to be? Index, regularity and consistency of a start, found from the pencil (M, J).

With B(h) = (M/h - J)^-1 a perturbation of the equations moves component i by the i-th row of B. As h goes
to 0 that row grows like h^(1 - k) for a component of index k (like h for a plain differential one): the
slope between two steps is the index. A pencil that is singular for every h has equations that contradict or
repeat each other; its null vectors name them. B(h) f is one linearised implicit Euler step: what it does
not carry to zero with h is a jump, so the start was not consistent.

An index-3 multiplier is not checked: the linearised step lacks the curvature of the constraint, and Radau's
result does not depend on it.
"""

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from klingel._errors import InputError
from klingel.numerics.dae.problem import HIGHEST_INDEX, DaeProblem
from klingel.numerics.dae.run import DaeError
from klingel.numerics.ode.workspace import Status

STEPS = 10.0 ** -np.arange(2, 12)  # where slopes are looked at [s]
SINGULAR = 1e-14  # smallest over largest singular value, after scaling
CLOSER = 1e-4  # jumps are looked at with this much smaller steps
ALLOWED = 10.0  # jump of a component, in units of its tolerance
DIFFERENCE = 1e-5  # relative increment of central differences


class Pencil(NamedTuple):
    """Observed index of each component, and B at two steps, the second a tenth of the first."""

    index: np.ndarray
    inverse_before: np.ndarray
    inverse: np.ndarray


def right_hand_side(problem: DaeProblem, t: float, x: np.ndarray) -> np.ndarray:
    f = np.full(problem.size, np.nan)
    refused = problem.rhs(t, x, problem.memory, problem.mode, problem.parameters, f)
    bad = np.flatnonzero(~np.isfinite(f))
    if refused or bad.size:
        where = f"equation of {problem.state_names[bad[0]]}" if bad.size else "right-hand side"
        raise InputError(f"x0: {where}", "refused" if refused else f[bad[0]], "must be defined at the start")
    return f


def jacobian(problem: DaeProblem, t: float, x: np.ndarray) -> np.ndarray:
    """df/dx by central differences."""
    n = problem.size
    jac = np.zeros((n, n))
    for j in range(n):
        delta = np.zeros(n)
        delta[j] = DIFFERENCE * max(abs(x[j]), 1e-3)
        above, below = x + delta, x - delta
        jac[:, j] = right_hand_side(problem, t, above) - right_hand_side(problem, t, below)
        jac[:, j] /= above[j] - below[j]
    return jac


def _equilibrate(a: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Row and column factors that bring the largest entries near 1, and the scaled matrix."""
    row, column = np.ones(len(a)), np.ones(len(a))
    for _ in range(20):
        size = np.abs(a * row[:, None] * column).max(axis=1)
        row /= np.sqrt(np.where(size > 0.0, size, 1.0))
        size = np.abs(a * row[:, None] * column).max(axis=0)
        column /= np.sqrt(np.where(size > 0.0, size, 1.0))
    return row, column, a * row[:, None] * column


def _inverse(problem: DaeProblem, jac: np.ndarray, h: float) -> np.ndarray:
    row, column, scaled = _equilibrate(problem.mass_matrix / h - jac)
    left, values, right = np.linalg.svd(scaled)
    if not values[-1] > SINGULAR * values[0]:
        raise _singular(problem, left[:, -1], right[-1])
    return column[:, None] * (right.T / values @ left.T) * row


def _singular(problem: DaeProblem, left: np.ndarray, right: np.ndarray) -> InputError:
    equations = [problem.state_names[i] for i in np.flatnonzero(np.abs(left) > 0.3 * np.abs(left).max())]
    components = [problem.state_names[i] for i in np.flatnonzero(np.abs(right) > 0.3 * np.abs(right).max())]
    return InputError(
        f"equation of {', '.join(equations)}",
        f"no unique solution for {', '.join(components)}",
        "constraint matrix is singular; constraints must be independent and determine every component",
    )


def pencil(problem: DaeProblem, t: float, x: np.ndarray) -> Pencil:
    """Index of every component from the first pair of steps on which all slopes are whole numbers."""
    jac = jacobian(problem, t, x)
    before = _inverse(problem, jac, STEPS[0])
    for h_before, h in pairwise(STEPS):
        now = _inverse(problem, jac, h)
        ratio = np.abs(now).max(axis=1) / np.abs(before).max(axis=1)
        index = 1.0 - np.log(ratio) / np.log(h / h_before)
        if np.all(np.abs(index - np.round(index)) < 0.05):
            if index.max() > HIGHEST_INDEX + 0.5:
                return Pencil(np.round(index).astype(int), before, now)
            pair = _inverse(problem, jac, 10.0 * CLOSER * h), _inverse(problem, jac, CLOSER * h)
            return Pencil(np.maximum(np.round(index).astype(int), 1), *pair)
        before = now
    raise InputError(
        "index", "undecided", "the index must be visible between steps of 0.01 s and 1e-11 s; give it"
    )


def _check_index(problem: DaeProblem, observed: np.ndarray) -> None:
    worst = int(np.argmax(observed))
    if observed[worst] > HIGHEST_INDEX:
        name = problem.state_names[worst]
        raise InputError(f"index of {name}", int(observed[worst]), f"must be at most {HIGHEST_INDEX}")
    for name, given, found in zip(problem.state_names, problem.index or (), observed, strict=False):
        if found > given:
            raise InputError(f"index of {name}", given, f"must be {found}, found from the equations at the start")


def _check_start(problem: DaeProblem, x: np.ndarray, f: np.ndarray, weights: np.ndarray, p: Pencil) -> None:
    rows = problem.constraint_rows
    moves = np.abs(p.inverse * f)[p.index == 1][:, rows] / weights[p.index == 1, None]
    if moves.size and moves.max() > ALLOWED:
        which = int(np.flatnonzero(rows)[np.argmax(moves.max(axis=0))])
        raise InputError(
            f"x0: equation of {problem.state_names[which]}",
            float(f[which]),
            "must hold at the start within the tolerance",
        )
    jumps = hidden_jumps(problem, f, p)
    worst = int(np.argmax(np.abs(jumps) / weights))
    if abs(jumps[worst]) > ALLOWED * weights[worst]:
        raise InputError(
            f"x0: {problem.state_names[worst]}",
            float(x[worst]),
            "violates a hidden constraint (a derivative of the given ones); "
            f"it would jump to {x[worst] + jumps[worst]:.8g}",
        )


def hidden_jumps(problem: DaeProblem, f: np.ndarray, p: Pencil) -> np.ndarray:
    """Jump of each component (index-3 ones excepted) that the hidden constraints ask for."""
    free = np.where(problem.constraint_rows, 0.0, f)
    jumps = (10.0 * p.inverse @ free - p.inverse_before @ free) / 9.0
    return np.where(p.index > 2, 0.0, jumps)


def checked(problem: DaeProblem, t: float, x: np.ndarray, rtol: float, atol: float | np.ndarray) -> DaeProblem:
    """The problem with its index filled in, or an InputError that names what is wrong."""
    f = right_hand_side(problem, t, x)
    p = pencil(problem, t, x)
    _check_index(problem, p.index)
    _check_start(problem, x, f, np.asarray(atol) + rtol * np.abs(x), p)
    return problem if problem.index is not None else problem.with_index(tuple(int(k) for k in p.index))


def consistent_start(problem: DaeProblem, t: float, x: np.ndarray) -> np.ndarray:
    """x with algebraic components of index 1 and 2 moved so that constraints and their derivatives hold."""
    x = np.array(x, float)
    algebraic = problem.algebraic
    for _ in range(20):
        f = right_hand_side(problem, t, x)
        p = pencil(problem, t, x)
        first = algebraic & (p.index == 1)
        move = np.where(first, p.inverse @ np.where(problem.constraint_rows, f, 0.0), 0.0)
        move += np.where(algebraic, hidden_jumps(problem, f, p), 0.0)
        x += move
        if np.all(np.abs(move) <= 1e-13 * (np.abs(x) + 1e-3)):
            return x
    raise InputError("x0", "no convergence", "must be close to a consistent point")


def ties(problem: DaeProblem, t: float, x: np.ndarray) -> np.ndarray:
    """True for differential components that jump when a constraint is violated: their row of B does not vanish."""
    rows = problem.constraint_rows
    if not rows.any():
        return np.zeros(problem.size, bool)
    p = pencil(problem, t, x)
    now, before = (np.abs(b[:, rows]).max(axis=1) for b in (p.inverse, p.inverse_before))
    return ~problem.algebraic & (now > 0.3 * before)


def failure(
    problem: DaeProblem, status: Status, t, x, error, scale, culprit: int, steps: int, cascade: int
) -> DaeError:
    """The reason why a run ended early, with the component, equation or guard behind it."""
    names = (*problem.state_names, *(f"multiplier of {name}" for name in problem.invariant_names))
    size = np.abs(error / np.where(scale > 0.0, scale, 1.0))
    worst = names[int(np.argmax(np.where(np.isfinite(size), size, np.inf)))]
    guard = problem.guard_names[culprit] if culprit < len(problem.guard_names) else ""
    text = {
        Status.STEP_UNDERFLOW: f"step size fell below rounding; largest error in {worst}",
        Status.SINGULAR: f"singular matrix; {names[culprit]} is not determined",
        Status.REFUSED: "the right-hand side refused a point of the solution",
        Status.MAX_STEPS: f"{steps} steps were not enough; largest error in {worst}",
        Status.NO_PROJECTION: f"projection on {', '.join(problem.invariant_names) or 'the constraints'} failed",
        Status.NO_NEWTON: "no consistent state was found after an event",
        Status.CHATTER: f"event chatter of guard {guard}",
        Status.INCONSISTENT: f"modes contradict each other: guard {guard} still violated after {cascade} rounds",
        Status.GUARD_NOT_A_NUMBER: f"guard {guard} is not a number",
    }[status]
    if status in (Status.STEP_UNDERFLOW, Status.SINGULAR, Status.MAX_STEPS, Status.NO_NEWTON):
        try:
            _check_index(problem, pencil(problem, t, x[: problem.size].copy()).index)
        except InputError as cause:
            text += f" ({cause})"
    return DaeError(f"t = {t:.6g}: {text}")
