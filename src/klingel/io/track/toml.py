"""A track as the text of a file; reading it gives back every number exactly, curvatures (as radii) to rounding."""

import json
from pathlib import Path

from klingel.contact.table.sections import OVERLAP
from klingel.io.atomic import write_text
from klingel.io.units import write_quantity
from klingel.track.alignment import Stage, radius
from klingel.track.irregularity import Random, Shift, Source
from klingel.track.track import Track


def to_toml(track: Track) -> str:
    """The track with units and sources."""
    lines = [f"title = {_quoted(track.title)}"] if track.title else []
    lines += [f"rail = {_quoted(track.rail)}", f"inclination = {track.inclination!r}"]
    lines += [f'gauge = "{_m(track.gauge)}"', f'cant_reference = "{_m(track.cant_reference)}"']
    lines += [f'frame = "{track.frame.name.lower()}"', f'start = "{_m(track.alignment.start)}"']
    if isinstance(track.overlap, tuple):
        lines.append(f"overlap = [{', '.join(_quoted(_m(width)) for width in track.overlap)}]")
    elif track.overlap != OVERLAP:
        lines.append(f'overlap = "{_m(track.overlap)}"')
    before = Stage(1.0)
    for stage in track.alignment.stages:
        lines += _stage_lines(stage, before)
        before = stage
    for source in track.irregularity:
        lines += _source_lines(source)
    if track.sources:
        lines += ["", "[sources]", *(f"{_quoted(name)} = {_quoted(text)}" for name, text in track.sources.items())]
    return "\n".join(lines) + "\n"


def save_track(track: Track, path: str | Path) -> None:
    """Write the track as a TOML file."""
    write_text(Path(path), to_toml(track))


def _stage_lines(stage: Stage, before: Stage) -> list[str]:
    """Only what changes: a stage begins as the one before ended."""
    lines = ["", "[[stage]]", f'length = "{_m(stage.length)}"']
    for name, ends, last in (
        ("radius", stage.curvature, before.curvature[1]),
        ("vertical_radius", stage.vertical_curvature, before.vertical_curvature[1]),
    ):
        if ends[0] != last:
            lines.append(f'start_{name} = "{_m(radius(ends[0]))}"')
        if ends[1] != ends[0]:
            lines.append(f'{name} = "{_m(radius(ends[1]))}"')
    if stage.cant[1] != stage.cant[0]:
        lines.append(f'cant = "{_m(stage.cant[1])}"')
    return lines


def _source_lines(source: Source) -> list[str]:
    if isinstance(source, Shift):
        values = {"kind": "shift", "channel": source.channel.name.lower()}
        lengths = ("size", "at", "length")
        rest: list[str] = []
    elif isinstance(source, Random):
        values = {"kind": "random", "spectrum": source.spectrum, "sided": source.sided.name.lower()}
        lengths = ("length", "start", "shortest", "longest", "taper")
        words = ", ".join(f'"{channel.name.lower()}"' for channel in source.channels)
        rest = [f"seed = {source.seed}", f"factor = {source.factor!r}", f"channels = [{words}]"]
    else:
        values, lengths = {"kind": "samples"}, ("spacing", "start")
        names = ("lateral", "vertical", "cross_level")
        rest = [f"{name} = [{', '.join(map(repr, getattr(source, name)))}]" for name in names]
    lines = [f"{name} = {_quoted(value)}" for name, value in values.items()]
    return [
        "",
        "[[irregularity]]",
        *lines,
        *(f'{name} = "{_m(getattr(source, name))}"' for name in lengths),
        *rest,
    ]


def _m(value: float) -> str:
    return write_quantity(value, "length")


def _quoted(text: str) -> str:
    # escapes of JSON are those of TOML
    return json.dumps(text, ensure_ascii=False)
