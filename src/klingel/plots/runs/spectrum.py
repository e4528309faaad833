"""Power spectra of a run: one-sided density by Welch's method, Hann window.

Hoffmann (2006), figures 5.5, 5.6, 5.25.

Rows of output are samples: what moves faster than half their rate is folded back.
"""

from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from scipy.signal import welch

from klingel._errors import InputError
from klingel.plots.abscissa import Window, inside
from klingel.plots.quantity import (
    Names,
    coordinate,
    full_label,
    other_bodies,
    pick_rows,
    shown,
    unit_of,
    wheelsets,
)
from klingel.plots.style import SMALL_SIZE, TEXT_SIZE, figure
from klingel.simulation.run import Run

DECADES = 7  # shown below the highest peak
FEWEST = 16  # rows
PADDING = 8  # zeros make the curve smooth and its maximum sharp; they resolve nothing new
SHORTEST = 4.0  # segment that is averaged [s]: resolves 0.5 Hz
PERIODS = 2.0  # in a segment, of what is named as a frequency
SLIGHT = 0.1  # of the highest density: lower peaks are not named
STILL = 1e-6  # half of peak to peak, in the unit shown: rest has no spectrum


@dataclass(frozen=True)
class Spectrum:
    frequency: np.ndarray  # [Hz]
    power: np.ndarray  # density, in the unit shown squared per Hz
    segment: float  # length of a segment [s]
    segments: int  # that were averaged

    def strongest(self) -> float | None:
        """Frequency of the highest peak that goes to and fro at least twice in a segment: drift is no oscillation.

        None where most of the motion is slower than that.
        """
        inner = self.power[1:-1]
        peak = (inner > self.power[:-2]) & (inner >= self.power[2:])
        rows = 1 + np.flatnonzero(peak & (self.frequency[1:-1] * self.segment >= PERIODS))
        best = rows[np.argmax(self.power[rows])] if rows.size else 0
        return float(self.frequency[best]) if rows.size and self.power[best] > SLIGHT * self.power.max() else None


def spectrum(run: Run, name: str, window: Window | None = None) -> Spectrum:
    """Welch's estimate: segments that overlap by half, each without its straight line, averaged.

    Segments are a quarter of the window long, but at least SHORTEST: short runs have one.
    """
    part = inside(run, window or _late(run))
    t, values = run.time[part], shown(run, name)[part]
    if run.options["output_step"] is None:
        t, values = _even(t, values)
    elif t.size > 2 and not np.isclose(t[-1] - t[-2], t[1] - t[0], rtol=1e-6):
        t, values = t[:-1], values[:-1]  # the end of a run need not be a row of the grid
    if t.size < FEWEST:
        raise InputError("window", f"{t.size} rows", f"must hold at least {FEWEST} rows for a spectrum")
    step = float(np.mean(np.diff(t)))
    rows = min(t.size, max(t.size // 4, round(SHORTEST / step)))
    half = rows // 2
    frequency, power = welch(
        values, 1.0 / step, "hann", rows, noverlap=half, nfft=PADDING * rows, detrend="linear"
    )  # fmt: skip
    return Spectrum(frequency[1:], power[1:], rows * step, (t.size - half) // (rows - half))


def draw_spectrum(run: Run, window: Window | None = None, quantities: Names = ()) -> Figure:
    """One panel per quantity with its strongest frequency; by default the lateral motion of every body."""
    usual = coordinate(run, [*wheelsets(run), *other_bodies(run)], "y")
    names = [name for row in pick_rows(run, [usual], quantities) for name in row]
    if not names:
        raise InputError("run", None, "must have bodies that move to the side; choose quantities")
    columns = 1 if len(names) <= 4 else 2
    rows = -(-len(names) // columns)
    fig, axes = figure(
        rows, columns, width_cm=16.0 if columns == 1 else 19.0, height_cm=4.6 * rows + 1.8, squeeze=False,
        sharex=True,
    )  # fmt: skip
    for ax in axes.flat[len(names) :]:
        ax.remove()
    drawn = axes.flat[: len(names)]
    found = [_draw_one(ax, run, name, window) for ax, name in zip(drawn, names, strict=True)]
    shown_part = window or _late(run)
    nyquist = 0.5 / (run.options["output_step"] or _mean_step(run, shown_part))
    peaks = [estimate.strongest() or 0.0 for estimate in found if estimate]
    axes[0, 0].set_xlim(0.0, min(nyquist, max(10.0, 6.0 * max(peaks, default=0.0))))
    for ax in drawn[-columns:]:
        ax.set_xlabel("frequency [Hz]")
        ax.tick_params(labelbottom=True)
    estimate = spectrum(run, names[0], window)
    how = f"{estimate.segments} segments of {estimate.segment:.3g} s, half overlapping, averaged (Welch)"
    how = how if estimate.segments > 1 else f"one segment of {estimate.segment:.3g} s: not averaged"
    told = f"from t = {shown_part[0]:.4g} to {shown_part[1]:.4g} s: {how}, Hann window"
    fig.suptitle(told, x=0.01, ha="left", fontsize=SMALL_SIZE)
    return fig


def _even(t: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rows of every step at equal distances, as many as there are."""
    even = np.linspace(t[0], t[-1], t.size) if t.size else t
    return even, np.interp(even, t, values) if t.size else values


def _mean_step(run: Run, window: Window) -> float:
    t = run.time[inside(run, window)]
    return float(t[-1] - t[0]) / max(t.size - 1, 1)


def _late(run: Run) -> Window:
    t = run.time
    return (float(0.5 * (t[0] + t[-1])), float(t[-1])) if t.size else (0.0, 0.0)


def _draw_one(ax: Axes, run: Run, name: str, window: Window | None) -> Spectrum | None:
    """None at rest."""
    estimate = spectrum(run, name, window)
    unit = unit_of(run, name)[1]
    ax.set_title(full_label(run, name).rpartition(" [")[0], loc="left", fontsize=TEXT_SIZE)
    ax.set_ylabel(f"density [{unit if '/' not in unit else f'({unit})'}²/Hz]")
    if np.ptp(shown(run, name)[inside(run, window or _late(run))]) < 2.0 * STILL:
        ax.text(0.5, 0.5, "at rest", transform=ax.transAxes, ha="center", fontsize=SMALL_SIZE)
        return None
    frequency, power = estimate.frequency, estimate.power
    ax.semilogy(frequency, np.maximum(power, 1e-30), "-", color="black", linewidth=0.9)
    top = float(power.max())
    ax.set_ylim(top * 10.0**-DECADES, top * 10.0)
    best = estimate.strongest()
    if best is not None:
        height = float(np.interp(best, frequency, power))
        ax.plot(best, height, "o", color="black", markersize=3.5)
        place = {"xytext": (7, 3), "textcoords": "offset points", "va": "center", "fontsize": SMALL_SIZE}
        ax.annotate(f"{best:.3g} Hz", (best, height), **place)
    else:
        told = f"most of it slower than {PERIODS / estimate.segment:.2g} Hz"
        ax.text(0.98, 0.92, told, transform=ax.transAxes, ha="right", va="top", fontsize=SMALL_SIZE)
    return estimate
