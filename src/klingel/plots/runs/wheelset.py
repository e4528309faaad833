"""Wheelsets one by one: lateral motion, yaw, and the forces Y and Q of the rails on both wheels."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from klingel._errors import InputError
from klingel.plots.abscissa import LABELS, Along, Window, abscissa, inside, set_limits, usual
from klingel.plots.quantity import Names, label, pick, shown, unit_of, wheelsets
from klingel.plots.style import CYCLE, SMALL_SIZE, figure, legend_above
from klingel.simulation.run import Run

MOTIONS = ("y", "yaw")
FORCES = ("Y", "Q")
MOST_COLUMNS = 4
PEAKS = 5.0  # times what holds 98 % of the rows


def draw_wheelset(
    run: Run, window: Window | None = None, quantities: Names = (), along: Along | None = None
) -> Figure:
    """One column per wheelset, at most four side by side; a choice of quantities keeps some wheelsets."""
    bodies = pick(wheelsets(run), quantities, run)
    if not bodies:
        raise InputError("run", None, "must have wheelsets")
    along = along or usual(run)
    x, part = abscissa(run, along), inside(run, window)
    rows = [word for word in (*MOTIONS, *FORCES) if any(_names(run, body, word) for body in bodies)]
    columns = min(len(bodies), MOST_COLUMNS)
    blocks = -(-len(bodies) // columns)
    fig, axes = figure(
        len(rows) * blocks, columns, width_cm=max(17.0, 5.2 * columns),
        height_cm=(3.6 * len(rows) + 0.6) * blocks + 0.6, squeeze=False, sharex=True,
    )  # fmt: skip
    grid = axes.reshape(blocks, len(rows), columns).swapaxes(1, 2).reshape(blocks * columns, len(rows))
    for ax in grid[len(bodies) :].flat:
        ax.remove()
    grid = grid[: len(bodies)]
    for k, (column, body) in enumerate(zip(grid, bodies, strict=True)):
        column[0].set_title(body.replace("_", " "))
        for ax, word, first in zip(column, rows, grid[0], strict=True):
            if ax is not first:
                ax.sharey(first)
            names = _names(run, body, word)
            for name, style in zip(names, CYCLE, strict=False):
                ax.plot(x[part], shown(run, name)[part], linewidth=0.9, label=name.split(".")[-2], **style)
            if k % columns:
                ax.tick_params(labelleft=False)
            elif names:
                ax.set_ylabel(label(run, names[0]))
                if word in FORCES:
                    legend_above(ax)
        set_limits(column[0], x[part])
        column[-1].set_xlabel(LABELS[along])
        column[-1].tick_params(labelbottom=True)
        column[-1].locator_params(axis="x", nbins=5)
    for ax, word in zip(grid[0], rows, strict=True):
        if word in FORCES:
            cut_peaks(ax, unit_of(run, _names(run, bodies[0], word)[0])[1])
    fig.align_ylabels(axes[:, 0])
    return fig


def cut_peaks(ax: Axes, unit: str) -> None:
    """Show what happens most of the time; peaks many times as high, as at a kick, are cut and told."""
    lines = [line.get_ydata() for other in ax.get_shared_y_axes().get_siblings(ax) for line in other.lines]
    values = np.concatenate(lines) if lines else np.zeros(1)
    low, high = np.quantile(values, (0.01, 0.99))
    margin = max(high - low, 1e-3)
    if np.ptp(values) > PEAKS * margin:
        ax.set_ylim(max(low - margin, float(values.min()) - 0.05 * margin), high + margin)
        told = f"cut: {values.min():.4g} to {values.max():.4g} {unit}"
        ax.text(0.98, 0.94, told, transform=ax.transAxes, ha="right", va="top", fontsize=SMALL_SIZE)


def _names(run: Run, body: str, word: str) -> list[str]:
    """One coordinate, or one force of each wheel."""
    if word in MOTIONS:
        return [f"{body}.{word}"] if f"{body}.{word}" in run.data else []
    wheels = [wheel for wheel in run.names["wheels"] if wheel.rpartition(".")[0] == body]
    return [f"{wheel}.{word}" for wheel in wheels if f"{wheel}.{word}" in run.data]
