"""Attractors over the parameter of a sweep: how far each body goes to the side on what it settles to.

One mark per point: the largest displacement from the track centre, to whichever side, in the part of the motion
that was measured. Sweeps up and down and fresh starts go into one picture: where marks of one value lie on several
levels, several attractors coexist. Rest is a band (see `sweep_marks`). Grey marks had
not settled when their time was up.

Source of the layout: Hoffmann (2006), figures 5.1 to 5.3; its unstable branches are not found by simulation.
"""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from klingel.analysis.motion_kinds import UNSETTLED
from klingel.plots.sweeps.marks import (
    MILLI,
    Series,
    chosen,
    draw_rest,
    label,
    legend_outside,
    mark_handles,
    moving,
    panels,
    series_of,
)
from klingel.plots.sweeps.rest_band import apart, draw_set
from klingel.simulation.resting.rest_set import StoredRestSet
from klingel.simulation.sweep.result import Sweep

GREY = "0.65"
PANEL = 5.6  # height of one [cm]


def draw_attractors(
    sweep: Sweep, quantities: Sequence[str] = (), others: Sequence[Sweep | StoredRestSet] = ()
) -> Figure:
    """One panel per coordinate; other sweeps over the same parameter, and a rest set, go into the same picture."""
    more, sets = apart(others, sweep.settings["parameter"])
    sweeps = [sweep, *more]
    names, series = chosen(sweeps, quantities), series_of(sweeps)
    fig, axes = panels(sweeps, names, PANEL)
    late, rest = False, []
    for ax, name in zip(axes, names, strict=True):
        rest = draw_rest(ax, series, name, size=True)
        late |= any([_draw_sizes(ax, part, name) for part in series])
        rest += draw_set(ax, sets, name, size=True)
        top = 1.04 * ax.get_ylim()[1]
        ax.set_ylim(min(0.0, -0.02 * top), top)
        ax.set_ylabel(label(name).replace(", y", ",\nlargest y"))
    handles = [*mark_handles(series), *([_late_handle()] if late else []), *rest]
    legend_outside(fig, handles)
    return fig


def _draw_sizes(ax: Axes, part: Series, name: str) -> bool:
    """Largest displacement of every point that moves; whether some had not settled."""
    size = MILLI * np.maximum(np.abs(part.values(f"{name}.minimum")), np.abs(part.values(f"{name}.maximum")))
    late = np.array([kind == UNSETTLED for kind in part.kinds], bool)
    for rows, colour in ((moving(part) & late, {"color": GREY}), (moving(part) & ~late, {})):
        ax.plot(part.place[rows], size[rows], linestyle="none", **{**part.style, **colour})
    return bool(late.any())


def _late_handle() -> Line2D:
    return Line2D([], [], linestyle="none", marker="s", color=GREY, markersize=4.0, label="not settled")
