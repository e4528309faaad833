"""Contact tables and the FASTSIM table kept on disk, found again by what they were made from.

The name of a file is a digest of everything that goes into its content: placed profiles, conditions, grid and the
sources of `klingel.contact`. Files are written whole or not at all, and begin with a digest of the rest: one that
cannot be read, or has other digits than were written, is made again. A cache must never be the reason why a run
fails; where it cannot be written to, tables made before stay in memory.
"""

import hashlib
import io
import json
import logging
from contextlib import suppress
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np

from klingel import _jit
from klingel._arguments import check_kind, check_number
from klingel._errors import InputError
from klingel.contact.creep import fastsim_table
from klingel.contact.geometry.placement import RailPair, WheelPair
from klingel.contact.geometry.wheelset_on_track import WheelsetOnTrack
from klingel.contact.profiles.profile import Body, Profile
from klingel.contact.table import build
from klingel.contact.table.build import Grid
from klingel.contact.table.contact_table import Conditions, ContactTable
from klingel.io.atomic import write_bytes
from klingel.io.contact.tables import parse_table, table_text
from klingel.io.profiles.library import find_profile

FLANGE_DEPTH = 0.010  # below the running circle, where the thickness of a flange is measured [m]
FLANGE_SPACING = 2e-4  # of the points of the wheel that are looked at [m]


def cache_folder() -> Path:
    """Where tables are kept; below the cache of the compiled kernels."""
    return _jit.cache_base() / "tables"


def table_digest(wheelset: WheelsetOnTrack, conditions: Conditions, grid: Grid) -> str:
    """Name of the table of these inputs."""
    digest = hashlib.sha256(_jit.layer_hash("contact"))
    for side in (wheelset.left, wheelset.right):
        for curve in (side.wheel, side.rail):
            digest.update(repr(curve.shape).encode())
            digest.update(np.ascontiguousarray(curve).tobytes())
    names = (wheelset.wheels.left.name, wheelset.rails.left.name)
    settings = {**conditions.as_dict(), **{k: np.asarray(v).tolist() for k, v in asdict(grid).items()}}
    digest.update(json.dumps([names, settings], sort_keys=True).encode())
    return digest.hexdigest()[:24]


def cached_table(
    wheelset: WheelsetOnTrack, conditions: Conditions | None = None, grid: Grid | None = None
) -> ContactTable:
    """The table of a wheelset, from the cache if it is there."""
    conditions, grid = conditions or Conditions(), grid or Grid()
    rails = wheelset.rails
    named = replace(conditions, inclination=rails.inclination, gauge=rails.gauge)
    path = cache_folder() / f"contact-{table_digest(wheelset, named, grid)}.txt"
    content = _kept(path)
    if content is not None:
        with suppress(InputError, UnicodeDecodeError):
            return parse_table(content.decode("utf-8"), path.name)
    table = build.contact_table(wheelset, conditions, grid)
    _keep(path, table_text(table).encode())
    return table


def cached_fastsim_table() -> np.ndarray:
    """The FASTSIM table in its default size, from the cache if it is there."""
    sizes = (6, fastsim_table.SHAPES, fastsim_table.SIZES, fastsim_table.SIDES, fastsim_table.SIDES, 3)
    path = cache_folder() / f"fastsim-{_jit.layer_hash('contact').hex()[:24]}.npy"
    stored = _kept(path)
    if stored is not None:
        with suppress(ValueError, EOFError):
            table = np.load(io.BytesIO(stored), allow_pickle=False)
            if table.shape == sizes and np.isfinite(table).all():
                return table
    table = fastsim_table.build_table()
    content = io.BytesIO()
    np.save(content, table)
    _keep(path, content.getvalue())
    return table


_in_memory: dict[Path, bytes] = {}  # what the disk did not take


def _kept(path: Path) -> bytes | None:
    """Content of a file of the cache, if it is what was written."""
    if path in _in_memory:
        return _in_memory[path]
    try:
        mark, _, content = path.read_bytes().partition(b"\n")
    except OSError:
        return None
    return content if mark == _mark(content) else None


def _keep(path: Path, content: bytes) -> None:
    """Store if possible: without a writable cache everything still works, only slower."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_bytes(path, _mark(content) + b"\n" + content)
        _in_memory.pop(path, None)
    except OSError as error:
        if not _in_memory:
            logging.getLogger("klingel").warning(
                "klingel: contact tables stay in memory: %s: %s", path.parent, error.strerror or error
            )
        _in_memory[path] = content


def _mark(content: bytes) -> bytes:
    return b"# sha256 " + hashlib.sha256(content).hexdigest().encode()


def wheelset_on_track(
    wheel: str | Path | Profile = "S1002",
    rail: str | Path | Profile = "UIC60",
    inclination: float = 1 / 40,
    gauge: float = 1.435,
    radius: float = 0.46,
    flange_back: float = 1.36,
    axis: float | None = None,
    residual: float = 0.0,
    wheel_right: str | Path | Profile = "",
    rail_residual: float | None = None,
    radius_right: float | None = None,
) -> WheelsetOnTrack:
    """A wheelset on its track from library names or profile files.

    `axis` puts the origins of the rail profiles there [m], for rails without a side to measure the gauge on.
    `residual` is the root mean square distance [m] that smoothing may take from the points of profile files, of
    wheels and of rails unless `rail_residual` is given. `wheel_right` and `radius_right` [m] are those of the
    right wheel where they differ.
    """
    inclination, gauge = check_number("inclination", inclination), check_number("gauge", gauge, "m")
    radius, flange_back = check_number("radius", radius, "m"), check_number("flange_back", flange_back, "m")
    residual = check_number("residual", residual, "m")
    other = find_profile(wheel_right, Body.WHEEL, residual, "wheel_right") if wheel_right else None
    left = find_profile(wheel, Body.WHEEL, residual)
    wheels = WheelPair(left, other, flange_back=flange_back, radius=radius, radius_right=radius_right)
    taken = residual if rail_residual is None else check_number("rail_residual", rail_residual, "m")
    rails = RailPair(find_profile(rail, Body.RAIL, taken), inclination=inclination, gauge=gauge, axis=axis)
    if axis is None:
        refuse_jammed(wheels, rails)
    return WheelsetOnTrack(wheels, rails)


def refuse_jammed(wheels: WheelPair, rails: RailPair) -> None:
    """The outer faces of the flanges stand closer to each other than the rails, or the wheels ride on them."""
    y, z = wheels.left.resampled(FLANGE_SPACING).T
    flange = y[z > FLANGE_DEPTH]
    if flange.size == 0 or flange.max() > 0.0:  # wheels without a flange
        return
    outer = 2.0 * (wheels.arm + float(flange.max()))
    if not rails.gauge > outer:
        allowed = f"must be more than {1e3 * outer:.1f} mm: so far apart are the flanges of these wheels"
        raise InputError("gauge", f"{1e3 * rails.gauge:g} mm", allowed)


def contact_table(
    wheel: str | Path | Profile = "S1002",
    rail: str | Path | Profile = "UIC60",
    inclination: float = 1 / 40,
    gauge: float = 1.435,
    radius: float = 0.46,
    flange_back: float = 1.36,
    load: float = 1e5,
    yaw: float = 0.0,
    grid: Grid | None = None,
    residual: float = 0.0,
    slender: str = "extrapolated",
) -> ContactTable:
    """Contact table of a wheel on a rail: geometry, Hertz and Kalker over the lateral shift.

    Parameters
    ----------
    wheel, rail : library name, profile file or profile.
    inclination : of the rails [-].
    gauge, radius, flange_back : track gauge, nominal rolling radius, distance of the flange backs [m].
    load : normal force for which penetration and ellipse are listed [N].
    yaw : of the wheelset [rad].
    grid : range, step, overlaps and smoothing of the table.
    residual : root mean square distance [m] that smoothing may take from the points of profile files.
    slender : Kalker's coefficients beyond a/b of 0.1 and 10: "extrapolated" by his asymptotes, or "held".
    """
    load, yaw = check_number("load", load, "N"), check_number("yaw", yaw, "rad")
    if grid is not None:
        check_kind("grid", grid, Grid, "a Grid, or None")
    wheelset = wheelset_on_track(wheel, rail, inclination, gauge, radius, flange_back, residual=residual)
    return cached_table(wheelset, Conditions(load=load, yaw=yaw, slender=slender), grid)
