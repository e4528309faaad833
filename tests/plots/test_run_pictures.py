"""Spectra against closed forms, and separations, series and loops against the run they show."""

from dataclasses import replace

import numpy as np
import pytest

from klingel._errors import InputError
from klingel.plots.catalogue import draw
from klingel.plots.runs.spectrum import density
from tests.short_run import braking_run, hunting_run, near_run

F, A = 7.3, 2e-3  # [Hz], [m]


def wave():
    """The run with a pure wave in place of one coordinate."""
    run = hunting_run()
    values = A * np.sin(2 * np.pi * F * run.time) + 1e-3
    data = run.data.assign({"carbody.y": ("time", values, {"units": "m"})})
    return replace(run, data=data)


def test_density_of_a_wave_peaks_at_its_frequency_and_holds_its_power():
    frequency, power = density(wave(), "carbody.y", (0.0, 2.0))
    assert frequency[np.argmax(power)] == pytest.approx(F, abs=0.03)
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
    fig = draw("spectrum", replace(run, data=still), quantities=("carbody.y",))
    assert [text.get_text() for text in fig.axes[0].texts] == ["at rest"]
    with pytest.raises(InputError, match="at least 16 rows"):
        density(run, "carbody.y", (0.0, 0.05))


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


def test_a_stored_distance_is_believed():
    run = hunting_run()
    data = run.data.assign({"distance": ("time", 500.0 + 45.0 * run.time, {"units": "m"})})
    ax = draw("lateral", replace(run, data=data), along="distance").axes[-1]
    assert ax.get_xlim() == pytest.approx((500.0, 590.0))
