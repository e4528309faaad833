"""Numbers of de Pater's wheelset. The paper prints none: all of these are our choice.

Mass, inertias and load are those of an ordinary passenger wheelset (axle load 14 t), the springs are soft enough
to put the critical speed within the range of trains. Profiles are circular arcs (a worn, hollow tread on the
crown of a UIC rail), so that the contact is single, closed forms exist and the axis ratio of the ellipse is
constant; the flange is a cone of 70 degrees that meets a gauge corner of 13 mm. The lateral stiffness of the
rail is the one usual in the literature on single bogies (14.6 MN/m); its damping is a fifth of the critical one
for this mass.

All vertical load acts through `load`, the wheelset's own weight included: (4-24) has no other place for it.
"""

from dataclasses import dataclass, fields, replace
from enum import IntEnum
from math import cos, inf, radians, sin, sqrt, tan

import numpy as np

from klingel._errors import InputError
from klingel.contact.patch.hertz import axis_ratio, ellipse_with_ratio
from klingel.contact.patch.kalker import kalker
from klingel.literature.de_pater.creep_table import creep_table
from klingel.literature.de_pater.geometry import tread
from klingel.literature.de_pater.layout import FIELDS, Forces, Inertia, P

OPTIONS: dict[str, type[IntEnum]] = {"forces": Forces, "inertia_terms": Inertia}  # fields that are words


def _words(option: type[IntEnum]) -> list[str]:
    return [name.lower().replace("_", "-") for name in option.__members__]


@dataclass(frozen=True)
class DePaterWheelset:
    """A wheelset hung elastically in a body that moves at constant speed."""

    mass: float = 1250.0  # m [kg]
    inertia: float = 800.0  # I, about the longitudinal and the vertical axis [kg m2]
    spin_inertia: float = 100.0  # I_y [kg m2]
    radius: float = 0.46  # r [m]
    half_base: float = 0.75  # b, from the middle to the contact points in central position [m]
    box_base: float = 1.0  # l_1, from the middle to the axle boxes [m]
    load: float = 140e3  # G, vertical load on the track, own weight included [N]
    stiffness_x: float = 1.0e6  # c_x [N/m]
    stiffness_y: float = 0.5e6  # c_y [N/m]
    stiffness_z: float = 1.0e6  # c_z [N/m]
    speed: float = 30.0  # V [m/s]
    contact_angle: float = 0.05  # conicity gamma in central position [rad]
    rail_crown: float = 0.30  # r_y, transverse radius of the rail [m]
    wheel_hollow: float = 0.50  # r_y*, transverse radius of the hollow tread [m]
    friction: float = 0.30  # mu [-]
    flange_angle: float = radians(70.0)  # of the flange cone [rad]
    corner_radius: float = 0.013  # of the gauge corner [m]
    flange_clearance: float = 0.006  # lateral shift at which the flange touches [m]
    flange_depth: float = 0.010  # of the flange contact below the running circle [m]
    rail_stiffness: float = 14.6e6  # k, lateral, at the second contact point [N/m]; 0: no flange at all
    rail_damping: float = 54e3  # d, parallel to it [N s/m]
    push: float = 0.0  # lateral force on the axle [N] …
    push_start: float = 0.0  # … from this place on [m]
    push_ramp: float = 10.0  # … growing, and falling, over this distance like 1 - cos [m]
    push_hold: float = 30.0  # … constant between both [m]
    forces: str = "secant"  # how (7-4) is solved: secant (ours) or previous-step (his)
    inertia_terms: str = "first-order"  # J*' q*' dropped as in (4-19), or complete
    shear_modulus: float = 8.2e10  # G of the material [Pa]
    poisson: float = 0.28  # nu [-]

    def __post_init__(self):
        may_vanish = ("rail_stiffness", "rail_damping", "push_start", "push_hold", "friction", "stiffness_x",
                      "stiffness_y", "stiffness_z", "contact_angle", "poisson")  # fmt: skip
        for f in fields(DePaterWheelset):
            value = getattr(self, f.name)
            if f.name in OPTIONS:
                _require(f.name, value, value in _words(OPTIONS[f.name]),
                         f"must be one of {', '.join(_words(OPTIONS[f.name]))}")  # fmt: skip
            elif f.name == "push":
                _require(f.name, value, -inf < value < inf, "must be a finite force")
            elif f.name in may_vanish:
                _require(f.name, value, 0.0 <= value < inf, "must be zero or more, and finite")
            else:
                _require(f.name, value, 0.0 < value < inf, "must be positive and finite")
        _require("wheel_hollow", self.wheel_hollow, self.wheel_hollow > self.rail_crown,
                 f"must exceed the rail's {self.rail_crown:g} m, or the contact is not single")  # fmt: skip
        _require("contact_angle", self.contact_angle, self.contact_angle < 0.3, "must be below 0.3 rad")
        _require(
            "flange_angle", self.flange_angle, 0.7 < self.flange_angle < 1.5, "must lie between 0.7 and 1.5 rad"
        )
        _require("flange_clearance", self.flange_clearance, self.flange_clearance < 0.02, "must be below 20 mm")

    def curvatures(self, flange: bool) -> tuple[float, float]:
        """A and B of (6-1) [1/m]; on the flange with the cosine the paper leaves out."""
        if flange:
            return 0.5 * cos(self.flange_angle) / (self.radius + self.flange_depth), 0.5 / self.corner_radius
        return 0.5 / self.radius, 0.5 / self.rail_crown - 0.5 / self.wheel_hollow

    def axis_ratio(self, flange: bool = False) -> float:
        """a/b of the contact ellipse."""
        return float(axis_ratio(*self.curvatures(flange)))

    def mean_axis(self, flange: bool = False) -> float:
        """c = sqrt(a b) under a load of 1 N [m]; it grows like the cube root."""
        modulus = self.shear_modulus / (1.0 - self.poisson)
        found = ellipse_with_ratio(self.axis_ratio(flange), 1.0, sum(self.curvatures(flange)), modulus)
        return sqrt(found.a * found.b)

    def _creep_factors(self, flange: bool) -> list[float]:
        c, law = self.mean_axis(flange), kalker(self.axis_ratio(flange), self.poisson)
        scale = self.shear_modulus * c**2 / max(self.friction, 1e-300)
        return [scale * law.c11, scale * law.c22, scale * c * law.c23]

    def flat(self) -> np.ndarray:
        """Parameters of the kernels in the order of `P`."""
        p = np.zeros(P.END)
        names = [f.name for f in fields(DePaterWheelset)[:FIELDS]]
        p[:FIELDS] = [
            _words(OPTIONS[name]).index(getattr(self, name)) if name in OPTIONS else getattr(self, name)
            for name in names
        ]
        at = tread(self.flange_clearance, p)
        angle = self.flange_angle - at.roll
        p[P.TAN_FLANGE] = tan(self.flange_angle)
        p[P.CORNER_Z] = self.flange_depth + at.height + self.half_base * at.roll + self.corner_radius * cos(angle)
        p[P.OFFSET] = (
            self.flange_depth / p[P.TAN_FLANGE]
            - self.flange_clearance
            + self.radius * at.roll
            - self.corner_radius * sin(angle)
        )
        p[P.T_X : P.T_S + 1] = self._creep_factors(False)
        p[P.FLANGE_T_X : P.FLANGE_T_S + 1] = self._creep_factors(True)
        p[P.TABLE : P.FLANGE_TABLE] = creep_table(self.axis_ratio(False)).ravel()
        p[P.FLANGE_TABLE : P.END] = creep_table(self.axis_ratio(True)).ravel()
        return p

    def damping_ratio(self, mass: float) -> float:
        """Of the rail under a mass [kg]; kept while the stiffness grows."""
        return 0.5 * self.rail_damping / sqrt(self.rail_stiffness * mass)

    def stiffened(self, factor: float) -> "DePaterWheelset":
        """A rail `factor` times as stiff, of the same damping ratio."""
        return replace(
            self, rail_stiffness=factor * self.rail_stiffness, rail_damping=sqrt(factor) * self.rail_damping
        )

    def reduced(self, creepage: float, spin: float, load: float) -> tuple[float, float]:
        """De Pater's reduced creep and spin (6-12) of a tread contact."""
        rho = 2.0 / sum(self.curvatures(False))
        c = self.mean_axis() * load ** (1.0 / 3.0)
        return rho * creepage / (self.friction * c), rho * spin / self.friction


def _require(field: str, given: float, fulfilled: bool, allowed: str) -> None:
    if not fulfilled:
        raise InputError(field, given, allowed)
