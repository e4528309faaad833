"""What the Radau step sees of a problem: right-hand side and Jacobian.

With stabilised invariants I(x) = 0 the system is M x' = f(x) + M I_x^T mu, 0 = I(x) (Gear, Gupta and
Leimkuhler 1985). mu vanishes along the exact solution, so M I_x^T may be frozen for as long as the Jacobian
is.
"""

from klingel._jit import kernel
from klingel.numerics.dae.problem import Treatment
from klingel.numerics.dae.projection import difference_step, update_gradient
from klingel.numerics.dae.radau.reduction import reduce_jacobian
from klingel.numerics.dae.radau.work import Matrix, Row
from klingel.numerics.dae.work import DaeCount
from klingel.numerics.ode.workspace import Count, Real


@kernel(inner=True)
def evaluate(rhs, invariants, t, x, s, inv, p, f):
    """f(t, x), with the stabilising terms if there are any; nonzero when refused."""
    m, n = inv.gradient.shape
    s.count[Count.RHS] += 1
    refused = rhs(t, x[:n], s.memory, s.mode, p, f[:n])
    if x.size > n and refused == 0:
        refused = invariants(t, x[:n], s.memory, s.mode, p, f[n:])
        s.count[DaeCount.INVARIANTS] += 1
        for k in range(m):
            for i in range(n):
                f[i] += inv.direction[k, i] * x[n + k]
    return refused


@kernel(inner=True)
def add_mass(s, x, y):
    """y += M x."""
    for k in range(s.mass.size):
        y[s.mass_at[0, k]] += s.mass[k] * x[s.mass_at[1, k]]


@kernel(inner=True)
def difference_jacobian(rhs, t, x, s, n, p):
    """J = df/dx by one-sided differences; nonzero when refused."""
    base, probe, jac = s.v[Row.BASE], s.v[Row.STAGE], s.matrix[Matrix.JACOBIAN]
    refused = rhs(t, x[:n], s.memory, s.mode, p, base[:n])
    for j in range(n):
        keep = x[j]
        delta = difference_step(keep)
        x[j] = keep + delta
        refused |= rhs(t, x[:n], s.memory, s.mode, p, probe[:n])
        x[j] = keep
        for i in range(n):
            jac[i, j] = (probe[i] - base[i]) / delta
    s.count[Count.RHS] += n + 1
    s.count[DaeCount.RHS_JACOBIAN] += n + 1
    return refused


@kernel(inner=True)
def update_jacobian(rhs, jacobian, invariants, s, inv, p):
    """J at the present point, given or by differences, bordered by the invariants if they are stabilised."""
    m, n = inv.gradient.shape
    t, x, jac = s.real[Real.T], s.v[Row.X], s.matrix[Matrix.JACOBIAN]
    s.count[Count.JACOBIANS] += 1
    if m > 0 and s.count[DaeCount.TREATMENT] != Treatment.REPORT:
        update_gradient(invariants, t, x, s.memory, s.mode, inv, p)
        s.count[DaeCount.INVARIANTS] += n + 1
        for k in range(m):
            add_mass(s, inv.gradient[k], inv.direction[k])
    if s.count[Count.HAS_JACOBIAN]:
        refused = jacobian(t, x[:n], s.memory, s.mode, p, s.given)
        for i in range(n):
            for j in range(n):
                jac[i, j] = s.given[i, j]
    else:
        refused = difference_jacobian(rhs, t, x, s, n, p)
    for k in range(x.size - n):
        for i in range(n):
            jac[i, n + k] = inv.direction[k, i]
            jac[n + k, i] = inv.gradient[k, i]
    if refused == 0:
        reduce_jacobian(s)
    return refused
