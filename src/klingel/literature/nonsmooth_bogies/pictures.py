"""Figure 20: lateral motion of the first wheelset by each solver and tolerance."""

from collections.abc import Sequence

from matplotlib.figure import Figure

from klingel.literature.nonsmooth_bogies.solver_table import Row
from klingel.plots.style import figure


def motions(found: Sequence[Row], speed: float) -> Figure:
    """One panel per run."""
    fig, axes = figure(rows=len(found), height_cm=3.2 * len(found) + 1.0, sharex=True)
    for ax, row in zip(axes.ravel(), found, strict=True):
        ax.plot(row.time[row.time <= row.simulated], 1e3 * row.y[row.time <= row.simulated], lw=0.5)
        ax.set_ylabel("y [mm]")
        ax.set_title(f"{row.solver}, tolerance {row.tolerance:.0e}", loc="left")
        ax.set_xlim(0.0, max(other.simulated for other in found))
    axes.ravel()[-1].set_xlabel(f"time [s] at {speed:g} m/s")
    return fig
