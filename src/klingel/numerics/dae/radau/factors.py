"""Inverses or factors of the real and the complex Newton matrix of a step, and solutions with them.

What is kept by `reduction` has the matrix c M - D - S/c. Up to SMALL unknowns its inverse is found, by columns;
above, its factors.
"""

from klingel._jit import kernel
from klingel.numerics.dae.radau.tableau import ALPHA, BETA, GAMMA
from klingel.numerics.dae.radau.work import Kind, Matrix, Place, Vector
from klingel.numerics.dae.work import DaeCount
from klingel.numerics.linear import lu
from klingel.numerics.linear.inverse import LANES, invert, invert_complex, multiply, multiply_complex
from klingel.numerics.ode.workspace import Count, Real

SMALL = 16  # unknowns up to which the inverse is found
SQUARE = ALPHA * ALPHA + BETA * BETA


@kernel(inner=True)
def factorise(h, s):
    """Make the solutions below ready for the step h; the component that is not determined or -1."""
    n = s.count[DaeCount.KEPT]
    real, re, im = s.matrix[Matrix.REAL], s.matrix[Matrix.RE], s.matrix[Matrix.IM]
    _fill(h, n, s, real, re, im)
    s.count[Count.FACTORISATIONS] += 1
    s.real[Real.H_FACTORISED] = h
    if n <= SMALL:
        column = invert(real, n, s.place[Place.PIVOT])
        if column < 0:
            column = invert_complex(re, im, n, s.place[Place.PIVOT])
        return -1 if column < 0 else undetermined(h, s, s.place[Place.KEPT, column])
    for i in range(n):
        for j in range(i):
            real[i, j], real[j, i] = real[j, i], real[i, j]
            re[i, j], re[j, i] = re[j, i], re[i, j]
            im[i, j], im[j, i] = im[j, i], im[i, j]
    column = lu.factorise(real[:n], s.place[Place.PIVOT])
    if column < 0:
        column = lu.factorise_complex(re[:n], im[:n], s.place[Place.PIVOT_COMPLEX])
    return -1 if column < 0 else undetermined(h, s, s.place[Place.KEPT, column])


@kernel(inner=True)
def _fill(h, n, s, real, re, im):
    """c M - D - S/c by columns."""
    damping, stiffness, at = s.matrix[Matrix.DAMPING], s.matrix[Matrix.STIFFNESS], s.place[Place.POSITION]
    a, b, c = h / GAMMA, h * ALPHA / SQUARE, h * BETA / SQUARE
    for j in range(n):
        x, y, z, d, k = real[j], re[j], im[j], damping[j], stiffness[j]
        for i in range(0, n, LANES):
            p, q, r, u, v = x[i:], y[i:], z[i:], d[i:], k[i:]
            d0, d1, d2, d3, k0, k1, k2, k3 = u[0], u[1], u[2], u[3], v[0], v[1], v[2], v[3]
            p[0], p[1], p[2], p[3] = -d0 - a * k0, -d1 - a * k1, -d2 - a * k2, -d3 - a * k3
            q[0], q[1], q[2], q[3] = -d0 - b * k0, -d1 - b * k1, -d2 - b * k2, -d3 - b * k3
            r[0], r[1], r[2], r[3] = c * k0, c * k1, c * k2, c * k3
    for k in range(s.mass.size):
        if s.place[Place.USE, s.mass_at[0, k]] == Kind.KINEMATIC:
            continue
        i, j, value = at[s.mass_at[0, k]], at[s.mass_at[1, k]], s.mass[k] / h
        real[j, i] += GAMMA * value
        re[j, i] += ALPHA * value
        im[j, i] += BETA * value


@kernel(inner=True)
def undetermined(h, s, kept):
    """Which component makes the whole matrix singular, whose kept part is, or else the one found there.

    What was found before is spoiled.
    """
    n, pivots = s.v.shape[1], s.place[Place.PIVOT]
    jac, real = s.matrix[Matrix.JACOBIAN], s.matrix[Matrix.REAL]
    re, im = s.matrix[Matrix.RE], s.matrix[Matrix.IM]
    for i in range(n):
        for j in range(n):
            real[i, j] = re[i, j] = -jac[i, j]
            im[i, j] = 0.0
    for k in range(s.mass.size):
        i, j, value = s.mass_at[0, k], s.mass_at[1, k], s.mass[k] / h
        real[i, j] += GAMMA * value
        re[i, j] += ALPHA * value
        im[i, j] += BETA * value
    column = lu.factorise(real[:n], pivots)
    if column < 0:
        column = lu.factorise_complex(re[:n], im[:n], pivots)
    return column if column >= 0 else kept


@kernel(inner=True)
def solve(h, s, b):
    """Overwrite `b` by the solution of the real system."""
    n, n_kinematic, n_quasi = s.count[DaeCount.KEPT], s.count[DaeCount.KINEMATIC], s.count[DaeCount.QUASI_STATIC]
    kept, kinematic, partner = s.place[Place.KEPT], s.place[Place.KINEMATIC], s.place[Place.PARTNER]
    quasi, small, scale = s.place[Place.QUASI_STATIC], s.small, h / GAMMA
    right, found, moved = small[Vector.RIGHT], small[Vector.FOUND], small[Vector.MOVED]
    rest, follow = small[Vector.REST], small[Vector.FOLLOW]
    for i in range(n):
        right[i] = b[kept[i]]
    for q in range(n_quasi):
        rest[q] = b[quasi[q]]
    for k in range(n_kinematic):
        moved[k] = b[kinematic[k]] * small[Vector.INVERSE_MASS, k] * scale
    _add_columns(s.matrix[Matrix.FROM_QUASI_STATIC], 0, n_quasi, n, rest, -1.0, right)
    _add_columns(s.matrix[Matrix.DAMPING], n, n_kinematic, n, moved, 1.0, right)
    if n <= SMALL:
        multiply(s.matrix[Matrix.REAL], n, right, found)
    else:
        for i in range(n):
            found[i] = right[i]
        lu.solve(s.matrix[Matrix.REAL, :n], s.place[Place.PIVOT], found)
    for k in range(n_kinematic):
        moved[k] += scale * small[Vector.WEIGHT, k] * found[partner[k]]
        b[kinematic[k]] = moved[k]
    for i in range(n):
        b[kept[i]] = found[i]
    if n_quasi > 0:
        multiply(s.matrix[Matrix.BLOCK], n_quasi, rest, follow)
        _add_columns(s.matrix[Matrix.TO_QUASI_STATIC], 0, n, n_quasi, found, 1.0, follow)
        _add_columns(s.matrix[Matrix.TO_QUASI_STATIC], n, n_kinematic, n_quasi, moved, 1.0, follow)
        for q in range(n_quasi):
            b[quasi[q]] = -follow[q]


@kernel(inner=True)
def solve_complex(h, s, b_re, b_im):
    """Overwrite b_re + i b_im by the solution of the complex system."""
    n, n_kinematic, n_quasi = s.count[DaeCount.KEPT], s.count[DaeCount.KINEMATIC], s.count[DaeCount.QUASI_STATIC]
    kept, kinematic, partner = s.place[Place.KEPT], s.place[Place.KINEMATIC], s.place[Place.PARTNER]
    quasi, small = s.place[Place.QUASI_STATIC], s.small
    scale_re, scale_im = h * ALPHA / SQUARE, -h * BETA / SQUARE
    right, found, moved = small[Vector.RIGHT], small[Vector.FOUND], small[Vector.MOVED]
    right_im, found_im, moved_im = small[Vector.RIGHT_IM], small[Vector.FOUND_IM], small[Vector.MOVED_IM]
    rest, follow = small[Vector.REST], small[Vector.FOLLOW]
    rest_im, follow_im = small[Vector.REST_IM], small[Vector.FOLLOW_IM]
    for i in range(n):
        right[i], right_im[i] = b_re[kept[i]], b_im[kept[i]]
    for q in range(n_quasi):
        rest[q], rest_im[q] = b_re[quasi[q]], b_im[quasi[q]]
    for k in range(n_kinematic):
        x, y, inverse = b_re[kinematic[k]], b_im[kinematic[k]], small[Vector.INVERSE_MASS, k]
        moved[k] = (x * scale_re - y * scale_im) * inverse
        moved_im[k] = (x * scale_im + y * scale_re) * inverse
    _add_columns(s.matrix[Matrix.FROM_QUASI_STATIC], 0, n_quasi, n, rest, -1.0, right)
    _add_columns(s.matrix[Matrix.FROM_QUASI_STATIC], 0, n_quasi, n, rest_im, -1.0, right_im)
    _add_columns(s.matrix[Matrix.DAMPING], n, n_kinematic, n, moved, 1.0, right)
    _add_columns(s.matrix[Matrix.DAMPING], n, n_kinematic, n, moved_im, 1.0, right_im)
    re, im = s.matrix[Matrix.RE], s.matrix[Matrix.IM]
    if n <= SMALL:
        multiply_complex(re, im, n, right, right_im, found, found_im)
    else:
        for i in range(n):
            found[i], found_im[i] = right[i], right_im[i]
        lu.solve_complex(re[:n], im[:n], s.place[Place.PIVOT_COMPLEX], found, found_im)
    for k in range(n_kinematic):
        x, y, weight = found[partner[k]], found_im[partner[k]], small[Vector.WEIGHT, k]
        moved[k] += (x * scale_re - y * scale_im) * weight
        moved_im[k] += (x * scale_im + y * scale_re) * weight
        b_re[kinematic[k]], b_im[kinematic[k]] = moved[k], moved_im[k]
    for i in range(n):
        b_re[kept[i]], b_im[kept[i]] = found[i], found_im[i]
    if n_quasi > 0:
        multiply(s.matrix[Matrix.BLOCK], n_quasi, rest, follow)
        multiply(s.matrix[Matrix.BLOCK], n_quasi, rest_im, follow_im)
        columns = s.matrix[Matrix.TO_QUASI_STATIC]
        _add_columns(columns, 0, n, n_quasi, found, 1.0, follow)
        _add_columns(columns, 0, n, n_quasi, found_im, 1.0, follow_im)
        _add_columns(columns, n, n_kinematic, n_quasi, moved, 1.0, follow)
        _add_columns(columns, n, n_kinematic, n_quasi, moved_im, 1.0, follow_im)
        for q in range(n_quasi):
            b_re[quasi[q]], b_im[quasi[q]] = -follow[q], -follow_im[q]


@kernel(inner=True)
def _add_columns(columns, first, count, rows, values, sign, target):
    """target += sign * columns[first : first + count] values, in whole fours."""
    for i in range(0, rows, LANES):
        t = target[i:]
        p, q, r, s = t[0], t[1], t[2], t[3]
        for j in range(count):
            column, value = columns[first + j, i:], sign * values[j]
            p, q = p + value * column[0], q + value * column[1]
            r, s = r + value * column[2], s + value * column[3]
        t[0], t[1], t[2], t[3] = p, q, r, s
