"""What may stand in a track file.

Top             title, rail, inclination, gauge, cant_reference, frame, overlap, rail_residual, start
[[stage]]       length, and what holds at its end: radius, cant, vertical_radius; a value left out stays as it was;
                start_radius, start_vertical_radius where a curvature jumps
[[irregularity]]
  kind = "shift"    size, at, length, channel
  kind = "random"   spectrum, seed, length, start, shortest, longest, taper, factor, sided, channels
  kind = "samples"  file = "record.csv", or spacing, start, lateral, vertical, cross_level
[sources]       name of a value = where it comes from

Radii are positive to the left and over a crest, "inf" for straight track; cant is right rail over left rail.
"""

from dataclasses import fields
from math import inf
from typing import Annotated, Any

from pydantic import ConfigDict, Field

from klingel.io.toml_tables import REQUIRED, Table, one_of, one_or_more, quantity, text, words_of
from klingel.track.irregularity import Random, Shift
from klingel.track.spectrum import SPECTRA, Channel, Sided
from klingel.track.track import Frame, Track

POSITIVE, NOT_NEGATIVE = "positive", "not negative"
CHANNEL_WORDS = tuple(channel.name.lower() for channel in Channel)
FRAME_WORDS = tuple(frame.name.lower() for frame in Frame)
SIDED_WORDS = tuple(sided.name.lower() for sided in Sided)


def default(cls: type, name: str) -> Any:
    """Default of a field of the description, so that a file and Python agree."""
    return next(field.default for field in fields(cls) if field.name == name)


class TrackFile(Table):
    title: str = ""
    rail: Annotated[str, text("the name or file of a rail profile")] = default(Track, "rail")
    inclination: Annotated[float, quantity("number", NOT_NEGATIVE)] = default(Track, "inclination")
    gauge: Annotated[float, quantity("length", POSITIVE)] = default(Track, "gauge")
    cant_reference: Annotated[float, quantity("length", POSITIVE)] = default(Track, "cant_reference")
    frame: Annotated[str, one_of(FRAME_WORDS)] = default(Track, "frame").name.lower()
    overlap: Annotated[float | tuple[float, ...], one_or_more("length", NOT_NEGATIVE)] = default(Track, "overlap")
    rail_residual: Annotated[float, quantity("length", NOT_NEGATIVE)] = default(Track, "rail_residual")
    start: Annotated[float, quantity("length")] = 0.0
    stage: list[Any] = Field(default_factory=list)
    irregularity: list[Any] = Field(default_factory=list)
    sources: dict[str, str] = Field(default_factory=dict)


class StageTable(Table):
    model_config = ConfigDict(validate_default=False)

    length: Annotated[float, quantity("length", POSITIVE), Field(validate_default=True)] = REQUIRED
    radius: Annotated[float | None, quantity("length", infinite=True)] = None
    cant: Annotated[float | None, quantity("length")] = None
    vertical_radius: Annotated[float | None, quantity("length", infinite=True)] = None
    start_radius: Annotated[float | None, quantity("length", infinite=True)] = None
    start_vertical_radius: Annotated[float | None, quantity("length", infinite=True)] = None


class ShiftTable(Table):
    kind: str
    size: Annotated[float, quantity("length")] = REQUIRED
    at: Annotated[float, quantity("length")] = default(Shift, "at")
    length: Annotated[float, quantity("length", POSITIVE)] = default(Shift, "length")
    channel: Annotated[str, one_of(CHANNEL_WORDS)] = default(Shift, "channel").name.lower()


class RandomTable(Table):
    kind: str
    spectrum: Annotated[str, one_of(tuple(SPECTRA))] = REQUIRED
    seed: Annotated[float, quantity("number", NOT_NEGATIVE)] = REQUIRED
    length: Annotated[float, quantity("length", POSITIVE)] = REQUIRED
    start: Annotated[float, quantity("length")] = default(Random, "start")
    shortest: Annotated[float, quantity("length", POSITIVE)] = default(Random, "shortest")
    longest: Annotated[float, quantity("length", POSITIVE)] = default(Random, "longest")
    taper: Annotated[float, quantity("length", NOT_NEGATIVE)] = default(Random, "taper")
    factor: Annotated[float, quantity("number", POSITIVE)] = default(Random, "factor")
    sided: Annotated[str, one_of(SIDED_WORDS)] = default(Random, "sided").name.lower()
    channels: Annotated[tuple[str, ...], words_of(CHANNEL_WORDS)] = CHANNEL_WORDS


class SamplesTable(Table):
    """Of `file` or `spacing` one is given."""

    kind: str
    file: str | None = None
    spacing: Annotated[float, quantity("length", POSITIVE, infinite=True)] = inf
    start: Annotated[float, quantity("length")] = 0.0
    lateral: list[Any] = Field(default_factory=list)
    vertical: list[Any] = Field(default_factory=list)
    cross_level: list[Any] = Field(default_factory=list)


KINDS: dict[str, type[Table]] = {"shift": ShiftTable, "random": RandomTable, "samples": SamplesTable}
