"""InputError: one line below 300 characters, whatever was given."""

import pickle

import numpy as np
import pytest

from klingel._errors import InputError, visible
from klingel.io.toml_tables import FileError


@pytest.mark.parametrize(
    "given",
    [
        "x" * 100_000,
        "a\nb\x1b[31m\0",
        10**400,
        pytest.param(10**5000, id="digits"),
        ["y" * 1000] * 1000,
        {"k" * 500: [1] * 500},
        np.zeros((1000, 1000)),
        b"\0" * 10_000,
        [[[[]]]],
        object(),
        "\u202eabc",
        "\ud800",
    ],
)
def test_one_line_that_can_be_read(given):
    told = str(InputError("speed", given, "must be a positive speed in m/s"))
    assert len(told) < 290
    assert told.isprintable()
    assert told.startswith("speed: must be a positive speed in m/s, got ")


def test_long_field_and_long_list_of_what_is_allowed_are_cut():
    told = str(InputError("f" * 5000, "short", f"must be one of {', '.join(map(str, range(5000)))}"))
    assert len(told) <= 280
    assert told.endswith("..., got 'short'")


def test_short_things_are_shown_as_python_writes_them():
    assert str(InputError("a", "b", "c")) == "a: c, got 'b'"
    assert str(InputError("a", (1, 2.5), "c")) == "a: c, got (1, 2.5)"
    assert str(InputError("a", {"x": 1}, "c")) == "a: c, got {'x': 1}"
    assert str(InputError("a", None, "c")) == "a: c, got None"


def test_the_end_of_a_path_is_kept():
    path = "/deep/" + "very/" * 60 + "deep/mine.toml"
    assert str(InputError("file", path, "must exist")).endswith("deep/mine.toml'")


def test_visible_text_of_every_length():
    for size in range(200):
        for keep in (0, 10):
            told = visible("\n" * size, 50, keep)
            assert len(told) <= 50
            assert told.isprintable()


def test_errors_come_back_from_other_processes():
    error = pickle.loads(pickle.dumps(InputError("speed", -1.0, "must be positive")))
    assert (error.field, error.given, error.allowed) == ("speed", -1.0, "must be positive")
    several = pickle.loads(pickle.dumps(FileError("mine.toml", [error, error])))
    assert str(several) == "mine.toml: speed: must be positive, got -1.0 (1 more; klingel validate lists them)"


def test_a_file_is_told_by_the_name_its_user_knows():
    path = "/folder/" + "long-name/" * 30 + "branch.nc"
    error = InputError("file", path, "must be a netCDF file")
    assert str(error.called(path, "mine.nc")) == "file: must be a netCDF file, got 'mine.nc'"
    assert error.called("another", "mine.nc") is error
