"""Contact tables: everything a wheel on a rail needs, over the lateral shift of the wheelset.

The fourteen columns of Hoffmann's table 2.2, in SI units, for the left and the right wheel, cut into smooth
sections at the jumps of the contact point (see `sections`). Track frame: y to the left, z up, origin on the
track centre line at the height of the rail tops; body frame: origin in the middle of the axle.

The normal force N0 is the same in all rows; it only sets the scale of penetration and ellipse, because the
dynamics use N0/q0^1.5 and a0 b0/q0 (equations 2.19 and 2.20). In an overlap N0 and a0 b0 are those of a wheel
that carries all the load, to be multiplied by the weight of the state.

Source: Hoffmann (2006), sections 2.2.3 and 2.2.4.
"""

from dataclasses import dataclass, fields
from enum import IntEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from klingel._errors import InputError
from klingel.contact.patch import hertz, kalker
from klingel.contact.table.sections import Section, Sections


class Column(IntEnum):
    SHIFT = 0  # lateral displacement of the wheelset [m]
    ANGLE = 1  # contact angle in the body frame, positive on the left tread [rad]
    WHEEL_Y = 2  # contact point on the wheel, lateral, body frame [m]
    RAIL_Y = 3  # contact point on the rail, lateral, track frame [m]
    WHEEL_Z = 4  # contact point on the wheel, vertical, body frame; minus the rolling radius [m]
    RAIL_Z = 5  # contact point on the rail, vertical, track frame [m]
    PENETRATION = 6  # q0 [m]
    NORMAL_FORCE = 7  # N0 [N]
    AREA = 8  # a0 b0 [m^2]
    RATIO = 9  # a/b [-]
    C11 = 10
    C22 = 11
    C23 = 12
    C33 = 13


COLUMNS = len(Column)
MIRRORED = (Column.ANGLE, Column.WHEEL_Y, Column.RAIL_Y)  # change sign, with the shift, on the other side


@dataclass(frozen=True)
class Conditions:
    """What a table was made for."""

    wheel: str = ""
    rail: str = ""
    inclination: float = 0.0  # of the rails [-]
    gauge: float = 1.435  # [m]
    radius: float = 0.46  # nominal, r0 [m]
    flange_back: float = 1.36  # distance of the flange backs [m]
    spacing: float = 1.5  # of the running circles [m]
    yaw: float = 0.0  # [rad]
    load: float = 1e5  # N0 [N]
    shear_modulus: float = 8.27e10  # G [Pa]
    poisson: float = 0.27  # [-]
    slender: str = kalker.Slender.EXTRAPOLATED  # creep coefficients beyond a/b of 0.1 and 10, a `kalker.Slender`

    def __post_init__(self):
        for name in ("gauge", "radius", "spacing", "load", "shear_modulus"):
            if not getattr(self, name) > 0.0:
                raise InputError(name, getattr(self, name), "must be positive")
        if not 0.0 <= self.poisson <= 0.5:
            raise InputError("poisson", self.poisson, "must lie between 0 and 0.5")
        if self.slender not in list(kalker.Slender):
            raise InputError("slender", self.slender, f"must be one of {', '.join(kalker.Slender)}")

    def as_dict(self) -> dict[str, Any]:
        return {f.name: getattr(self, f.name) for f in fields(self)}


@dataclass(frozen=True, eq=False)
class ContactTable:
    left: Sections
    right: Sections
    conditions: Conditions

    @property
    def range(self) -> tuple[float, float]:
        """Lateral shift covered by both sides [m]."""
        return max(self.left.low, self.right.low), min(self.left.high, self.right.high)

    def column(self, side: Sections, name: Column) -> tuple[NDArray, NDArray]:
        """Shift and values at all nodes of one side, with NaN between sections, where lines break."""
        shifts, values = [], []
        for part in side.parts:
            shifts += [part.shift, [np.nan]]
            values += [part.values[:, name], [np.nan]]
        return np.concatenate(shifts)[:-1], np.concatenate(values)[:-1]


def physical_columns(values: NDArray, curvature_x: NDArray, curvature_y: NDArray, conditions: Conditions) -> None:
    """Fill the columns from PENETRATION on, from A and B [1/m] of every row."""
    modulus = conditions.shear_modulus / (1.0 - conditions.poisson)
    for row, a, b in zip(values, curvature_x, curvature_y, strict=True):
        e = hertz.ellipse(conditions.load, a, b, modulus)
        ratio = e.a / e.b
        row[Column.PENETRATION :] = (
            e.approach,
            conditions.load,
            e.a * e.b,
            ratio,
            *kalker.kalker(ratio, conditions.poisson, conditions.slender),
        )


def mirrored(side: Sections) -> Sections:
    """The other wheel of a symmetric wheelset on a symmetric track."""
    parts = []
    for part in reversed(side.parts):
        values = part.values[::-1].copy()
        values[:, (Column.SHIFT, *MIRRORED)] *= -1.0
        parts.append(Section(float(values[0, Column.SHIFT]), part.step, values))
    return Sections(tuple(parts), -side.jumps[::-1], side.overlaps[::-1], -side.high, -side.low)
