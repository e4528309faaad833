"""Orbits of the wagon over its speed: solid stable, dashed unstable, borders by bisection, dots, rest."""

from collections.abc import Mapping, Sequence
from itertools import pairwise, product
from typing import Literal

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from klingel.plots.style import COLOURS, SMALL_SIZE, figure
from klingel.simulation.orbits.result import VehicleBranch

NAMES = ("front_wheelset.y", "carbody.y")
MOVES = 0.05  # half width of the front wheelset [mm]
ORBIT, DOT, BORDER, REST = COLOURS[0], "0.55", COLOURS[1], "0.85"
AROUND = 0.25  # of the fastest and slowest orbit: speeds of the panels on the right
UNDAMPED = 1.003  # pairs of multipliers below it: vertical oscillations that hardly grow
IRREGULAR = COLOURS[3]
TOLD = "irregular: no run repeats, no orbit to follow"


def _style(branch: VehicleBranch, k: int) -> str:
    values = branch.multipliers(k)
    if bool(branch.stable[k]):
        return "-"
    hard = np.abs(values) > UNDAMPED
    real = (np.abs(np.imag(values)) < 1e-9) & (np.abs(values) > 1.0)
    return "--" if bool(np.any(hard | real)) else "-."


def diagram(
    found: Sequence[VehicleBranch], marks: Sequence[Mapping], edges: Sequence[Mapping], dots: Sequence[Mapping],
    rest: Mapping[str, float], inclination: float,
) -> Figure:  # fmt: skip
    """Half widths of the front wheelset and of the carbody: at all speeds, and around the orbits."""
    fig, axes = figure(len(NAMES), 2, width_cm=24.0, height_cm=8.5 * len(NAMES) + 3.0, sharex="col", squeeze=False)
    for (name, row), column in product(zip(NAMES, axes, strict=True), (0, 1)):
        ax = row[column]
        ax.axhspan(0.0, rest[name], color=REST, zorder=0)
        for low, high in irregular_ranges(dots, found, edges):
            ax.axvspan(low, high, color=IRREGULAR, alpha=0.12, linewidth=0.0, zorder=0)
        for repeats, mark in ((True, "."), (False, "+")):
            these = [d for d in dots if d["repeats"] == repeats]
            ax.plot([d["speed"] for d in these], [d[name] for d in these], mark, color=DOT, markersize=4, zorder=1)
        for branch in found:
            _draw(ax, branch, name, column == 1)
        met = [m for m in [*marks, *edges] if m["edge"] is not None]
        ax.plot([m["speed"] for m in met], [m["edge"][name] for m in met], "x", color=BORDER, zorder=4)
        closed = [m for m in edges if m["orbit"] is not None]
        ax.plot(
            [m["speed"] for m in closed], [m["orbit"][name] for m in closed], "o", color=ORBIT, fillstyle="none",
            markersize=8, zorder=4,
        )  # fmt: skip
        ax.set_ylim(bottom=0.0)
    for row, name in zip(axes, NAMES, strict=True):
        row[0].set_ylabel(f"half width of {name} [mm]")
    fig.suptitle(f"Hbbills 311, empty, PTP, rails inclined 1/{inclination:g}", fontsize=SMALL_SIZE + 2)
    for ax in axes[-1]:
        ax.set_xlabel("speed [m/s]")
    speeds = [d["speed"] for d in dots]
    axes[-1, 0].set_xlim(min(speeds) - 0.5, max(speeds) + 0.5)
    around = [float(v) for b in found for v in b.parameter] + [m["speed"] for m in edges if m["edge"] is not None]
    axes[-1, 1].set_xlim((1.0 - AROUND) * min(around), (1.0 + AROUND) * max(around))
    for row, name in zip(axes, NAMES, strict=True):
        for ax in row:
            _set_height(ax, dots, found, edges, name)
    fig.legend(
        handles=_handles(found, marks, edges, dots), loc="outside lower center", ncols=2, fontsize=SMALL_SIZE
    )
    return fig


def _set_height(ax: Axes, dots, found, edges, name: str) -> None:
    low, high = ax.get_xlim()
    tops = [d[name] for d in dots if low <= d["speed"] <= high] + [
        1e3 * float(b[f"{name}.amplitude"].max()) for b in found
    ]
    tops += [m["edge"][name] for m in edges if m["edge"] is not None]
    ax.set_ylim(0.0, 1.08 * max(tops))


def irregular_ranges(
    dots: Sequence[Mapping], found: Sequence[VehicleBranch], edges: Sequence[Mapping]
) -> list[tuple[float, float]]:
    """Speeds at which no moving start has come to a motion that repeats, and no orbit is known."""
    speeds = sorted({d["speed"] for d in dots})
    half = 0.5 * min(b - a for a, b in pairwise(speeds))
    ranges: list[tuple[float, float]] = []
    for speed in speeds:
        moving = [d for d in dots if d["speed"] == speed and d["front_wheelset.y"] > MOVES]
        known = any(float(b.parameter.min()) <= speed <= float(b.parameter.max()) for b in found)
        known = known or any(m["orbit"] is not None and abs(m["speed"] - speed) <= half for m in edges)
        if moving and not known and not any(d["repeats"] for d in moving):
            begin = ranges.pop()[0] if ranges and ranges[-1][1] >= speed - half - 1e-9 else speed - half
            ranges.append((begin, speed + half))
    return ranges


def _handles(found, marks, edges, dots) -> list[Line2D]:
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

    def mark(word: str, sign: str, colour: str, **more) -> None:
        handles.append(Line2D([], [], color=colour, marker=sign, linestyle="", label=word, **more))

    mark("plain run after 60 s", ".", DOT)
    if any(not d["repeats"] for d in dots):
        mark("plain run that does not repeat", "+", DOT)
    if any(m["edge"] is not None for m in [*marks, *edges]):
        mark("border between two motions, by bisection", "x", BORDER)
    if any(m["orbit"] is not None for m in edges):
        mark("unstable orbit on the border, one real multiplier beyond 1", "o", ORBIT, fillstyle="none")
    if irregular_ranges(dots, found, edges):
        handles.append(Line2D([], [], color=IRREGULAR, alpha=0.3, linewidth=6, label=TOLD))
    handles.append(Line2D([], [], color=REST, linewidth=6, label="friction can hold at rest"))
    return handles


def _draw(ax: Axes, branch: VehicleBranch, name: str, labelled: bool) -> None:
    speed, size = branch.parameter, 1e3 * branch[f"{name}.amplitude"].to_numpy()
    styles = [_style(branch, k) for k in range(speed.size)]
    ends = [0, *(k for k in range(1, speed.size) if styles[k] != styles[k - 1]), speed.size]
    for a, b in pairwise(ends):
        part = slice(max(a - 1, 0), b)
        ax.plot(speed[part], size[part], styles[a], color=ORBIT, linewidth=1.5, zorder=3)
    for point in branch.special:
        if labelled and point.type != "sequence":
            y = 1e3 * point.amplitude[name]
            ax.plot(point.parameter, y, "s", color=ORBIT, markersize=4, zorder=5)
            ax.annotate(f"{point.type} {point.parameter:.3f}", (point.parameter, y), xytext=(5, -9),
                        textcoords="offset points", fontsize=SMALL_SIZE)  # fmt: skip
