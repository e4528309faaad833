"""Shear stress over the contact ellipse after Kalker's simplified theory: the picture behind FASTSIM.

The original algorithm of 1982, strips of equal width and a first-order return to the friction bound in every
cell. It stores the stress, and is independent enough of `fastsim` to test it: the sums of both converge to
the same force.

Reference: Kalker, Veh. Syst. Dyn. 11 (1982) 1.
"""

from dataclasses import dataclass
from math import pi, sqrt

import numpy as np

from klingel._errors import InputError
from klingel._jit import kernel
from klingel.contact.creep.creepage import Creepage, CreepForce, Patch, linear_ratios


@dataclass(frozen=True)
class StressPicture:
    """Values at cell centres, arrays [strip][cell], the first cell at the leading edge."""

    x: np.ndarray  # [m]
    y: np.ndarray  # [m]
    px: np.ndarray  # stress on the wheel [Pa]
    py: np.ndarray  # [Pa]
    bound: np.ndarray  # mu p [Pa]
    slips: np.ndarray  # true in the slip zone
    force: CreepForce  # sum over all cells


@kernel
def march(alpha, beta, gamma, h, qx, qy, slips):
    """One strip in units of its bound; fills the three rows at cell centres S = 1 - (i + 1/2) h."""
    tx = 0.0
    ty = 0.0
    for i in range(qx.size):
        s = 1.0 - (i + 0.5) * h
        step = 0.5 * h if i == 0 else h
        middle = s + 0.5 * step
        tx += alpha * step
        ty += (beta + gamma * middle) * step
        size = sqrt(tx * tx + ty * ty)
        bound = (1.0 - s) * (1.0 + s)
        slips[i] = size > bound
        if slips[i]:
            tx *= bound / size
            ty *= bound / size
        qx[i] = tx
        qy[i] = ty


def stress_picture(creepage: Creepage, patch: Patch, strips: int = 50, cells: int = 50) -> StressPicture:
    """Shear stress on `strips` strips of `cells` cells."""
    if strips < 1 or cells < 1:
        raise InputError("strips, cells", (strips, cells), "must be positive")
    if not patch.load > 0.0:
        raise InputError("patch.load", patch.load, "must be positive")
    tau_x, tau_y, tau_s = linear_ratios(creepage, patch)
    k = 3.0 * pi / 16.0
    rows = (np.arange(strips) + 0.5) * 2.0 / strips - 1.0
    half = np.sqrt(1.0 - rows**2)
    h = 2.0 / cells
    s = 1.0 - (np.arange(cells) + 0.5) * h
    qx, qy = np.empty((strips, cells)), np.empty((strips, cells))
    slips = np.empty((strips, cells), np.bool_)
    for j, (row, c) in enumerate(zip(rows, half, strict=True)):
        alpha = (k * tau_x - 2.0 * tau_s * patch.b / patch.a * row) / c
        march(alpha, k * tau_y / c, 2.0 * tau_s, h, qx[j], qy[j], slips[j])
    scale = patch.friction * 2.0 * patch.load / (pi * patch.a * patch.b) * half[:, None] ** 2
    x = patch.a * half[:, None] * s
    y = np.broadcast_to(patch.b * rows[:, None], x.shape)
    px, py = -scale * qx, -scale * qy
    area = patch.a * half[:, None] * h * patch.b * 2.0 / strips
    total = CreepForce(float(np.sum(px * area)), float(np.sum(py * area)), float(np.sum((x * py - y * px) * area)))
    return StressPicture(x, y, px, py, scale * (1.0 - s**2), slips, total)
