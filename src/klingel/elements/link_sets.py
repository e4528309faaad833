"""Published parameters of the UIC double-link, normalised with the vertical load of the suspension.

One direction of the link is a linear spring `k` in parallel with up to four elastic dry friction sliders
(`k_i`, `T_0i`) and, laterally, with the suspension bracket: a spring `k_sb` that engages beyond the
clearance `y_0`. Multiply stiffnesses and limits by the static load of the corner to get N/m and N.

Source: Hoffmann (2006), tables 2.4 and 2.5; `k_sb = k_y` and `y_0 = 10 mm` from the text above them. The sets
go back to

====  ===========================================================================================
PTP   Piotrowski, cylindrical elements, coefficient of friction 0.3: the reference set
SPP   suspension characteristics proposed by its reference [80]
INP   used in the comparison of four packages by Ayasse et al. [12]
ASZ   used by Stiepel and Zeipel [85]
MP    measured laterally on a worn suspension; longitudinally the theoretical values of PTP
====  ===========================================================================================
"""

from dataclasses import dataclass, replace
from math import inf

from klingel._errors import InputError

CLEARANCE = 0.010  # y_0, between the lower link and the suspension bracket [m]
PTP_FRICTION = 0.3  # coefficient of friction behind the break-out forces of the set PTP


@dataclass(frozen=True)
class LinkLaw:
    """One direction of a double-link; every force is divided by the load."""

    stiffness: float  # k [1/m]
    sliders: tuple[tuple[float, float], ...]  # (k_i [1/m], T_0i [-])
    bracket_stiffness: float = 0.0  # k_sb [1/m]
    bracket_gap: float = inf  # y_0 [m]

    @property
    def rolling_stiffness(self) -> float:
        """Stiffness while every joint rolls, k + sum k_i [1/m]."""
        return self.stiffness + sum(stiffness for stiffness, _ in self.sliders)

    @property
    def breakout(self) -> float:
        """Friction force once every joint slides, sum T_0i [-]."""
        return sum(limit for _, limit in self.sliders)

    def with_friction(self, ratio: float) -> "LinkLaw":
        """Break-out forces times `ratio` of the coefficients of friction; stiffnesses depend on geometry only."""
        return replace(self, sliders=tuple((stiffness, ratio * limit) for stiffness, limit in self.sliders))

    def without_bracket(self) -> "LinkLaw":
        """The same link free of the suspension bracket: the technical pendulum."""
        return replace(self, bracket_stiffness=0.0, bracket_gap=inf)


def _lateral(stiffness: float, *sliders: tuple[float, float]) -> LinkLaw:
    return LinkLaw(stiffness, sliders, bracket_stiffness=stiffness, bracket_gap=CLEARANCE)


_THEORY_X = LinkLaw(5.51, ((3.56, 0.02103), (1.90, 0.01425), (0.35, 0.00278), (1.86, 0.02059)))

LINK_SETS: dict[str, dict[str, LinkLaw]] = {
    "PTP": {"x": _THEORY_X, "y": _lateral(3.406, (10.375, 0.053))},
    "SPP": {"x": LinkLaw(4.50, ((25.00, 0.08),)), "y": _lateral(4.90, (20.00, 0.10))},
    "INP": {"x": LinkLaw(4.60, ((22.99, 0.07),)), "y": _lateral(4.60, (13.79, 0.07))},
    "ASZ": {
        "x": LinkLaw(2.70, ((32.00, 0.016), (15.70, 0.037), (4.10, 0.020))),
        "y": _lateral(4.00, (52.00, 0.040), (8.00, 0.064)),
    },
    "MP": {
        "x": _THEORY_X,
        "y": _lateral(6.00, (2.00, 0.0015), (2.00, 0.0020), (2.00, 0.0025), (2.00, 0.0030)),
    },
}


def link_law(name: str, direction: str) -> LinkLaw:
    """The law of a published set in direction `x` (along the track) or `y` (across)."""
    if name not in LINK_SETS:
        raise InputError("links", name, f"must be one of {', '.join(LINK_SETS)}")
    if direction not in ("x", "y"):
        raise InputError("direction", direction, "must be x or y")
    return LINK_SETS[name][direction]
