"""A run through curves: what the track does, and how the vehicle answers, over the distance.

Curvature and cant at the middle of the vehicle, then lateral motion, roll, pitch and yaw of all bodies, relative
to the track, the vertical deformation of the suspension, and what the rails feel: Y and Q of every wheel and their
ratio, which limits derailment. Hoffmann (2006), figures 5.32 and 5.33.
"""

import numpy as np
from matplotlib.figure import Figure

from klingel.plots.abscissa import Along, Window, abscissa, inside
from klingel.plots.quantity import (
    Names,
    coordinate,
    other_bodies,
    panel_label,
    pick_rows,
    shown,
    split,
    told_apart,
    unit_of,
    wheelsets,
)
from klingel.plots.runs.motion import series_height, suspension
from klingel.plots.runs.wheelset import FORCES, cut_peaks
from klingel.plots.style import COLOURS, dress, figure, legend_above, line_styles
from klingel.simulation.run import Run
from klingel.track.alignment import Value

RATIO = "Y/Q"
LIFTED = 0.05  # of its mean load: a wheel that carries less has no ratio


def draw_curve(run: Run, window: Window | None = None, quantities: Names = ()) -> Figure:
    """The track in the first panel, the motion and the forces below."""
    axles, others, wheels = wheelsets(run), other_bodies(run), run.names["wheels"]
    rows = [
        coordinate(run, axles, "y"),
        coordinate(run, others, "y"),
        coordinate(run, [*axles, *others], "roll"),
        coordinate(run, others, "pitch"),
        coordinate(run, [*axles, *others], "yaw"),
        *suspension(run, "z"),
        coordinate(run, wheels, "Y"),
        coordinate(run, wheels, "Q"),
    ]
    rows = pick_rows(run, rows, quantities)
    rows = [part for row in [*rows, _ratios(run, rows)] for part in split(run, row)]
    fig, axes = figure(
        len(rows) + 1, 1, width_cm=17.0, height_cm=series_height([*rows, rows[0]]), squeeze=False, sharex=True
    )
    part = inside(run, window)
    s = abscissa(run, Along.DISTANCE)[part]
    _draw_track(axes[0, 0], run, s)
    for ax, names in zip(axes[1:, 0], rows, strict=True):
        words, shared = told_apart(names)
        for name, told, style in zip(names, words, line_styles(len(names)), strict=True):
            ax.plot(s, _values(run, name)[part], label=told, linewidth=0.9, **style)
        ratio = names[0].endswith(RATIO)
        ax.set_ylabel(f"{shared}\n{RATIO} [–]" if ratio else panel_label(run, names))
        if not ratio and names[0].rpartition(".")[2] in FORCES:
            cut_peaks(ax, unit_of(run, names[0])[1])
        legend_above(ax)
    axes[-1, 0].set_xlabel("distance of the middle of the vehicle [m]")
    axes[-1, 0].set_xlim(float(s[0]), float(s[-1]))
    fig.align_ylabels(axes[:, 0])
    return fig


def _ratios(run: Run, rows: list[list[str]]) -> list[str]:
    """Of the wheels whose Y and Q are shown."""
    found = {name for row in rows for name in row}
    return [f"{wheel}.{RATIO}" for wheel in run.names["wheels"] if {f"{wheel}.Y", f"{wheel}.Q"} <= found]


def _values(run: Run, name: str) -> np.ndarray:
    if not name.endswith(RATIO):
        return shown(run, name)
    wheel = name.removesuffix(f".{RATIO}")
    lateral, vertical = run[f"{wheel}.Y"].to_numpy(), run[f"{wheel}.Q"].to_numpy()
    carries = vertical > LIFTED * float(np.mean(vertical))
    return np.divide(lateral, vertical, out=np.full(lateral.shape, np.nan), where=carries)


def _draw_track(ax, run: Run, s: np.ndarray) -> None:
    track = run.track
    values = track.alignment.values(s, track.cant_reference)
    ax.plot(s, 1e3 * values[:, Value.CURVATURE], "-", color=COLOURS[0], linewidth=1.1, label="curvature")
    ax.set_ylabel("curvature [1/km]")
    right = ax.twinx()
    dress(right)
    right.grid(False)
    cant = -1e3 * track.cant_reference * values[:, Value.CANT_ANGLE]
    ax.plot([], [], "--", color=COLOURS[2], linewidth=1.1, label="cant, right over left rail")
    right.plot(s, cant, "--", color=COLOURS[2], linewidth=1.1)
    right.set_ylabel("cant [mm]")
    legend_above(ax)
