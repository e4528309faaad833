"""Runs and sweeps on disk: netCDF (version 3, 64-bit offset), which SciPy alone can write.

A file is written beside its place and moved there, so a reader never meets half of one. The attribute `digest` is
a SHA-256 of names and values: a file damaged later is refused instead of being believed.
"""

import hashlib
import io
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from klingel._errors import InputError
from klingel.io.atomic import write_bytes
from klingel.io.plain_files import LARGEST_RESULT, read_plain

if TYPE_CHECKING:
    import xarray as xr

RUN, SWEEP = "run", "sweep"  # what a file may hold
FORMATS = {RUN: "klingel run 1", SWEEP: "klingel sweep 1"}  # of the attribute `format`


def write_dataset(data: "xr.Dataset", attributes: dict[str, Any], path: Path, kind: str = RUN) -> Path:
    """Write the dataset with these attributes, whole or not at all."""
    marked = data.assign_attrs(attributes, format=FORMATS[kind])
    marked.attrs["digest"] = _digest(marked)
    content = bytes(marked.to_netcdf(engine="scipy"))  # without a path: as bytes
    try:
        write_bytes(path, content)
    except OSError as error:
        raise InputError("file", str(path), f"must be a place to write to ({error.strerror})") from None
    return path


def read_dataset(path: Path, kind: str = RUN) -> tuple["xr.Dataset", dict[str, Any]]:
    """Dataset and attributes of a stored run or sweep; one clear line if the file is not one."""
    content = read_plain(path, LARGEST_RESULT)
    import xarray as xr

    try:
        with xr.open_dataset(io.BytesIO(content), engine="scipy", decode_times=False) as opened:
            data = opened.load()
        attributes = dict(data.attrs)
        intact = attributes.get("format") != FORMATS[kind] or attributes["digest"] == _digest(data)
    except Exception:  # SciPy's reader lets anything out on damaged content
        raise InputError(
            "file", str(path), "must be a netCDF file; this one is damaged or something else"
        ) from None
    if attributes.get("format") != FORMATS[kind]:
        raise InputError("file", str(path), f"must be a {kind} stored by klingel")
    if not intact:
        raise InputError("file", str(path), "is damaged: its content does not match its digest")
    data.attrs = {}
    for mark in ("format", "digest"):
        attributes.pop(mark)
    return data, attributes


def _digest(data: "xr.Dataset") -> str:
    digest = hashlib.sha256()
    for name in sorted(str(key) for key in data.variables):
        values = np.ascontiguousarray(data[name].to_numpy())
        plain = values.astype(values.dtype.newbyteorder("<"))
        digest.update(f"{name} {plain.dtype.str} {plain.shape}".encode())
        digest.update(plain.tobytes())
    for name in sorted(data.attrs):
        if name != "digest":
            digest.update(f"{name}={data.attrs[name]}".encode())
    return digest.hexdigest()
