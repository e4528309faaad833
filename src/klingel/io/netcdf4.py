"""netCDF-4 files of columns that grew (`io.chunks`), through h5netcdf.

A file is made in memory and handed out as bytes, so that whoever writes it meets the errors of the disk and no
others. Its attribute `digest` covers names, values and attributes: damage is refused instead of being believed.
"""

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from klingel.io.chunks import ROWS, Growing

Variable = tuple[tuple[str, ...], np.ndarray, dict[str, Any]]  # dimensions, values, attributes
CONVENTIONS = "CF-1.11"
DIGEST = "digest"


def file_content(growing: Sequence[Growing], fixed: Mapping[str, Variable], attributes: Mapping[str, Any]) -> bytes:
    """The bytes of a file."""
    import h5netcdf
    import h5py

    attributes = {"Conventions": CONVENTIONS, **attributes}
    values = {name: _digest(v) for name, (_, v, _) in fixed.items()}
    heads = {name: (v.dtype.str, v.shape) for name, (_, v, _) in fixed.items()}
    for columns in growing:
        values |= columns.digests()
        heads |= {name: (c.dtype.str, _shape(columns, name)) for name, c in columns.columns.items()}
    with h5py.File("run", "w", driver="core", backing_store=False, track_order=True) as store:
        with h5netcdf.File(store, "w") as file:
            for columns in growing:
                _create(file, columns)
            for name, (dims, v, words) in fixed.items():
                for dim, size in zip(dims, v.shape, strict=True):
                    if dim not in file.dimensions:
                        file.dimensions[dim] = size
                file.create_variable(name, dims, v.dtype, v).attrs.update(words)
            file.attrs.update(attributes)
            file.attrs[DIGEST] = _joint_digest(values, heads, attributes)
        for columns in growing:
            _fill(store, columns)
        store.flush()
        return store.id.get_file_image()


def _shape(columns: Growing, name: str) -> tuple[int, ...]:
    column = columns.columns[name]
    return (columns.rows, column.width)[: len(column.dims)]


def _create(file: Any, columns: Growing) -> None:
    for name, column in columns.columns.items():
        for dim, size in zip(column.dims, (None, column.width), strict=False):
            if dim not in file.dimensions:
                file.dimensions[dim] = size
        chunk = (ROWS, 1)[: len(column.dims)]
        packing = {"chunks": chunk, "compression": "gzip", "compression_opts": 1, "shuffle": True}
        file.create_variable(name, column.dims, column.dtype, **packing).attrs.update(column.attributes)
    first = next(iter(columns.columns.values())).dims[0]
    file.resize_dimension(first, columns.rows)


def _fill(store: Any, columns: Growing) -> None:
    order = columns.order()
    places = {name: store[name] for name in columns.columns}
    for name, place in places.items():
        if place.shape[0] != columns.rows:
            place.resize(columns.rows, axis=0)
    for k, chunks in enumerate(columns.whole()):
        for (name, n), chunk in zip(order, chunks, strict=True):
            offset = (k * ROWS, n)[: len(columns.columns[name].dims)]
            places[name].id.write_direct_chunk(offset, chunk)


def read_file(path: Path) -> tuple[dict[str, Variable], dict[str, Any], bool]:
    """Variables, attributes of the file, and whether they match its digest."""
    import h5netcdf

    found: dict[str, Variable] = {}
    with h5netcdf.File(path, "r") as file:
        for name, variable in file.variables.items():
            words = {key: _plain(value) for key, value in variable.attrs.items()}
            found[str(name)] = (tuple(variable.dimensions), np.asarray(variable[...]), words)
        attributes = {key: _plain(value) for key, value in file.attrs.items()}
    told = attributes.pop(DIGEST, "")
    values = {name: _digest(v) for name, (_, v, _) in found.items()}
    heads = {name: (v.dtype.str, v.shape) for name, (_, v, _) in found.items()}
    intact = told == _joint_digest(values, heads, attributes)
    attributes.pop("Conventions", None)
    return found, attributes, intact


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.ndarray | np.generic) and np.ndim(value) == 0 else value


def _digest(values: np.ndarray) -> str:
    plain = np.ascontiguousarray(values)
    return hashlib.sha256(plain.astype(plain.dtype.newbyteorder("<"), copy=False).tobytes()).hexdigest()


def _joint_digest(values: Mapping[str, str], heads: Mapping[str, tuple], attributes: Mapping[str, Any]) -> str:
    digest = hashlib.sha256()
    for name in sorted(values):
        kind, shape = heads[name]
        digest.update(f"{name} {np.dtype(kind).newbyteorder('<').str} {tuple(shape)} {values[name]}\n".encode())
    for name in sorted(attributes):
        digest.update(f"{name}={attributes[name]}\n".encode())
    return digest.hexdigest()
