"""A vehicle from the side and from above, to scale: bodies, wheels, points with their names, elements.

Grey: the extent of a body's points. Dotted: the homogeneous box of its mass and inertia. Thin lines lead from
centres of mass to points. A stroke through a point is the direction an element works in; a ring, a rotation.
"""

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Circle, Rectangle

from klingel.model.description import Vehicle
from klingel.plots.style import COLOURS, SMALL_SIZE, figure
from klingel.vehicles.drawing import Box, Drawing, Line, Point
from klingel.vehicles.registry import drawing_of

VIEWS = {"from the side": ("x", "z"), "from above": ("x", "y")}
AXES = "xyz"
WIDTH_CM = 17.0
LEAST_CM, MOST_CM = 4.5, 14.0  # height of a view
TYRE = 0.13  # width of a wheel, for the eye [m]
MARGIN = 0.06  # of the length


def draw_vehicle(vehicle: Vehicle) -> Figure:
    """Two views of any vehicle, the same scale along both axes."""
    drawn = drawing_of(vehicle)
    limits = {view: _limits(drawn, axes) for view, axes in VIEWS.items()}
    heights = [_height(limits[view]) for view in VIEWS]
    fig, panels = figure(2, 1, WIDTH_CM, sum(heights) + 3.0, sharex=True, height_ratios=heights, squeeze=False)
    for ax, (view, axes) in zip(panels[:, 0], VIEWS.items(), strict=True):
        _draw_view(ax, drawn, axes, limits[view])
        ax.set_title(f"{vehicle.name}, {view}")
    panels[-1, 0].set_xlabel("x, forwards [m]")
    return fig


def _limits(drawn: Drawing, axes: tuple[str, str]) -> tuple[float, float, float, float]:
    low, high = drawn.extent()
    i, j = (AXES.index(axis) for axis in axes)
    room = MARGIN * max(high[i] - low[i], high[j] - low[j], 1.0)
    below = min(low[j], 0.0) if axes[1] == "z" else low[j]
    return low[i] - room, high[i] + room, below - room, high[j] + room


def _height(limits: tuple[float, float, float, float]) -> float:
    left, right, below, above = limits
    return min(max((WIDTH_CM - 2.5) * (above - below) / (right - left), LEAST_CM), MOST_CM)


def _draw_view(ax: Axes, drawn: Drawing, axes: tuple[str, str], limits: tuple[float, ...]) -> None:
    i, j = (AXES.index(axis) for axis in axes)
    side = axes[1] == "z"
    for boxes, style in (
        (drawn.boxes, {"facecolor": "0.9", "edgecolor": "0.5", "linewidth": 0.8}),
        (drawn.inertia, {"fill": False, "edgecolor": COLOURS[1], "linewidth": 0.9, "linestyle": ":"}),
    ):
        for box in boxes:
            ax.add_patch(_rectangle(box, i, j, style))
    for wheel in drawn.wheels:
        x, y, z = wheel.centre
        style = {"fill": False, "edgecolor": COLOURS[0], "linewidth": 1.0}
        if side:
            ax.add_patch(Circle((x, z), wheel.radius, **style))
        else:
            start = y if y > 0.0 else y - TYRE
            ax.add_patch(Rectangle((x - wheel.radius, start), 2.0 * wheel.radius, TYRE, **style))
    _lines(ax, drawn.arms, i, j, color="0.6", linewidth=0.5)
    _lines(ax, drawn.axles, i, j, color=COLOURS[0], linewidth=1.2)
    if side:
        ax.axhline(0.0, color="0.3", linewidth=1.4)
    _marks(ax, drawn, axes, 0.012 * (limits[1] - limits[0]))
    _points(ax, drawn.centres, i, j, "+", COLOURS[1], -8)
    _points(ax, drawn.points, i, j, ".", COLOURS[2], 3)
    ax.set_aspect("equal", adjustable="box")
    ax.set_xlim(limits[0], limits[1])
    ax.set_ylim(limits[2], limits[3])
    ax.set_ylabel("z, up [m]" if side else "y, to the left [m]")


def _rectangle(box: Box, i: int, j: int, style: dict) -> Rectangle:
    return Rectangle((box.low[i], box.low[j]), box.high[i] - box.low[i], box.high[j] - box.low[j], **style)


def _lines(ax: Axes, lines: Sequence[Line], i: int, j: int, **style) -> None:
    for line in lines:
        ax.plot((line.start[i], line.end[i]), (line.start[j], line.end[j]), linestyle="-", **style)


def _marks(ax: Axes, drawn: Drawing, axes: tuple[str, str], size: float) -> None:
    """A stroke per direction; elements of one connection and direction share it."""
    i, j = (AXES.index(axis) for axis in axes)
    for position, direction in dict.fromkeys((mark.position, mark.direction) for mark in drawn.marks):
        x, y = position[i], position[j]
        if direction == axes[0]:
            ax.plot((x - size, x + size), (y, y), linestyle="-", color=COLOURS[2], linewidth=1.6)
        elif direction == axes[1]:
            ax.plot((x, x), (y - size, y + size), linestyle="-", color=COLOURS[2], linewidth=1.6)
        elif direction not in AXES:
            ax.add_patch(Circle((x, y), 0.8 * size, fill=False, edgecolor=COLOURS[2], linewidth=1.0))


def _points(ax: Axes, points: Sequence[Point], i: int, j: int, marker: str, colour: str, up: int) -> None:
    """Points that lie behind each other share one label."""
    named: dict[tuple[float, float], list[str]] = {}
    for point in points:
        named.setdefault((round(point.position[i], 6), round(point.position[j], 6)), []).append(point.name)
    for (x, y), names in named.items():
        ax.plot(x, y, marker=marker, color=colour, markersize=6, linestyle="none")
        ax.annotate(
            shared(names), (x, y), (4, up), textcoords="offset points", fontsize=SMALL_SIZE - 2, color=colour
        )


def shared(names: Sequence[str]) -> str:
    """front_left and front_right as `front left/right`."""
    words = [name.split("_") for name in names]
    start = 0
    while all(len(w) > start + 1 for w in words) and len({w[start] for w in words}) == 1:
        start += 1
    rest = "/".join(dict.fromkeys(" ".join(w[start:]) for w in words))
    return " ".join([*words[0][:start], rest])
