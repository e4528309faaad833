"""Runs and sweeps on disk: netCDF, with CF attributes.

A run is netCDF-4, compressed, its columns in chunks along time and events that may grow; a sweep, a branch, and
a run written by earlier versions, netCDF-3. A file is written beside its place and moved there, so a reader never
meets half of one. The attribute `digest` is a SHA-256 of names and values: a file damaged later is refused instead
of being believed.
"""

import hashlib
import io
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from klingel._errors import InputError
from klingel.io.atomic import write_bytes
from klingel.io.netcdf4 import Variable, file_content, read_file
from klingel.io.plain_files import LARGEST_RESULT, check_regular, read_plain
from klingel.io.run_journal import (
    fixed_variables,
    growing_columns,
    identity_of,
    is_run_journal,
    journal_of,
    read_journal,
)
from klingel.io.seals import is_sound

if TYPE_CHECKING:
    import xarray as xr

RUN, SWEEP, BRANCH = "run", "sweep", "branch"  # what a file may hold
FORMATS = {RUN: "klingel run 2", SWEEP: "klingel sweep 1", BRANCH: "klingel branch 1"}  # of the attribute `format`
OLDER = {"klingel run 1": RUN}
DAMAGED = "is damaged: its content does not match its digest"
HDF5 = b"\x89HDF"  # how a netCDF-4 file begins


def write_dataset(data: "xr.Dataset", attributes: dict[str, Any], path: Path, kind: str = RUN) -> Path:
    """Write the dataset with these attributes, whole or not at all."""
    content = run_content(data, attributes) if kind == RUN else _plain_content(data, attributes, kind)
    try:
        write_bytes(path, content)
    except OSError as error:
        raise InputError("file", str(path), f"must be a place to write to ({error.strerror})") from None
    return path


def run_content(data: "xr.Dataset", attributes: dict[str, Any]) -> bytes:
    """A netCDF-4 file."""
    variables = variables_of(data)
    growing = growing_columns(variables)
    for columns in growing:
        values = {name: variables[name][1] for name in columns.columns}
        columns.append(values, next(iter(values.values())).shape[0])
    return file_content(growing, fixed_variables(variables), {**attributes, "format": FORMATS[RUN]})


def variables_of(data: "xr.Dataset") -> dict[str, Variable]:
    return {
        str(name): (tuple(str(dim) for dim in values.dims), values.to_numpy(), dict(values.attrs))
        for name, values in data.variables.items()
    }


def dataset_of(variables: dict[str, Variable]) -> "xr.Dataset":
    import xarray as xr  # late: a second, with pandas

    others = {name: variable for name, variable in variables.items() if name != "time"}
    return xr.Dataset(others, {"time": variables["time"]})


def read_run(path: Path) -> tuple["xr.Dataset", dict[str, Any]]:
    """Dataset and attributes of a run; of one that goes on, or was killed, what it has so far.

    That is in the journal beside the file, unless the file was made from it already.
    """
    journal = journal_of(path)
    if is_run_journal(journal):
        variables, attributes, identity = read_journal(journal)
        if not (path.exists() and identity_of(path) == identity):
            return dataset_of(variables), attributes
    return read_dataset(path)


def read_dataset(path: Path, kind: str = RUN) -> tuple["xr.Dataset", dict[str, Any]]:
    """Dataset and attributes of a stored run or sweep; one clear line if the file is not one."""
    check_regular(path, LARGEST_RESULT)
    try:
        with path.open("rb") as file:
            newer = file.read(len(HDF5)) == HDF5
    except OSError as error:
        raise InputError("file", str(path), f"must be readable ({error.strerror})") from None
    if newer and not is_sound(path):
        raise InputError("file", str(path), DAMAGED)
    content = b"" if newer else read_plain(path, LARGEST_RESULT)
    try:
        data, attributes, intact = _read_netcdf4(path) if newer else _read_netcdf3(content)
        told = attributes.pop("format", None)
    except Exception:  # the readers let anything out on damaged content
        raise InputError(
            "file", str(path), "must be a netCDF file; this one is damaged or something else"
        ) from None
    if told != FORMATS[kind] and OLDER.get(str(told)) != kind:
        raise InputError("file", str(path), f"must be a {kind} stored by klingel")
    if not intact:
        raise InputError("file", str(path), DAMAGED)
    return data, attributes


def _read_netcdf4(path: Path) -> tuple["xr.Dataset", dict[str, Any], bool]:
    variables, attributes, intact = read_file(path)
    return dataset_of(variables), attributes, intact


def _read_netcdf3(content: bytes) -> tuple["xr.Dataset", dict[str, Any], bool]:
    import xarray as xr

    with xr.open_dataset(io.BytesIO(content), engine="scipy", decode_times=False) as opened:
        data = opened.load()
    attributes = dict(data.attrs)
    intact = attributes.get("digest") == _digest(data)
    attributes.pop("digest", None)
    data.attrs = {}
    return data, attributes, intact


def _plain_content(data: "xr.Dataset", attributes: dict[str, Any], kind: str) -> bytes:
    marked = data.assign_attrs(attributes, format=FORMATS[kind])
    marked.attrs["digest"] = _digest(marked)
    return bytes(marked.to_netcdf(engine="scipy"))  # without a path: as bytes


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
