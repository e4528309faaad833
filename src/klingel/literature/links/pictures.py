"""Loops of the UIC links: published sets, the technical pendulum, a free sway, and an identified record."""

from collections.abc import Mapping
from math import atan

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from klingel.elements.link_sets import LinkLaw
from klingel.literature.links.identification import Identification, LinkMeasurement
from klingel.plots.style import COLOURS, SMALL_SIZE, figure, legend

MM = 1e3
FORCE = "restoring force / load [-]"

Loop = tuple[np.ndarray, np.ndarray]  # displacement [m], restoring force over load [-]


def draw_link_sets(loops: Mapping[str, Mapping[str, Loop]]) -> Figure:
    """One column per set; the upper row along the track (x), the lower one across it (y)."""
    fig, axes = figure(2, len(loops), width_cm=4.4 * len(loops), height_cm=10.5, sharex=True, sharey=True)
    for column, (name, directions) in zip(axes.T, loops.items(), strict=True):
        for ax, direction in zip(column, ("x", "y"), strict=True):
            u, force = directions[direction]
            ax.plot(MM * u, force, "-", color=COLOURS[0], linewidth=1.0)
            ax.set_title(f"{name}, {direction}")
        column[-1].set_xlabel("displacement [mm]")
    for ax in axes[:, 0]:
        ax.set_ylabel(FORCE)
    return fig


def draw_pendulum(law: LinkLaw, u: np.ndarray, force: np.ndarray) -> Figure:
    """Loop of the technical pendulum with what is read off it: both stiffnesses, break-out and friction limit."""
    fig, ax = figure(1, 1, width_cm=11.0, height_cm=8.0)
    ax.plot(MM * u, force, "-", color=COLOURS[0], linewidth=1.3)
    stiffness, limit = law.sliders[0]
    first = limit / stiffness
    corner = (MM * first, law.rolling_stiffness * first)
    ax.plot(*corner, "o", color=COLOURS[2], markersize=5)
    top = float(np.max(u))
    _label(ax, r"$(y_1,\,P_{y1})$,  $T_0 = k_1 y_1$", *corner, (-14, 16))
    _label(ax, r"slope $k + k_1$", 0.3 * corner[0], 0.3 * corner[1], (4, -18))
    _label(ax, r"slope $k$", -MM * first, -law.stiffness * first - limit, (14, -12))
    back = top - first  # half way down after the reversal
    _label(ax, r"slope $k + k_1$", MM * back, law.stiffness * back, (-14, 0))
    ax.set_xlabel("displacement [mm]")
    ax.set_ylabel(FORCE)
    return fig


def _label(ax: Axes, text: str, x: float, y: float, offset: tuple[int, int]) -> None:
    """Text beside a point, joined to it by a thin line; `offset` in points."""
    ax.annotate(
        text, (x, y), offset, textcoords="offset points", fontsize=SMALL_SIZE,
        ha="left" if offset[0] > 0 else "right", va="center",
        arrowprops={"arrowstyle": "-", "color": COLOURS[7], "linewidth": 0.6},
    )  # fmt: skip


def draw_sway(time: np.ndarray, u: np.ndarray, force: np.ndarray, arm: float, reach: float) -> Figure:
    """Sway angle over time and the loop; `reach` [m] is the amplitude below which every joint rolls."""
    fig, (history, loop) = figure(1, 2, height_cm=6.8)
    history.plot(time, np.degrees(np.arctan(u / arm)), "-", color=COLOURS[0], linewidth=1.0)
    for side in (-1, 1):
        angle = side * np.degrees(atan(reach / arm))
        label = "joints only roll below" if side > 0 else None
        history.axhline(angle, linestyle="--", color=COLOURS[2], linewidth=0.9, label=label)
    history.set_xlabel("time [s]")
    history.set_ylabel("sway angle [deg]")
    legend(history, loc="upper right")
    loop.plot(MM * u, force, "-", color=COLOURS[0], linewidth=0.9)
    loop.set_xlabel("displacement [mm]")
    loop.set_ylabel(FORCE)
    return fig


def draw_delay(record: LinkMeasurement, found: Identification, cycles: float = 0.6) -> Figure:
    """Acceleration as recorded and with its delay taken out, next to the one the displacement asks for."""
    fig, axes = figure(1, 2, height_cm=6.8, sharey=True)
    begin = found.time[found.used_from]
    shown = (found.time >= begin) & (found.time <= begin + cycles / found.frequency)
    t = found.time[shown]
    raw = np.interp(t, record.time, record.acceleration)
    titles = ("as recorded", f"moved by {1e3 * found.delay:.1f} ms")
    for ax, signal, title in zip(axes, (raw, found.acceleration[shown]), titles, strict=True):
        ax.plot(t, signal, "-", color=COLOURS[0], linewidth=0.7, label="accelerometer")
        ax.plot(t, found.expected[shown], "--", color=COLOURS[2], linewidth=1.3, label="from the displacement")
        ax.set_title(title)
        ax.set_xlabel("time [s]")
    axes[0].set_ylabel("acceleration [m/s²]")
    low, high = axes[0].get_ylim()
    axes[0].set_ylim(low, high + 0.2 * (high - low))
    legend(axes[0], loc="upper right", handlelength=2.0)
    return fig


def draw_identified(found: Identification) -> Figure:
    """The record's loop with the delay still in it, and the corrected loop under the identified one."""
    fig, axes = figure(1, 2, height_cm=7.4, sharex=True, sharey=True)
    used = slice(found.used_from, None)
    u = MM * found.displacement[used]
    for ax, force, title in (
        (axes[0], found.restoring_raw[used], "as recorded"),
        (axes[1], found.restoring[used], f"delay of {1e3 * found.delay:.1f} ms corrected"),
    ):
        ax.plot(u, force, "-", color=COLOURS[5], linewidth=2.4, label="measured")
        ax.set_title(title)
        ax.set_xlabel("displacement [mm]")
    axes[1].plot(u, found.fit.model[used], "-", color=COLOURS[0], linewidth=0.7, label="identified")
    axes[0].set_ylabel(FORCE)
    legend(axes[1], loc="upper left")
    return fig
