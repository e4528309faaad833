"""Figures of the impact oscillator: histories, force characteristic, phase plot, steps around corners."""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from klingel.literature.impact_oscillator.energy import band_force, friction_force
from klingel.literature.impact_oscillator.system import ImpactOscillator, P
from klingel.numerics.trajectory import Trajectory
from klingel.plots.style import TEXT_SIZE, figure, legend

WALL_STYLE = {"color": "#D55E00", "linestyle": "--", "linewidth": 1.0}


def suspension_force(parameters: ImpactOscillator, run: Trajectory) -> np.ndarray:
    """k x + f1 + f2 [N] at every row."""
    x = run["x"]
    return parameters.flat()[P.K] * x + friction_force(parameters, run) + band_force(parameters, x)


def history_figure(parameters: ImpactOscillator, run: Trajectory, zoom: tuple[float, float]) -> Figure:
    """Displacement over the whole run and over `zoom` [s] (figures B.5 and B.6)."""
    fig, axes = figure(2, 1, height_cm=12.0)
    for ax in axes:
        ax.plot(run.t, 1e3 * run["x"], linewidth=0.9)
        if np.isfinite(parameters.wall):
            ax.axhline(1e3 * parameters.wall, label="wall", **WALL_STYLE)
        ax.set_ylabel("displacement [mm]")
        ax.set_xlabel("time [s]")
    axes[0].set_xlim(run.t[0], run.t[-1])
    axes[1].set_xlim(*zoom)
    if np.isfinite(parameters.wall):
        legend(axes[1], loc="lower left")
    return fig


def settled_figure(parameters: ImpactOscillator, run: Trajectory, since: float) -> Figure:
    """Suspension force and velocity over displacement after the time `since` (figures B.7 and B.8)."""
    fig, (left, right) = figure(1, 2, height_cm=8.0)
    late = run.t >= since
    x = 1e3 * run["x"][late]
    left.plot(x, 1e-3 * suspension_force(parameters, run)[late], linewidth=1.0)
    left.set_ylabel("suspension force [kN]")
    right.plot(x, run["v"][late], linewidth=1.0)
    right.set_ylabel("velocity [m/s]")
    for ax in (left, right):
        ax.set_xlabel("displacement [mm]")
        if np.isfinite(parameters.wall):
            ax.axvline(1e3 * parameters.wall, label="wall", **WALL_STYLE)
    if np.isfinite(parameters.wall):
        legend(right, loc="upper left")
    return fig


def steps_figure(
    points: Sequence[tuple[str, np.ndarray, np.ndarray]],
    curve: tuple[np.ndarray, np.ndarray],
    corner: tuple[float, float, float, float],
) -> Figure:
    """Accepted steps on the force characteristic, whole and around a corner (figures 1.12 and 1.13).

    `points` are (title, displacement, force) per way of integrating, `curve` the exact characteristic, `corner`
    the limits (x_low, x_high, force_low, force_high) of the enlargement; all in m and N.
    """
    fig, axes = figure(2, len(points), height_cm=14.0, sharey="row")
    for column, (title, x, force) in zip(axes.T, points, strict=True):
        for ax in column:
            _draw_steps(ax, curve, x, force)
        inside = (x > corner[0]) & (x < corner[1]) & (force > corner[2]) & (force < corner[3])
        column[0].set_title(f"{title}: {x.size} points", fontsize=TEXT_SIZE)
        column[1].set_title(f"the framed corner: {np.count_nonzero(inside)} points", fontsize=TEXT_SIZE)
        column[1].set_xlim(1e3 * corner[0], 1e3 * corner[1])
        column[1].set_ylim(1e-3 * corner[2], 1e-3 * corner[3])
        size = 1e3 * (corner[1] - corner[0]), 1e-3 * (corner[3] - corner[2])
        frame = Rectangle((1e3 * corner[0], 1e-3 * corner[2]), *size, fill=False, edgecolor="#D55E00")
        column[0].add_patch(frame)
        for ax in column:
            ax.set_xlabel("displacement [mm]")
    for ax in axes[:, 0]:
        ax.set_ylabel("suspension force [kN]")
    return fig


def _draw_steps(ax: Axes, curve: tuple[np.ndarray, np.ndarray], x: np.ndarray, force: np.ndarray) -> None:
    ax.plot(1e3 * curve[0], 1e-3 * curve[1], color="0.6", linewidth=0.8, linestyle="-")
    ax.plot(1e3 * x, 1e-3 * force, linestyle="none", marker="o", markersize=3.5, markerfacecolor="none", color="k")
