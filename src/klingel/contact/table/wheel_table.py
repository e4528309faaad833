"""A contact table of one wheel as a simulation reads it: flat arrays, kernels that allocate nothing.

Layout [interval][power of t][column]: one interval index serves all columns, and the columns of one power are
contiguous. Sections have equally spaced nodes, so the interval is a multiplication away. Stored are derived
columns, `Row`: with the penetration q and the weight w of an overlap

    N = w HERTZ q^1.5 + w d q_dot,   a b = w AREA q,   linear creep forces w G11 q xi,  w G22 q eta,
                                                                           (w q)^1.5 G23 phi

so that one square root serves normal force and spin. Interpolating these instead of the printed columns is
another interpolation of the same nodes.

In an overlap each section is continued beyond its jump. SPLINE: the outer cubic goes on, as Hoffmann has it; it is
the contact angle that goes on, and its sine and cosine are taken of that, so that normals stay unit vectors.
HELD: the values at the beginning of the overlap stay. Wheel and rail then part as two fixed points of two
bodies, which gives the opening of a receding contact to first order; it is the safer choice where a contact
point runs fast into its jump (flange root on rail corner), because there the cubics of wheel and rail run
apart. At most one interval further than the overlap asks for `evaluate` refuses, and a step that tried it
is to be rejected.
"""

from enum import IntEnum
from math import sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from klingel._errors import InputError
from klingel._jit import kernel
from klingel.contact.creep.creepage import Patch
from klingel.contact.creep.saturation import factor
from klingel.contact.profiles import spline
from klingel.contact.table.contact_table import Column
from klingel.contact.table.sections import Section, Sections


class Row(IntEnum):
    """Columns of the compiled table; the first ten are all that Shen-Hedrick-Elkins needs."""

    SIN = 0  # of the contact angle
    COS = 1
    WHEEL_Y = 2  # [m]
    WHEEL_Z = 3
    RAIL_Y = 4
    RAIL_Z = 5
    HERTZ = 6  # N0/q0^1.5 [N/m^1.5]
    G11 = 7  # G a0 b0/q0 C11 [N/m]
    G22 = 8  # [N/m]
    G23 = 9  # G (a0 b0/q0)^1.5 C23 [N/m^0.5]
    AREA = 10  # a0 b0/q0 [m]
    RATIO = 11  # a/b
    C11 = 12
    C22 = 13
    C23 = 14
    C33 = 15


ROW = len(Row)  # length of a full row
UNIT = 5e-5  # error of sine^2 + cosine^2
MOST_PARTS = 16  # of an interval between nodes, to reach it
SHORT_ROW = Row.G23 + 1  # what `creep_stiffness` and `normal_force` need


class Interpolation(IntEnum):
    NATURAL_SPLINE, LINEAR = range(2)


class Extension(IntEnum):
    """How a section goes on in an overlap."""

    SPLINE, HELD = range(2)


class WheelTable(NamedTuple):
    start: NDArray  # first node of each section [m]
    per_step: NDArray  # one over the spacing of its nodes [1/m]
    first: NDArray  # its first interval
    count: NDArray  # number of its intervals
    low: NDArray  # range in which it may be evaluated [m]
    high: NDArray
    hold_low: NDArray  # values do not change below and above these [m]
    hold_high: NDArray
    bounds: NDArray  # of the states [m], see `sections`
    coefficients: NDArray  # [interval][power][Row]


def _derived(part: Section, shear_modulus: float) -> NDArray:
    v = part.values
    area = v[:, Column.AREA] / v[:, Column.PENETRATION]
    stiff = shear_modulus * area
    hertz = v[:, Column.NORMAL_FORCE] / v[:, Column.PENETRATION] ** 1.5
    return np.column_stack([
        np.sin(v[:, Column.ANGLE]),
        np.cos(v[:, Column.ANGLE]),
        v[:, Column.WHEEL_Y],
        v[:, Column.WHEEL_Z],
        v[:, Column.RAIL_Y],
        v[:, Column.RAIL_Z],
        hertz,
        stiff * v[:, Column.C11],
        stiff * v[:, Column.C22],
        stiff * np.sqrt(area) * v[:, Column.C23],
        area,
        v[:, Column.RATIO :],
    ])  # fmt: skip


def _cubics(part: Section, shear_modulus: float, interpolation: Interpolation, before: int, after: int) -> NDArray:
    """Coefficients of one section, with so many intervals more before its first and after its last node.

    Where a contact point runs fast into its jump the angle turns by half a radian from node to node: intervals are
    then divided until cubics hold its sine and cosine.
    """
    if interpolation == Interpolation.LINEAR:
        cubics = spline.prolonged(spline.linear(_derived(part, shear_modulus)), before, after)
        angle = spline.prolonged(spline.linear(part.values[:, Column.ANGLE, None]), before, after)[:, :, 0]
        cubics[:, :, [Row.SIN, Row.COS]] = spline.turned(angle, straight=True)
        return cubics
    whole = spline.prolonged(spline.natural(_derived(part, shear_modulus)), before, after)
    whole_angle = spline.prolonged(spline.natural(part.values[:, Column.ANGLE, None]), before, after)[:, :, 0]
    for parts in range(1, MOST_PARTS + 1):
        cubics = spline.divided(whole, parts)
        cubics[:, :, [Row.SIN, Row.COS]] = spline.turned(spline.divided(whole_angle, parts))
        if _off_unit(cubics[:, :, Row.SIN], cubics[:, :, Row.COS]) < UNIT:
            break
    return cubics


def _off_unit(sine: NDArray, cosine: NDArray) -> float:
    """Largest deviation of sine^2 + cosine^2 from one inside the intervals of two splines."""
    at = np.array([0.25, 0.5, 0.75])[:, None] ** np.arange(4)
    return float(np.abs((sine @ at.T) ** 2 + (cosine @ at.T) ** 2 - 1.0).max())


def compile_side(
    side: Sections,
    shear_modulus: float,
    interpolation: Interpolation = Interpolation.NATURAL_SPLINE,
    extension: Extension = Extension.SPLINE,
) -> WheelTable:
    """The table of one wheel, ready for simulation; G [Pa]."""
    if not shear_modulus > 0.0:
        raise InputError("shear_modulus", shear_modulus, "must be positive")
    steps = np.array([part.step for part in side.parts])
    reach = np.concatenate([[0.0], side.reach, [0.0]])
    low, high = side.edges[:-1] - reach[:-1] - steps, side.edges[1:] + reach[1:] + steps
    starts = np.array([part.start for part in side.parts])
    ends = np.array([part.shift[-1] for part in side.parts])
    before, after = (np.ceil(d / steps - 1e-6).astype(int) for d in (starts - low, high - ends))
    blocks = [
        _cubics(part, shear_modulus, interpolation, first, last)
        for part, first, last in zip(side.parts, before, after, strict=True)
    ]
    count = np.array([len(block) for block in blocks])
    parts = count / (np.array([max(len(part.values) - 1, 1) for part in side.parts]) + before + after)
    free = np.inf if extension == Extension.SPLINE else 0.0
    return WheelTable(
        starts - before * steps,
        parts / steps,
        np.concatenate([[0], np.cumsum(count)[:-1]]),
        count,
        low,
        high,
        side.bounds[::2] - free,
        side.bounds[1::2] + free,
        side.bounds,
        np.concatenate(blocks),
    )


@kernel
def evaluate(wheel, section, shift, columns, out):
    """Fill the first `columns` of `out` from one section; false if the shift is too far outside it."""
    if not wheel.low[section] <= shift <= wheel.high[section]:
        return False
    shift = min(max(shift, wheel.hold_low[section]), wheel.hold_high[section])
    t = (shift - wheel.start[section]) * wheel.per_step[section]
    i = min(max(int(t), 0), wheel.count[section] - 1)
    t -= i
    i += wheel.first[section]
    c = wheel.coefficients
    for k in range(columns):
        out[k] = c[i, 0, k] + t * (c[i, 1, k] + t * (c[i, 2, k] + t * c[i, 3, k]))
    return True


@kernel
def state_at(wheel, shift):
    """State that holds `shift`: 2k for section k, 2k + 1 for its overlap with the next."""
    low = 0
    high = wheel.bounds.size - 1
    while high - low > 1:
        middle = (low + high) // 2
        if shift < wheel.bounds[middle]:
            high = middle
        else:
            low = middle
    return low


@kernel
def upper_weight(wheel, state, shift):
    """Share of the load on the upper section of an overlap; stays in 0..1 where a trial step leaves it."""
    low = wheel.bounds[state]
    width = wheel.bounds[state + 1] - low
    if width <= 0.0:
        return 0.5
    return min(max((shift - low) / width, 0.0), 1.0)


@kernel
def normal_force(row, penetration, rate, weight, damping):
    """N with linear damping [N s/m]; zero when the bodies are apart or the damper would pull."""
    if penetration <= 0.0:
        return 0.0
    force = row[Row.HERTZ] * penetration * sqrt(penetration) + damping * rate
    return max(weight * force, 0.0)


@kernel
def shen_hedrick_elkins(row, penetration, weight, limit, xi, eta, phi):
    """T_x, T_y on the wheel; `limit` = mu N > 0. The law of its own file, from the stored products."""
    q = weight * penetration
    tx = row[Row.G11] * q * xi
    ty = row[Row.G22] * q * eta + row[Row.G23] * q * sqrt(q) * phi
    scale = -factor(sqrt(tx * tx + ty * ty) / limit)
    return scale * tx, scale * ty


@kernel
def patch(row, penetration, weight, load, friction, shear_modulus):
    """The ellipse for any creep-force law, from a full row; load > 0."""
    area = row[Row.AREA] * weight * penetration
    a = sqrt(area * row[Row.RATIO])
    return Patch(
        a, area / a, load, friction, shear_modulus, row[Row.C11], row[Row.C22], row[Row.C23], row[Row.C33]
    )
