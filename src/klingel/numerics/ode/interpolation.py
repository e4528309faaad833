"""Dense output: the solution inside an accepted step as a polynomial in s = (t - t_old)/h.

    x(t + s h) = x + sum_k shape[k] s**(k+1)

Implicit methods use the cubic through both ends and their slopes: an interpolant that leaves the start with
another slope than the solution (the one printed for ESDIRK34 NT1 does) makes events where nothing
happens, and chatter.

Extra stages of methods whose free interpolant is of low order are evaluated here, only in steps where
somebody asks for the inside.
"""

from klingel._jit import kernel
from klingel.numerics.ode.erk import add_stages
from klingel.numerics.ode.workspace import Family


@kernel(inner=True)
def fill_hermite(h, x, trial, last):
    """The cubic through both ends and their slopes: implicit steps, and steps whose extra stage is refused."""
    k, shape = trial.k, trial.shape
    for i in range(x.size):
        rise = trial.x_new[i] - x[i]
        shape[0, i] = h * k[0, i]
        shape[1, i] = 3.0 * rise - h * (2.0 * k[0, i] + k[last, i])
        shape[2, i] = h * (k[0, i] + k[last, i]) - 2.0 * rise
        for m in range(3, shape.shape[0]):
            shape[m, i] = 0.0


@kernel(inner=True)
def fill_shape(rhs, t, h, x, memory, mode, p, family, scheme, trial):
    """Coefficients of the interpolant; returns the number of right-hand sides spent."""
    k, shape = trial.k, trial.shape
    known = scheme.sizes[family, 0] + 1
    extra = scheme.sizes[family, 1]
    if family == Family.IMPLICIT:
        fill_hermite(h, x, trial, known - 1)
        return 0
    for e in range(extra):
        add_stages(x, h, scheme.extra_a[family, e], known + e, k, trial.stage)
        if rhs(t + scheme.extra_c[family, e] * h, trial.stage, memory, mode, p, k[known + e]) != 0:
            fill_hermite(h, x, trial, known - 1)
            return e + 1
    degree = shape.shape[0]
    for m in range(degree):
        for i in range(x.size):
            shape[m, i] = 0.0
    for j in range(known + extra):
        for m in range(degree):
            w = h * scheme.dense[family, j, m]
            if w != 0.0:
                for i in range(x.size):
                    shape[m, i] += w * k[j, i]
    return extra


@kernel(inner=True)
def interpolate(x, shape, s, result):
    """State at the fraction s of the step."""
    top = shape.shape[0] - 1
    if top == 3:  # the usual one, in one pass over the states
        for i in range(x.size):
            result[i] = x[i] + s * (shape[0, i] + s * (shape[1, i] + s * (shape[2, i] + s * shape[3, i])))
        return
    for i in range(x.size):
        result[i] = shape[top, i]
    for m in range(top - 1, -1, -1):
        for i in range(x.size):
            result[i] = result[i] * s + shape[m, i]
    for i in range(x.size):
        result[i] = x[i] + s * result[i]


@kernel(inner=True)
def shorten(shape, s):
    """Make the interpolant belong to the first part, of length s h, of its step."""
    power = 1.0
    for m in range(shape.shape[0]):
        power *= s
        for i in range(shape.shape[1]):
            shape[m, i] *= power
