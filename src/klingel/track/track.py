"""A track: rails, gauge, alignment and irregularities."""

from dataclasses import dataclass, field
from enum import IntEnum
from math import copysign, inf, isfinite, sqrt
from typing import Any, get_args

import numpy as np

from klingel._arguments import check_array, check_kind, check_number, check_text
from klingel._errors import InputError
from klingel.contact.table.sections import OVERLAP
from klingel.track import irregularity as irregular
from klingel.track.alignment import MINIMUM_RADIUS, WHY_NOT_TIGHTER, Alignment, Stage, Value

LARGEST_OVERLAP = 0.01  # [m]
LARGEST_RESIDUAL = 0.001  # [m]


class Frame(IntEnum):
    """How the track frame treats cant."""

    UNTILTED = 0  # Hoffmann (2006): y stays horizontal, cant enters at the wheels only
    TILTED = 1  # y lies in the plane of the rail tops, gravity is split by phi_SE


@dataclass(frozen=True)
class Track:
    alignment: Alignment = field(default_factory=Alignment)
    irregularity: tuple[irregular.Source, ...] = ()
    rail: str = "UIC60"  # profile, library name or path
    inclination: float = 1 / 40  # of the rails, inwards [-]
    gauge: float = 1.435  # 14 mm below the rail tops [m]
    cant_reference: float = 1.5  # 2 b0, distance between the points where cant is measured [m]
    frame: Frame = Frame.TILTED
    title: str = ""
    sources: dict[str, str] = field(default_factory=dict)  # name of a value -> where it comes from
    overlap: float | tuple[float, ...] = OVERLAP  # of contact sections, for all jumps or one for each [m]
    rail_residual: float = 0.0  # rms distance that smoothing may take from the points of a rail file [m]

    def __post_init__(self) -> None:
        self._check_types()
        if not self.rail:
            raise InputError("rail", self.rail, "must name a profile")
        if not 0.0 <= self.inclination <= 0.1:
            raise InputError("inclination", self.inclination, "must lie between 0 and 1/10")
        if not 0.5 <= self.gauge <= 2.0:
            raise InputError("gauge", self.gauge, "must lie between 0.5 m and 2 m")
        if not self.gauge < self.cant_reference < self.gauge + 0.2:
            allowed = f"must lie between the gauge, {self.gauge:g} m, and {self.gauge + 0.2:g} m"
            raise InputError("cant_reference", self.cant_reference, allowed)
        if not 0.0 <= self.rail_residual <= LARGEST_RESIDUAL:
            raise InputError("rail_residual", self.rail_residual, f"must lie between 0 and {LARGEST_RESIDUAL:g} m")
        widths = np.atleast_1d(self.overlap)
        if widths.ndim > 1 or not all(0.0 <= width <= LARGEST_OVERLAP for width in widths):
            raise InputError("overlap", self.overlap, f"must lie between 0 and {LARGEST_OVERLAP:g} m")

    def _check_types(self) -> None:
        check_kind("alignment", self.alignment, Alignment, "an Alignment, like that of kg.Track.curve")
        sources = check_kind("irregularity", self.irregularity, (tuple, list), "a tuple of irregularities")
        for source in sources:
            check_kind("irregularity", source, get_args(irregular.Source), "Samples, Shift or Random")
        check_text("rail", self.rail, "the name or file of a rail profile")
        for name, unit in (("inclination", ""), ("gauge", "m"), ("cant_reference", "m")):
            check_number(name, getattr(self, name), unit)
        check_kind("frame", self.frame, Frame, f"one of Frame.{', Frame.'.join(Frame.__members__)}")
        check_text("title", self.title, "a text")
        check_kind("sources", self.sources, dict, "a dictionary: name of a value and where it comes from")
        check_array("overlap", self.overlap, "a length in m, or one for each jump")

    @classmethod
    def straight(cls, inclination: float = 1 / 40, **options: Any) -> "Track":
        """Level straight track; options are the other fields of `Track`."""
        return cls(inclination=inclination, **options)

    @classmethod
    def curve(
        cls,
        radius: float,
        cant: float = 0.0,
        transition: float = 100.0,
        length: float = 300.0,
        lead_in: float = 50.0,
        **options: Any,
    ) -> "Track":
        """Straight, linear transition, circular arc, transition, straight.

        Parameters
        ----------
        radius : float
            Of the arc; positive to the left, negative to the right, `inf` for straight track [m].
        cant : float
            Height of the outer rail over the inner one in the arc; linear in the transitions [m].
        transition, length, lead_in : float
            Length of each transition, of the arc (`inf`: the track does not leave it) and of the straight track
            before it [m].
        options
            Other fields of `Track`.
        """
        for name, given in (("radius", radius), ("cant", cant), ("transition", transition), ("length", length)):
            check_number(name, given, "m", finite=name == "cant")
        check_number("lead_in", lead_in, "m")
        if not abs(radius) >= MINIMUM_RADIUS:
            raise InputError("radius", radius, f"must be at least {MINIMUM_RADIUS:g} m, {WHY_NOT_TIGHTER}")
        if not (isfinite(transition) and transition >= 0.0):
            raise InputError("transition", transition, "must be finite, not negative")
        if not length >= 0.0:
            raise InputError("length", length, "must not be negative")
        if transition == 0.0 and cant != 0.0:
            raise InputError("transition", transition, "must be positive, or the cant would be a step")
        stages = _curve_stages(1.0 / radius, copysign(1.0, radius) * cant, transition, length)
        return cls(Alignment(tuple(stages), start=lead_in), **options)

    def alignment_table(self) -> np.ndarray:
        """Flat array for `alignment.sample`."""
        return self.alignment.table(self.cant_reference)

    def irregularity_table(self) -> np.ndarray:
        """Flat array for `irregularity.sample`."""
        return irregular.compile_table(self.irregularity, self.cant_reference)

    def balance_speed(self, s: float, gravity: float = 9.81) -> float:
        """Speed at which cant and curvature at `s` leave no acceleration in the track plane [m/s]."""
        check_number("s", s, "m")
        check_number("gravity", gravity, "m/s2")
        values = self.alignment.values(np.array([s]), self.cant_reference)[0]
        ratio = -gravity * values[Value.CANT_ANGLE]
        if values[Value.CURVATURE] == 0.0:
            return 0.0 if ratio == 0.0 else inf
        return sqrt(max(ratio / values[Value.CURVATURE], 0.0))


def _curve_stages(curvature: float, cant: float, transition: float, length: float) -> list[Stage]:
    if curvature == 0.0 and cant == 0.0:
        return []
    ramps = transition > 0.0
    stages = [Stage(transition, (0.0, curvature), (0.0, cant))] if ramps else []
    if length == inf:
        # the track goes on as its last stage ends
        return stages or [Stage(1.0, (curvature, curvature))]
    if length > 0.0:
        stages.append(Stage(length, (curvature, curvature), (cant, cant)))
    stages.append(Stage(transition, (curvature, 0.0), (cant, 0.0)) if ramps else Stage(1.0))
    return stages
