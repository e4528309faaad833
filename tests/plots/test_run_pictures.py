"""Spectra against closed forms, and separations, series and loops against the run they show."""

from dataclasses import replace

import numpy as np
import pytest

from klingel._errors import InputError
from klingel.io.runs import variables_of
from klingel.plots.catalogue import draw
from klingel.plots.runs.shadowing import envelope
from klingel.plots.runs.spectrum import Spectrum, spectrum
from tests.many_axles import run as curved
from tests.short_run import braking_run, hunting_run, near_run

F, A = 7.3, 2e-3  # [Hz], [m]


def wave():
    """The run with a pure wave in place of one coordinate."""
    run = hunting_run()
    values = A * np.sin(2 * np.pi * F * run.time) + 1e-3
    data = run.data.assign({"carbody.y": ("time", values, {"units": "m"})})
    return replace(run, variables=variables_of(data))


def test_density_of_a_wave_peaks_at_its_frequency_and_holds_its_power():
    found = spectrum(wave(), "carbody.y", (0.0, 2.0))
    frequency, power = found.frequency, found.power
    assert frequency[np.argmax(power)] == pytest.approx(F, abs=0.03)
    assert found.strongest() == pytest.approx(F, abs=0.03)
    assert found.segments == 1
    # Parseval: the integral of a one-sided density is the variance, A²/2, in mm²
    assert np.trapezoid(power, frequency) == pytest.approx(0.5 * (1e3 * A) ** 2, rel=0.02)


def test_spectrum_names_the_frequency():
    fig = draw("spectrum", wave(), quantities=("carbody.y",))
    (mark,) = fig.axes[0].texts
    number, unit = mark.get_text().split()
    assert unit == "Hz"
    assert float(number) == pytest.approx(F, abs=0.1)  # a tenth of what one second resolves


def test_rest_has_no_spectrum():
    run = hunting_run()
    still = run.data.assign({"carbody.y": ("time", np.zeros(run.time.size), {"units": "m"})})
    fig = draw("spectrum", replace(run, variables=variables_of(still)), quantities=("carbody.y",))
    assert [text.get_text() for text in fig.axes[0].texts] == ["at rest"]
    with pytest.raises(InputError, match="at least 16 rows"):
        spectrum(run, "carbody.y", (0.0, 0.05))


def long_run(values):
    """A run of 40 s whose only coordinate is a given function of time."""
    run = hunting_run()
    t = 0.005 * np.arange(8000)
    data = run.data.drop_vars([name for name in run.data if "time" in run.data[name].dims]).drop_vars("time")
    data = data.assign_coords(time=t).assign({"carbody.y": ("time", values(t), {"units": "m"})})
    return replace(run, variables=variables_of(data))


def test_noise_is_averaged_over_segments():
    """Of white noise the density is flat; the spread of its estimate falls with the number of segments."""
    rng = np.random.default_rng(3)
    noise = 1e-3 * rng.standard_normal(8000)
    found = spectrum(long_run(lambda t: noise), "carbody.y", (0.0, 40.0))
    assert found.segment == pytest.approx(10.0)
    assert found.segments == 7  # half overlapping
    inner = found.power[100:-100]
    assert np.mean(inner) == pytest.approx(2.0 * 0.005, rel=0.05)  # one-sided: 2 sigma² dt, in mm²/Hz
    assert np.std(inner) / np.mean(inner) == pytest.approx(0.4, abs=0.1)  # 1 for a single segment
    title = draw("spectrum", long_run(lambda t: noise), quantities=("carbody.y",), window=(0.0, 40.0))
    assert "7 segments of 10 s" in title._suptitle.get_text()  # pyright: ignore


def test_a_drift_is_not_the_strongest_line():
    def slow_and_fast(t):
        return 5e-3 * np.sin(2 * np.pi * 0.1 * t) + 0.01 * t + 1e-3 * np.sin(2 * np.pi * F * t)

    found = spectrum(long_run(slow_and_fast), "carbody.y", (0.0, 40.0))
    assert found.frequency[np.argmax(found.power)] < 0.3  # the drift has more power
    assert found.strongest() == pytest.approx(F, abs=0.03)
    only = Spectrum(np.array([0.1, 0.2, 0.3]), np.array([3.0, 2.0, 1.0]), 10.0, 1)
    assert only.strongest() is None


def test_separation_begins_with_a_micrometre():
    fig = draw("separation", hunting_run(), other=near_run(), quantities=("front_wheelset.y",))
    low = fig.axes[1].lines[0]
    assert low.get_ydata()[0] == pytest.approx(1e-3, rel=1e-6)  # [mm]
    assert fig.axes[1].get_yscale() == "log"
    other = replace(near_run(), names={**near_run().names, "states": ["axle.y"]})
    with pytest.raises(InputError, match="must be a run of the same vehicle"):
        draw("separation", hunting_run(), other=other)


def test_series_show_the_run_in_millimetres():
    run = hunting_run()
    fig = draw("lateral", run, window=(0.5, 1.0))
    line = fig.axes[0].lines[0]
    part = (run.time >= 0.5) & (run.time <= 1.0)
    np.testing.assert_allclose(line.get_xdata(), run.time[part])
    np.testing.assert_allclose(line.get_ydata(), 1e3 * run["front_wheelset.y"].to_numpy()[part])


def test_a_braking_run_goes_from_fast_to_slow():
    fig = draw("lateral", braking_run())
    assert fig.axes[-1].get_xlabel() == "speed [m/s]"
    assert fig.axes[-1].get_xlim() == pytest.approx((45.0, 41.0))
    distance = draw("lateral", braking_run(), along="distance").axes[-1]
    assert distance.get_xlim() == pytest.approx((0.0, 45.0 * 2.0 - 2.0**2))


def test_loops_show_force_over_deformation():
    run = hunting_run()
    ax = draw("hysteresis", run, quantities=("front_left.link_y",)).axes[0]
    u, force = ax.lines[0].get_data()
    np.testing.assert_allclose(u, 1e3 * run["front_left.link_y.deformation"])
    np.testing.assert_allclose(force, 1e-3 * run["front_left.link_y.force"])
    assert ax.get_ylabel() == "force on the front wheelset [kN]"


def test_an_envelope_holds_the_motion():
    t = np.linspace(0.0, 50.0, 20000)
    motion = (5.0 - 0.08 * t) * np.sin(2 * np.pi * 3.0 * t) + 0.5
    found = envelope(t, motion)
    np.testing.assert_allclose(found.high, 5.5 - 0.08 * found.x, atol=0.1)
    np.testing.assert_allclose(found.low, -4.5 + 0.08 * found.x, atol=0.1)
    assert envelope(t[:2000], motion[:2000]) is None  # single cycles can be seen


def test_ratio_of_the_wheel_forces_in_a_curve():
    shown = curved(2, "curve")
    fig = draw("curve", shown)
    labels = [ax.get_ylabel().split("\n") for ax in fig.axes]
    assert ["wheelset", "lateral force Y", "[kN]"] in labels
    assert ["wheelset", "vertical force Q", "[kN]"] in labels
    ax = next(ax for ax in fig.axes if "Y/Q" in ax.get_ylabel())
    wheel = shown.names["wheels"][0]
    lateral, vertical = shown[f"{wheel}.Y"].to_numpy(), shown[f"{wheel}.Q"].to_numpy()
    drawn = ax.lines[0].get_ydata()
    known = np.isfinite(drawn)
    np.testing.assert_allclose(drawn[known], (lateral / vertical)[known])
    assert known.mean() > 0.9
    assert (vertical[~known] < 0.05 * vertical.mean()).all()
    few = draw("curve", shown, quantities=("front_wheelset.left",))
    assert [len(ax.lines) for ax in few.axes if "Y/Q" in ax.get_ylabel()] == [1]


def test_a_stored_distance_is_believed():
    run = hunting_run()
    data = run.data.assign({"distance": ("time", 500.0 + 45.0 * run.time, {"units": "m"})})
    ax = draw("lateral", replace(run, variables=variables_of(data)), along="distance").axes[-1]
    assert ax.get_xlim() == pytest.approx((500.0, 590.0))
