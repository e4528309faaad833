"""Linearisation of a vehicle about its rest: Jacobian matrix, eigenvalues, modes of vibration.

Column j is the limit for h -> 0 of the central difference

    D(h) = (f(x + h e_j) - f(x - h e_j)) / 2h,      h = h_0, h_0/2, h_0/4, ...

by Neville's extrapolation over *all* powers of h. The even ones would do for smooth functions, but saturated
creep forces contain |creepage|: there D(h) has a term linear in h, and plain central differences are only first
order. Each entry is taken where the tableau moves least (Ridders); this move is its error estimate. The same
limit of half the second difference, (f(x + h e_j) - 2 f(x) + f(x - h e_j)) / 2h, is half the jump of the slope at
rest: where it is not zero the vehicle has no linearisation there.

Accuracy, of entries relative to the largest of their row: 1e-13 where rest is the origin and all forces vanish
there (conical wheelsets; measured against the closed form), 1e-8 where static loads cancel (wheels on profiles;
measured by other choices of h_0).

Modes and memory are held: of a vehicle with dry friction this is the linearisation *in the mode of rest*, all
sliders stuck. It describes motions so small that nothing slips, and says nothing about larger ones.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from scipy.linalg import eig

from klingel.model import assembly
from klingel.model.builder import Compiled
from klingel.model.standing.equilibrium import Rest
from klingel.model.system import Head

POSITION_STEP = 1e-5  # well below the penetration of a loaded wheel [m, rad]
RATE_STEP = 1e-3  # [m/s, rad/s]
LEVELS = 9  # of halving


class Vibrations(NamedTuple):
    values: np.ndarray  # eigenvalues [1/s]
    shapes: np.ndarray  # eigenvectors as columns
    errors: np.ndarray  # of each eigenvalue, to first order in those of the matrix and in rounding [1/s]


@dataclass(frozen=True)
class Linearisation:
    states: tuple[str, ...]
    positions: int  # how many of them are positions, the first ones
    matrix: np.ndarray  # [state][state], d(dx/dt)/dx
    error: np.ndarray  # estimate for each entry
    kink: np.ndarray  # half the jump of each slope at rest; zero where there is a linearisation

    def eigenvalues(self) -> np.ndarray:
        """All eigenvalues [1/s], the least stable first, pairs with the positive frequency first."""
        return self.vibrations().values

    def vibrations(self) -> Vibrations:
        """Eigenvalues in this order, shapes, and what the errors of the matrix do to them."""
        found: Any = eig(self.matrix, left=True, right=True)
        values, left, right = found
        uncertain = self.error + values.size * np.finfo(float).eps * np.abs(self.matrix)
        moved = np.einsum("ik,ij,jk->k", np.abs(left), uncertain, np.abs(right))
        with np.errstate(
            divide="ignore"
        ):  # a double eigenvalue with one shape, as of a body nothing holds: infinite
            moved /= np.abs(np.einsum("ik,ik->k", left.conj(), right))
        order = np.lexsort((-np.imag(values), -np.round(np.real(values), 9)))
        return Vibrations(values[order], right[:, order], moved[order])


def linearise(compiled: Compiled, rest: Rest) -> Linearisation:
    """Jacobian of the right-hand side at rest, in the modes of rest."""
    system, x = compiled.system, rest.x
    assembly.prepare(system, rest.memory, rest.mode)

    def right_hand_side(state: np.ndarray) -> np.ndarray:
        dx = np.zeros_like(state)
        if assembly.rhs(0.0, state, rest.memory, rest.mode, system, dx) != 0:
            raise ValueError("a wheel left its contact table while the vehicle was linearised")
        return dx

    n_positions = int(system.i[Head.POSITIONS])
    at_rest = right_hand_side(x)
    first = np.where(np.arange(x.size) < n_positions, POSITION_STEP, RATE_STEP)
    steps = first * 0.5 ** np.arange(LEVELS)[:, None]  # [level][state]
    ahead, behind = (
        np.array([[right_hand_side(row) for row in x + sign * np.diag(level)] for level in steps])
        for sign in (1.0, -1.0)
    )
    width = 2.0 * steps[:, :, None]
    slopes, errors = _limit((ahead - behind) / width)
    kinks = _limit((ahead + behind - 2.0 * at_rest) / width)[0]
    found = (np.ascontiguousarray(rows.T) for rows in (slopes, errors, kinks))
    return Linearisation(compiled.layout.states, n_positions, *found)


def _limit(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Limit of values[level] = v(h / 2^level), a power series in h, and its error estimate, entry by entry."""
    best, error = values[0].copy(), np.full_like(values[0], np.inf)
    above = [values[0]]
    for level in range(1, values.shape[0]):
        row = [values[level]]
        for j in range(1, level + 1):
            row.append(row[j - 1] + (row[j - 1] - above[j - 1]) / (2.0**j - 1.0))
            moved = np.maximum(np.abs(row[j] - row[j - 1]), np.abs(row[j] - above[j - 1]))
            better = moved < error
            best, error = np.where(better, row[j], best), np.where(better, moved, error)
        above = row
    return best, error
