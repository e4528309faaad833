"""Quantities and precision of a run, in memory and in its file."""

import numpy as np
import pytest
import xarray as xr

import klingel as kg

KICK = {"front_wheelset.y": 5e-3}


def run(**options):
    return kg.simulate(kg.load_vehicle("hbbills311"), kg.Track.straight(), 45.0, 0.3, KICK, **options)


def test_file_has_the_usual_quantities_and_memory_has_all(tmp_path):
    found = run(out=tmp_path / "run.nc")
    stored = kg.load_run(found.file)
    xr.testing.assert_identical(found.data, run().data)
    assert stored["front_wheelset.y"].dtype == np.float32
    assert stored.time.dtype == stored["distance"].dtype == np.float64
    assert {"front_wheelset.left.Q", "front_left.link_y.force", "front_left.link_y.deformation"} <= set(
        stored.data
    )
    assert not {"carbody.y_ddot", "front_wheelset.left.creepage_x", "front_left.leaf.compression"} & set(
        stored.data
    )
    np.testing.assert_array_equal(stored["carbody.z"], found["carbody.z"].astype(np.float32))
    with pytest.raises(kg.InputError, match="--quantities all"):
        stored["carbody.y_ddot"]
    with pytest.raises(kg.InputError, match=r"did you mean carbody\.y"):
        stored["carbody.yy"]
    for name, values in stored.data.variables.items():
        assert name in ("checkpoint",) or values.attrs["long_name"], name


def test_chosen_quantities(tmp_path):
    found = run(out=tmp_path / "run.nc", quantities="front_wheelset.y,*.Q", precision="double")
    stored = kg.load_run(tmp_path / "run.nc")
    xr.testing.assert_identical(stored.data, found.data)
    over_time = {str(name) for name in stored.data if stored.data[name].dims == ("time",)}
    wheels = {f"{end}_wheelset.{side}.Q" for end in ("front", "rear") for side in ("left", "right")}
    assert over_time == {"front_wheelset.y", "distance", *wheels}
    with pytest.raises(kg.InputError, match="quantities: must have been kept"):
        stored.rows()


def test_last_row_is_exact_whatever_was_kept(tmp_path):
    run(out=tmp_path / "few.nc", quantities="*.Q", precision="single")
    for exact, stored in zip(run().last_state(), kg.load_run(tmp_path / "few.nc").last_state(), strict=True):
        np.testing.assert_array_equal(stored, exact)


def test_unknown_names_are_refused_before_the_run(tmp_path):
    with pytest.raises(kg.InputError, match=r"quantities: did you mean front_wheelset\.y"):
        run(out=tmp_path / "run.nc", quantities=["front_wheelst.y"])
    with pytest.raises(kg.InputError, match="precision: must be single or double"):
        run(precision="half")
    assert not list(tmp_path.iterdir())


def test_request_has_them():
    request = kg.RunRequest(
        "hbbills311", speed=45.0, duration=1.0, outputs={"quantities": "all", "precision": "double"}
    )
    assert kg.RunRequest.from_toml(request.to_toml()) == request
    assert request.outputs.quantities == ("all",)


def test_nothing_is_overwritten(tmp_path):
    run(out=tmp_path / "run.nc")
    with pytest.raises(kg.InputError, match="out: exists"):
        run(out=tmp_path / "run.nc")
    run(out=tmp_path / "run.nc", overwrite=True)
