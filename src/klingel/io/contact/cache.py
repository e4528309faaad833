"""Contact tables and the FASTSIM table kept on disk, found again by what they were made from.

The name of a file is a digest of everything that goes into its content: placed profiles, conditions, grid
and the sources of `klingel.contact`. Files are written whole or not at all. One that cannot be read is made
again: a cache must never be the reason why a run fails.
"""

import hashlib
import io
import json
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np

from klingel import _jit
from klingel._errors import InputError
from klingel.contact.creep import fastsim_table
from klingel.contact.geometry.placement import RailPair, WheelPair
from klingel.contact.geometry.wheelset_on_track import WheelsetOnTrack
from klingel.contact.profiles.profile import Body, Profile
from klingel.contact.table import build
from klingel.contact.table.build import Grid
from klingel.contact.table.contact_table import Conditions, ContactTable
from klingel.io.atomic import write_bytes
from klingel.io.contact.tables import load_table, table_text
from klingel.io.profiles.library import find_profile


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
    try:
        return load_table(path)
    except InputError:
        table = build.contact_table(wheelset, conditions, grid)
    _keep(path, table_text(table).encode())
    return table


def cached_fastsim_table() -> np.ndarray:
    """The FASTSIM table in its default size, from the cache if it is there."""
    sizes = (6, fastsim_table.SHAPES, fastsim_table.SIZES, fastsim_table.SIDES, fastsim_table.SIDES, 3)
    path = cache_folder() / f"fastsim-{_jit.layer_hash('contact').hex()[:24]}.npy"
    try:
        table = np.load(path, allow_pickle=False)
        if table.shape == sizes and np.isfinite(table).all():
            return table
    except (OSError, ValueError, EOFError):
        pass
    table = fastsim_table.build_table()
    content = io.BytesIO()
    np.save(content, table)
    _keep(path, content.getvalue())
    return table


def _keep(path: Path, content: bytes) -> None:
    """Store if possible: without a writable cache everything still works, only slower."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_bytes(path, content)
    except OSError:
        return


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
) -> WheelsetOnTrack:
    """A wheelset on its track from library names or profile files.

    `axis` puts the origins of the rail profiles there [m], for rails without a side to measure the gauge on.
    `residual` is the root mean square distance [m] that smoothing may take from the points of profile files, of
    wheels and of rails unless `rail_residual` is given. `wheel_right` is the right wheel where it differs.
    """
    other = find_profile(wheel_right, Body.WHEEL, residual) if wheel_right else None
    left = find_profile(wheel, Body.WHEEL, residual)
    wheels = WheelPair(left, other, flange_back=flange_back, radius=radius)
    taken = residual if rail_residual is None else rail_residual
    rails = RailPair(find_profile(rail, Body.RAIL, taken), inclination=inclination, gauge=gauge, axis=axis)
    return WheelsetOnTrack(wheels, rails)


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
    """
    wheelset = wheelset_on_track(wheel, rail, inclination, gauge, radius, flange_back, residual=residual)
    return cached_table(wheelset, Conditions(load=load, yaw=yaw), grid)
