"""Brute-force bifurcation diagram: where a motion settles over the parameter of a sweep.

Every local maximum of a point is a mark, and the rest a band (see `sweep_marks`). Along the foot of each diagram a
strip per way says which kind of motion each point is; derailed and failed points stand there too.

Source of the layout: Hoffmann (2006), figures 5.29-5.31.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch, Rectangle

from klingel.plots.style import SMALL_SIZE
from klingel.plots.sweeps.marks import (
    MILLI,
    Series,
    all_cells,
    chosen,
    draw_rest,
    label,
    legend_outside,
    mark_handles,
    moving,
    panels,
    series_of,
)
from klingel.plots.sweeps.rest_band import apart, draw_set
from klingel.simulation.resting.rest_set import StoredRestSet
from klingel.simulation.sweep.result import Sweep

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
# points without a motion to speak of: as dark as others in print without colours
HATCHES = {"unsettled": "//////", "derailed": "xxxxxx", "failed": "......"}
HATCHED = {"edgecolor": "0.15", "linewidth": 0.0}
PANEL = 6.2  # height of one [cm]
STRIP = 0.055  # height of a strip, of the axes
SMALLER = 0.7  # marks, than where there is one per point


def draw_bifurcation(
    sweep: Sweep, quantities: Sequence[str] = (), others: Sequence[Sweep | StoredRestSet] = ()
) -> Figure:
    """One diagram per coordinate; other sweeps over the same parameter, and a rest set, go into the same ones."""
    more, sets = apart(others, sweep.settings["parameter"])
    sweeps = [sweep, *more]
    names = chosen(sweeps, quantities)
    series = [_smaller(part) for part in series_of(sweeps)]
    fig, axes = panels(sweeps, names, PANEL)
    rest = []
    for ax, name in zip(axes, names, strict=True):
        rest = draw_rest(ax, series, name)
        for part in series:
            _draw_maxima(ax, part, name)
        rest += draw_set(ax, sets, name)
        _draw_strips(ax, series)
        ax.set_ylabel(label(name))
    handles = [*mark_handles(series, "maxima, {}"), *rest, *_shades(series)]
    legend_outside(fig, handles)
    return fig


def _smaller(part: Series) -> Series:
    style = {**part.style, "markersize": SMALLER * part.style["markersize"]}
    return replace(part, style=style)


def _draw_maxima(ax: Axes, part: Series, name: str) -> None:
    maxima = part.sweep.maxima(name)
    rows = part.rows[moving(part)]
    x = np.concatenate([np.full(maxima[k].size, part.sweep.place[k]) for k in rows] or [np.zeros(0)])
    y = np.concatenate([maxima[k] for k in rows] or [np.zeros(0)])
    ax.plot(x, MILLI * y, linestyle="none", **part.style)


def _word(kind: str) -> str:
    return "period-n" if kind.startswith("period-") else kind


def _draw_strips(ax: Axes, series: Sequence[Series]) -> None:
    """Kind of every point below the diagram, one strip per label; of several starts the last is on top."""
    lines = list(dict.fromkeys(part.label for part in series))
    low, high = ax.get_ylim()
    room = STRIP * (len(lines) + 0.6)
    ax.set_ylim(low - room * (high - low) / (1.0 - room), high)
    for line in lines:
        parts = [part for part in series if part.label == line]
        around = all_cells(parts)
        for part in parts:
            ends = np.array([around[value] for value in part.place.tolist()])
            colours = [SHADES[_word(kind)] for kind in part.kinds]
            hatches = [HATCHES.get(_word(kind), "") for kind in part.kinds]
            ax.bar(
                ends[:, 0], 0.8 * STRIP, ends[:, 1] - ends[:, 0], _level(lines, line), align="edge", color=colours,
                hatch=hatches, transform=ax.get_xaxis_transform(), zorder=1.5, **HATCHED,
            )  # fmt: skip
    for line in lines:
        level = _level(lines, line)
        frame = {"facecolor": "none", "edgecolor": "0.4", "linewidth": 0.4}
        ax.add_patch(Rectangle((0.0, level), 1.0, 0.8 * STRIP, transform=ax.transAxes, **frame))
        ax.text(
            1.005, level + 0.4 * STRIP, line, transform=ax.transAxes, fontsize=SMALL_SIZE - 1.5, va="center"
        )  # fmt: skip


def _level(lines: Sequence[str], line: str) -> float:
    return STRIP * (len(lines) - 1 - lines.index(line)) + 0.3 * STRIP


def _shades(series: Sequence[Series]) -> list[Any]:
    found = {_word(kind) for part in series for kind in part.kinds}
    return [
        Patch(facecolor=shade, edgecolor="0.15", linewidth=0.4, hatch=HATCHES.get(kind, ""), label=kind)
        for kind, shade in SHADES.items()
        if kind in found
    ]
