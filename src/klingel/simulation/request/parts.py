"""Parts of a request: which vehicle, which track, how it starts, how it is solved, what is kept.

A field's metadata `DIMENSION` says in which unit files may give it; inside everything is SI.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from math import isfinite
from typing import Any

from klingel._errors import InputError
from klingel.io.toml_tables import unknown_key
from klingel.io.track.files import load_track, parse_track
from klingel.io.units import BadQuantity, read_quantity
from klingel.io.vehicle.files import load_vehicle, parse_vehicle
from klingel.io.vehicle.options import read_property, with_property
from klingel.model.description import Vehicle
from klingel.simulation.request.solving import Solving as Solving
from klingel.simulation.request.solving import quantity
from klingel.simulation.setup import check_number
from klingel.track.track import Track
from klingel.vehicles.registry import keywords, option_dimension

SI = "SI units: m, rad, m/s, rad/s"


@dataclass(frozen=True)
class VehicleChoice:
    """A vehicle of the library, of a file or of the text of one, with its options and changed values.

    It is read when it is needed, not here: a request stays readable where its file is not.
    """

    name: str = ""  # in the library, or path of a file
    options: Mapping[str, Any] = field(default_factory=dict)  # of `load_vehicle`
    changes: Mapping[str, float | str] = field(default_factory=dict)  # by dotted name; SI, or text with a unit
    text: str = ""  # of a vehicle file, instead of a name

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or bool(self.name) == bool(self.text):
            raise InputError("vehicle.name", self.name, "must be a vehicle of the library or a file")
        _check_table("vehicle.options", self.options)
        for name in self.options:
            if name not in keywords():
                raise unknown_key(f"vehicle.options.{name}", name, keywords())
        chosen = {name: _option(name, value) for name, value in self.options.items() if value is not None}
        object.__setattr__(self, "options", chosen)
        _check_table("vehicle.changes", self.changes)
        for name, value in self.changes.items():
            if not isinstance(value, str):
                check_number(f"vehicle.changes.{name}", value, "SI units, or a text with its unit")
        changes = {name: value if isinstance(value, str) else float(value) for name, value in self.changes.items()}
        object.__setattr__(self, "changes", changes)

    @cached_property
    def vehicle(self) -> Vehicle:
        """Read, with every change made."""
        if self.text:
            found = parse_vehicle(self.text, "vehicle of the request", self.options)
        else:
            found = load_vehicle(self.name, **self.options)
        for name, new in self.changes.items():
            found = with_property(found, name, read_property(found, name, new) if isinstance(new, str) else new)
        return found


def _option(name: str, value: Any) -> Any:
    """An option of a vehicle; quantities may be texts with a unit."""
    field_name = f"vehicle.options.{name}"
    if isinstance(value, Mapping):
        return {key: _option(name, part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return tuple(_option(name, part) for part in value)
    dimension = option_dimension(name)
    if not dimension:
        if not isinstance(value, str):
            raise InputError(field_name, value, "must be a word")
        return value
    try:
        return read_quantity(value, dimension)
    except BadQuantity as bad:
        raise InputError(field_name, value, str(bad)) from None


@dataclass(frozen=True)
class TrackChoice:
    """A track of a file, or of the text of one; read when it is needed."""

    file: str = ""
    text: str = ""

    def __post_init__(self) -> None:
        if not isinstance(self.file, str) or bool(self.file) == bool(self.text):
            raise InputError("track", self.file, "must be a track file")

    @cached_property
    def track(self) -> Track:
        return load_track(self.file) if self.file else parse_track(self.text, "track of the request")


class Leaves(StrEnum):
    """Branch on which leaf springs start."""

    REST = "rest"  # near rest, as static equilibrium left them
    LOADING = "loading"
    UNLOADING = "unloading"


class Placing(StrEnum):
    """How offsets from rest become a start.

    Height and roll of a wheelset kicked in y or yaw follow from its rails, and so do their speeds; a wheelset
    whose z or roll is named, conical wheelsets and other bodies are displaced as typed.
    """

    RAILS = "rails"  # sliders unloaded, leaf springs near rest at the deformation they then have
    DRAGGED = "dragged"  # as rails, sliders dragged along: loaded up to their limit
    BARE = "bare"  # the named coordinates alone, sliders stuck where they were at rest


@dataclass(frozen=True)
class StoredState:
    """A state to start from, with the names its numbers belong to."""

    states: tuple[str, ...]
    modes: tuple[str, ...]
    x: tuple[float, ...]
    memory: tuple[float, ...]
    mode: tuple[int, ...]
    distance: float | None  # of the middle of the vehicle on the track [m]
    told: str  # where it comes from, in words
    vehicle: str = ""  # name of the vehicle; empty where it is not known

    def __post_init__(self) -> None:
        for name, kind in (("states", str), ("modes", str), ("x", float), ("memory", float), ("mode", int)):
            given = getattr(self, name)
            try:
                if isinstance(given, str):
                    raise TypeError
                object.__setattr__(self, name, tuple(kind(value) for value in given))
            except (TypeError, ValueError):
                raise InputError(f"start.state.{name}", given, f"must be a list of {kind.__name__}") from None
        for name, names in (("x", "states"), ("mode", "modes")):
            if len(getattr(self, name)) != len(getattr(self, names)):
                wanted = f"must have one entry for each of {names}"
                raise InputError(f"start.state.{name}", len(getattr(self, name)), wanted)
        if self.distance is not None:
            check_number("start.state.distance", self.distance, "m")


Initial = Mapping[str, float] | StoredState | str


@dataclass(frozen=True)
class Starting:
    """Where a run begins."""

    initial: Initial = field(default_factory=dict)  # offsets from rest by name, a state, or the path of a run
    sliders: Mapping[str, float] = field(default_factory=dict)  # displaced, by name or pattern [m]
    leaves: str = Leaves.REST
    placing: str = Placing.RAILS  # of offsets

    def __post_init__(self) -> None:
        initial: Any = self.initial
        if hasattr(initial, "end_state"):  # a run
            object.__setattr__(self, "initial", initial.end_state())
        elif not isinstance(initial, StoredState | str):
            object.__setattr__(self, "initial", _numbers("initial", initial, SI))
        elif initial == "":
            raise InputError("start.run", initial, "must be the file of a run")
        object.__setattr__(self, "sliders", _numbers("sliders", self.sliders, "m"))
        if self.leaves not in list(Leaves):
            raise InputError("leaves", self.leaves, f"must be one of {', '.join(Leaves)}")
        object.__setattr__(self, "leaves", str(self.leaves))
        if self.placing not in list(Placing):
            raise InputError("placing", self.placing, f"must be one of {', '.join(Placing)}")
        object.__setattr__(self, "placing", str(self.placing))


class Precision(StrEnum):
    """Of quantities in a result; time, distance and what a run needs to go on are always double."""

    SINGLE = "single"
    DOUBLE = "double"


ALL, USUAL = "all", "usual"  # words for quantities


@dataclass(frozen=True)
class Outputs:
    """What is kept of a run. Left open, a run in memory has all quantities in double precision, and a file written
    as it goes on the usual ones in single precision."""

    output_step: float | None = field(default=0.01, metadata=quantity("time"))  # None: a row for every step [s]
    quantities: tuple[str, ...] | None = None  # names and patterns; all, usual
    precision: str | None = None

    def __post_init__(self) -> None:
        if self.output_step is not None:
            check_number("output_step", self.output_step, "s")
            object.__setattr__(self, "output_step", float(self.output_step))
        if self.quantities is not None:
            object.__setattr__(self, "quantities", _patterns(self.quantities))
        if self.precision is not None:
            if self.precision not in list(Precision):
                raise InputError("precision", self.precision, f"must be {' or '.join(Precision)}")
            object.__setattr__(self, "precision", str(self.precision))


def _patterns(given: Any) -> tuple[str, ...]:
    """Names in a text with commas, or in a list."""
    parts = given.split(",") if isinstance(given, str) else given
    if not isinstance(parts, list | tuple) or not all(isinstance(part, str) and part.strip() for part in parts):
        raise InputError("quantities", given, "must be names or patterns, like front_wheelset.y,*.Q")
    if not parts:
        raise InputError("quantities", given, f"must have at least one name, or {ALL} or {USUAL}")
    return tuple(part.strip() for part in parts)


def _check_table(name: str, given: Any) -> None:
    if not isinstance(given, Mapping) or not all(isinstance(key, str) for key in given):
        raise InputError(name, given, "must be a table of values by name")


def _numbers(name: str, given: Any, unit: str) -> dict[str, float]:
    given = {} if given is None else given
    _check_table(name, given)
    for key, value in given.items():
        check_number(f"{name}.{key}", value, unit)
        if not isfinite(value):
            raise InputError(f"{name}.{key}", value, "must be finite")
    return {key: float(value) for key, value in given.items()}
