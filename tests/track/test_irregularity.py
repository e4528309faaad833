"""Irregularities: interpolation, statistics of the synthesis, repeatability."""

from math import pi

import numpy as np
import pytest
from scipy.signal import welch
from scipy.stats import chi2

from klingel._errors import InputError
from klingel.track.irregularity import VALUES, Random, Samples, Shift, Value, compile_table, sample_along, values
from klingel.track.spectrum import Channel, Sided, find_spectrum


def test_no_source_means_zero():
    assert np.all(values((), np.array([-5.0, 0.0, 100.0])) == 0.0)


def test_samples_are_met_and_cross_level_becomes_an_angle():
    heights = (0.0, 1e-3, -2e-3, 5e-4, 0.0)
    source = Samples(spacing=0.5, start=10.0, lateral=heights, cross_level=heights)
    out = values((source,), 10.0 + 0.5 * np.arange(5))
    assert out[:, Value.LATERAL] == pytest.approx(heights, abs=1e-18)
    assert out[:, Value.ROLL] == pytest.approx(-np.array(heights) / 1.5, abs=1e-18)
    assert np.all(out[:, Value.VERTICAL] == 0.0)


def test_table_can_lie_anywhere_in_a_flat_array():
    sources = (Shift(8e-3), Samples(0.5, lateral=(0.0, 1e-3, 0.0), vertical=(0.0, 0.0, 1e-3)))
    s = np.linspace(-5.0, 40.0, 97)
    table = np.concatenate([np.full(13, np.nan), compile_table(sources)])
    out = np.empty((len(s), VALUES))
    sample_along(table, 13, s, out)
    assert np.array_equal(out, values(sources, s))


def test_sources_add_up():
    a, b = Shift(8e-3, at=2.0), Random("B176 low", seed=3, length=250.0)
    s = np.linspace(-5.0, 300.0, 501)
    assert values((a, b), s) == pytest.approx(values((a,), s) + values((b,), s), abs=1e-18)


def test_slope_is_the_derivative_of_the_value():
    source = (Random("B176 high", seed=1, length=400.0), Shift(5e-3, at=100.0, channel=Channel.CROSS_LEVEL))
    s, h = np.linspace(-10.0, 410.0, 841), 1e-4
    difference = (values(source, s + h) - values(source, s - h)) / (2 * h)
    slopes = values(source, s)
    for value, slope in ((0, 1), (2, 3), (4, 5)):
        assert slopes[:, slope] == pytest.approx(difference[:, value], abs=3e-9)


def test_interpolation_is_of_fourth_order():
    """A wave sampled ever finer; clamped ends fit a cosine."""
    s = np.linspace(0.0, 20.0, 999)
    errors = []
    for count in (60, 120, 240):
        wave = np.cos(2 * pi * np.linspace(0.0, 20.0, count + 1) / 5.0)
        out = values((Samples(20.0 / count, vertical=tuple(1e-3 * wave)),), s)
        errors.append(np.max(np.abs(out[:, Value.VERTICAL] - 1e-3 * np.cos(2 * pi * s / 5.0))))
    assert errors[0] / errors[1] == pytest.approx(16.0, rel=0.1)
    assert errors[1] / errors[2] == pytest.approx(16.0, rel=0.05)


def test_shift_of_the_thesis():
    """Figure 5.43: 8 mm to the side after 20 m; the track stays there."""
    out = values((Shift(8e-3, at=20.0, length=5.0),), np.array([-100.0, 0.0, 20.0, 22.5, 25.0, 3000.0]))
    assert out[:, Value.LATERAL] == pytest.approx([0.0, 0.0, 0.0, 4e-3, 8e-3, 8e-3], abs=1e-17)
    assert out[3, Value.LATERAL_SLOPE] == pytest.approx(1.875 * 8e-3 / 5.0, rel=1e-4)
    assert np.all(out[[0, 1, 5], Value.LATERAL_SLOPE] == 0.0)


def test_a_run_sees_neither_kink_nor_step_at_the_ends():
    source = Random("B176 high", seed=8, length=400.0, start=30.0)
    out = values((source,), np.array([30.0 - 1e-9, 30.0 + 1e-9, 430.0 - 1e-9, 430.0 + 1e-9]))
    assert out == pytest.approx(np.zeros((4, VALUES)), abs=1e-12)


@pytest.mark.parametrize("channel", Channel)
def test_every_line_of_the_synthesis_has_the_power_of_the_spectrum(channel):
    """|Z_k|^2 over one period against S(O_k) dO, bin by bin, to rounding."""
    source = Random("B176 low", seed=5, length=2000.0, taper=0.0)
    _, spacing, points = source.points()
    count = len(points) - 1
    power = 2.0 * np.abs(np.fft.rfft(points[:-1, channel]) / count) ** 2
    wave_number = 2 * pi * np.fft.rfftfreq(count, spacing)
    inside = (wave_number >= 2 * pi / 100.0) & (wave_number <= 2 * pi / 3.0)
    target = find_spectrum("B176 low").density(channel, wave_number[inside]) * 2 * pi / 2000.0
    assert power[inside] == pytest.approx(target, rel=1e-9)
    assert np.all(power[~inside] < 1e-20)


@pytest.mark.parametrize("channel", Channel)
def test_estimated_density_equals_the_target_within_its_confidence(channel):
    """Welch estimate through the compiled spline: 99.9 % of chi-squared for its number of independent segments.

    Hann windows with half overlap count as 0.947 independent segments each (Welch 1967), two degrees of
    freedom per segment; lines of fixed power scatter less than that. Wavelengths of 5 m to 50 m.
    """
    length, spacing, segment = 20_000.0, 0.25, 1024
    source = Random("B176 high", seed=11, length=length, taper=0.0)
    s = np.arange(0.0, length, spacing)
    column = (Value.LATERAL, Value.VERTICAL, Value.ROLL)[channel]
    scale = 1.5**2 if channel == Channel.CROSS_LEVEL else 1.0
    record = values((source,), s)[:, column]
    frequency, density = welch(record, 1.0 / spacing, "hann", segment, detrend=False)
    chosen = (frequency > 1 / 50.0) & (frequency < 1 / 5.0)
    target = 2 * pi * find_spectrum("B176 high").density(channel, 2 * pi * frequency[chosen])
    ratio = scale * density[chosen] / target
    freedom = 2.0 * 0.947 * (2 * len(s) / segment - 1)
    low, high = chi2.ppf([0.0005, 0.9995], freedom) / freedom
    # the window smears a density that falls with the fourth power: 3 % at the longest wave
    assert np.all(ratio > 0.97 * low)
    assert np.all(ratio < 1.03 * high)
    assert np.mean(ratio) == pytest.approx(1.0, abs=0.01)


@pytest.mark.parametrize(
    ("name", "channel", "millimetres"),
    [
        ("B176 low", Channel.VERTICAL, 2.338),
        ("B176 high", Channel.VERTICAL, 3.826),
        ("B176 low", Channel.LATERAL, 1.695),
        ("B176 high", Channel.LATERAL, 2.881),
    ],
)
def test_deviation_of_a_long_realisation(name, channel, millimetres):
    """3 m to 100 m, one-sided; a line spectrum misses at most half a line at either end of the band."""
    _, _, points = Random(name, seed=2, length=50_000.0, taper=0.0).points()
    assert 1e3 * np.std(points[:-1, channel]) == pytest.approx(millimetres, rel=2e-3)


def test_same_seed_same_track_other_seed_other_track():
    a = Random("B176 low", seed=7, length=300.0)
    assert np.array_equal(a.points()[2], Random("B176 low", seed=7, length=300.0).points()[2])
    assert not np.allclose(a.points()[2], Random("B176 low", seed=8, length=300.0).points()[2])


def test_leaving_a_channel_out_does_not_change_the_others():
    whole = Random("B176 low", seed=7, length=300.0).points()[2]
    part = Random("B176 low", seed=7, length=300.0, channels=(Channel.CROSS_LEVEL,)).points()[2]
    assert np.array_equal(whole[:, Channel.CROSS_LEVEL], part[:, Channel.CROSS_LEVEL])
    assert np.all(part[:, Channel.LATERAL] == 0.0)


def test_channels_are_uncorrelated():
    points = Random("B176 low", seed=7, length=20_000.0, taper=0.0).points()[2]
    correlation = np.corrcoef(points.T)[np.triu_indices(3, 1)]
    # some 400 independent waves of 50 m: standard error 0.05
    assert np.all(np.abs(correlation) < 0.2)


def test_two_sided_reading_and_factor_scale_the_amplitude():
    one = Random("B176 low", seed=7, length=300.0).points()[2]
    two = Random("B176 low", seed=7, length=300.0, sided=Sided.TWO, factor=0.5).points()[2]
    assert two == pytest.approx(one * np.sqrt(2.0) * 0.5, rel=1e-12, abs=1e-18)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Samples(0.0, lateral=(0.0, 0.0, 0.0)), "spacing: must be positive"),
        (lambda: Samples(0.25), "samples: must have"),
        (lambda: Samples(0.25, lateral=(0.0,) * 4, vertical=(0.0,) * 5), "samples: must have"),
        (lambda: Samples(0.25, lateral=(0.0, float("nan"), 0.0)), "lateral: must be finite"),
        (lambda: Samples(0.25, lateral=(0.0, -1e308, 0.0)), "lateral: must lie within ±1 m, got -1e+308"),
        (lambda: Shift(0.5), "size: must lie within"),
        (lambda: Shift(8e-3, length=0.0), "length: must be positive"),
        (lambda: Random("B176", 1, 500.0), "spectrum: must be one of B176 low"),
        (lambda: Random("B176 low", -1, 500.0), "seed: must be"),
        (lambda: Random("B176 low", 1, 150.0), "length: must hold the longest wave twice"),
        (lambda: Random("B176 low", 1, 500.0, shortest=120.0), "longest: must be above"),
        (lambda: Random("B176 low", 1, 500.0, taper=300.0), "taper: must lie between"),
        (lambda: Random("B176 low", 1, 1e9), "length: must need at most"),
        (lambda: Random("B176 low", 1, 500.0, channels=()), "channels: must name"),
    ],
)
def test_refusals_are_one_clear_line(make, words):
    with pytest.raises(InputError) as caught:
        make()
    assert str(caught.value).startswith(words)
    assert "\n" not in str(caught.value)
