"""A run through curves: what the track does, and how the vehicle answers, over the distance.

Curvature and cant at the middle of the vehicle, then lateral motion, roll, pitch and yaw of all bodies, relative
to the track, and the vertical deformation of the suspension. Hoffmann (2006), figures 5.32 and 5.33.
"""

import numpy as np
from matplotlib.figure import Figure

from klingel.plots.abscissa import Along, Window, abscissa, inside
from klingel.plots.quantity import Names, coordinate, label, other_bodies, owner, pick_rows, shown, wheelsets
from klingel.plots.runs.motion import PANEL, suspension
from klingel.plots.style import COLOURS, dress, figure, legend_above, line_styles
from klingel.simulation.run import Run
from klingel.track.alignment import Value


def draw_curve(run: Run, window: Window | None = None, quantities: Names = ()) -> Figure:
    """The track in the first panel, the motion below."""
    axles, others = wheelsets(run), other_bodies(run)
    rows = [
        coordinate(run, axles, "y"),
        coordinate(run, others, "y"),
        coordinate(run, [*axles, *others], "roll"),
        coordinate(run, others, "pitch"),
        coordinate(run, [*axles, *others], "yaw"),
        *suspension(run, "z"),
    ]
    rows = pick_rows(run, rows, quantities)
    fig, axes = figure(
        len(rows) + 1, 1, width_cm=17.0, height_cm=PANEL * (len(rows) + 1) + 1.0, squeeze=False, sharex=True
    )
    part = inside(run, window)
    s = abscissa(run, Along.DISTANCE)[part]
    _draw_track(axes[0, 0], run, s)
    for ax, names in zip(axes[1:, 0], rows, strict=True):
        for name, style in zip(names, line_styles(len(names)), strict=True):
            ax.plot(s, shown(run, name)[part], label=owner(name), linewidth=0.9, **style)
        ax.set_ylabel(label(run, names[0]))
        legend_above(ax)
    axes[-1, 0].set_xlabel("distance of the middle of the vehicle [m]")
    axes[-1, 0].set_xlim(float(s[0]), float(s[-1]))
    fig.align_ylabels(axes[:, 0])
    return fig


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
