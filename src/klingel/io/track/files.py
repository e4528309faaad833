"""Tracks from TOML files and back; `track_schema` says what may stand in one.

track = load_track("curve.toml")
save_track(track, "copy.toml")

curve.toml: stage 2.length: must be positive, got -100 m
"""

from math import inf
from pathlib import Path
from typing import Any

from klingel._arguments import check_path
from klingel._errors import InputError
from klingel.io.plain_files import is_file
from klingel.io.toml_tables import FileError, read_table, read_text, read_toml
from klingel.io.track.records import load_record
from klingel.io.track.schema import KINDS, RandomTable, SamplesTable, ShiftTable, StageTable, TrackFile
from klingel.io.units import BadQuantity, read_checked
from klingel.track.alignment import MINIMUM_RADIUS, WHY_NOT_TIGHTER, Alignment, Stage
from klingel.track.irregularity import Random, Samples, Shift, Source
from klingel.track.spectrum import Channel, Sided
from klingel.track.track import Frame, Track


def load_track(path: str | Path) -> Track:
    """Track from a TOML file; records it names are looked for beside it."""
    path = check_path("file", path)
    return parse_track(read_text(path), path.name, path.parent)


def parse_track(content: str, file: str = "track", folder: Path = Path()) -> Track:
    """Track from the text of a file; raises FileError with every problem found."""
    problems: list[InputError] = []
    top = read_table(TrackFile, read_toml(content, file), "", problems)
    if top is None:
        raise FileError(file, problems)
    stages = _stages(top.stage, problems)
    sources = [_source(number, table, folder, problems) for number, table in enumerate(top.irregularity, 1)]
    if problems:
        raise FileError(file, problems)
    rail = folder / top.rail
    try:
        return Track(
            Alignment(tuple(stages), top.start),
            tuple(source for source in sources if source is not None),
            str(rail.resolve()) if folder != Path() and is_file(rail) else top.rail,
            top.inclination,
            top.gauge,
            top.cant_reference,
            Frame[top.frame.upper()],
            top.title,
            dict(top.sources),
            top.overlap,
            top.rail_residual,
        )
    except InputError as error:
        raise FileError(file, [error]) from None


def _stages(tables: list[Any], problems: list[InputError]) -> list[Stage]:
    """Stages one after the other: each begins where the last ended, unless its table says otherwise."""
    stages: list[Stage] = []
    curvature = cant = vertical = 0.0
    for number, table in enumerate(tables, 1):
        where = f"stage {number}"
        read = read_table(StageTable, table, where, problems)
        if read is None:
            continue
        try:
            begin = _curvature(read.start_radius, "start_radius", curvature)
            vertical_begin = _curvature(read.start_vertical_radius, "start_vertical_radius", vertical)
            curvature = _curvature(read.radius, "radius", begin)
            vertical = _curvature(read.vertical_radius, "vertical_radius", vertical_begin)
            cant_begin, cant = cant, cant if read.cant is None else read.cant
            stages.append(Stage(read.length, (begin, curvature), (cant_begin, cant), (vertical_begin, vertical)))
        except InputError as error:
            problems.append(_below(where, error, table, read))
    return stages


def _below(where: str, error: InputError, table: Any, read: Any) -> InputError:
    """The error named below its table, with what was typed if that is what was refused."""
    typed = error.given is not None and getattr(read, error.field, None) == error.given
    return InputError(f"{where}.{error.field}", table[error.field] if typed else error.given, error.allowed)


def _curvature(given: float | None, field: str, before: float) -> float:
    if given is None:
        return before
    if abs(given) < MINIMUM_RADIUS:
        allowed = f'must be at least {MINIMUM_RADIUS:g} m, {WHY_NOT_TIGHTER}; "inf" is straight'
        raise InputError(field, given, allowed)
    return 1.0 / given


def _source(number: int, table: Any, folder: Path, problems: list[InputError]) -> Source | None:
    where = f"irregularity {number}"
    kind = table.get("kind") if isinstance(table, dict) else None
    if not isinstance(kind, str) or kind not in KINDS:
        problems.append(InputError(f"{where}.kind", kind, f"must be one of {', '.join(KINDS)}"))
        return None
    read = read_table(KINDS[kind], table, where, problems)
    if read is None:
        return None
    try:
        if isinstance(read, ShiftTable):
            return Shift(read.size, read.at, read.length, Channel[read.channel.upper()])
        if isinstance(read, RandomTable):
            return _random(read)
        assert isinstance(read, SamplesTable)
        return _samples(read, folder)
    except InputError as error:
        problems.append(_below(where, error, table, read))
        return None


def _random(read: RandomTable) -> Random:
    if read.seed != int(read.seed):
        raise InputError("seed", read.seed, "must be a whole number")
    return Random(
        read.spectrum,
        int(read.seed),
        read.length,
        read.start,
        read.shortest,
        read.longest,
        read.taper,
        read.factor,
        Sided[read.sided.upper()],
        tuple(Channel[word.upper()] for word in read.channels),
    )


def _samples(read: SamplesTable, folder: Path) -> Samples:
    if read.file is not None:
        if read.spacing < inf or read.lateral or read.vertical or read.cross_level:
            raise InputError("file", read.file, "must stand alone, without spacing and channels")
        return load_record(folder / read.file)
    if read.spacing == inf:
        raise InputError("spacing", None, 'must be given, a length like "0.25 m", or a file')
    names = ("lateral", "vertical", "cross_level")
    return Samples(read.spacing, read.start, *(_lengths(name, getattr(read, name)) for name in names))


def _lengths(name: str, given: list[Any]) -> tuple[float, ...]:
    values = []
    for number, part in enumerate(given, 1):
        try:
            values.append(read_checked(part, "length"))
        except BadQuantity as bad:
            raise InputError(f"{name}, value {number}", part, str(bad)) from None
    return tuple(values)
