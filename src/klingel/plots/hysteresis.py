"""Loops of the UIC links: published sets, the technical pendulum, a free sway, and an identified record."""

from collections.abc import Mapping
from math import atan

import numpy as np
from matplotlib.figure import Figure

from klingel.elements.link_sets import LinkLaw
from klingel.plots.style import COLOURS, SMALL_SIZE, figure, legend
from klingel.systems.link_identification import Identification, LinkMeasurement, SetUp

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
    ax.annotate(r"$(y_1,\,P_{y1})$,  $T_0 = k_1 y_1$", corner, (8, -16), textcoords="offset points", fontsize=SMALL_SIZE)
    top = float(np.max(u))
    middle = 0.5 * (first + top)
    # slopes: first loading, sliding, and back after the reversal
    _slope(ax, r"slope $k + k_1$", 0.5 * first, 0.5 * law.rolling_stiffness * first, (10, -14))
    _slope(ax, r"slope $k$", middle, law.stiffness * middle + limit, (-12, 10))
    back = top - 0.7 * first
    _slope(ax, r"slope $k + k_1$", back, law.stiffness * back + limit - 0.7 * limit, (10, -4))
    ax.set_xlabel("displacement [mm]")
    ax.set_ylabel(FORCE)
    ax.margins(x=0.12)
    return fig


def _slope(ax, text: str, u: float, force: float, offset: tuple[int, int]) -> None:
    right = offset[0] > 0
    ax.annotate(
        text, (MM * u, force), offset, textcoords="offset points", fontsize=SMALL_SIZE,
        ha="left" if right else "right", va="center",
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


def draw_delay(record: LinkMeasurement, found: Identification, cycles: float = 1.5) -> Figure:
    """Acceleration next to the displacement turned round, as recorded and with the delay taken out."""
    fig, axes = figure(1, 2, height_cm=6.8, sharey=True)
    begin = found.time[found.used_from]
    shown = (found.time >= begin) & (found.time <= begin + cycles / found.frequency)
    t = found.time[shown]
    raw = np.interp(t, record.time, record.acceleration)
    scale = -np.std(found.acceleration) / np.std(found.displacement)
    if record.setup is SetUp.PENDULUM:
        scale = -scale
    for ax, signal, title in (
        (axes[0], raw, "as recorded"),
        (axes[1], found.acceleration[shown], f"moved by {1e3 * found.delay:.1f} ms"),
    ):
        ax.plot(t, scale * found.displacement[shown], "--", color=COLOURS[2], linewidth=1.2, label="displacement, scaled")
        ax.plot(t, signal, "-", color=COLOURS[0], linewidth=0.7, label="acceleration")
        ax.set_title(title)
        ax.set_xlabel("time [s]")
    axes[0].set_ylabel("acceleration [m/s²]")
    low, high = axes[0].get_ylim()
    axes[0].set_ylim(low, high + 0.25 * (high - low))
    legend(axes[0], loc="upper left", ncols=2, columnspacing=1.0, handlelength=2.0)
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
        ax.plot(u, force, "-", color=COLOURS[5], linewidth=0.5, label="measured")
        ax.set_title(title)
        ax.set_xlabel("displacement [mm]")
    axes[1].plot(u, found.fit.model[used], "-", color=COLOURS[0], linewidth=1.3, label="identified")
    axes[0].set_ylabel(FORCE)
    legend(axes[1], loc="upper left")
    return fig
