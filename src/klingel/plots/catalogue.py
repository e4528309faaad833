"""Kinds of pictures by name: what each shows, what it is drawn from, which choices it takes.

Modules are imported when a kind is drawn.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from importlib import import_module
from typing import Any

from matplotlib.figure import Figure

from klingel._errors import InputError


class Subject(StrEnum):
    """What a picture is drawn from."""

    RUN = "run"
    TRACK = "track"
    VEHICLE = "vehicle"
    SWEEP = "sweep"
    BRANCH = "branch"
    TABLE = "contact table"
    PROFILE = "profile"
    ELEMENT = "element"


@dataclass(frozen=True)
class Kind:
    module: str  # below klingel.plots
    function: str
    line: str  # for people
    choices: tuple[str, ...] = ("window", "quantities")  # arguments besides the subject; others: of its sort
    subject: Subject = Subject.RUN

    def load(self) -> Callable[..., Figure]:
        return getattr(import_module(f"klingel.plots.{self.module}"), self.function)


SERIES = ("window", "quantities", "along")
KINDS = {
    "lateral": Kind("runs.motion", "draw_lateral", "lateral motion, yaw and roll of all bodies", SERIES),
    "longitudinal": Kind(
        "runs.motion", "draw_longitudinal", "longitudinal motion, spin, suspension along", SERIES
    ),
    "vertical": Kind("runs.motion", "draw_vertical", "vertical motion, roll, pitch, vertical suspension", SERIES),
    "wheelset": Kind("runs.wheelset", "draw_wheelset", "each wheelset: lateral, yaw, forces Y and Q", SERIES),
    "hysteresis": Kind(
        "runs.loops",
        "draw_hysteresis",
        "force over deformation of the suspension",
        ("window", "quantities", "others"),
    ),
    "events": Kind("runs.events", "draw_events", "who changes mode and when"),
    "phase": Kind("runs.phase", "draw_phase", "a quantity over its rate, or over another (a:b)"),
    "section": Kind("runs.section", "draw_section", "Poincaré section: two quantities (a:b) once per cycle"),
    "spectrum": Kind("runs.spectrum", "draw_spectrum", "power spectra of the lateral motion"),
    "contact": Kind("wheel_rail.contact_angle", "draw_contact", "contact angle beside the lateral motion", SERIES),
    "shadowing": Kind("runs.shadowing", "draw_shadowing", "attractors met while the speed changes", SERIES),
    "separation": Kind(
        "runs.separation", "draw_separation", "distance between two runs", ("window", "quantities", "other")
    ),
    "compare": Kind(
        "runs.compare",
        "draw_compare",
        "the same quantities of several runs, below each other",
        (*SERIES, "others"),
    ),
    "curve": Kind("runs.curve", "draw_curve", "a run through curves, over the distance"),
    "track": Kind("runs.track", "draw_track", "curvature, cant or irregularity of a track", subject=Subject.TRACK),
    "vehicle": Kind(
        "laws.vehicle",
        "draw_vehicle",
        "a vehicle to scale, from the side and from above",
        (),
        Subject.VEHICLE,
    ),
    "suspension": Kind(
        "laws.suspension",
        "draw_suspension",
        "static characteristics of a vehicle",
        ("quantities",),
        Subject.VEHICLE,
    ),
    "resonance": Kind(
        "sweeps.resonance",
        "draw_resonance",
        "wheelsets' frequency over speed beside the yaw frequency of the carbody",
        ("quantities",),
        Subject.VEHICLE,
    ),
    "jacobian": Kind(
        "linear.jacobian", "draw_jacobian", "which states of a vehicle depend on which", (), Subject.VEHICLE
    ),
    "profile": Kind("wheel_rail.contact", "profile", "a wheel or rail profile", (), Subject.PROFILE),
    "table": Kind(
        "wheel_rail.contact_table",
        "draw_table",
        "a contact table over the lateral shift, or its jumps",
        ("quantities",),
        Subject.TABLE,
    ),
    "modes": Kind("laws.state_machine", "draw", "state machine of an element with modes", (), Subject.ELEMENT),
    "attractors": Kind(
        "sweeps.attractors",
        "draw_attractors",
        "largest displacement on what motions settle to, rest with its width",
        ("quantities", "others"),
        Subject.SWEEP,
    ),
    "bifurcation": Kind(
        "sweeps.bifurcation",
        "draw_bifurcation",
        "every maximum where motions settle, and their kind",
        ("quantities", "others"),
        Subject.SWEEP,
    ),
    "branch": Kind(
        "sweeps.branch",
        "draw_branch",
        "periodic motions, stable and unstable, with special points",
        ("quantities", "others"),
        Subject.BRANCH,
    ),
}


def find_kind(name: str) -> Kind:
    if name not in KINDS:
        raise InputError("kind", name, f"must be one of {', '.join(KINDS)}")
    return KINDS[name]


def draw(name: str, subject: Any, **choices: Any) -> Figure:
    """A picture of a kind; choices that are None or empty are left to the kind, others it must know."""
    kind = find_kind(name)
    given = {key: value for key, value in choices.items() if value is not None and value != ()}
    for key in given:
        if key not in kind.choices:
            raise InputError(key, given[key] if key == "along" else None, f"has no meaning for the kind {name}")
    return kind.load()(subject, **given)
