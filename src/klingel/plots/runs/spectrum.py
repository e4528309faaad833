"""Power spectra of a run: one-sided density, Hann window, mean removed (Hoffmann 2006, figures 5.5, 5.6, 5.25).

Rows of output are samples: what moves faster than half their rate is folded back.
"""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from scipy.signal import periodogram

from klingel._errors import InputError
from klingel.plots.abscissa import Window, inside
from klingel.plots.quantity import Names, coordinate, other_bodies, owner, pick_rows, shown, unit_of, wheelsets
from klingel.plots.style import SMALL_SIZE, TEXT_SIZE, figure
from klingel.simulation.run import Run

DECADES = 7  # shown below the highest peak
FEWEST = 16  # rows
PADDING = 8  # zeros make the curve smooth and its maximum sharp; they resolve nothing new
STILL = 1e-6  # half of peak to peak, in the unit shown: rest has no spectrum


def density(run: Run, name: str, window: Window | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Frequencies [Hz] and power density in the unit shown, squared per Hz; without window the second half."""
    part = inside(run, window or _late(run))
    t, values = run.time[part], shown(run, name)[part]
    if run.options["output_step"] is None:
        t, values = _even(t, values)
    elif t.size > 2 and not np.isclose(t[-1] - t[-2], t[1] - t[0], rtol=1e-6):
        t, values = t[:-1], values[:-1]  # the end of a run need not be a row of the grid
    if t.size < FEWEST:
        raise InputError("window", f"{t.size} rows", f"must hold at least {FEWEST} rows for a spectrum")
    rate = 1.0 / float(np.mean(np.diff(t)))
    frequency, power = periodogram(values, rate, "hann", nfft=PADDING * t.size, detrend="constant")
    return frequency[1:], power[1:]


def draw_spectrum(run: Run, window: Window | None = None, quantities: Names = ()) -> Figure:
    """One panel per quantity with its strongest frequency; by default the lateral motion of every body."""
    usual = coordinate(run, [*wheelsets(run), *other_bodies(run)], "y")
    names = [name for row in pick_rows(run, [usual], quantities) for name in row]
    if not names:
        raise InputError("run", None, "must have bodies that move to the side; choose quantities")
    fig, axes = figure(len(names), 1, width_cm=16.0, height_cm=4.6 * len(names) + 1.2, squeeze=False, sharex=True)
    peaks = [_draw_one(ax, run, name, window) for ax, name in zip(axes[:, 0], names, strict=True)]
    shown_part = window or _late(run)
    nyquist = 0.5 / (run.options["output_step"] or _mean_step(run, shown_part))
    axes[-1, 0].set_xlim(0.0, min(nyquist, max(10.0, 6.0 * max(peaks))))
    axes[-1, 0].set_xlabel(f"frequency [Hz];  from t = {shown_part[0]:.4g} to {shown_part[1]:.4g} s")
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


def _draw_one(ax: Axes, run: Run, name: str, window: Window | None) -> float:
    """Strongest frequency [Hz], 0 at rest."""
    frequency, power = density(run, name, window)
    unit = unit_of(run, name)[1]
    ax.set_title(f"{owner(name)}, {name.rpartition('.')[2].replace('_', ' ')}", loc="left", fontsize=TEXT_SIZE)
    ax.set_ylabel(f"density [{unit if '/' not in unit else f'({unit})'}²/Hz]")
    best = int(np.argmax(power))
    if np.ptp(shown(run, name)[inside(run, window or _late(run))]) < 2.0 * STILL:
        ax.text(0.5, 0.5, "at rest", transform=ax.transAxes, ha="center", fontsize=SMALL_SIZE)
        return 0.0
    ax.semilogy(frequency, np.maximum(power, 1e-30), "-", color="black", linewidth=0.9)
    top = float(power[best])
    ax.set_ylim(top * 10.0**-DECADES, top * 10.0)
    place = {"xytext": (7, 3), "textcoords": "offset points", "va": "center", "fontsize": SMALL_SIZE}
    ax.plot(frequency[best], top, "o", color="black", markersize=3.5)
    ax.annotate(f"{frequency[best]:.3g} Hz", (frequency[best], top), **place)
    return float(frequency[best])
