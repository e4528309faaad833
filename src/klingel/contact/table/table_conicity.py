"""Rolling radius difference and equivalent conicity of a contact table.

The radius at which a wheel rolls is -WHEEL_Z. Nodes of both wheels are merged; where one of them jumps, the
difference has two values at one shift. Tables hold contact with the roll of the wheelset solved, so this is
the conicity *with* roll; the reference method of EN 15302, without, needs the profiles (`conicity`).
"""

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from klingel._arguments import check_kind, check_number
from klingel.contact.geometry.conicity import Characteristic
from klingel.contact.geometry.conicity import equivalent_conicity as of_difference
from klingel.contact.table.contact_table import Column, ContactTable
from klingel.contact.table.sections import Sections

SAME = 1e-8  # jumps of both wheels closer than this are one [m]


def _merged_edges(table: ContactTable) -> NDArray:
    low, high = table.range
    inner = np.sort(np.concatenate([table.left.jumps, table.right.jumps]))
    inner = inner[(inner > low + SAME) & (inner < high - SAME)]
    keep = np.append(True, np.diff(inner) > SAME) if inner.size else np.zeros(0, bool)
    return np.array([low, *inner[keep], high])


def _radius(side: Sections, shifts: NDArray) -> NDArray:
    """Rolling radius in the section that holds the middle of the shifts; its end values beyond its nodes."""
    part = side.parts[int(np.searchsorted(side.jumps, 0.5 * (shifts[0] + shifts[-1])))]
    return -np.interp(shifts, part.shift, part.values[:, Column.WHEEL_Z])


def radius_difference(table: ContactTable) -> Characteristic:
    """Left minus right rolling radius over the lateral shift [m]."""
    edges = _merged_edges(table)
    nodes = np.unique(np.concatenate([part.shift for side in (table.left, table.right) for part in side.parts]))
    shifts, values = [], []
    for low, high in pairwise(edges):
        inside = np.concatenate([[low], nodes[(nodes > low + SAME) & (nodes < high - SAME)], [high]])
        shifts.append(inside)
        values.append(_radius(table.left, inside) - _radius(table.right, inside))
    return Characteristic(np.concatenate(shifts), np.concatenate(values))


def equivalent_conicity(table: ContactTable, amplitude: float) -> float:
    """tan(gamma_e) of a table at `amplitude` [m], with roll."""
    check_kind("table", table, ContactTable, "a contact table, as kg.contact_table gives it")
    check_number("amplitude", amplitude, "m")
    c = table.conditions
    return of_difference(radius_difference(table), amplitude, c.spacing, c.radius)
