"""From a trajectory of either form to everything one wants to see: all coordinates, forces, constraint residuals.

Rows of the reduced form are completed by Newton's iteration on the constraints (`start.complete`); rows of
the augmented form are taken as they are, with the residuals they have.
"""

from dataclasses import dataclass
from enum import IntEnum

import numpy as np

from klingel._errors import InputError
from klingel._jit import kernel
from klingel.literature.constrained_wheelset import augmented, reduced
from klingel.literature.constrained_wheelset.constraints import (
    X,
    largest,
    write_jacobians,
    write_rates,
    write_residual,
)
from klingel.literature.constrained_wheelset.parameters import ConstrainedWheelset, S
from klingel.literature.constrained_wheelset.reduced import R
from klingel.literature.constrained_wheelset.start import complete
from klingel.numerics.trajectory import Trajectory


class Column(IntEnum):
    """What is kept of the forces and residuals of a row."""

    N_LEFT, N_RIGHT, TX_LEFT, TY_LEFT, TX_RIGHT, TY_RIGHT, POSITION, VELOCITY = range(8)


@dataclass(frozen=True)
class History:
    """Rows of a run, completed."""

    t: np.ndarray  # [s]
    state: np.ndarray  # full state in the order of `X`
    forces: np.ndarray  # in the order of `Column`

    def __getitem__(self, name: str) -> np.ndarray:
        """A coordinate, rate or profile parameter (`y`, `roll`, `s21`, `spin` …), or a column of the forces."""
        key = name.upper()
        if key in X.__members__:
            return self.state[:, X[key]]
        if key in Column.__members__:
            return self.forces[:, Column[key]]
        known = [*X.__members__, *Column.__members__]
        raise InputError("quantity", name, f"must be one of {', '.join(known).lower()}")


@kernel
def _write_forces(row, f):
    row[Column.N_LEFT] = f.n_left
    row[Column.N_RIGHT] = f.n_right
    row[Column.TX_LEFT] = f.tx_left
    row[Column.TY_LEFT] = f.ty_left
    row[Column.TX_RIGHT] = f.tx_right
    row[Column.TY_RIGHT] = f.ty_right


@kernel
def _write_drift(row, x, p):
    write_jacobians(x, p)
    write_rates(x, p)
    row[Column.VELOCITY] = largest(p)
    write_residual(x, p)
    row[Column.POSITION] = largest(p)


@kernel
def _reduced_rows(states, modes, full, p, out):
    for i in range(states.shape[0]):
        complete(states[i], full[i], p)
        _write_forces(out[i], reduced.motion(states[i], modes[i], p).forces)
        _write_drift(out[i], full[i], p)


@kernel
def _full_rows(states, modes, p, out):
    for i in range(states.shape[0]):
        f, _ = augmented.motion(states[i], modes[i], p, p[S.UNKNOWNS : S.END])
        _write_forces(out[i], f)
        _write_drift(out[i], states[i], p)


def history(wheelset: ConstrainedWheelset, run: Trajectory) -> History:
    """All quantities at every row of a run."""
    p = wheelset.flat()
    out = np.empty((run.t.size, len(Column)))
    if run.x.shape[1] == len(R):
        full = np.empty((run.t.size, len(X)))
        _reduced_rows(run.x, run.mode, full, p, out)
        return History(run.t, full, out)
    _full_rows(run.x, run.mode, p, out)
    return History(run.t, run.x, out)


def independent(h: History) -> np.ndarray:
    """The five states of the reduced form, from a history of either."""
    return h.state[:, [X.Y, X.YAW, X.Y_DOT, X.YAW_DOT, X.SPIN]]
