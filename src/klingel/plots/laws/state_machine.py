"""State machine of a discrete element: its modes as boxes, its exits as arrows.

Drawn from what the element's module says about itself: `Mode`, the tuple `TRANSITIONS` of (mode, exit, next
mode), and `EXITS`, the condition each exit stands for.
"""

from math import cos, hypot, pi, sin
from types import ModuleType
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import BoxStyle, FancyArrowPatch, FancyBboxPatch

from klingel.plots.style import COLOURS, SMALL_SIZE, TEXT_SIZE, figure

BEND = 0.16  # of one of two opposite arrows, as a part of its length
BOX = (1.05, 0.36)  # width and height of a mode
STRETCH = 1.75  # width of the arrangement over its height: the labels are wide
WIDE = 2.6  # half width of the picture: the same for all, so that boxes and text keep their proportion
WIDTH = 16.0  # [cm]
CHARACTER, LINE = 0.06, 0.13  # width and height of a character of a label
ALONG = 0.42  # where a label stands on its arrow: nearer to its begin, away from that of the way back
ARROW = 1.1  # line width [pt]


def draw(module: ModuleType) -> Figure:
    """Picture of the state machine of an element module such as `klingel.elements.dry_friction`."""
    places = _places([mode.name for mode in module.Mode])
    arrows = _arrows(module)
    loops = any(begin == end for begin, end in arrows)
    low = min(y for _, y in places.values()) - 1.3 * BOX[1]
    high = max(y for _, y in places.values()) + BOX[1] + (0.4 if loops else 0.0)
    text = 0.9 + 0.45 * len(module.EXITS)  # title and list of exits [cm]
    fig, ax = figure(width_cm=WIDTH, height_cm=(high - low) * 0.5 * WIDTH / WIDE + text)
    _clear(ax, low, high)
    boxes = {name: _add_box(ax, name, int(module.Mode[name]), places[name]) for name in places}
    for (begin, end), exits in arrows.items():
        if begin == end:
            _add_loop(ax, places[begin], exits)
        else:
            bend = BEND if (end, begin) in arrows else 0.0
            _add_arrow(ax, boxes[begin], boxes[end], places[begin], places[end], bend, exits)
    meanings = [f"{name}:  {meaning}" for name, meaning in module.EXITS.items()]
    ax.set_title(module.__name__.rsplit(".", 1)[-1].replace("_", " "), fontsize=TEXT_SIZE)
    ax.set_xlabel("\n".join(meanings), fontsize=SMALL_SIZE, linespacing=1.5)
    return fig


def _places(names: list[str]) -> dict[str, tuple[float, float]]:
    """On a circle; from five modes on, the first one sits in the middle of the others."""
    hub = len(names) >= 5
    ring = names[1:] if hub else names
    if len(ring) == 2:
        return {ring[0]: (-0.65 * STRETCH, 0.0), ring[1]: (0.65 * STRETCH, 0.0)}
    # four modes take the corners, three stand on the side opposite to the first
    first = 0.75 * pi if len(ring) == 4 else 0.5 * pi
    size = 1.6 if hub else 0.95
    places = {names[0]: (0.0, 0.0)} if hub else {}
    for i, name in enumerate(ring):
        angle = first - 2.0 * pi * i / len(ring)
        places[name] = (STRETCH * size * cos(angle), size * sin(angle))
    return places


def _arrows(module: ModuleType) -> dict[tuple[str, str], list[str]]:
    """One arrow per pair of modes, with all exits that lead along it."""
    arrows: dict[tuple[str, str], list[str]] = {}
    for begin, name, end in module.TRANSITIONS:
        arrows.setdefault((begin.name, end.name), []).append(name)
    return arrows


def _clear(ax: Axes, low: float, high: float) -> None:
    ax.grid(False)
    ax.set_xticks([])
    ax.set_yticks([])
    for side in ax.spines.values():
        side.set_visible(False)
    ax.set_xlim(-WIDE, WIDE)
    ax.set_ylim(low, high)
    ax.set_aspect("equal")


def _add_box(ax: Axes, name: str, number: int, place: tuple[float, float]) -> FancyBboxPatch:
    corner = (place[0] - 0.5 * BOX[0], place[1] - 0.5 * BOX[1])
    box = FancyBboxPatch(
        corner,
        *BOX,
        boxstyle=BoxStyle("Round", pad=0.02, rounding_size=0.12),
        fc="0.93",
        ec=COLOURS[0],
        zorder=3,
    )
    ax.add_patch(box)
    ax.text(*place, f"{number}  {name}", ha="center", va="center", fontsize=SMALL_SIZE, weight="bold", zorder=4)
    return box


def _add_arrow(
    ax: Axes,
    begin: Any,
    end: Any,
    p: tuple[float, float],
    q: tuple[float, float],
    bend: float,
    exits: list[str],
) -> None:
    ax.add_patch(
        FancyArrowPatch(
            p,
            q,
            patchA=begin,
            patchB=end,
            connectionstyle=f"arc3,rad={bend}",
            arrowstyle="-|>",
            mutation_scale=11,
            lw=ARROW,
            color=COLOURS[1],
            zorder=1,
        )
    )
    dx, dy = q[0] - p[0], q[1] - p[1]
    length = hypot(dx, dy)
    # beside the arc, on the side it bends to, clear of it by the extent of the text
    nx, ny = dy / length, -dx / length
    half_width = 0.5 * CHARACTER * max(len(name) for name in exits)
    out = 2.0 * ALONG * (1.0 - ALONG) * bend * length
    out += abs(nx) * half_width + abs(ny) * 0.5 * LINE * len(exits) + 0.03
    _label(ax, p[0] + ALONG * dx + out * nx, p[1] + ALONG * dy + out * ny, exits)


def _label(ax: Axes, x: float, y: float, exits: list[str]) -> None:
    ax.text(x, y, "\n".join(exits), ha="center", va="center", fontsize=SMALL_SIZE, zorder=2)


def _add_loop(ax: Axes, place: tuple[float, float], exits: list[str]) -> None:
    x, y = place[0], place[1] + 0.5 * BOX[1]
    ax.add_patch(
        FancyArrowPatch(
            (x + 0.22, y),
            (x - 0.22, y),
            connectionstyle="arc3,rad=1.3",
            arrowstyle="-|>",
            mutation_scale=11,
            lw=ARROW,
            color=COLOURS[1],
            zorder=1,
        )
    )
    _label(ax, x, y + 0.4, exits)
