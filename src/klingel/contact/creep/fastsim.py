"""FASTSIM: Kalker's simplified theory of rolling contact, solved strip by strip.

Stress is proportional to displacement, with flexibilities L1 = 8a/(3 G C11), L2 = 8a/(3 G C22),
L3 = pi a sqrt(a/b)/(4 G C23), and bounded by the parabola mu p, p = 2N/(pi a b) (1 - x^2/a^2 - y^2/b^2). In
units of that bound, with X = x/a, Y = y/b, a particle entering at the leading edge collects

    dq/d(-X) = (k_x - k_s (b/a) Y,  k_y + k_s X),   |q| <= 1 - X^2 - Y^2
    k_x = 3 pi/16 tau_x,  k_y = 3 pi/16 tau_y,  k_s = 2 tau_s                    (tau: see `creepage`)

so that the forces for small creepage are Kalker's. On the strip Y = sin t, of half length c = cos t, and with
S = X/c, q = c^2 Q all strips are one problem with three numbers:

    dQ/d(-S) = (alpha, beta + gamma S),   |Q| <= 1 - S^2,
    alpha = (k_x - k_s (b/a) Y)/c,  beta = k_y/c,  gamma = k_s

Kalker's 1982 program marches every strip with a first-order step. Here

* the strips are equally spaced in t, which makes the sum over strips exact for adhesion and for full slip;
* the adhesion zone at the leading edge is a closed form: it ends at a root of a quadratic in 1 + S;
* behind it the direction of Q turns towards the rigid slip w, d psi/dS = -|w| sin(psi)/(1 - S^2), by a
  second-order step that damps stiff turning; where an elastic step would fall below the bound, the particle
  sticks again.

So without spin only the sum over strips is approximate, and with spin the error falls with the square of the
number of cells. The moment is that of the simplified theory, a rough approximation of the exact one.

Reference: Kalker, Veh. Syst. Dyn. 11 (1982) 1.
"""

from math import cos, pi, sin, sqrt

from klingel._jit import kernel
from klingel.contact.creep.creepage import CreepForce, linear_ratios

TINY = 1e-24  # square of a slip zone too short to matter; below it squares would underflow


@kernel
def adhesion_end(alpha, beta, gamma):
    """1 + S where the adhesion zone of the leading edge ends; 2 if there is none."""
    lead = beta + gamma
    if alpha * alpha + lead * lead >= 4.0:
        return 2.0
    quadratic = 1.0 - 0.25 * gamma * gamma
    linear = beta * gamma
    constant = alpha * alpha + beta * beta
    if constant < TINY:
        return 0.0
    root = sqrt(linear * linear + 4.0 * quadratic * constant)
    if linear > 0.0:
        return (linear + root) / (2.0 * quadratic)
    return 2.0 * constant / (root - linear)


@kernel
def turned(ex, ey, wx, wy, bound, h):
    """Direction of the stress after slipping over h under `bound`: the angle psi to the slip w fades.

    Exactly tan(psi/2) shrinks by exp(-x), x = |w| h/bound; 1/(1 + x + x^2/2) instead is of second order
    too, goes to zero for large x, and leaves one division.
    """
    w = sqrt(wx * wx + wy * wy)
    along = ex * wx + ey * wy
    if along <= -w * (1.0 - 1e-14):  # no slip at all, or against it: an equilibrium
        return ex, ey
    wh = w * h
    n = (ex * wy - ey * wx) * bound * bound
    d = (w + along) * (bound * (bound + wh) + 0.5 * wh * wh)  # n/d = tan(psi/2)
    nn = n * n
    dd = d * d
    scale = 1.0 / (w * (dd + nn))
    cosine = (dd - nn) * scale
    sine = 2.0 * n * d * scale
    return wx * cosine + wy * sine, wy * cosine - wx * sine


@kernel
def strip(alpha, beta, gamma, cells):
    """Integrals of Q_x, Q_y and S Q_y over one strip."""
    # adhesion: Q_x = alpha u, Q_y = beta u + gamma (u - u^2/2), u = 1 - S
    end = adhesion_end(alpha, beta, gamma)
    u = 2.0 - end
    half = 0.5 * u * u
    third = u * u * u / 3.0
    ix = alpha * half
    iy = (beta + gamma) * half - 0.5 * gamma * third
    jy = iy - (beta + gamma) * third + 0.5 * gamma * half * half
    if end == 0.0:
        return ix, iy, jy

    s = 1.0 - u
    h = end / cells
    bound = u * end
    qx = alpha * u
    qy = (beta + gamma * (1.0 - 0.5 * u)) * u
    # a particle that slips from the edge on begins in the direction of the slip
    size = bound if u > 0.0 else sqrt(alpha * alpha + (beta + gamma) ** 2)
    ex = (qx if u > 0.0 else alpha) / size
    ey = (qy if u > 0.0 else beta + gamma) / size
    slipping = True
    for i in range(cells):
        s1 = s - h
        bound1 = (1.0 - s1) * (1.0 + s1) if i < cells - 1 else 0.0
        wy = beta + gamma * (s - 0.5 * h)
        tx = qx + alpha * h
        ty = qy + wy * h
        square = tx * tx + ty * ty
        if square <= bound1 * bound1:  # sticks
            part_x = 0.5 * h * (qx + tx)
            part_y = 0.5 * h * (qy + ty) + gamma * h**3 / 12.0
            slipping = False
        elif slipping:
            ox = ex
            oy = ey
            ex, ey = turned(ox, oy, alpha, wy, 0.5 * (bound + bound1) + 0.25 * h * h, h)
            area = 0.25 * h * (bound + bound1) + h**3 / 12.0
            skew = h * (bound1 - bound) / 12.0
            part_x = area * (ox + ex) + skew * (ex - ox)
            part_y = area * (oy + ey) + skew * (ey - oy)
            tx = bound1 * ex
            ty = bound1 * ey
        else:  # begins to slip inside this cell
            size = sqrt(square)
            ex = tx / size
            ey = ty / size
            tx = bound1 * ex
            ty = bound1 * ey
            part_x = 0.5 * h * (qx + tx)
            part_y = 0.5 * h * (qy + ty)
            slipping = True
        ix += part_x
        iy += part_y
        jy += (s - 0.5 * h) * part_y - h * h * (ty - qy) / 12.0
        qx = tx
        qy = ty
        s = s1
        bound = bound1
    return ix, iy, jy


@kernel
def normalised(kx, ky, spin_x, spin_y, strips, cells):
    """f_x, f_y and the two parts of the moment, over mu N: -M_z/(mu N) = a m_x - b m_y.

    The slip is (kx - spin_x Y, ky + spin_y X): spin_y = k_s, spin_x = k_s b/a.
    """
    fx = 0.0
    fy = 0.0
    mx = 0.0
    my = 0.0
    step = pi / strips
    for j in range(strips):
        t = (j + 0.5) * step - 0.5 * pi
        y = sin(t)
        c = cos(t)
        ix, iy, jy = strip((kx - spin_x * y) / c, ky / c, spin_y, cells)
        c4 = c**4
        fx += c4 * ix
        fy += c4 * iy
        mx += c4 * c * jy
        my += c4 * y * ix
    scale = 2.0 / pi * step
    return scale * fx, scale * fy, scale * mx, scale * my


@kernel
def force(creepage, patch, settings):
    tx, ty, ts = linear_ratios(creepage, patch)
    k = 3.0 * pi / 16.0
    fx, fy, mx, my = normalised(
        k * tx, k * ty, 2.0 * ts * patch.b / patch.a, 2.0 * ts, settings.strips, settings.cells
    )
    limit = -patch.friction * patch.load
    return CreepForce(limit * fx, limit * fy, limit * (patch.a * mx - patch.b * my))
