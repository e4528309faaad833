"""Figures of de Pater's wheelset in motion; the paper has none, and prints no parameter."""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from klingel.literature.de_pater.history import History
from klingel.plots.style import MARKERS, figure, legend

DISTANCE = "distance [m]"
THIN = 0.9  # lines [pt]
OURS = "parameters ours: the paper prints none"


def stability_figure(speeds: NDArray, lateral: NDArray, symmetric: NDArray, critical: float) -> Figure:
    """Growth per metre and wavelength of both uncoupled parts (least stable oscillation) over speed."""
    fig, axes = figure(2, 1, height_cm=13.0, sharex=True)
    for label, modes in (("lateral: v, ψ", lateral), ("symmetric: u, χ", symmetric)):
        axes[0].plot(speeds, np.real(modes), label=label)
        axes[1].plot(speeds, 2.0 * np.pi / np.imag(modes), label=label)
    axes[0].axhline(0.0, color="0.4", linewidth=0.8, linestyle="-")
    axes[0].plot([critical], [0.0], marker=MARKERS[0], color="black", markerfacecolor="white", linestyle="none",
                 label=f"critical speed {critical:.1f} m/s")  # fmt: skip
    axes[0].set_ylabel("growth rate [1/m]")
    axes[0].set_title(f"Exact linearisation about the central position ({OURS})")
    axes[1].set_ylabel("wavelength [m]")
    axes[1].set_xlabel("speed V [m/s]")
    axes[0].set_xlim(speeds[0], speeds[-1])
    legend(axes[0], loc="upper left")
    legend(axes[1], loc="upper left")
    return fig


def small_motion_figure(motions: Sequence[tuple[str, NDArray, NDArray, NDArray]]) -> Figure:
    """Linear and nonlinear motion of small starts (title, s, linear, nonlinear), and their difference."""
    fig, axes = figure(2, len(motions), height_cm=11.0, width_cm=18.0, sharex="col", squeeze=False,
                       height_ratios=(2, 1))  # fmt: skip
    for column, (title, s, linear, nonlinear) in zip(axes.T, motions, strict=True):
        column[0].plot(s, 1e3 * nonlinear, linewidth=2.2, color="0.65", linestyle="-", label="nonlinear")
        column[0].plot(s, 1e3 * linear, linewidth=THIN, color="black", linestyle="--", label="linear")
        column[0].set_title(title)
        column[0].set_ylabel("lateral shift v [mm]")
        column[1].plot(s, 1e6 * (nonlinear - linear), linewidth=THIN)
        column[1].set_ylabel("difference [µm]")
        column[1].set_xlabel(DISTANCE)
        column[0].set_xlim(s[0], s[-1])
    legend(axes[0, 0], loc="upper right")
    return fig


def _shift(ax: Axes, h: History, clearance: float) -> None:
    ax.plot(h.s, 1e3 * h["v"], linewidth=THIN)
    for level in (-clearance, clearance):
        ax.axhline(1e3 * level, color="0.4", linewidth=0.8, linestyle="--")
    ax.set_ylabel("v [mm]")


def hunting_figure(h: History, clearance: float, title: str, shown: float) -> Figure:
    """The end of a hunting run: shift, angles, normal forces of treads and flanges, tractive effort."""
    fig, axes = figure(4, 1, height_cm=19.0, sharex=True)
    _shift(axes[0], h, clearance)
    axes[0].set_title(f"{title}; dashed: the flange touches")
    axes[1].plot(h.s, 1e3 * h["psi"], linewidth=THIN, label="yaw ψ")
    axes[1].plot(h.s, 1e3 * h["roll"], linewidth=THIN, label="roll φ")
    axes[1].set_ylabel("angle [mrad]")
    axes[1].set_ylim(*(np.array([-1.1, 1.7]) * 1e3 * np.abs(h["psi"]).max()))  # room for the legend
    for name, label in (
        ("n1", "right tread"),
        ("n2", "left tread"),
        ("n3", "right flange"),
        ("n4", "left flange"),
    ):
        axes[2].plot(h.s, 1e-3 * h[name], linewidth=THIN, label=label)
    axes[2].set_ylabel("normal force [kN]")
    axes[3].plot(h.s, h["traction"], linewidth=THIN)
    axes[3].set_ylabel("tractive effort L [N]")
    axes[3].set_xlabel(DISTANCE)
    axes[3].set_xlim(h.s[-1] - shown, h.s[-1])
    legend(axes[1], loc="upper right", ncols=2)
    legend(axes[2], loc="center right", ncols=2)
    return fig


def push_figure(h: History, clearance: float, events: NDArray, title: str, stiffer: tuple[str, History]) -> Figure:
    """A side push through tread-to-flange contact and back; the hit enlarged, also on a stiffer rail."""
    fig, axes = figure(3, 2, height_cm=16.0, width_cm=19.0, width_ratios=(2, 1), sharex="col", squeeze=False)
    first = float(events[0])
    for column in axes.T:
        _shift(column[0], h, clearance)
        column[1].plot(h.s, 1e3 * h["right_rail"], linewidth=THIN)
        column[1].set_ylabel("rail moved [mm]")
        column[2].set_ylabel("normal force [kN]")
        column[2].set_xlabel(DISTANCE)
        for s in events:
            for ax in column:
                ax.axvline(s, color="0.6", linewidth=0.6, linestyle=":")
    left = axes[2, 0]
    for name, label in (("n1", "right tread"), ("n2", "left tread"), ("n3", "right flange")):
        left.plot(h.s, 1e-3 * h[name], linewidth=THIN, label=label)
    label, other = stiffer
    near = (other.s > first - 0.5) & (other.s < first + 3.5)
    quantities = (("v", 1e3), ("right_rail", 1e3), ("n3", 1e-3))
    for ax, (name, scale) in zip(axes[:, 1], quantities, strict=True):
        ax.plot(
            other.s[near], scale * other[name][near], linewidth=THIN, color="#D55E00", linestyle="-.", label=label
        )
    axes[2, 1].plot(h.s, 1e-3 * h["n3"], linewidth=THIN, color="black", linestyle="-", label="rail as chosen")
    axes[2, 1].set_ylabel("flange force [kN]")
    legend(axes[2, 1], loc="upper right")
    left.plot(h.s, 1e-3 * h["push"], linewidth=1.4, color="0.6", linestyle="-", label="side push", zorder=1)
    low, high = left.get_ylim()
    left.set_ylim(low, high + 0.3 * (high - low))
    legend(left, ncols=4, loc="upper center", handlelength=2.0, columnspacing=1.0)
    axes[0, 0].set_xlim(h.s[0], h.s[-1])
    axes[0, 1].set_xlim(first - 0.5, first + 3.5)
    axes[0, 1].set_ylim(1e3 * clearance - 1.2, 1e3 * clearance + 0.8)
    axes[0, 0].set_title(f"{title}; dotted: events")
    axes[0, 1].set_title("the flange touches")
    return fig


def stiffening_figure(
    stiffness: NDArray, error: NDArray, hits: NDArray, rebounds: dict[str, NDArray], limit: float, largest: NDArray
) -> Figure:
    """Error of the steady double contact; rebound and largest force of a collision, over the rail's stiffness."""
    fig, axes = figure(1, 3, height_cm=7.5, width_cm=19.0)
    axes[0].loglog(stiffness, error, marker=MARKERS[0], label="computed")
    axes[0].loglog(stiffness, error[-1] * stiffness[-1] / stiffness, color="0.6", linestyle=":", label="slope −1")
    axes[0].set_ylabel("|N₃ − rigid| / rigid [–]")
    axes[0].set_ylim(1e-3, 0.2)  # whole decades, or every minor tick is labelled
    axes[0].set_title("Steady double contact")
    for marker, (label, values) in zip(MARKERS, rebounds.items(), strict=False):
        axes[1].semilogx(hits, values, marker=marker, label=label)
    axes[1].axhline(limit, color="0.5", linewidth=1.0, linestyle=":", label="limit, closed form")
    axes[1].set_ylabel("speed after / before [–]")
    axes[1].set_ylim(0.0, 1.0)
    axes[1].set_title("Collision: rebound")
    axes[2].loglog(hits, 1e-3 * largest, marker=MARKERS[0], label="computed")
    scaled = 1e-3 * largest[-1] * np.sqrt(hits / hits[-1])
    axes[2].loglog(hits, scaled, color="0.6", linestyle=":", label="slope 1/2")
    axes[2].set_ylabel("largest lateral force [kN]")
    axes[2].set_title("Collision: force")
    for ax in axes:
        ax.set_xlabel("lateral stiffness k [N/m]")
        legend(ax)
    return fig


def creep_figure(tau: NDArray, curves: Sequence[tuple[str, NDArray, NDArray]], title: str) -> Figure:
    """Force over μN against weighted creep: lines from the table, points from FASTSIM (label, table, FASTSIM)."""
    fig, ax = figure(height_cm=9.0)
    for marker, (label, table, direct) in zip(MARKERS, curves, strict=False):
        (line,) = ax.plot(tau, table, label=label, linewidth=1.1)
        ax.plot(tau[::8], direct[::8], marker=marker, linestyle="none", color=line.get_color(), markersize=4)
    ax.set_xlabel("τ, linear force of the creep over μN [–]")
    ax.set_ylabel("force over μN [–]")
    ax.set_title(title)
    ax.set_xlim(tau[0], tau[-1])
    ax.set_ylim(-1.45, 1.1)  # room for the legend
    legend(ax, loc="lower center", ncols=3)
    return fig
