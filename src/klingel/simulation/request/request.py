"""RunRequest: all that defines a run.

    request = RunRequest("hbbills311", speed=45.0, duration=20.0, start={"initial": {"front_wheelset.y": 0.005}})
    run = simulate(request)
    faster = request.changed(speed=50.0, rtol=1e-4)

Runs, points of sweeps, the command line, files and studies are made from it: an option is a field here or of one
of the parts, and nowhere else. A name is unique among all of them, so `changed` needs no more than the name.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from math import inf, isfinite
from pathlib import Path
from typing import Any

from klingel._arguments import check_path
from klingel._errors import InputError
from klingel.io.toml_tables import unknown_key
from klingel.model.description import Vehicle
from klingel.model.problem import Locate
from klingel.model.smoothing import corners_ignored, smoothed
from klingel.numerics.options import Options, check_options
from klingel.simulation.request import tables
from klingel.simulation.request.parts import (
    Outputs,
    Starting,
    StoredState,
    TrackChoice,
    VehicleChoice,
)
from klingel.simulation.request.solving import DIMENSION, SMOOTH, Solving, quantity
from klingel.simulation.setup import check_number, check_speed
from klingel.track.track import Track

LONGEST_DURATION = 1e7  # [s]
MOST_ROWS = 2_000_000  # of a result: 20 000 s at the usual spacing, some gigabytes of a wagon
PARTS = {"start": Starting, "solving": Solving, "outputs": Outputs}


@dataclass(frozen=True, eq=False)
class RunRequest:
    """Checked on construction; the vehicle and the track of a name or file are read when they are needed.

    `vehicle` may be the name of one of the library or of a file, `track` the name of a file, and a part a mapping
    of its fields. Two requests are equal when their texts are.
    """

    vehicle: Vehicle | VehicleChoice
    track: Track | TrackChoice = field(default_factory=Track.straight)
    speed: float = field(kw_only=True, metadata=quantity("speed"))  # at the start [m/s]
    duration: float = field(kw_only=True, metadata=quantity("time"))  # [s]
    acceleration: float = field(default=0.0, kw_only=True, metadata=quantity("acceleration"))  # [m/s2]
    distance: float | None = field(default=None, kw_only=True, metadata=quantity("length"))  # at the start [m]
    start: Starting = field(default_factory=Starting, kw_only=True)
    solving: Solving = field(default_factory=Solving, kw_only=True)
    outputs: Outputs = field(default_factory=Outputs, kw_only=True)

    def __post_init__(self) -> None:
        self._keep("vehicle", _vehicle(self.vehicle))
        self._keep("track", _track(self.track))
        check_speed(self.speed, self.acceleration, self.duration)
        if self.distance is not None:
            check_number("distance", self.distance, "m")
            if not isfinite(self.distance):
                raise InputError("distance", self.distance, "must be finite, in m")
            self._keep("distance", float(self.distance))
        for name in ("speed", "duration", "acceleration"):
            self._keep(name, float(getattr(self, name)))
        for name in PARTS:
            self._keep(name, _part(name, getattr(self, name)))
        self._check_solving()

    def _keep(self, name: str, value: Any) -> None:
        object.__setattr__(self, name, value)

    def _check_solving(self) -> None:
        """By the checks of the integrator; the rows must fit into memory."""
        s, step = self.solving, self.outputs.output_step
        if self.duration > LONGEST_DURATION:
            raise InputError(
                "duration", self.duration, f"must be at most {LONGEST_DURATION:g} s, some four months"
            )
        if step is not None and step > 0.0 and not self.duration / step <= MOST_ROWS:
            least = self.duration / MOST_ROWS
            allowed = f"must be at least {least:.3g} s here, for a result of at most {MOST_ROWS} rows"
            raise InputError("output_step", step, allowed)
        check_options(
            Options(
                t_start=0.0, t_end=self.duration, method=s.method, implicit_times=None, rtol=s.rtol,
                atol=1.0 if s.atol is None else s.atol, output_step=self.outputs.output_step, first_step=None,
                max_step=inf, redo_events=False, locate=True, max_steps=s.step_budget(self.duration),
                chatter_limit=2, chatter_window=None, chunk_steps=1,
            )
        )  # fmt: skip

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RunRequest) and self.as_dict() == other.as_dict()

    def __hash__(self) -> int:
        return hash(self.to_json())

    def given_vehicle(self) -> Vehicle:
        """With all its options and changes, and its laws as given: what is stored."""
        return self.vehicle if isinstance(self.vehicle, Vehicle) else self.vehicle.vehicle

    def read_vehicle(self) -> Vehicle:
        """As it is integrated: the given one, its laws smooth or without corners where that is asked for."""
        vehicle, s = self.given_vehicle(), self.solving
        if s.locate == Locate.IGNORE:
            return corners_ignored(vehicle)
        return smoothed(vehicle, s.smooth_length, s.smooth_speed) if s.locate == SMOOTH else vehicle

    def read_track(self) -> Track:
        return self.track if isinstance(self.track, Track) else self.track.track

    def place(self) -> float:
        """Where the run starts: as told, else where the run before it ended [m]."""
        if self.distance is not None:
            return self.distance
        initial = self.start.initial
        return initial.distance or 0.0 if isinstance(initial, StoredState) else 0.0

    def changed(self, **changes: Any) -> "RunRequest":
        """A request with other values, by the names of fields, those of the parts included."""
        own, inner = _sorted(changes)
        parts = {name: replace(getattr(self, name), **values) for name, values in inner.items()}
        return replace(self, **own, **parts)

    @classmethod
    def of(cls, vehicle: Any, **options: Any) -> "RunRequest":
        """From the names of fields alone, those of the parts included: the arguments of `simulate`."""
        own, inner = _sorted(options)
        return cls(vehicle, **own, **{name: PARTS[name](**values) for name, values in inner.items()})

    def as_dict(self, inline: bool = True) -> dict[str, Any]:
        """Numbers, words, lists and tables only; `inline=False` leaves a vehicle or track without a name out."""
        return tables.written(self, inline)

    @classmethod
    def from_dict(cls, content: Mapping[str, Any], folder: Path | None = None) -> "RunRequest":
        """From `as_dict`, or a file of someone: quantities may be texts with a unit.

        Files it names are looked for in `folder` first.
        """
        return cls(**tables.arguments(cls, PARTS, content, folder))

    def to_toml(self) -> str:
        return tables.to_toml(self.as_dict())

    @classmethod
    def from_toml(cls, text: str, file: str = "request", folder: Path | None = None) -> "RunRequest":
        return tables.named(file, lambda: cls.from_dict(tables.read_toml(text, file), folder))

    @classmethod
    def load(cls, path: str | Path) -> "RunRequest":
        """From a TOML file."""
        path = check_path("request", path)
        return cls.from_toml(tables.read_text(path), path.name, path.parent)

    def to_json(self) -> str:
        return tables.to_json(self.as_dict())

    @classmethod
    def from_json(cls, text: str) -> "RunRequest":
        return tables.named("request", lambda: cls.from_dict(tables.read_json(text)))


# name of every option -> dimension of its quantity, if it is one
OPTIONS: dict[str, str | None] = {
    f.name: f.metadata.get(DIMENSION) for part in (RunRequest, *PARTS.values()) for f in fields(part)
}


def _vehicle(given: Any) -> Vehicle | VehicleChoice:
    if isinstance(given, str | Path):
        return VehicleChoice(str(given))
    if not isinstance(given, Vehicle | VehicleChoice):
        raise InputError("vehicle", given, "must be a vehicle, as kg.load_vehicle gives it, or the name of one")
    return given


def _track(given: Any) -> Track | TrackChoice:
    if isinstance(given, str | Path):
        return TrackChoice(str(given))
    if not isinstance(given, Track | TrackChoice):
        allowed = "must be a track, like kg.Track.straight() or that of kg.load_track, or the name of a file"
        raise InputError("track", given, allowed)
    return given


def _part(name: str, given: Any) -> Any:
    part = PARTS[name]
    if isinstance(given, part):
        return given
    if not isinstance(given, Mapping):
        raise InputError(name, given, f"must be a table of {', '.join(f.name for f in fields(part))}")
    known = [f.name for f in fields(part)]
    for key in given:
        if key not in known:
            raise unknown_key(f"{name}.{key}", str(key), known)
    return part(**given)


def _sorted(values: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
    """Values by the names of fields: those of the request, and those of its parts."""
    owners = {f.name: name for name, part in PARTS.items() for f in fields(part)}
    own: dict[str, Any] = {}
    inner: dict[str, dict[str, Any]] = {}
    known = [f.name for f in fields(RunRequest)]
    for name, value in values.items():
        if name in owners:
            inner.setdefault(owners[name], {})[name] = value
        elif name in known:
            own[name] = value
        else:
            raise unknown_key(name, name, [*(n for n in known if n not in PARTS), *owners])
    for name in own.keys() & inner.keys():
        raise InputError(name, own[name], f"must not be given together with {', '.join(inner[name])} of it")
    return own, inner
