"""Damaged run files are refused before HDF5, which may crash on them, has seen them."""

import random
import subprocess

import h5py
import pytest
import xarray as xr

import klingel as kg
from klingel.io import seals
from tests.short_run import hunting_run


@pytest.fixture(scope="module")
def stored(tmp_path_factory):
    return hunting_run().save(tmp_path_factory.mktemp("sealed") / "run.nc")


def test_sealed_files_are_read_by_other_programs(stored):
    with xr.open_dataset(stored, engine="h5netcdf") as read:
        assert read["front_wheelset.y"].size == hunting_run().time.size
    with h5py.File(stored, "r") as read:
        assert "front_wheelset.y" in read


def test_hdf5_meets_no_changed_byte(stored, tmp_path, monkeypatch):
    whole = stored.read_bytes()
    copy = tmp_path / "run.nc"

    def met(*_, **__):
        pytest.fail("HDF5 was asked")

    monkeypatch.setattr(h5py, "File", met)
    chance = random.Random(14)
    for _ in range(200):
        place = chance.randrange(4, len(whole) - seals.SIZE - len(seals.MARK))
        copy.write_bytes(whole[:place] + bytes([whole[place] ^ 1 << chance.randrange(8)]) + whole[place + 1 :])
        with pytest.raises(kg.InputError, match="does not match its digest"):
            kg.load_run(copy)


def test_files_without_a_seal_are_read(stored, tmp_path):
    """Older ones, and those another program has changed."""
    copy = tmp_path / "run.nc"
    copy.write_bytes(stored.read_bytes()[: -seals.SIZE - len(seals.MARK)])
    xr.testing.assert_identical(kg.load_run(copy).data, kg.load_run(stored).data)


def test_a_file_without_a_seal_that_crashes_hdf5_is_refused(stored, tmp_path, monkeypatch):
    copy = tmp_path / "run.nc"
    copy.write_bytes(stored.read_bytes()[: -seals.SIZE - len(seals.MARK)])
    monkeypatch.setattr(seals, "PROBE", "import os; os.abort()")
    with pytest.raises(kg.InputError, match="does not match its digest"):
        kg.load_run(copy)


def test_the_probe_reads_all_of_a_file(stored, tmp_path):
    """And says nothing about content, which is judged afterwards."""
    copy = tmp_path / "run.nc"
    for content in (stored.read_bytes(), stored.read_bytes()[:5000]):
        copy.write_bytes(content)
        done = subprocess.run([seals.sys.executable, "-c", seals.PROBE, str(copy)], capture_output=True)
        assert done.returncode == (0 if len(content) > 5000 else 1)
