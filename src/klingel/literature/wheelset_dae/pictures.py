"""Figures of the constrained wheelset: hunting motion, components, work and precision."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

from klingel.plots.style import MARKERS, SMALL_SIZE, figure, legend

SETTLED = 2.0  # length of the last part that is drawn as the limit cycle [s]


class Point(NamedTuple):
    """One run: accuracy and what it cost."""

    mescd: float
    scd: float
    cpu: float  # [s]
    rhs: int
    steps: int


def limit_cycle(t: np.ndarray, u: np.ndarray) -> Figure:
    """Figure II.22.4: lateral displacement against yaw angle and against its own rate."""
    fig, axes = figure(1, 2, height_cm=8.0)
    late = t > t[-1] - SETTLED
    for ax, column, factor, label in (
        (axes[0], 3, 1e3, "yaw angle [mrad]"),
        (axes[1], 5, 1.0, "lateral velocity [m/s]"),
    ):
        ax.plot(1e3 * u[:, 0], factor * u[:, column], color="0.7", linestyle="-", linewidth=0.5, label="whole run")
        ax.plot(
            1e3 * u[late, 0], factor * u[late, column], color="0.0", linestyle="-", linewidth=1.2,
            label=f"last {SETTLED:g} s",
        )  # fmt: skip
        ax.set_xlabel("lateral displacement [mm]")
        ax.set_ylabel(label)
    legend(axes[0], loc="upper right")
    return fig


def components(t: np.ndarray, u: np.ndarray) -> Figure:
    """Figure II.22.5: the coordinates and the spin deviation over time."""
    fig, axes = figure(3, 2, height_cm=15.0, sharex=True)
    panels = (
        (0, 1e3, "lateral x [mm]"),
        (1, 1e6, "vertical y [µm]"),
        (2, 1e6, "longitudinal z [µm]"),
        (3, 1e3, "yaw θ [mrad]"),
        (4, 1e3, "roll φ [mrad]"),
        (10, 1.0, "spin deviation β [1/s]"),
    )
    for ax, (column, factor, label) in zip(axes.flat, panels, strict=True):
        ax.plot(t, factor * u[:, column], linewidth=0.6)
        ax.set_ylabel(label)
        ax.set_xlim(t[0], t[-1])
    for ax in axes[-1]:
        ax.set_xlabel("time [s]")
    return fig


def work_precision(curves: Mapping[str, Sequence[Point]]) -> Figure:
    """Figures II.22.6 and II.22.7: digits against computing time."""
    fig, axes = figure(1, 2, height_cm=10.0, sharey=True)
    for marker, (name, points) in zip(MARKERS, curves.items(), strict=False):
        cpu = [p.cpu for p in points]
        for ax, digits in ((axes[0], [p.scd for p in points]), (axes[1], [p.mescd for p in points])):
            ax.plot(digits, cpu, marker=marker, markersize=3.5, linewidth=0.9, label=name)
    for ax, name in zip(axes, ("scd", "mescd"), strict=True):
        ax.set_xlabel(f"precision ({name}) [digits]")
    _log_axis(axes[0])
    axes[0].set_ylabel("CPU time [s]")
    _legend_below(fig, axes[0])
    return fig


def work_counts(
    curves: Mapping[str, Sequence[Point]], published: Mapping[str, Sequence[Point]], settings: Sequence[Point]
) -> Figure:
    """Evaluations and steps against digits: our series, the published rows, our settings against them."""
    fig, axes = figure(1, 2, height_cm=11.0)
    for ax, count in zip(axes, ("rhs", "steps"), strict=True):
        for marker, (name, points) in zip(MARKERS, curves.items(), strict=False):
            values = [getattr(p, count) for p in points]
            ax.plot([p.mescd for p in points], values, marker=marker, markersize=3.0, linewidth=0.9, label=name)
        for marker, (name, points) in zip(("P", "X", "*"), published.items(), strict=True):
            values = [getattr(p, count) for p in points]
            ax.plot(
                [p.mescd for p in points], values, marker=marker, markersize=8, linestyle=":", color="0.45",
                markeredgecolor="black", zorder=3, label=f"{name}, published",
            )  # fmt: skip
        values = [getattr(p, count) for p in settings]
        ax.plot(
            [p.mescd for p in settings], values, marker="o", markersize=7, linestyle="", color="black",
            markerfacecolor="none", zorder=4, label="our settings against them",
        )  # fmt: skip
        _log_axis(ax)
        ax.set_xlabel("precision (mescd) [digits]")
    axes[0].set_ylabel("evaluations (ours: all; theirs: #f) [1]")
    axes[1].set_ylabel("steps [1]")
    _legend_below(fig, axes[0])
    return fig


def _log_axis(ax: Axes) -> None:
    """Logarithmic with labels at 1, 2, 5: the range is often little more than one decade."""
    ax.set_yscale("log")
    ax.yaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
    ax.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    ax.yaxis.set_minor_locator(NullLocator())


def _legend_below(fig: Figure, ax: Axes) -> None:
    handles, labels = ax.get_legend_handles_labels()
    options = {"ncols": 3, "fontsize": SMALL_SIZE, "frameon": False, "handlelength": 2.5, "columnspacing": 1.0}
    fig.legend(handles, labels, loc="outside lower center", **options)
