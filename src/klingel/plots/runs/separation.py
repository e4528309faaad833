"""Two runs that began close to each other: sensitivity to the start (Hoffmann 2006, figure 5.27).

A straight line on the logarithmic axis is exponential growth, the sign of chaos; it ends where the separation is
as large as the motion itself. Growth below the tolerance of the integrator means nothing.
"""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from klingel._errors import InputError
from klingel.plots.abscissa import Window, inside
from klingel.plots.quantity import (
    Names,
    coordinate,
    first_lateral,
    full_label,
    label,
    other_bodies,
    pick_rows,
    shown,
    split,
    told_apart,
    unit_of,
    wheelsets,
)
from klingel.plots.style import CYCLE, figure, legend_above, line_styles
from klingel.simulation.run import Run

FLOOR = 1e-12  # separations below are drawn there, in the unit shown


def draw_separation(run: Run, other: Run, window: Window | None = None, quantities: Names = ()) -> Figure:
    """Both motions above, the distance between them below, by default of the lateral motion of every body."""
    usual = [coordinate(run, [*wheelsets(run), *other_bodies(run)], "y")]
    names = [name for row in pick_rows(run, usual, quantities) for name in row]
    first = names[0] if names else first_lateral(run)
    if len({unit_of(run, name)[1] for name in names}) > 1:
        raise InputError("quantity", ", ".join(names), "must have one unit to be compared on one axis")
    t, rows = _common(run, other, window)
    groups = split(run, names) or [names]
    fig, (top, *lower) = figure(1 + len(groups), 1, height_cm=6.0 * (1 + len(groups)), sharex=True)
    for which, shown_run, style in zip(("first run", "second run"), (run, other), CYCLE, strict=False):
        top.plot(t, shown(shown_run, first)[rows[shown_run is other]], linewidth=0.9, label=which, **style)
    top.set_ylabel(full_label(run, first).replace(", ", ",\n"))
    legend_above(top)
    for low, group in zip(lower, groups, strict=True):
        words, shared = told_apart(group)
        for name, told, style in zip(group, words, line_styles(len(group)), strict=True):
            apart = np.abs(shown(run, name)[rows[0]] - shown(other, name)[rows[1]])
            low.semilogy(t, np.maximum(apart, FLOOR), linewidth=0.9, label=told, **style)
        if (bottom := _bottom(low)) is not None:
            low.set_ylim(bottom=bottom)
        else:
            low.set(yscale="linear", ylim=(1.0, 2.0), yticks=[])  # nothing a logarithmic axis could show
            low.text(0.5, 0.5, "none: the same numbers in both runs", transform=low.transAxes, ha="center")
        low.set_ylabel(f"{shared} separation,\n{label(run, first)}".lstrip())
        legend_above(low, width_cm=13.5)
    lower[-1].set_xlabel("time [s]")
    lower[-1].set_xlim(float(t[0]), float(t[-1]))
    fig.align_ylabels()
    return fig


def _bottom(ax: Axes) -> float | None:
    """Below nearly all separations, None without any; those that pass through zero would stretch the axis."""
    apart = np.concatenate([line.get_ydata() for line in ax.lines])
    apart = apart[apart > FLOOR]
    return 0.3 * float(np.quantile(apart, 0.005)) if apart.size else None


def _common(run: Run, other: Run, window: Window | None) -> tuple[np.ndarray, tuple[np.ndarray, np.ndarray]]:
    """Instants both runs have rows at, and those rows."""
    if run.names["states"] != other.names["states"]:
        raise InputError("with", "another run", "must be a run of the same vehicle")
    part = inside(run, window)
    t, mine, theirs = np.intersect1d(
        np.round(run.time[part], 9), np.round(other.time, 9), return_indices=True
    )  # fmt: skip
    if t.size < 2:
        raise InputError("with", "another run", "must have rows at the same instants; use one output step")
    return t, (np.flatnonzero(part)[mine], theirs)
