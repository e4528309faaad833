"""A sweep on a real Dask cluster of this machine; runs where `distributed` is installed."""

import pytest
import xarray as xr

import klingel as kg
from klingel.simulation.sweep.dask_workers import dask_executor

distributed = pytest.importorskip("distributed")

SHORT = kg.FixedTransient(transient=0.2, maxima=1, piece=0.25, cap=0.25)


@pytest.fixture(scope="module")
def address():
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as cluster:
        yield cluster.scheduler_address


def options():
    return {
        "vehicle": kg.load_vehicle("hbbills311", links="PTP"),
        "track": kg.Track.straight(),
        "speeds": [30.0, 31.0],
        "direction": "both",
        "transient": SHORT,
    }


@pytest.mark.slow
def test_a_cluster_gives_the_same_numbers(address, tmp_path):
    here = kg.sweep(**options(), workers=1)
    with dask_executor(address) as cluster:
        there = kg.sweep(**options(), executor=cluster, out=tmp_path / "there.nc")
    xr.testing.assert_identical(there.data, here.data)
    xr.testing.assert_identical(kg.load_sweep(tmp_path / "there.nc").data, here.data)


@pytest.mark.slow
def test_an_interrupted_sweep_goes_on_in_the_cluster(address, tmp_path):
    def stop(done, _):
        if done == 1:
            raise KeyboardInterrupt

    out = tmp_path / "sweep.nc"
    with dask_executor(address) as cluster:
        assert kg.sweep(**options(), executor=cluster, out=out, on_point=stop).status == "interrupted"
    counted = []
    with dask_executor(address) as cluster:
        whole = kg.sweep(
            **options(), executor=cluster, out=out, resume=True, on_point=lambda n, _: counted.append(n)
        )
    assert counted == [1, 2, 3, 4]
    xr.testing.assert_identical(whole.data, kg.sweep(**options(), workers=1).data)


def test_nobody_at_the_address_is_one_line(monkeypatch):
    monkeypatch.setattr("klingel.simulation.sweep.dask_workers.PATIENCE", 0.5)
    with (
        pytest.raises(kg.InputError, match=r"dask: must be the address of a scheduler") as caught,
        dask_executor("tcp://127.0.0.1:1"),
    ):
        pass
    assert "\n" not in str(caught.value)
