"""Leaf spring: loops under harmonic motion, a mass finding its rest, steps around a corner, lingering swings."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from klingel.elements.leaf_spring import LeafSpring
from klingel.elements.leaf_spring_envelope import envelope_along
from klingel.plots.style import COLOURS, figure, legend

MM = 1e3
KN = 1e-3


@dataclass(frozen=True)
class Loop:
    """One closed loop of a moved spring."""

    title: str
    spring: LeafSpring
    compression: np.ndarray  # [m]
    force: np.ndarray  # [N]


@dataclass(frozen=True)
class Swing:
    """A mass on a spring over time."""

    title: str
    time: np.ndarray  # [s]
    compression: np.ndarray  # [m]
    force: np.ndarray  # of the spring over the weight of the mass [-]
    event_times: np.ndarray  # [s]
    rest: float  # compression without friction [m]


def draw_loops(loops: Sequence[Loop], columns: int = 2) -> Figure:
    """Loops under harmonic motion with the envelopes they tend to."""
    rows = -(-len(loops) // columns)
    fig, axes = figure(rows, columns, height_cm=6.2 * rows, squeeze=False)
    for ax, loop in zip(axes.flat, loops, strict=False):
        z = np.linspace(loop.compression.min(), loop.compression.max(), 300)
        for direction in (1.0, -1.0):
            line = envelope_along(loop.spring, z, direction)
            ax.plot(MM * z, KN * line, "--", color=COLOURS[7], linewidth=0.9)
        ax.plot(MM * loop.compression, KN * loop.force, "-", color=COLOURS[0], linewidth=1.2)
        ax.set_title(loop.title)
        ax.set_xlabel("compression [mm]")
        ax.set_ylabel("force [kN]")
    axes.flat[0].plot([], [], "--", color=COLOURS[7], linewidth=0.9, label="envelopes")
    legend(axes.flat[0], loc="upper left")
    return fig


def draw_rest(swings: Sequence[Swing]) -> Figure:
    """Time history and loop of a mass finding its rest, one row each."""
    fig, axes = figure(len(swings), 2, height_cm=6.4 * len(swings), squeeze=False)
    for (history, loop), swing in zip(axes, swings, strict=True):
        _history(history, swing)
        history.axhline(MM * swing.rest, color=COLOURS[7], linewidth=0.8, label="rest without friction")
        history.set_title(swing.title)
        loop.plot(MM * swing.compression, swing.force, "-", color=COLOURS[0], linewidth=0.9)
        at = np.interp(swing.event_times, swing.time, swing.compression)
        force = np.interp(swing.event_times, swing.time, swing.force)
        loop.plot(MM * at, force, "o", color=COLOURS[2], markersize=3.5)
        loop.set_title("hysteresis loop")
        loop.set_xlabel("compression [mm]")
        loop.set_ylabel("spring force / weight [-]")
    legend(axes[0, 0], loc="upper right")
    return fig


def draw_corner(smooth: Swing, steps: Swing, instant: float, width: float) -> Figure:
    """The steps of a run around one turning point, in time and in the loop."""
    fig, (history, loop) = figure(1, 2, height_cm=6.8)
    near = np.abs(smooth.time - instant) < width
    taken = np.abs(steps.time - instant) < width
    event = np.argmin(np.abs(steps.time - instant))
    for ax, x, unit in ((history, "time", 1.0), (loop, "compression", MM)):
        ax.plot(unit * getattr(smooth, x)[near], smooth.force[near], "-", color=COLOURS[7], linewidth=1.0)
        across, force = unit * getattr(steps, x), steps.force
        ax.plot(across[taken], force[taken], "o", color=COLOURS[1], markersize=3.5, label="step end")
        ax.plot(
            across[event], force[event], "s", color=COLOURS[2], markersize=6.5, label="located event", zorder=3
        )
        ax.set_ylabel("spring force / weight [-]")
    history.set_xlabel("time [s]")
    history.set_title(smooth.title)
    loop.set_xlabel("compression [mm]")
    loop.set_title("the same in the loop")
    legend(loop, loc="upper left")
    return fig


def draw_linger(swings: Sequence[Swing], zoom_from: float) -> Figure:
    """The whole history, and the small swings from `zoom_from` on [s], one row per swing."""
    fig, axes = figure(len(swings), 2, height_cm=6.0 * len(swings), squeeze=False)
    spread = max(float(np.ptp(s.compression[s.time >= zoom_from])) for s in swings)
    for (whole, zoom), swing in zip(axes, swings, strict=True):
        _history(whole, swing)
        whole.set_title(swing.title)
        late = swing.time >= zoom_from
        zoom.plot(swing.time[late], MM * swing.compression[late], "-", color=COLOURS[0], linewidth=0.9)
        middle = MM * float(np.mean(swing.compression[late]))
        zoom.set_ylim(middle - 0.7 * MM * spread, middle + 0.7 * MM * spread)
        zoom.set_title("zoomed view")
        zoom.set_xlabel("time [s]")
        zoom.set_ylabel("compression [mm]")
    legend(axes[0, 0], loc="upper right")
    return fig


def _history(ax: Axes, swing: Swing) -> None:
    ax.plot(swing.time, MM * swing.compression, "-", color=COLOURS[0], linewidth=0.9)
    at = MM * np.interp(swing.event_times, swing.time, swing.compression)
    ax.plot(swing.event_times, at, "o", color=COLOURS[2], markersize=3.5, label="located event")
    ax.set_xlabel("time [s]")
    ax.set_ylabel("compression [mm]")
