"""netCDF-4 files of columns that grew (`io.chunks`), through h5netcdf.

A file is made in memory and handed out as bytes, so that whoever writes it meets the errors of the disk and no
others. Its attribute `digest` covers names, values and attributes: damage is refused instead of being believed. A
second one behind the file (`io.seals`) is looked at before HDF5 is.
"""

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from klingel.io.chunks import ROWS, Column, Growing
from klingel.io.seals import sealed

Variable = tuple[tuple[str, ...], np.ndarray, dict[str, Any]]  # dimensions, values, attributes
CONVENTIONS = "CF-1.11"
DIGEST = "digest"
OF_THE_FORMAT = (
    "CLASS", "NAME", "REFERENCE_LIST", "DIMENSION_LIST", "_Netcdf4Dimid", "_Netcdf4Coordinates", "_NCProperties",
)  # fmt: skip
ONLY_A_DIMENSION = "This is a netCDF dimension but not a netCDF variable"


def file_content(
    growing: Sequence[Growing], fixed: Mapping[str, Variable], attributes: Mapping[str, Any]
) -> bytes:
    """The bytes of a file."""
    import h5netcdf
    import h5py

    given = {key: told.replace("\0", r"\0") if isinstance(told, str) else told for key, told in attributes.items()}
    attributes = {"Conventions": CONVENTIONS, **given}  # HDF5 texts end at a NUL
    values = {name: _digest(v) for name, (_, v, _) in fixed.items()}
    heads = {name: (v.dtype.str, v.shape) for name, (_, v, _) in fixed.items()}
    for columns in growing:
        values |= columns.digests()
        heads |= {name: (c.dtype.str, _shape(columns, name)) for name, c in columns.columns.items()}
    told = {**attributes, DIGEST: _joint_digest(values, heads, attributes)}
    with h5py.File("run", "w", driver="core", backing_store=False, track_order=True) as store:
        with h5netcdf.File(store, "w") as file:
            for dim, size in _dimensions(growing, fixed).items():
                file.dimensions[dim] = size
            for dim, column in _coordinates(growing).items():
                file.create_variable(dim, column.dims, column.dtype, **_packing(column)).attrs.update(
                    column.attributes
                )
            for name, (dims, v, words) in fixed.items():
                file.create_variable(name, dims, v.dtype, v).attrs.update(words)
            for columns in growing:
                file.resize_dimension(columns.dim, columns.rows)
            file.attrs.update(told)
        for columns in growing:
            _fill(store, columns)
        store.flush()
        return sealed(store.id.get_file_image())


def _dimensions(growing: Sequence[Growing], fixed: Mapping[str, Variable]) -> dict[str, int | None]:
    """Names and lengths; None for those that may grow."""
    found: dict[str, int | None] = {columns.dim: None for columns in growing}
    for columns in growing:
        found |= {c.dims[1]: c.width for c in columns.columns.values() if len(c.dims) > 1}
    for dims, values, _ in fixed.values():
        found |= dict(zip(dims, values.shape, strict=True))
    return found


def _coordinates(growing: Sequence[Growing]) -> dict[str, Column]:
    """Columns that are named like their dimension."""
    return {columns.dim: columns.columns[columns.dim] for columns in growing if columns.dim in columns.columns}


def _shape(columns: Growing, name: str) -> tuple[int, ...]:
    column = columns.columns[name]
    return (columns.rows, column.width)[: len(column.dims)]


def _packing(column: Column) -> dict[str, Any]:
    chunk = (ROWS, 1)[: len(column.dims)]
    return {"chunks": chunk, "compression": "gzip", "compression_opts": 1, "shuffle": True}


def _fill(store: Any, columns: Growing) -> None:
    """By HDF5 itself: h5netcdf looks at all variables of a dimension that grows whenever one is added."""
    places = {}
    for name, column in columns.columns.items():
        if name == columns.dim:
            places[name] = store[name]
            places[name].resize(columns.rows, axis=0)
            continue
        most = (None, column.width)[: len(column.dims)]
        shape = _shape(columns, name)
        place = places[name] = store.create_dataset(name, shape, column.dtype, maxshape=most, **_packing(column))
        for k, dim in enumerate(column.dims):
            place.dims[k].attach_scale(store[dim])
        place.attrs.update(column.attributes)
    order = columns.order()
    for k, chunks in enumerate(columns.whole()):
        for (name, n), chunk in zip(order, chunks, strict=True):
            offset = (k * ROWS, n)[: len(columns.columns[name].dims)]
            places[name].id.write_direct_chunk(offset, chunk)


def read_file(path: Path) -> tuple[dict[str, Variable], dict[str, Any], bool]:
    """Variables, attributes of the file, and whether they match its digest."""
    import h5py

    found: dict[str, Variable] = {}
    with h5py.File(path, "r") as store:
        for name, place in store.items():
            if str(place.attrs.get("NAME", b""), "ascii").startswith(ONLY_A_DIMENSION):
                continue
            scale = place.attrs.get("CLASS") == b"DIMENSION_SCALE"
            dims = (name,) if scale else tuple(place.dims[k][0].name.lstrip("/") for k in range(place.ndim))
            found[name] = (dims, place[...], _words(place.attrs))
        attributes = _words(store.attrs)
    told = attributes.pop(DIGEST, "")
    values = {name: _digest(v) for name, (_, v, _) in found.items()}
    heads = {name: (v.dtype.str, v.shape) for name, (_, v, _) in found.items()}
    intact = told == _joint_digest(values, heads, attributes)
    attributes.pop("Conventions", None)
    return found, attributes, intact


def _words(attributes: Mapping[str, Any]) -> dict[str, Any]:
    """Without those by which netCDF is built on HDF5."""
    return {
        key: value.item() if isinstance(value, np.generic) else value
        for key, value in attributes.items()
        if key not in OF_THE_FORMAT
    }


def _digest(values: np.ndarray) -> str:
    return hashlib.sha256(np.ascontiguousarray(values, values.dtype.newbyteorder("<")).data).hexdigest()


def _joint_digest(values: Mapping[str, str], heads: Mapping[str, tuple], attributes: Mapping[str, Any]) -> str:
    digest = hashlib.sha256()
    for name in sorted(values):
        kind, shape = heads[name]
        digest.update(f"{name} {np.dtype(kind).newbyteorder('<').str} {tuple(shape)} {values[name]}\n".encode())
    for name in sorted(attributes):
        digest.update(f"{name}={attributes[name]}\n".encode())
    return digest.hexdigest()
