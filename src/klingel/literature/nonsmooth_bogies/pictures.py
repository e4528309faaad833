"""Pictures of the paper on bogies: figure 20, and motions by three ways of handling events."""

from collections.abc import Sequence

import numpy as np
from matplotlib.figure import Figure

from klingel.literature.nonsmooth_bogies.solver_table import Row
from klingel.literature.nonsmooth_bogies.ways import IGNORE, LOCATE, SMOOTH
from klingel.literature.nonsmooth_bogies.ways import Row as Ways
from klingel.plots.style import COLOURS, figure, legend

SHOWN = "cashkarp54"  # the solver whose runs are drawn
FLOOR = 1e-12  # where there is no difference
WAY_COLOURS = {LOCATE: COLOURS[1], IGNORE: COLOURS[2], SMOOTH: COLOURS[3]}


def motions(found: Sequence[Row], speed: float) -> Figure:
    """Figure 20: lateral motion of the first wheelset, one panel per run."""
    fig, axes = figure(rows=len(found), height_cm=3.2 * len(found) + 1.0, sharex=True)
    for ax, row in zip(axes.ravel(), found, strict=True):
        ax.plot(row.time[row.time <= row.simulated], 1e3 * row.y[row.time <= row.simulated], lw=0.5)
        ax.set_ylabel("y [mm]")
        ax.set_title(f"{row.solver}, tolerance {row.tolerance:.0e}", loc="left")
        ax.set_xlim(0.0, max(other.simulated for other in found))
    axes.ravel()[-1].set_xlabel(f"time [s] at {speed:g} m/s")
    return fig


def three_ways(bogie: Sequence[Ways], axle: Sequence[Ways]) -> Figure:
    """Motions of one solver by each way over the exact one, and how far they have been from it."""
    fig, axes = figure(rows=2, columns=2, height_cm=13.0)
    panels = ((bogie, "y [mm]", "Cooperrider bogie: flange"), (axle, "yaw [mrad]", "Axle with guides: impacts"))
    for (motion, away), (found, unit, title) in zip(axes, panels, strict=True):
        exact = found[0]
        assert exact.time is not None
        assert exact.y is not None
        first = exact.time <= 1.0
        wide = {"lw": 2.5, "color": "0.75", "ls": "-"}
        motion.plot(exact.time[first], 1e3 * exact.y[first], **wide)
        away.plot([], [], **wide, label="exact")  # one legend, beside the motions
        for row in found[1:]:
            if row.solver != SHOWN or row.time is None or row.y is None:
                continue
            style = {"color": WAY_COLOURS[row.way], "label": row.way}
            motion.plot(row.time[first], 1e3 * row.y[first], lw=0.8, **style)
            off = np.maximum.accumulate(1e3 * np.abs(row.y - exact.y)) + FLOOR
            away.semilogy(row.time[1:], off[1:], lw=1.0, **style)
        motion.set(ylabel=unit)
        motion.set_title(title, loc="left")
        away.set(ylabel=f"difference, {unit}")
        away.set_title(f"largest so far, {SHOWN}", loc="left")
        legend(away, loc="lower right", ncols=2)
    for ax in axes[-1]:
        ax.set_xlabel("time [s]")
    return fig


def rest_and_creep(time: np.ndarray, motions: dict[str, np.ndarray], title: str) -> Figure:
    """Where a bogie with dry friction is left, by true stick and by rounded laws [mm]."""
    fig, ax = figure(height_cm=8.0)
    for label, y in motions.items():
        ax.plot(time, 1e3 * y, lw=1.0, label=label)
    low, high = ax.get_ylim()
    ax.set(xlabel="time [s]", ylabel="y [mm]", ylim=(low, high + 0.2 * (high - low)))  # room for the names
    ax.set_title(title, loc="left")
    legend(ax, loc="upper right", ncols=len(motions))
    return fig
