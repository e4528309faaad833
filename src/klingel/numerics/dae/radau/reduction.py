"""Newton's linear systems (c M - J) z = r, c = GAMMA/h or (ALPHA + i BETA)/h, made smaller before they are solved.

Two kinds of components go without a factorisation of their own:

quasi-static   row and column of M are zero and the index is 1: z_q = -J_qq^-1 (r_q + J_qr z_r). This does not know
               the step, so the others get their Jacobian D = J_rr - J_rq J_qq^-1 J_qr once per Jacobian.
kinematic      a row like x' = v: mass m on the diagonal alone, one entry w of J, at a component b that is kept.
               z_k = (r_k + w z_b)/(c m), and its column of D, times w/m, becomes a stiffness S.

What is kept has the matrix c M - D - S/c, like a mass with damping and stiffness. Of a mechanism only velocities
and multipliers are left. Rows of J are looked at again whenever J is new. Where J_qq is singular, or nearly so,
quasi-static components are kept.

The accuracy of these matrices decides how fast Newton converges, not what it converges to.
"""

from klingel._jit import kernel
from klingel.numerics.dae.radau.work import Kind, Matrix, Place, Vector
from klingel.numerics.dae.work import DaeCount
from klingel.numerics.linear.inverse import invert

REGULAR = 1e8  # condition of J_qq up to which it is eliminated


@kernel(inner=True)
def reduce_jacobian(s):
    """Sort the components and find D, S and what leads from the kept components to the others."""
    _list_quasi_static(s)
    if not _invert_block(s):
        s.count[DaeCount.QUASI_STATIC] = 0
    _list_kinematic(s)
    _list_kept(s)
    _eliminate(s)


@kernel(inner=True)
def _list_quasi_static(s):
    place, found = s.place, 0
    for i in range(place.shape[1]):
        if place[Place.KIND, i] == Kind.QUASI_STATIC:
            place[Place.QUASI_STATIC, found] = i
            found += 1
    s.count[DaeCount.QUASI_STATIC] = found


@kernel(inner=True)
def _invert_block(s):
    """J_qq^-1 by columns; False where J_qq is close to singular."""
    n, jac, block = s.count[DaeCount.QUASI_STATIC], s.matrix[Matrix.JACOBIAN], s.matrix[Matrix.BLOCK]
    quasi = s.place[Place.QUASI_STATIC]
    for j in range(n):
        for i in range(block.shape[1]):
            block[j, i] = 0.0
        for i in range(n):
            block[j, i] = jac[quasi[i], quasi[j]]
    if invert(block, n, s.place[Place.PIVOT]) >= 0:
        return False
    for i in range(n):
        for j in range(n):
            total = 0.0
            for k in range(n):
                total += abs(block[k, i] * jac[quasi[k], quasi[j]])
            if not total < REGULAR:
                return False
    return True


@kernel(inner=True)
def _list_kinematic(s):
    """Rows with one entry that belongs to a kept component; Place.USE says what became of each component."""
    place, jac, found = s.place, s.matrix[Matrix.JACOBIAN], 0
    use, n = place[Place.USE], s.v.shape[1]
    for i in range(n):
        use[i] = Kind.OTHER
    for i in range(s.count[DaeCount.QUASI_STATIC]):
        use[place[Place.QUASI_STATIC, i]] = Kind.QUASI_STATIC
    for i in range(n):
        if place[Place.KIND, i] != Kind.KINEMATIC or use[i] != Kind.OTHER:
            continue
        entries, partner = 0, i
        for j in range(n):
            if jac[i, j] != 0.0:
                entries, partner = entries + 1, j
        if entries == 1 and partner != i and (use[partner] == Kind.OTHER or use[partner] == Kind.KEPT):
            use[i] = Kind.KINEMATIC
            use[partner] = Kind.KEPT
            place[Place.KINEMATIC, found] = i
            place[Place.PARTNER, found] = partner
            s.small[Vector.INVERSE_MASS, found] = 1.0 / s.small[Vector.MASS, i]
            s.small[Vector.WEIGHT, found] = jac[i, partner] / s.small[Vector.MASS, i]
            found += 1
    s.count[DaeCount.KINEMATIC] = found


@kernel(inner=True)
def _list_kept(s):
    place, found = s.place, 0
    use = place[Place.USE]
    for i in range(s.v.shape[1]):
        if use[i] == Kind.OTHER or use[i] == Kind.KEPT:
            place[Place.KEPT, found] = i
            place[Place.POSITION, i] = found
            found += 1
    for k in range(s.count[DaeCount.KINEMATIC]):
        place[Place.PARTNER, k] = place[Place.POSITION, place[Place.PARTNER, k]]
    s.count[DaeCount.KEPT] = found


@kernel(inner=True)
def _eliminate(s):
    """D and S, J_rq J_qq^-1 and J_qq^-1 J_qr, all by columns."""
    kept, kinematic, quasi = s.place[Place.KEPT], s.place[Place.KINEMATIC], s.place[Place.QUASI_STATIC]
    n, n_kinematic, n_quasi = s.count[DaeCount.KEPT], s.count[DaeCount.KINEMATIC], s.count[DaeCount.QUASI_STATIC]
    jac, block, into = s.matrix[Matrix.JACOBIAN], s.matrix[Matrix.BLOCK], s.matrix[Matrix.FROM_QUASI_STATIC]
    width = jac.shape[1]
    for q in range(n_quasi):
        column = into[q]
        for i in range(width):
            column[i] = 0.0
        for i in range(n):
            total, row = 0.0, jac[kept[i]]
            for k in range(n_quasi):
                total += row[quasi[k]] * block[q, k]
            column[i] = total
    for c in range(n + n_kinematic):
        j = kept[c] if c < n else kinematic[c - n]
        column, follow = s.matrix[Matrix.DAMPING, c], s.matrix[Matrix.TO_QUASI_STATIC, c]
        for i in range(width):
            column[i] = follow[i] = 0.0
        for i in range(n):
            column[i] = jac[kept[i], j]
        for q in range(n_quasi):
            value = jac[quasi[q], j]
            if value != 0.0:
                for i in range(n):
                    column[i] -= into[q, i] * value
                for k in range(n_quasi):
                    follow[k] += block[q, k] * value
    for c in range(n):
        for i in range(width):
            s.matrix[Matrix.STIFFNESS, c, i] = 0.0
    for k in range(n_kinematic):
        target, column = s.matrix[Matrix.STIFFNESS, s.place[Place.PARTNER, k]], s.matrix[Matrix.DAMPING, n + k]
        for i in range(n):
            target[i] += column[i] * s.small[Vector.WEIGHT, k]
