"""What the DAE loop keeps beyond the common workspace: more scalars, and the arrays of the two methods.

`real` and `count` begin like those of the hybrid loop (`workspace.Real`, `workspace.Count`), so that its location,
switching and recording kernels work on them; the entries below follow.
"""

from enum import IntEnum, auto
from typing import NamedTuple

from klingel.numerics.dae.half_explicit.work import Half
from klingel.numerics.dae.projection import Invariants
from klingel.numerics.dae.radau.work import Radau
from klingel.numerics.ode import workspace


class DaeReal(IntEnum):
    NEWTON_TOLERANCE = workspace.Real.SIZE  # of the Newton increment, as a fraction of the error tolerance
    REUSE_RATE = auto()  # contraction of Newton below which the Jacobian is kept
    H_ACCEPTED = auto()
    ERROR_ACCEPTED = auto()
    NEWTON_FACTOR = auto()  # rate/(1 - rate) of the last step
    H_SHAPE = auto()  # length of the step the predictor continues
    SAFETY = auto()
    H_NEXT = auto()  # step proposed by the last successful trial
    RATE = auto()  # what is left of a correction of z after one more evaluation of f
    LINEAR_TOLERANCE = auto()  # of what the linearisation in z may leave behind, as a fraction of the tolerance
    CONSTRAINT_TOLERANCE = auto()  # last correction on the constraints, as a fraction of the tolerance
    SIZE = auto()


class DaeCount(IntEnum):
    RHS_JACOBIAN = workspace.Count.SIZE  # right-hand sides for difference Jacobians
    CONSTRAINTS = auto()  # evaluations of the constraint rows alone
    INVARIANTS = auto()  # evaluations of the invariants
    TREATMENT = auto()
    PENDING = auto()  # 1: what fired waits for its action
    DENSE = auto()  # 1: the interpolant is needed in every step
    MAX_NEWTON = auto()
    FIRST = auto()
    HAS_SHAPE = auto()
    SLOPE_VALID = auto()  # M x' of the present point is known
    SINGULAR_TRIES = auto()
    STALE = auto()  # 1: f_z is to be made anew
    SLOW = auto()  # 1: Newton on the constraints contracts slowly, K is to be made anew
    FRESH = auto()  # 1: the matrices belong to the present point
    FIRST_VALID = auto()  # the first stage derivative is known
    SEPARATE = auto()  # 1: there is a constraints function; 0: rhs serves, and is counted as such
    HISTORY = auto()  # number of stored points of z
    HISTORY_KEPT = auto()  # of these, at the start of the step
    PAST_KEPT = auto()  # 1: the stored points were put aside for this step
    KEPT = auto()  # components left by the reduction of Newton's matrices
    KINEMATIC = auto()  # found from these
    QUASI_STATIC = auto()  # eliminated whatever the step
    REPEATS = auto()  # evaluations of f repeated because z had moved
    SIZE = auto()


class DaeWork(NamedTuple):
    """All arguments of the loop that hold state, in its order."""

    solver: workspace.Solver
    trial: workspace.Trial
    watch: workspace.Watch
    output: workspace.Output
    radau: Radau | None  # one of the two takes the steps
    half: Half | None
    inv: Invariants
