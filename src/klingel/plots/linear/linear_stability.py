"""Eigenvalues of a linearised vehicle over speed: growth rates above, frequencies below."""

import numpy as np
from matplotlib.figure import Figure

from klingel.plots.style import COLOURS, figure, legend

LEAST_DECAY = -12.0  # what dies faster than this is not of interest [1/s]


def draw_eigenvalues(
    speeds: np.ndarray, values: np.ndarray, title: str, critical: float | None = None, least: float = LEAST_DECAY
) -> Figure:
    """Each eigenvalue [speed][eigenvalue] of an oscillation as a point; those that grow are marked."""
    fig, (growth, frequency) = figure(2, 1, width_cm=16.0, height_cm=12.0, sharex=True)
    real, hertz = np.real(values), np.imag(values) / (2.0 * np.pi)
    speed = np.broadcast_to(np.asarray(speeds)[:, None], values.shape)
    shown = (real > least) & (hertz >= 0.0)
    grows = shown & (real > 0.0)
    for rows, style, label in (
        (shown & ~grows, {"color": COLOURS[0], "marker": ".", "markersize": 3.0}, "decays"),
        (grows, {"color": COLOURS[2], "marker": "^", "markersize": 4.0}, "grows"),
    ):
        growth.plot(speed[rows], real[rows], linestyle="none", label=label, **style)
        frequency.plot(speed[rows], hertz[rows], linestyle="none", **style)
    growth.axhline(0.0, color="0.4", linewidth=0.8)
    if critical is not None:
        for ax in (growth, frequency):
            ax.axvline(critical, color="0.4", linewidth=0.8, linestyle="--")
        growth.annotate(
            f"{critical:.2f} m/s", (critical, least), xytext=(4, 6), textcoords="offset points", fontsize=8
        )
    growth.set(ylabel="growth rate [1/s]", ylim=(least, None), title=title)
    frequency.set(xlabel="speed [m/s]", ylabel="frequency [Hz]", ylim=(0.0, None))
    legend(growth, loc="upper left")
    return fig
