"""Thinning loses no peak; what is packed comes back; only the last runs stay in memory."""

import numpy as np
import pytest

import klingel as kg
from klingel.app.web.live import MOST, Live
from klingel.app.web.series import KEPT, Reader, series, unpacked
from klingel.app.web.thinning import thinned
from tests.short_run import hunting_run


@pytest.mark.parametrize("rows", [1, 7, 4000, 4001, 99_999])
def test_extremes_survive(rows):
    rng = np.random.default_rng(rows)
    x = np.cumsum(rng.uniform(0.1, 1.0, rows))
    y = rng.normal(size=rows)
    y[rng.integers(rows)] = 50.0
    xs, (ys,) = thinned(x, [y], 400)
    assert xs.size == ys.size <= max(400, rows if rows <= 400 else 402)
    assert (ys.max(), ys.min()) == (y.max(), y.min())
    assert (xs[0], xs[-1]) == (x[0], x[-1])
    assert np.all(np.diff(xs) >= 0.0)


def test_missing_numbers_hide_no_others():
    y = np.full(10_000, np.nan)
    y[5432] = 3.0
    _, (ys,) = thinned(np.arange(10_000.0), [y], 100)
    assert np.nanmax(ys) == 3.0


def test_message_comes_back_in_the_units_shown():
    columns = {"time": np.linspace(0, 1, 50), "a.y": np.linspace(0.0, 0.005, 50), "a.yaw": np.full(50, 0.002)}
    head, xs, ys = unpacked(series(columns, {"a.y": "m", "a.yaw": "rad"}, "time", ["a.y", "a.yaw"], 1000))
    assert head["rows"] == head["points"] == 50
    assert [one["unit"] for one in head["series"]] == ["mm", "mrad"]
    assert head["x"] == {"name": "time", "word": "time", "unit": "s", "owner": ""}
    np.testing.assert_array_equal(xs, columns["time"])
    np.testing.assert_allclose(ys[0], 1e3 * columns["a.y"], rtol=1e-6)
    np.testing.assert_allclose(ys[1], 2.0, rtol=1e-6)


def test_window_keeps_its_neighbours():
    columns = {"time": np.arange(100.0), "a.y": np.arange(100.0)}
    head, xs, _ = unpacked(series(columns, {}, "time", ["a.y"], 1000, (10.5, 12.5)))
    assert xs.tolist() == [10.0, 11.0, 12.0, 13.0]
    assert head["span"] == [0.0, 99.0]


def test_stored_runs(tmp_path):
    reader = Reader()
    for k in range(KEPT + 2):
        hunting_run().save(tmp_path / f"{k}.nc")
        stored = reader.read(tmp_path / f"{k}.nc")
    np.testing.assert_array_equal(stored.column("front_wheelset.y"), hunting_run()["front_wheelset.y"])
    assert len(reader._kept) == KEPT
    assert reader.read(tmp_path / f"{KEPT + 1}.nc") is stored
    with pytest.raises(kg.InputError, match="is not in this run"):
        stored.column("front_wheelset.w")
    with pytest.raises(kg.InputError, match="not a quantity over time"):
        stored.column("event_time")


def test_live_samples_stay_few_and_keep_peaks():
    live = Live()
    for k in range(100):
        t = np.linspace(k, k + 1, 1000, endpoint=False)
        y = np.zeros(1000)
        y[500] = k
        live.add({"time": t, "a.y": y})
    found = live.columns()
    assert found["time"].size <= MOST
    assert found["a.y"].max() == 99
    assert np.all(np.diff(found["time"]) >= 0.0)
