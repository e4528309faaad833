"""Pictures of a track: curve parameters (Hoffmann 2006, figures 2.8 to 2.11), cant and height, irregularities."""

from collections.abc import Sequence
from math import pi

import numpy as np
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from scipy.signal import welch

from klingel._errors import InputError
from klingel.plots.style import CYCLE, figure, legend
from klingel.track import irregularity as irregular
from klingel.track.alignment import Value
from klingel.track.irregularity import Random
from klingel.track.spectrum import Channel, find_spectrum
from klingel.track.track import Track

DISTANCE = "distance s [m]"
CHANNELS = {
    Channel.LATERAL: ("lateral", irregular.Value.LATERAL),
    Channel.VERTICAL: ("vertical", irregular.Value.VERTICAL),
    Channel.CROSS_LEVEL: ("cross level", irregular.Value.ROLL),
}


def _distances(track: Track, start: float | None, end: float | None, points: int) -> np.ndarray:
    """From the zero of the track to a little beyond its last corner, corners included."""
    corners = track.alignment.corners()
    last = float(corners[-1]) if len(corners) else 100.0
    low = min([0.0, *corners[:1]]) if start is None else start
    high = last + 0.15 * max(last - low, 100.0) if end is None else end
    if not high > low:
        raise InputError("end", high, f"must lie beyond the start, {low:g} m")
    inside = corners[(corners > low) & (corners < high)]
    return np.union1d(np.linspace(low, high, points), inside)


PICTURES = ("curvature", "cant", "irregularity", "density")


def draw_track(track: Track, window: tuple[float, float] | None = None, quantities: Sequence[str] = ()) -> Figure:
    """One of PICTURES; without a choice irregularities if the track has nothing else, otherwise the curvature.

    The window is one of distance [m].
    """
    if len(quantities) > 1 or any(name not in PICTURES for name in quantities):
        raise InputError("quantity", ", ".join(quantities), f"must be one of {', '.join(PICTURES)}")
    plain = not track.alignment.stages and track.irregularity
    picture = quantities[0] if quantities else "irregularity" if plain else "curvature"
    if picture == "density":
        return density(track)
    if picture == "irregularity":
        return irregularities(track, *(window or ()))
    draw = curve_parameters if picture == "curvature" else rail_heights
    return draw(track, *(window or ()))


def curve_parameters(track: Track, start: float | None = None, end: float | None = None) -> Figure:
    """Horizontal curvature, track yaw, T_h and the track seen from above; corners are marked."""
    s = _distances(track, start, end, 600)
    values = track.alignment.values(s, track.cant_reference)
    x, y, _ = track.alignment.coordinates(s).T
    corners = track.alignment.corners()
    marks = np.isin(s, corners)
    fig, axes = figure(2, 2, width_cm=17.0, height_cm=12.5)
    panels = (
        (s, 1e3 * values[:, Value.CURVATURE], "horizontal curvature 1/ρ$_h$ [1/km]"),
        (s, values[:, Value.YAW], "track yaw β$_C$ [rad]"),
        (s, values[:, Value.T_H], "lateral offset T$_h$ [m]"),
        (x, y, "y [m]"),
    )
    for ax, (across, up, label) in zip(axes.flat, panels, strict=True):
        ax.plot(across, up, **CYCLE[0])
        ax.plot(across[marks], up[marks], linestyle="none", marker="o", markersize=4, color="black")
        ax.set(xlabel=DISTANCE, ylabel=label)
    axes[1, 1].set(xlabel="x [m]", title="seen from above, scales differ")
    axes[0, 0].set_title("corners of curvature and cant: dots")
    return fig


def rail_heights(track: Track, start: float | None = None, end: float | None = None) -> Figure:
    """Cant, and the heights of both rails: the lower one keeps the level of the track."""
    s = _distances(track, start, end, 600)
    values = track.alignment.values(s, track.cant_reference)
    lean = 0.5 * track.cant_reference * values[:, Value.CANT_ANGLE]
    centre = values[:, Value.T_V] + values[:, Value.RISE]
    fig, (above, below) = figure(2, 1, height_cm=11.0, sharex=True)
    above.plot(s, -2e3 * lean, **CYCLE[0])
    above.set(ylabel="cant, right over left [mm]")
    below.plot(s, 1e3 * (centre + lean), label="left rail", **CYCLE[1])
    below.plot(s, 1e3 * (centre - lean), label="right rail", **CYCLE[2])
    below.set(xlabel=DISTANCE, ylabel="height of the rail top [mm]")
    legend(below)
    return fig


def irregularities(track: Track, start: float = 0.0, end: float = 200.0) -> Figure:
    """Lateral, vertical and cross-level irregularity over the distance."""
    if not end > start:
        raise InputError("end", end, f"must lie beyond the start, {start:g} m")
    s = np.linspace(start, end, 3000)
    values = irregular.values(track.irregularity, s, track.cant_reference)
    fig, axes = figure(3, 1, height_cm=13.0, sharex=True)
    for ax, (name, value) in zip(axes, CHANNELS.values(), strict=True):
        ax.plot(s, 1e3 * _metres(track, value) * values[:, value], linewidth=1.0, **CYCLE[0])
        ax.set(ylabel=f"{name} [mm]", xlim=(start, end))
    axes[-1].set_xlabel(DISTANCE)
    return fig


def _metres(track: Track, value: irregular.Value) -> float:
    return -track.cant_reference if value == irregular.Value.ROLL else 1.0


def density(track: Track, segment: float = 400.0) -> Figure:
    """Estimated power spectral density of each channel against that of the spectrum behind it.

    Welch's method with Hann windows of `segment` metres on the part of the track that has the random irregularity
    at full strength.
    """
    sources = [source for source in track.irregularity if isinstance(source, Random)]
    if not sources:
        raise InputError("irregularity", track.irregularity, "must hold a random source")
    source = sources[0]
    spacing = source.shortest / irregular.POINTS_PER_WAVE
    s = np.arange(source.start + source.taper, source.start + source.length - source.taper, spacing)
    if len(s) * spacing < segment:
        raise InputError("segment", segment, f"must fit into the full part of {len(s) * spacing:g} m")
    values = irregular.values(track.irregularity, s, track.cant_reference)
    fig, axes = figure(1, 3, width_cm=18.0, height_cm=7.5, sharex=True, sharey=True)
    for ax, (channel, (name, value)) in zip(axes, CHANNELS.items(), strict=True):
        record = _metres(track, value) * values[:, value]
        frequency, estimate = welch(record, 1.0 / spacing, "hann", int(segment / spacing), detrend="constant")
        band = np.geomspace(1.0 / source.longest, 1.0 / source.shortest, 200)
        shape = find_spectrum(source.spectrum).density(channel, 2 * pi * band, source.sided)
        inside = (frequency > 0.5 / source.longest) & (frequency < 1.5 / source.shortest) & (estimate > 0.0)
        ax.loglog(frequency[inside], 1e6 * estimate[inside], color="0.6", linewidth=1.0)
        if channel in source.channels:
            ax.loglog(band, 1e6 * 2 * pi * source.factor**2 * shape, color="black", linewidth=1.2, linestyle="--")
        ax.set(xlabel="1/wavelength [1/m]", title=name)
    axes[0].set_ylabel("density [mm²/(1/m)]")
    axes[0].set_ylim(bottom=1e-2)
    handles = [Line2D([], [], color="0.6"), Line2D([], [], color="black", linestyle="--")]
    legend(axes[0], handles=handles, labels=["estimate", source.spectrum], loc="lower left")
    return fig
