"""Motion of a run: coordinates of its bodies over time, speed or distance, one panel per kind of coordinate.

Wheelsets and the other bodies have panels of their own, because their motions differ in size. Hoffmann (2006)
shows such series in figures 5.10 (yaw), 5.28 and 5.45.
"""

from collections.abc import Sequence

from matplotlib.figure import Figure

from klingel._errors import InputError
from klingel.plots.abscissa import LABELS, Along, Window, abscissa, inside, set_limits, usual
from klingel.plots.quantity import (
    MOST,
    Names,
    below,
    coordinate,
    other_bodies,
    panel_label,
    pick_rows,
    shown,
    split,
    told_apart,
    wheelsets,
    wholes,
)
from klingel.plots.style import LINE_CM, figure, legend_above, legend_lines, line_styles, show_no_noise
from klingel.simulation.run import Run

PANEL = 3.6  # height of one [cm]


def draw_lateral(
    run: Run, window: Window | None = None, quantities: Names = (), along: Along | None = None
) -> Figure:
    """Lateral motion, yaw and roll."""
    axles, others = wheelsets(run), other_bodies(run)
    rows = [coordinate(run, group, word) for word in ("y", "yaw") for group in (axles, others)]
    return draw_series(run, [*rows, coordinate(run, others, "roll")], window, quantities, along)


def draw_longitudinal(
    run: Run, window: Window | None = None, quantities: Names = (), along: Along | None = None
) -> Figure:
    """Longitudinal motion, spin, and deformation of the suspension along the track (figures 5.51 to 5.53)."""
    axles, others = wheelsets(run), other_bodies(run)
    rows = [coordinate(run, axles, "x"), coordinate(run, others, "x"), coordinate(run, axles, "spin_dot")]
    return draw_series(run, [*rows, *suspension(run, "x")], window, quantities, along)


def draw_vertical(
    run: Run, window: Window | None = None, quantities: Names = (), along: Along | None = None
) -> Figure:
    """Vertical motion, roll and pitch, and vertical deformation of the suspension."""
    axles, others = wheelsets(run), other_bodies(run)
    rows = [coordinate(run, group, "z") for group in (axles, others)]
    rows += [coordinate(run, axles, "roll"), coordinate(run, others, "roll"), coordinate(run, others, "pitch")]
    return draw_series(run, [*rows, *suspension(run, "z")], window, quantities, along)


def suspension(run: Run, direction: str) -> list[list[str]]:
    """Deformations in one direction, one per connection: elements side by side share theirs.

    All of them in one row, or where they are too many a row per body above: carbody, then frame by frame.
    """
    found: dict[str, str] = {}
    known = wholes(run)
    for element in run.vehicle.elements:
        name = next((whole for whole in known if below(element.name, whole)), "")
        if element.direction == direction and name:
            found.setdefault(element.connection, f"{name}.deformation")
    if len(found) <= MOST:
        return [list(found.values())]
    rows: dict[str, list[str]] = {}
    for connection in run.vehicle.connections:
        if connection.name in found:
            rows.setdefault(connection.inner, []).append(found[connection.name])
    return list(rows.values())


def draw_series(
    run: Run,
    rows: Sequence[Names],
    window: Window | None = None,
    quantities: Names = (),
    along: Along | None = None,
) -> Figure:
    """One panel per group of quantities of one kind."""
    chosen = pick_rows(run, rows, quantities)
    return draw_motion(run, chosen, [window], along or usual(run))


def series_height(rows: Sequence[Names]) -> float:
    """Of panels below each other, with their legends [cm]."""
    lines = sum(legend_lines(told_apart(names)[0]) - 1 for names in rows)
    return PANEL * len(rows) + LINE_CM * lines + 1.0


def draw_motion(
    run: Run, rows: Sequence[Names], windows: Sequence[Window | None], along: Along = Along.TIME
) -> Figure:
    """One row of panels per group of quantities of one kind, one column per window of time."""
    if not rows:
        raise InputError("run", None, "must have coordinates of the kind this picture shows")
    rows = [part for row in rows for part in split(run, row)]
    fig, axes = figure(
        len(rows), len(windows), width_cm=17.0, height_cm=series_height(rows), squeeze=False, sharex="col",
        sharey="row",
    )  # fmt: skip
    x = abscissa(run, along)
    for line, names in zip(axes, rows, strict=True):
        for ax, window in zip(line, windows, strict=True):
            part = inside(run, window)
            for name, told, style in zip(names, told_apart(names)[0], line_styles(len(names)), strict=True):
                ax.plot(x[part], shown(run, name)[part], label=told, linewidth=1.0, **style)
            set_limits(ax, x[part])
            show_no_noise(ax)
        line[0].set_ylabel(panel_label(run, names))
        legend_above(line[0])
    for ax in axes[-1]:
        ax.set_xlabel(LABELS[along])
        ax.locator_params(axis="x", nbins=4 if len(windows) > 1 else 8)
    fig.align_ylabels(axes[:, 0])
    return fig
