"""Files that people name: regular ones of a sensible size, with or without a byte-order mark."""

import os
from pathlib import Path

import pytest

import klingel as kg
from klingel._errors import InputError
from klingel.io.plain_files import is_file, read_plain, read_text
from klingel.io.profiles import read_profile
from klingel.io.vehicle.files import library_text


def test_byte_order_mark_and_foreign_line_ends(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_bytes(b"\xef\xbb\xbf" + library_text("g69").replace("\n", "\r\n").encode())
    assert kg.load_vehicle(path) == kg.load_vehicle("g69")
    assert read_text(path) == library_text("g69")


@pytest.mark.parametrize("device", ["/dev/zero", "/dev/null", "/dev/stdin"])
@pytest.mark.parametrize(
    "read", [read_text, read_profile, kg.load_run, kg.load_sweep, kg.load_track, kg.RunRequest.load]
)
def test_devices_are_refused(device, read):
    if not os.path.exists(device):
        pytest.skip("no such device here")
    with pytest.raises(InputError, match=r"must be a file on a disk|must exist"):
        read(Path(device))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names here")
def test_a_pipe_is_refused_without_waiting_for_its_writer(tmp_path):
    os.mkfifo(tmp_path / "mine.toml")
    with pytest.raises(InputError, match="not a device or a pipe"):
        kg.load_vehicle(tmp_path / "mine.toml")


def test_size_is_limited(tmp_path):
    path = tmp_path / "large.toml"
    with path.open("wb") as file:
        file.truncate(100 * 1024**2)  # a hole: nothing is written
    with pytest.raises(InputError, match="must have at most 64 MB, this one has 100 MB"):
        read_text(path)
    (tmp_path / "small").write_bytes(b"12345")
    assert read_plain(tmp_path / "small", 5) == b"12345"


@pytest.mark.parametrize("name", ["a\0b.toml", "x" * 5000 + ".toml", "\ud800.toml"])
def test_names_no_file_can_have(name):
    with pytest.raises(InputError):
        kg.load_vehicle(name)
    with pytest.raises(InputError):
        kg.load_run(name)
    assert not is_file(Path(name))
