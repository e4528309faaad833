"""One step of the three-stage Radau IIA method for M x' = f: Newton iteration, error estimate, interpolant.

Stage increments Z solve M (A^-1 Z)_i/h = f(t + c_i h, x + Z_i). In W = T^-1 Z simplified Newton is

    (GAMMA/h M - J) dW_1 = (T^-1 F)_1 - GAMMA/h M W_1, ((ALPHA + i BETA)/h M - J)(dW_2 + i dW_3) = (T^-1
    F)_2 + i (T^-1 F)_3 - (ALPHA + i BETA)/h M (W_2 + i W_3).

The slope M x' at the new point is M (A^-1 Z)_3/h: no evaluation is spent on it.
"""

from math import sqrt

from klingel._jit import kernel
from klingel.numerics.dae.projection import ROUNDING
from klingel.numerics.dae.radau.factors import solve, solve_complex
from klingel.numerics.dae.radau.system import add_mass, evaluate
from klingel.numerics.dae.radau.tableau import A_INV, ALPHA, BETA, GAMMA, SHAPE, T_INV, C, E, T
from klingel.numerics.dae.radau.work import Row
from klingel.numerics.dae.work import DaeCount, DaeReal
from klingel.numerics.ode.workspace import Count, Real

OK, DIVERGED, SLOW, REFUSED = range(4)
BLOW_UP = 2.0  # growth of the Newton increment that ends the iteration at once


@kernel(inner=True)
def set_scale(h, s):
    """Error weights; a component of index k counts h^(k-1)."""
    rtol = s.real[Real.RTOL]
    for i in range(s.v.shape[1]):
        scale = s.v[Row.ATOL, i] + rtol * abs(s.v[Row.X, i])
        for _ in range(s.index[i] - 1):
            scale /= min(1.0, abs(h))
        s.v[Row.SCALE, i] = scale


@kernel(inner=True)
def predict_stages(h, s):
    """Start of Newton: the last interpolant continued, or zero."""
    v = s.v
    ratio = h / s.real[DaeReal.H_SHAPE] if s.count[DaeCount.HAS_SHAPE] else 0.0
    for i in range(v.shape[1]):
        a, b, c = v[Row.SHAPE, i], v[Row.SHAPE + 1, i], v[Row.SHAPE + 2, i]
        first, second = a + 2.0 * b + 3.0 * c, b + 3.0 * c
        for k in range(3):
            q = C[k] * ratio
            v[Row.Z + k, i] = q * (first + q * (second + q * c))
        for k in range(3):
            v[Row.W + k, i] = (
                T_INV[k, 0] * v[Row.Z, i] + T_INV[k, 1] * v[Row.Z + 1, i] + T_INV[k, 2] * v[Row.Z + 2, i]
            )


@kernel(inner=True)
def newton_increment(h, s):
    """Replace the stage right-hand sides by the increment of W; returns its scaled norm."""
    v, n = s.v, s.v.shape[1]
    for i in range(n):
        a, b, c = v[Row.F, i], v[Row.F + 1, i], v[Row.F + 2, i]
        for k in range(3):
            v[Row.F + k, i] = T_INV[k, 0] * a + T_INV[k, 1] * b + T_INV[k, 2] * c
    gamma, alpha, beta = GAMMA / h, ALPHA / h, BETA / h
    for k in range(s.mass.size):
        i, j, value = s.mass_at[0, k], s.mass_at[1, k], s.mass[k]
        v[Row.F, i] -= gamma * value * v[Row.W, j]
        v[Row.F + 1, i] -= value * (alpha * v[Row.W + 1, j] - beta * v[Row.W + 2, j])
        v[Row.F + 2, i] -= value * (alpha * v[Row.W + 2, j] + beta * v[Row.W + 1, j])
    solve(h, s, v[Row.F])
    solve_complex(h, s, v[Row.F + 1], v[Row.F + 2])
    total = 0.0
    for i in range(n):
        weight = 1.0 / v[Row.SCALE, i]
        for k in range(3):
            total += (v[Row.F + k, i] * weight) ** 2
    return sqrt(total / (3 * n))


@kernel(inner=True)
def add_increment(s):
    """W += dW, Z = T W."""
    v = s.v
    for i in range(v.shape[1]):
        for k in range(3):
            v[Row.W + k, i] += v[Row.F + k, i]
        for k in range(3):
            v[Row.Z + k, i] = T[k, 0] * v[Row.W, i] + T[k, 1] * v[Row.W + 1, i] + T[k, 2] * v[Row.W + 2, i]


@kernel(inner=True)
def evaluate_stages(rhs, invariants, h, s, inv, p):
    """f at the three stages; nonzero when refused."""
    for k in range(3):
        for i in range(s.v.shape[1]):
            s.v[Row.STAGE, i] = s.v[Row.X, i] + s.v[Row.Z + k, i]
        t = s.real[Real.T] + C[k] * h
        if evaluate(rhs, invariants, t, s.v[Row.STAGE], s, inv, p, s.v[Row.F + k]) != 0:
            s.count[Count.REFUSALS] += 1
            return 1
    return 0


@kernel(inner=True)
def newton(rhs, invariants, h, s, inv, p):
    """Solve for the stages; outcome, factor by which to cut h if it failed, iterations."""
    most = s.count[DaeCount.MAX_NEWTON]
    tolerance = s.real[DaeReal.NEWTON_TOLERANCE]
    factor = max(s.real[DaeReal.NEWTON_FACTOR], ROUNDING) ** 0.8
    rate = s.real[DaeReal.REUSE_RATE]
    size_old = ratio_old = 1.0
    for iteration in range(most):
        if evaluate_stages(rhs, invariants, h, s, inv, p) != 0:
            return REFUSED, 0.5, iteration
        s.count[Count.NEWTON] += 1
        size = newton_increment(h, s)
        if not size < 1e100:
            return DIVERGED, 0.5, iteration
        if iteration > 0:
            ratio = size / size_old
            rate = min(ratio, 0.9) if iteration == 1 else sqrt(ratio * ratio_old)
            ratio_old = ratio
            # the iteration matrix is not normal: one ratio near 1 says little, two in a row do
            if rate >= 0.99 or ratio >= BLOW_UP:
                return DIVERGED, 0.5, iteration
            factor = rate / (1.0 - rate)
            left = most - 2 - iteration
            expected = factor * size * rate**left / tolerance
            if iteration > 1 and left >= 0 and expected >= 1.0:
                return SLOW, 0.8 * min(20.0, expected) ** (-1.0 / (4 + left)), iteration
        size_old = max(size, ROUNDING)
        add_increment(s)
        if factor * size <= tolerance:
            s.real[Real.NEWTON_RATE] = rate
            s.real[DaeReal.NEWTON_FACTOR] = factor
            return OK, 1.0, iteration + 1
    return SLOW, 0.5, most


@kernel(inner=True)
def scaled_error(h, s, base):
    """Solve for the error with `base` = M x' or f at the start; its scaled norm."""
    v, n = s.v, s.v.shape[1]
    for i in range(n):
        v[Row.ERROR, i] = base[i]
        v[Row.STAGE, i] = (E[0] * v[Row.Z, i] + E[1] * v[Row.Z + 1, i] + E[2] * v[Row.Z + 2, i]) / h
    add_mass(s, v[Row.STAGE], v[Row.ERROR])
    solve(h, s, v[Row.ERROR])
    total = 0.0
    for i in range(n):
        total += (v[Row.ERROR, i] / v[Row.SCALE, i]) ** 2
    return max(sqrt(total / n), 1e-10)


@kernel(inner=True)
def estimate_error(rhs, invariants, h, s, inv, p):
    """Scaled error; a failed first estimate is filtered once more at the start and after a rejection."""
    error = scaled_error(h, s, s.v[Row.SLOPE])
    if error < 1.0 or not (s.count[DaeCount.FIRST] or s.count[Count.REJECTED_LAST]):
        return error
    for i in range(s.v.shape[1]):
        s.v[Row.STAGE, i] = s.v[Row.X, i] + s.v[Row.ERROR, i]
    if evaluate(rhs, invariants, s.real[Real.T], s.v[Row.STAGE], s, inv, p, s.v[Row.BASE]) != 0:
        return error
    return scaled_error(h, s, s.v[Row.BASE])


@kernel(inner=True)
def finish_trial(s):
    """New point and interpolant of the converged step."""
    v = s.v
    for i in range(v.shape[1]):
        a, b, c = v[Row.Z, i], v[Row.Z + 1, i], v[Row.Z + 2, i]
        v[Row.X_NEW, i] = v[Row.X, i] + c
        for k in range(3):
            v[Row.TRIAL + k, i] = SHAPE[k, 0] * a + SHAPE[k, 1] * b + SHAPE[k, 2] * c


@kernel(inner=True)
def slope_from_stages(h, s):
    """M x' at the new point, from the collocation polynomial."""
    v = s.v
    for i in range(v.shape[1]):
        v[Row.STAGE, i] = (
            A_INV[2, 0] * v[Row.Z, i] + A_INV[2, 1] * v[Row.Z + 1, i] + A_INV[2, 2] * v[Row.Z + 2, i]
        ) / h
        v[Row.SLOPE, i] = 0.0
    add_mass(s, v[Row.STAGE], v[Row.SLOPE])
