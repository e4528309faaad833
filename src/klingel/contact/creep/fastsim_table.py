"""FASTSIM from a table: four numbers in, the forces over mu N out, for use inside simulations.

De Pater's equation (6-15) says that the reduced forces depend on a/b, the creep angle, the reduced creep and
the reduced spin. In the simplified theory these enter as

    slip = (k_x - sigma Y,  k_y + rho sigma X)  for a <= b: sigma = k_s b/a, rho = a/b
    slip = (k_x - rho sigma Y,  k_y + sigma X)  for a >= b: sigma = k_s,     rho = b/a

(k_x, k_y, k_s: see `fastsim`), and Kalker's coefficients have dropped out: one table serves all materials
and all axis ratios. Coordinates of the table:

* shape = a/b for a <= b and 2 - b/a for a >= b, from 0 to 2;
* s = max(|k_x|, |k_y|, |sigma|), as s/(1 + s), from 0 to 1;
* the two others divided by s, on the faces of a cube; symmetry leaves k_x >= 0 and sigma >= 0, six faces.

Stored is f/g(s), g = s (1 - s/4) up to s = 2, then 1. For s -> 0 that is linear in every coordinate, so that
multilinear interpolation returns the linear law exactly; where everything slips it is f itself. The third
number is -M_z/(mu N max(a, b)). Interpolated forces are cut to the friction circle.

Error against a fine FASTSIM, in parts of mu N and measured for 0.05 < a/b < 20: below 0.5 % up to s = 1, 1
% up to s = 2 (where pure creep saturates), 5 % beyond, where spin is so large that its pole wanders inside
the ellipse.

Symmetries: reversal of all slips reverses all forces; k_x -> -k_x reverses f_x alone.

Reference: de Pater (1997), section 6; Kalker, book of tables (1996), for the idea of tabulating.
"""

from functools import cache
from math import pi, sqrt

import numpy as np

from klingel._errors import InputError
from klingel._jit import kernel
from klingel.contact.creep.creepage import CreepForce, linear_ratios
from klingel.contact.creep.fastsim import normalised

SHAPES, SIZES, SIDES = 13, 25, 13  # nodes of shape, s/(1 + s), and along each side of a face
NOTHING = 1e-200  # slip without force; the reciprocal of a denormal number would be infinite
STRIPS, CELLS = 20, 20  # grid of FASTSIM for the nodes


@kernel
def saturating(s):
    """g(s), the part of the dependence on s that is divided out."""
    return s * (1.0 - 0.25 * s) if s < 2.0 else 1.0


@kernel
def _ratios(shape):
    """Factors of sigma in the x and y component of the slip; a and b over the larger of them."""
    if shape <= 1.0:
        return 1.0, shape, shape, 1.0
    return 2.0 - shape, 1.0, 1.0, 2.0 - shape


@kernel
def _slip(face, s, u, v):
    """k_x, k_y, sigma of a point on one of the six faces."""
    side = -1.0 if face % 2 == 1 else 1.0  # sign of k_y
    if face < 2:
        return s, side * u * s, v * s
    if face < 4:
        return u * s, side * s, v * s
    return u * s, side * v * s, s


@kernel
def fill(table, strips, cells):
    """Values at all nodes of table[face][shape][size][u][v][3]."""
    faces, shapes, sizes, sides = table.shape[0], table.shape[1], table.shape[2], table.shape[3]
    for face in range(faces):
        for i in range(shapes):
            sx, sy, a, b = _ratios(2.0 * i / (shapes - 1))
            for j in range(sizes):
                # the ends are limits: tiny for the linear law, huge for full slip
                t = min(max(j / (sizes - 1.0), 1e-6), 1.0 - 1e-6)
                s = t / (1.0 - t)
                scale = 1.0 / saturating(s)
                for k in range(sides):
                    for l in range(sides):
                        kx, ky, sigma = _slip(face, s, k / (sides - 1.0), l / (sides - 1.0))
                        fx, fy, mx, my = normalised(kx, ky, sigma * sx, sigma * sy, strips, cells)
                        table[face, i, j, k, l, 0] = scale * fx
                        table[face, i, j, k, l, 1] = scale * fy
                        table[face, i, j, k, l, 2] = scale * (a * mx - b * my)


@cache
def build_table(
    shapes: int = SHAPES, sizes: int = SIZES, sides: int = SIDES, strips: int = STRIPS, cells: int = CELLS
) -> np.ndarray:
    """The table, for `Settings.table`; `klingel.io` keeps it on disk."""
    if shapes < 3 or shapes % 2 == 0:
        raise InputError("shapes", shapes, "must be an odd number of at least 3, so that a = b is a node")
    if sizes < 3 or sides < 2:
        raise InputError("sizes, sides", (sizes, sides), "must be at least 3 and 2")
    table = np.empty((6, shapes, sizes, sides, sides, 3))
    fill(table, strips, cells)
    return table


@kernel
def _cell(x, count):
    """Interval and position in it of a coordinate measured in intervals."""
    i = min(int(x), count - 2)
    return i, x - i


@kernel
def lookup(kx, ky, ks, a, b, table):
    """f_x, f_y and -M_z/(mu N) from the table."""
    if a <= b:
        shape = a / b
        sigma = ks / shape
    else:
        shape = 2.0 - b / a
        sigma = ks
    reverse = -1.0 if sigma < 0.0 else 1.0
    mirror = -1.0 if reverse * kx < 0.0 else 1.0
    side = 1 if reverse * ky < 0.0 else 0
    x = abs(kx)
    y = abs(ky)
    z = abs(sigma)
    if x >= y and x >= z:
        face, s, u, v = side, x, y, z
    elif y >= z:
        face, s, u, v = side + 2, y, x, z
    else:
        face, s, u, v = side + 4, z, x, y
    if s < NOTHING:
        return 0.0, 0.0, 0.0
    i, p = _cell(0.5 * shape * (table.shape[1] - 1), table.shape[1])
    j, q = _cell(s / (1.0 + s) * (table.shape[2] - 1), table.shape[2])
    k, r = _cell(u / s * (table.shape[3] - 1), table.shape[3])
    l, w = _cell(v / s * (table.shape[4] - 1), table.shape[4])
    fx = 0.0
    fy = 0.0
    mz = 0.0
    for di in range(2):
        wi = p if di == 1 else 1.0 - p
        for dj in range(2):
            wj = wi * (q if dj == 1 else 1.0 - q)
            for dk in range(2):
                wk = wj * (r if dk == 1 else 1.0 - r)
                w0 = wk * (1.0 - w)
                w1 = wk * w
                fx += w0 * table[face, i + di, j + dj, k + dk, l, 0]
                fx += w1 * table[face, i + di, j + dj, k + dk, l + 1, 0]
                fy += w0 * table[face, i + di, j + dj, k + dk, l, 1]
                fy += w1 * table[face, i + di, j + dj, k + dk, l + 1, 1]
                mz += w0 * table[face, i + di, j + dj, k + dk, l, 2]
                mz += w1 * table[face, i + di, j + dj, k + dk, l + 1, 2]
    scale = reverse * saturating(s)
    square = scale * scale * (fx * fx + fy * fy)
    if square > 1.0:
        scale /= sqrt(square)
    return mirror * scale * fx, scale * fy, scale * mz * max(a, b)


@kernel
def force(creepage, patch, settings):
    tx, ty, ts = linear_ratios(creepage, patch)
    k = 3.0 * pi / 16.0
    fx, fy, mz = lookup(k * tx, k * ty, 2.0 * ts, patch.a, patch.b, settings.table)
    limit = -patch.friction * patch.load
    return CreepForce(limit * fx, limit * fy, limit * mz)
