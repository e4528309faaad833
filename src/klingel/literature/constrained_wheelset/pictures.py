"""Figures of the constrained wheelset, after Hoffmann (2006), B.27 to B.34, and what the thesis does not show."""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from klingel.literature.constrained_wheelset.history import History
from klingel.plots.style import MARKERS, figure, legend

TIME = "time [s]"
PARAMETERS = {"s11": "s¹¹ [m]", "s12": "s¹² [m]", "s21": "s²¹ [rad]", "s32": "s³² [rad]"}
WIDTH = 0.9  # of lines [pt]
FLOOR = 1e-17  # zero on logarithmic axes


def _lateral(ax: Axes, h: History, clearance: float | None = None) -> None:
    ax.plot(h.t, 1e3 * h["y"], linewidth=WIDTH)
    if clearance is not None:
        for level in (-clearance, clearance):
            ax.axhline(1e3 * level, color="0.4", linewidth=0.8, linestyle="--")
    ax.set_ylabel("lateral shift y [mm]")


def _profile_parameters(ax: Axes, h: History) -> None:
    for name, label in PARAMETERS.items():
        ax.plot(h.t, h[name], linewidth=WIDTH, label=label)
    ax.set_ylabel("profile parameters")
    legend(ax, ncols=2, loc="center")  # left and right wheel leave the middle free


def coordinates_figure(h: History, clearance: float, title: str) -> Figure:
    """y, z, roll and the profile parameters over time (figures B.27 to B.30); dashed: the flange touches."""
    fig, axes = figure(2, 2, height_cm=13.0, width_cm=18.0, sharex=True)
    _lateral(axes[0, 0], h, clearance)
    axes[0, 1].plot(h.t, 1e3 * h["z"], linewidth=WIDTH)
    axes[0, 1].set_ylabel("height z [mm]")
    axes[1, 0].plot(h.t, 1e3 * h["roll"], linewidth=WIDTH)
    axes[1, 0].set_ylabel("roll angle φ [mrad]")
    _profile_parameters(axes[1, 1], h)
    for ax in axes[1]:
        ax.set_xlabel(TIME)
    axes[0, 0].set_xlim(h.t[0], h.t[-1])
    fig.suptitle(title, fontsize=10.0)
    return fig


def comparison_figure(runs: Sequence[tuple[str, History]]) -> Figure:
    """Lateral shift and profile parameters of several runs side by side (figures B.31 to B.34)."""
    fig, axes = figure(2, len(runs), height_cm=13.0, width_cm=18.0, sharex="col", squeeze=False)
    for column, (title, h) in zip(axes.T, runs, strict=True):
        _lateral(column[0], h)
        column[0].set_title(title)
        _profile_parameters(column[1], h)
        column[1].set_xlabel(TIME)
        column[0].set_xlim(h.t[0], h.t[-1])
    return fig


def normal_force_figure(runs: Sequence[tuple[str, History, float, float]]) -> Figure:
    """Normal forces of both wheels at the end of each run (title, history, load at rest [N], seconds shown)."""
    fig, axes = figure(len(runs), 1, height_cm=6.0 * len(runs), squeeze=False)
    for ax, (title, h, load, span) in zip(axes[:, 0], runs, strict=True):
        part = h.t >= h.t[-1] - span
        ax.plot(h.t[part], 1e-3 * h["n_left"][part], label="left wheel", linewidth=1.0)
        ax.plot(h.t[part], 1e-3 * h["n_right"][part], label="right wheel", linewidth=1.0)
        ax.axhline(1e-3 * load, color="0.6", linewidth=1.5, linestyle="-", label="at rest", zorder=1)
        low, high = ax.get_ylim()
        ax.set_ylim(low, high + 0.2 * (high - low))  # room for the legend
        ax.set_ylabel("normal force [kN]")
        ax.set_title(title)
        ax.set_xlim(h.t[part][0], h.t[-1])
        legend(ax, ncols=3, loc="upper center")
    axes[-1, 0].set_xlabel(TIME)
    return fig


def agreement_figure(reduced: History, augmented: History, coarse: History, bound: float) -> Figure:
    """Difference of the two forms, and constraint residuals of the augmented one in a fine and a coarse run."""
    fig, axes = figure(3, 1, height_cm=16.0)
    size = {"y": (1.0, "y [m]"), "n_left": (1e4, "left normal force / 10 kN [–]")}
    for name, (unit, label) in size.items():
        difference = np.abs(reduced[name] - augmented[name]) / unit
        axes[0].semilogy(reduced.t, np.maximum(difference, FLOOR), label=label, linewidth=WIDTH)
    axes[0].set_ylabel("|reduced − augmented|")
    axes[0].set_title("Two forms of the unsuspended wheelset")
    for ax, h, title in (
        (axes[1], augmented, "Constraint residuals of the same run"),
        (axes[2], coarse, "Steeper cone, suspended, coarse tolerance: projected at drift events"),
    ):
        ax.semilogy(h.t, np.maximum(h["position"], FLOOR), label="position [m]", linewidth=WIDTH)
        ax.semilogy(h.t, np.maximum(h["velocity"], FLOOR), label="velocity [m/s]", linewidth=WIDTH)
        ax.axhline(bound, color="0.4", linewidth=1.0, linestyle=":", label="drift event")
        ax.set_ylabel("residual")
        ax.set_title(title)
    for ax in axes:
        ax.set_xlim(ax.lines[0].get_xdata()[[0, -1]])
        legend(ax, ncols=3, loc="lower right")
    axes[2].set_xlabel(TIME)
    return fig


def stability_figure(speeds: np.ndarray, curves: Sequence[tuple[str, np.ndarray, float, float]]) -> Figure:
    """Growth rate of the hunting mode over speed (label, rates; speed and rate of the printed run)."""
    fig, ax = figure(height_cm=8.5)
    for label, values, _, _ in curves:
        ax.plot(speeds, values, label=label)
    ax.plot(
        [c[2] for c in curves], [c[3] for c in curves], marker=MARKERS[0], linestyle="none", color="black",
        markerfacecolor="white", label="runs of the thesis",
    )  # fmt: skip
    ax.axhline(0.0, color="0.4", linewidth=0.8, linestyle="-")
    ax.set_xlabel("speed [m/s]")
    ax.set_ylabel("growth rate [1/s]")
    ax.set_title("Linearised wheelset in the track centre: unstable above zero")
    ax.set_xlim(speeds[0], speeds[-1])
    legend(ax, loc="lower right")
    return fig
