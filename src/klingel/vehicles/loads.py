"""Goods on a wagon as a homogeneous box: mass, centre of mass and moments of inertia of both together.

With the box m_b of length l, width w and height h at the distance d from the centre of mass of the carbody,

    I_xx = I_xx,cb + m_b (w^2 + h^2) / 12 + mu (d_y^2 + d_z^2),     mu = m_cb m_b / (m_cb + m_b)

and cyclically. Products of inertia of an off-centre box are left out; bodies here have principal axes along
x, y, z.

Source: Hoffmann (2006), section 5.1, where a box of 26 t and (16.01, 2.90, 2.35) m is the load of the Hbbills.
"""

from dataclasses import dataclass, replace

from klingel._errors import InputError
from klingel.model.description import Body

Vector = tuple[float, float, float]


@dataclass(frozen=True)
class Box:
    mass: float  # [kg]
    size: Vector  # length, width, height [m]
    position: Vector  # centre of the box, vehicle frame [m]

    def __post_init__(self) -> None:
        if not self.mass > 0.0:
            raise InputError("mass", self.mass, "must be positive")
        if not all(length >= 0.0 for length in self.size):
            raise InputError("size", self.size, "must be three lengths, none negative")


def loaded(mass: float, inertia: Vector, centre: Vector, box: Box) -> tuple[float, Vector, Vector]:
    """Mass [kg], inertia [kg m2] and centre of mass [m] of carbody and box together."""
    total = mass + box.mass
    x, y, z = ((mass * c + box.mass * b) / total for c, b in zip(centre, box.position, strict=True))
    dx, dy, dz = (b - c for c, b in zip(centre, box.position, strict=True))
    length, width, height = box.size
    twelfth, reduced = box.mass / 12.0, mass * box.mass / total
    together = (
        inertia[0] + twelfth * (width**2 + height**2) + reduced * (dy**2 + dz**2),
        inertia[1] + twelfth * (length**2 + height**2) + reduced * (dx**2 + dz**2),
        inertia[2] + twelfth * (length**2 + width**2) + reduced * (dx**2 + dy**2),
    )
    return total, together, (x, y, z)


@dataclass(frozen=True)
class BodyLoad:
    """A load case of one body: body and goods together, or the goods alone as a box; None stays as empty."""

    mass: float | None = None  # [kg]
    inertia: Vector | None = None  # [kg m2]
    position: Vector | None = None  # centre of mass, vehicle frame [m]
    box: Box | None = None

    def on(self, body: Body) -> Body:
        mass = body.mass if self.mass is None else self.mass
        inertia, position = self.inertia or body.inertia, self.position or body.position
        if self.box is not None:
            mass, inertia, position = loaded(mass, inertia, position, self.box)
        return replace(body, mass=mass, inertia=inertia, position=position)
