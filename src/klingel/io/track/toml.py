"""A track as the text of a file; reading it gives back every number exactly, curvatures (as radii) to rounding."""

from pathlib import Path
from typing import Any

from klingel.contact.table.sections import OVERLAP
from klingel.io.atomic import write_text
from klingel.io.toml_text import toml_text
from klingel.io.units import write_quantity
from klingel.track.alignment import Stage, radius
from klingel.track.irregularity import Random, Shift, Source
from klingel.track.track import Track


def to_toml(track: Track) -> str:
    """The track with units and sources."""
    stages = track.alignment.stages
    befores = (Stage(1.0), *stages[:-1])
    content = {
        "title": track.title,
        "rail": track.rail,
        "inclination": track.inclination,
        "gauge": _m(track.gauge),
        "cant_reference": _m(track.cant_reference),
        "frame": track.frame.name.lower(),
        "start": _m(track.alignment.start),
        "overlap": _overlap(track.overlap),
        "rail_residual": _m(track.rail_residual) if track.rail_residual else "",
        "stage": [_stage(stage, before) for stage, before in zip(stages, befores, strict=True)] if stages else [],
        "irregularity": [_source(source) for source in track.irregularity],
        "sources": track.sources,
    }
    empty = ("", [], {})
    return toml_text({key: value for key, value in content.items() if value not in empty})


def save_track(track: Track, path: str | Path) -> None:
    """Write the track as a TOML file."""
    write_text(Path(path), to_toml(track))


def _overlap(overlap: float | tuple[float, ...]) -> Any:
    if isinstance(overlap, tuple):
        return [_m(width) for width in overlap]
    return _m(overlap) if overlap != OVERLAP else None


def _stage(stage: Stage, before: Stage) -> dict[str, Any]:
    """Only what changes: a stage begins as the one before ended."""
    found = {"length": _m(stage.length)}
    for name, ends, last in (
        ("radius", stage.curvature, before.curvature[1]),
        ("vertical_radius", stage.vertical_curvature, before.vertical_curvature[1]),
    ):
        if ends[0] != last:
            found[f"start_{name}"] = _m(radius(ends[0]))
        if ends[1] != ends[0]:
            found[name] = _m(radius(ends[1]))
    if stage.cant[1] != stage.cant[0]:
        found["cant"] = _m(stage.cant[1])
    return found


def _source(source: Source) -> dict[str, Any]:
    if isinstance(source, Shift):
        words: dict[str, Any] = {"kind": "shift", "channel": source.channel.name.lower()}
        lengths = ("size", "at", "length")
        rest: dict[str, Any] = {}
    elif isinstance(source, Random):
        words = {"kind": "random", "spectrum": source.spectrum, "sided": source.sided.name.lower()}
        lengths = ("length", "start", "shortest", "longest", "taper")
        channels = [channel.name.lower() for channel in source.channels]
        rest = {"seed": source.seed, "factor": source.factor, "channels": channels}
    else:
        words, lengths = {"kind": "samples"}, ("spacing", "start")
        rest = {name: list(getattr(source, name)) for name in ("lateral", "vertical", "cross_level")}
    return {**words, **{name: _m(getattr(source, name)) for name in lengths}, **rest}


def _m(value: float) -> str:
    return write_quantity(value, "length")
