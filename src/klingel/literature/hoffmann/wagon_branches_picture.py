"""Orbits of the wagon over its speed: solid stable, dashed unstable, borders by bisection, dots, rest."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Literal

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from klingel.plots.style import COLOURS, SMALL_SIZE, figure, legend
from klingel.simulation.orbits.result import VehicleBranch

NAMES = ("front_wheelset.y", "carbody.y")
ORBIT, DOT, BORDER, REST = COLOURS[0], "0.55", COLOURS[1], "0.85"
SLOWEST, BEYOND = 5.0, 1.7  # speeds shown: from [m/s], up to so much of the fastest orbit
UNDAMPED = 1.003  # pairs of multipliers below it: vertical oscillations that hardly grow
TOLD = "No orbit is followed through the other dots: irregular, or too slow to settle"


def _style(branch: VehicleBranch, k: int) -> str:
    values = branch.multipliers(k)
    if bool(branch.stable[k]):
        return "-"
    hard = np.abs(values) > UNDAMPED
    real = (np.abs(np.imag(values)) < 1e-9) & (np.abs(values) > 1.0)
    return "--" if bool(np.any(hard | real)) else "-."


def diagram(
    found: Sequence[VehicleBranch], marks: Sequence[Mapping], dots: Sequence[Mapping], rest: Mapping[str, float],
    inclination: float,
) -> Figure:  # fmt: skip
    """Half widths of the front wheelset and of the carbody."""
    fig, axes = figure(len(NAMES), 1, height_cm=8.0 * len(NAMES), sharex=True, squeeze=False)
    for ax, name in zip(axes[:, 0], NAMES, strict=True):
        ax.axhspan(0.0, rest[name], color=REST, zorder=0)
        ax.plot([d["speed"] for d in dots], [d[name] for d in dots], ".", color=DOT, markersize=3, zorder=1)
        for branch in found:
            _draw(ax, branch, name)
        ax.plot([m["speed"] for m in marks], [m["edge"][name] for m in marks], "x", color=BORDER, zorder=4)
        ax.set_ylabel(f"half width of {name} [mm]")
        ax.set_ylim(bottom=0.0)
    axes[0, 0].set_title(f"Hbbills 311, empty, PTP, rails inclined 1/{inclination:g}", fontsize=SMALL_SIZE + 2)
    axes[-1, 0].set_xlabel("speed [m/s]")
    axes[-1, 0].set_xlim(SLOWEST, BEYOND * max(float(b.parameter.max()) for b in found))
    axes[-1, 0].text(0.98, 0.95, TOLD, ha="right", va="top", fontsize=SMALL_SIZE, transform=axes[-1, 0].transAxes)
    styles = {_style(b, k) for b in found for k in range(b.parameter.size)}
    words: dict[Literal["-", "--", "-."], str] = {
        "-": "stable orbit",
        "--": "unstable orbit",
        "-.": "orbit whose undamped vertical oscillations grow slowly",
    }
    handles = [
        Line2D([], [], color=ORBIT, label=word, linestyle=style)
        for style, word in words.items()
        if style in styles
    ]
    handles.append(Line2D([], [], color=DOT, marker=".", linestyle="", label="plain runs after 60 s"))
    if marks:
        handles.append(Line2D([], [], color=BORDER, marker="x", linestyle="", label="border by bisection"))
    handles.append(Line2D([], [], color=REST, linewidth=6, label="friction can hold at rest"))
    legend(axes[0, 0], handles=handles, loc="best")
    return fig


def _draw(ax: Axes, branch: VehicleBranch, name: str) -> None:
    speed, size = branch.parameter, 1e3 * branch[f"{name}.amplitude"].to_numpy()
    styles = [_style(branch, k) for k in range(speed.size)]
    ends = [0, *(k for k in range(1, speed.size) if styles[k] != styles[k - 1]), speed.size]
    for a, b in pairwise(ends):
        part = slice(max(a - 1, 0), b)
        ax.plot(speed[part], size[part], styles[a], color=ORBIT, linewidth=1.5, zorder=3)
    for point in branch.special:
        if point.type != "sequence":
            y = 1e3 * point.amplitude[name]
            ax.plot(point.parameter, y, "s", color=ORBIT, markersize=4, zorder=5)
            ax.annotate(f"{point.type} {point.parameter:.3f}", (point.parameter, y), xytext=(5, -9),
                        textcoords="offset points", fontsize=SMALL_SIZE)  # fmt: skip
