"""Figures of the guided rod: histories with contact distances, and the rod seen from above."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Polygon

from klingel.literature.guided_rod.system import GuidedRod, gaps
from klingel.numerics.trajectory import Trajectory
from klingel.plots.style import SMALL_SIZE, TEXT_SIZE, figure, legend

GUIDES = ("front left", "front right", "rear left", "rear right")  # in the order of the gaps
CLOSED = 1e-7  # a gap below it is drawn as touching [m]


def rod_history_figure(parameters: GuidedRod, run: Trajectory) -> Figure:
    """Displacement, yaw and the four contact distances over time (figures B.20 and B.22)."""
    fig, axes = figure(3, 1, height_cm=15.0, sharex=True)
    axes[0].plot(run.t, 1e3 * run["x"], linewidth=1.0)
    axes[0].set_ylabel("x [mm]")
    axes[1].plot(run.t, 1e3 * run["psi"], linewidth=1.0)
    axes[1].set_ylabel("yaw [mrad]")
    if np.abs(run["psi"]).max() < 1e-9:
        axes[1].set_ylim(-1.0, 1.0)  # rounding is not a motion
    for name, distance in zip(GUIDES, gaps(parameters, run.x).T, strict=True):
        axes[2].plot(run.t, 1e3 * distance, linewidth=1.0, label=name)
    axes[2].set_ylabel("contact distance [mm]")
    axes[2].set_xlabel("time [s]")
    axes[2].set_ylim(top=1e3 * 3.0 * parameters.clearance)
    legend(axes[2], ncols=4, loc="upper center")
    axes[0].set_xlim(run.t[0], run.t[-1])
    return fig


def rod_top_view_figure(parameters: GuidedRod, run: Trajectory, instants: np.ndarray) -> Figure:
    """The rod between its guides at the given instants of the run (figures B.21 and B.23)."""
    fig, axes = figure(1, instants.size, height_cm=8.5, sharey=True)
    for ax, t in zip(np.atleast_1d(axes), instants, strict=True):
        row = np.searchsorted(run.t, t)
        _draw_rod(ax, parameters, run.x[row])
        ax.set_title(f"t = {run.t[row]:.3f} s", fontsize=TEXT_SIZE)
        ax.set_xlabel("x [m]")
    np.atleast_1d(axes)[0].set_ylabel("y [m]")
    return fig


def _draw_rod(ax: Axes, parameters: GuidedRod, state: np.ndarray) -> None:
    """Outline, centre line and guides; touched guides are filled."""
    half, wide = 0.55 * parameters.length, parameters.box_width / 2
    x, y, psi = state[:3]
    turn = np.array([[np.cos(psi), -np.sin(psi)], [np.sin(psi), np.cos(psi)]])
    outline = np.array([(wide, half), (-wide, half), (-wide, -half), (wide, -half)]) @ turn.T + (x, y)
    ax.add_patch(Polygon(outline, facecolor="0.85", edgecolor="k", linewidth=0.8))
    axis = np.array([(0.0, half), (0.0, -half)]) @ turn.T + (x, y)
    ax.plot(*axis.T, color="0.4", linewidth=0.6, linestyle="-.")
    ahead, aside = wide + parameters.clearance, parameters.length / 2
    places = [(ahead, aside), (ahead, -aside), (-ahead, aside), (-ahead, -aside)]
    for place, distance in zip(places, gaps(parameters, state[None, :])[0], strict=True):
        touched = distance < CLOSED
        ax.plot(
            *place, marker="o", markersize=5, color="#D55E00",
            markerfacecolor="#D55E00" if touched else "white", zorder=3,
        )  # fmt: skip
    ax.set_aspect("equal")
    ax.set_xlim(-1.8 * ahead, 1.8 * ahead)
    ax.set_ylim(-1.15 * half, 1.15 * half)
    ax.set_xticks((-ahead, 0.0, ahead), (f"{-ahead:.2g}", "0", f"{ahead:.2g}"))
    ax.tick_params(labelsize=SMALL_SIZE)
