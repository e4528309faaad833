"""Chunks made here are what HDF5 makes of the same numbers, as far as any reader can tell."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from klingel.io import netcdf4
from klingel.io.chunks import ROWS, Column, Growing, decode, encode

KINDS = [np.float32, np.float64, np.int8, np.int32]


@pytest.mark.parametrize("kind", KINDS)
def test_columns_come_back_bit_for_bit(kind):
    noise = np.random.default_rng(1).normal(size=ROWS)
    columns = np.array([noise * 100, np.zeros(ROWS), np.arange(ROWS) % 7, np.sin(np.arange(ROWS) / 50)]).astype(
        kind
    )
    for chunk, column in zip(encode(columns), columns, strict=True):
        np.testing.assert_array_equal(decode(chunk, column.dtype), column, strict=True)


def test_missing_values_are_kept():
    columns = np.full((2, ROWS), np.nan, np.float32)
    columns[1, ::3] = np.inf
    for chunk, column in zip(encode(columns), columns, strict=True):
        np.testing.assert_array_equal(decode(chunk, column.dtype), column)


@settings(max_examples=15, deadline=None)
@given(pieces=st.lists(st.integers(0, 2 * ROWS), max_size=5))
def test_file_does_not_depend_on_the_pieces(tmp_path_factory, pieces):
    """Rows in any pieces; HDF5 reads the chunks by itself."""
    path = tmp_path_factory.mktemp("file") / "run.nc"
    columns = {
        "time": Column(("time",), np.dtype(float), 1, {"units": "s"}),
        "a.y": Column(("time",), np.dtype(np.float32), 1, {"units": "m"}),
        "memory": Column(("time", "entry"), np.dtype(np.float32), 2, {}),
    }
    rows = sum(pieces)
    values = np.random.default_rng(rows).normal(size=(rows, 4))
    grown = Growing(columns)
    start = 0
    for count in pieces:
        part = values[start : start + count]
        grown.append({"time": part[:, 0], "a.y": part[:, 1], "memory": part[:, 2:]}, count)
        start += count
    path.write_bytes(netcdf4.file_content([grown], {}, {"status": "done"}))
    found, attributes, intact = netcdf4.read_file(path)
    assert intact
    assert attributes == {"status": "done"}
    np.testing.assert_array_equal(found["time"][1], values[:, 0])
    np.testing.assert_array_equal(found["a.y"][1], values[:, 1].astype(np.float32))
    np.testing.assert_array_equal(found["memory"][1], values[:, 2:].astype(np.float32))
