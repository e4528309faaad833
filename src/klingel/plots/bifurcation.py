"""Brute-force bifurcation diagram: where a motion settles over the parameter of a sweep.

Every local maximum of a point is a dot; points on the way down are dark and filled, on the way up they are open
rings, fresh ones crosses, so both ways can be told apart without colour. Rest is a bar from the least to the
greatest of the wheelset positions found at rest at that value: the width of the rest, which dry friction makes
a set. Along the foot of each diagram a strip per way says which kind of motion each point is; derailed and
failed points stand there too.

Source of the layout: Hoffmann (2006), figures 5.29-5.31.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch, Rectangle

from klingel.plots.style import COLOURS, SMALL_SIZE, figure
from klingel.simulation.motion_kinds import ANGLES, AT_REST
from klingel.simulation.sweep_case import DOWN, FRESH, UP
from klingel.simulation.sweep_result import Sweep

MILLI = 1e3
DOTS: dict[str, dict[str, Any]] = {
    DOWN: {"marker": ".", "color": COLOURS[0], "markersize": 2.2},
    UP: {"marker": "o", "color": COLOURS[2], "markersize": 3.4, "markerfacecolor": "none", "markeredgewidth": 0.5},
    FRESH: {"marker": "x", "color": COLOURS[1], "markersize": 2.8, "markeredgewidth": 0.6},
}
REST_BAR: dict[str, Any] = {
    "linestyle": "-", "color": "0.55", "linewidth": 1.8, "marker": "_", "markersize": 4.0, "markeredgewidth": 1.6
}  # fmt: skip
# strips: light to dark with disorder
SHADES = {
    "rest": "#F2F2F2",
    "off-centre rest": "#D2D2D2",
    "periodic": "#9ECAE1",
    "period-n": "#4C8CBF",
    "irregular": "#333333",
    "unsettled": "#E69F00",
    "derailed": "#D55E00",
    "failed": "#CC79A7",
}
STRIP = 0.055  # height of a strip, of the axes
UNITS = {"speed": "m/s", "inclination": "-", "gauge": "m"}


def draw_bifurcation(sweep: Sweep, quantities: Sequence[str] = ()) -> Figure:
    """One diagram per coordinate; by default the lateral motions of all bodies."""
    names = list(quantities) or [name for name in sweep.coordinates if name.endswith(".y")]
    fig, axes = figure(
        len(names), 1, width_cm=16.0, height_cm=6.2 * len(names) + 1.4, sharex=True, squeeze=False
    )  # fmt: skip
    ways = [way for way in (DOWN, UP, FRESH) if way in sweep.directions]
    for ax, name in zip(axes[:, 0], names, strict=True):
        _draw_rest(ax, sweep, name)
        for way in ways:
            _draw_maxima(ax, sweep, name, way)
        _draw_strips(ax, sweep, ways)
        ax.set_ylabel(_label(name))
    unit = UNITS.get(sweep.settings["parameter"], "SI")
    axes[-1, 0].set_xlabel(f"{sweep.settings['parameter'].replace('_', ' ')} [{unit}]")
    fig.legend(
        handles=_legend(sweep, ways), loc="outside upper center", ncols=5, fontsize=SMALL_SIZE, frameon=False,
        handlelength=1.6,
    )  # fmt: skip
    return fig


def _rows(sweep: Sweep, way: str) -> np.ndarray:
    return np.flatnonzero([direction == way for direction in sweep.directions])


def _draw_maxima(ax: Axes, sweep: Sweep, name: str, way: str) -> None:
    maxima, moving = sweep.maxima(name), [kind not in AT_REST for kind in sweep.kinds]
    rows = [k for k in _rows(sweep, way) if moving[k]]
    x = np.concatenate([np.full(maxima[k].size, sweep.parameter[k]) for k in rows] or [np.zeros(0)])
    y = np.concatenate([maxima[k] for k in rows] or [np.zeros(0)])
    ax.plot(x, MILLI * y, linestyle="none", **DOTS[way])


def _draw_rest(ax: Axes, sweep: Sweep, name: str) -> None:
    """A bar over the positions at rest of each value, thick enough to be seen where they are one."""
    at_rest = np.array([kind in AT_REST for kind in sweep.kinds])
    middle = MILLI * sweep[f"{name}.middle"].to_numpy()
    for value in np.unique(sweep.parameter[at_rest]):
        found = middle[at_rest & (sweep.parameter == value)]
        ax.plot([value, value], [found.min(), found.max()], **REST_BAR)


def _word(kind: str) -> str:
    return "period-n" if kind.startswith("period-") else kind


def _draw_strips(ax: Axes, sweep: Sweep, ways: list[str]) -> None:
    """Kind of every point below the diagram, one strip per way; of several starts the last is on top."""
    low, high = ax.get_ylim()
    room = STRIP * (len(ways) + 0.6)
    ax.set_ylim(low - room * (high - low) / (1.0 - room), high)
    step = _spacing(sweep.parameter)
    for line, way in enumerate(ways):
        level = STRIP * (len(ways) - 1 - line) + 0.3 * STRIP
        rows = _rows(sweep, way)
        colours = [SHADES[_word(sweep.kinds[k])] for k in rows]
        ax.bar(
            sweep.parameter[rows], 0.8 * STRIP, step, level, color=colours, edgecolor="none",
            transform=ax.get_xaxis_transform(), zorder=1.5,
        )  # fmt: skip
        frame = {"facecolor": "none", "edgecolor": "0.4", "linewidth": 0.4}
        ax.add_patch(Rectangle((0.0, level), 1.0, 0.8 * STRIP, transform=ax.transAxes, **frame))
        ax.text(
            1.005, level + 0.4 * STRIP, way, transform=ax.transAxes, fontsize=SMALL_SIZE - 1.5, va="center"
        )  # fmt: skip
    ax.set_xlim(sweep.parameter.min() - step, sweep.parameter.max() + step)


def _spacing(values: np.ndarray) -> float:
    known = np.unique(values)
    return float(np.diff(known).min()) if known.size > 1 else max(abs(float(known[0])), 1.0) * 0.01


def _legend(sweep: Sweep, ways: list[str]) -> list[Any]:
    dots = [Line2D([], [], linestyle="none", label=f"maxima, {way}", **DOTS[way]) for way in ways]
    found = {_word(kind) for kind in sweep.kinds}
    bars = [Line2D([], [], label="rest, its width", **REST_BAR)] if found & set(AT_REST) else []
    shades = [
        Patch(facecolor=shade, edgecolor="0.4", linewidth=0.4, label=kind)
        for kind, shade in SHADES.items()
        if kind in found
    ]
    return [*dots, *bars, *shades]


def _label(name: str) -> str:
    body, _, coordinate = name.rpartition(".")
    return f"{body.replace('_', ' ')}, {coordinate} [{'mrad' if coordinate in ANGLES else 'mm'}]"
