"""Types of the functions a hybrid system hands to the integrator (docs/reference/hybrid-systems.md).

Typed function pointers are the one binding whose caller Numba can cache on disk: the event loop is
compiled once per *parameter type* and found there by every later process. The upper-case constants are
for systems whose parameters are one flat float array.
"""

from numba import types

REAL = types.float64
VECTOR = types.Array(types.float64, 1, "C")
MATRIX = types.Array(types.float64, 2, "C")
MODES = types.Array(types.int8, 1, "C")
FLAGS = types.Array(types.boolean, 1, "C")


def rhs_signature(parameters):
    """rhs(t, x, memory, mode, p, dx) -> 0, or anything else to refuse the step."""
    return types.int64(REAL, VECTOR, VECTOR, MODES, parameters, VECTOR)


def guards_signature(parameters):
    """guards(t, x, memory, mode, p, g): positive while the mode holds, inf when not armed."""
    return types.none(REAL, VECTOR, VECTOR, MODES, parameters, VECTOR)


def act_signature(parameters):
    """act(t, x, memory, mode, p, fired) -> 0 to go on, 1 to stop here."""
    return types.int64(REAL, VECTOR, VECTOR, MODES, parameters, FLAGS)


def after_step_signature(parameters):
    """after_step(t, h, x, shape, x_new, memory, mode, p) -> 1 if memory changed."""
    return types.int64(REAL, REAL, VECTOR, MATRIX, VECTOR, VECTOR, MODES, parameters)


def scan_signature(parameters):
    """scan(t, t_new, x, x_new, memory, mode, p) -> 0 if surely no guard was crossed in the step, else 1.

    2 if surely no guard was crossed, but modes that follow the state may have changed.
    """
    return types.int64(REAL, REAL, VECTOR, VECTOR, VECTOR, MODES, parameters)


def follow_signature(parameters):
    """follow(t, h, x, x_new, memory, mode, p, crossings) -> how many rows of `crossings` it filled."""
    return types.int64(REAL, REAL, VECTOR, VECTOR, VECTOR, MODES, parameters, MATRIX)


def breaks_signature(parameters):
    """breaks(task, t, x, memory, mode, p) -> what the task, one of `events.breaks`, asks for."""
    return types.float64(types.int64, REAL, VECTOR, VECTOR, MODES, parameters)


def jacobian_signature(parameters):
    """jacobian(t, x, memory, mode, p, jac) -> 0; fills jac[i, j] = d dx_i / d x_j."""
    return types.int64(REAL, VECTOR, VECTOR, MODES, parameters, MATRIX)


RHS = rhs_signature(VECTOR)
GUARDS = guards_signature(VECTOR)
ACT = act_signature(VECTOR)
AFTER_STEP = after_step_signature(VECTOR)
JACOBIAN = jacobian_signature(VECTOR)
