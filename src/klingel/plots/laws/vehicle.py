"""A vehicle from the side and from above, to scale: bodies, wheels, points with their names, elements.

Grey: the extent of a body's points. Dotted: the homogeneous box of its mass and inertia. Thin lines lead from
centres of mass to points. A stroke through a point is the direction an element works in; a ring, a rotation.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import hypot

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Circle, Patch, Rectangle
from matplotlib.patheffects import withStroke

from klingel.model.description import Vehicle
from klingel.plots.style import COLOURS, SMALL_SIZE, figure, text_width
from klingel.vehicles.drawing import Box, Drawing, Line, Vector
from klingel.vehicles.oddities import oddities
from klingel.vehicles.registry import drawing_of

VIEWS = {"from the side": ("x", "z"), "from above": ("x", "y")}
AXES = "xyz"
WIDTH_CM = 17.0
AXIS_CM = 2.0  # for the numbers beside a view
LEAST_CM, MOST_CM = 3.0, 14.0  # height of a view
TYRE = 0.13  # width of a wheel, for the eye [m]
MARGIN = 0.06  # of the length
STROKE = 0.012  # half length of an element, of the view
LABEL_SIZE = SMALL_SIZE - 2.0  # [pt]
KEY_COLUMNS, KEY_LINE_CM = 4, 0.33
CENTRE, POINT = ("+", COLOURS[1]), (".", COLOURS[2])
NUMBERED = {"from the side": CENTRE, "from above": POINT}  # what is told where, when it is crowded
HALO = withStroke(linewidth=1.8, foreground="white")  # around names, so that lines below do not disturb
ODD = "#B00000"
MOST_ODD = 6  # lines about what looks wrong
Limits = tuple[float, float, float, float]


@dataclass(frozen=True)
class Label:
    marker: str
    colour: str
    place: tuple[float, float]  # [m]
    text: str
    offset: tuple[float, float]  # of the text from the place [pt]
    across: str  # left or center: which part of the text is there
    up: str  # top or bottom

    def box(self, points_per_metre: float) -> tuple[float, float, float, float]:
        """Left, right, lower and upper end [pt]."""
        width, height = text_width(self.text, LABEL_SIZE), 1.1 * LABEL_SIZE
        x, y = (points_per_metre * at + by for at, by in zip(self.place, self.offset, strict=True))
        left = x - 0.5 * width if self.across == "center" else x
        low = y - height if self.up == "top" else y
        return left, left + width, low, low + height


def draw_vehicle(vehicle: Vehicle) -> Figure:
    """Two views of any vehicle, the same scale along both axes; names stand in a key where they would meet.

    What looks like a mistake is ringed and told above.
    """
    drawn = drawing_of(vehicle)
    odd = oddities(vehicle, drawn)
    limits = {view: _limits(drawn, axes) for view, axes in VIEWS.items()}
    names = [point.name for point in (*drawn.centres, *drawn.points)]
    crowded = any(_meet(_labels(drawn, VIEWS[view], {}, limits[view]), limits[view]) for view in VIEWS)
    numbers = {name: str(number) for number, name in enumerate(dict.fromkeys(names), 1)} if crowded else {}
    lines = -(-len(numbers) // KEY_COLUMNS)
    heights = [_height(limits[view]) for view in VIEWS] + ([KEY_LINE_CM * lines] if lines else [])
    height = sum(heights) + 5.2 + (0.42 * (min(len(odd), MOST_ODD + 1) + 1) if odd else 0.0)
    fig, panels = figure(len(heights), 1, WIDTH_CM, height, height_ratios=heights, squeeze=False)
    for ax, (view, axes) in zip(panels[:, 0], VIEWS.items(), strict=False):
        _draw_view(ax, drawn, axes, limits[view])
        for label in _labels(drawn, axes, numbers, limits[view]):
            ax.plot(*label.place, marker=label.marker, color=label.colour, markersize=6, linestyle="none")
            if not numbers or NUMBERED[view] == (label.marker, label.colour):
                ax.annotate(
                    label.text, label.place, label.offset, textcoords="offset points", fontsize=LABEL_SIZE,
                    color=label.colour, ha=label.across, va=label.up, path_effects=[HALO],
                )  # fmt: skip
        for one in odd:
            place = [one.position[AXES.index(axis)] for axis in axes]
            ax.plot(*place, "o", markersize=13, fillstyle="none", color=ODD, markeredgewidth=1.6)
        ax.set_title(f"{vehicle.name}, {view}")
        ax.set_xlabel("x, forwards [m]")
    if lines:
        _key(panels[2, 0], numbers, lines, {point.name for point in drawn.centres})
    if odd:
        told = [one.text for one in odd[:MOST_ODD]]
        told += [f"and {len(odd) - MOST_ODD} more"] if len(odd) > MOST_ODD else []
        fig.suptitle("\n".join(["look at the rings:", *told]), x=0.02, ha="left", fontsize=SMALL_SIZE, color=ODD)
    _explain(fig)
    return fig


def _explain(fig: Figure) -> None:
    """What the signs mean."""
    (centre, blue), (point, orange) = CENTRE, POINT
    handles = [
        Patch(facecolor="0.9", edgecolor="0.5", label="body: extent of its points"),
        Patch(fill=False, edgecolor=blue, linestyle=":", label="homogeneous box of its mass and inertia"),
        Line2D([], [], linestyle="none", marker=centre, color=blue, label="centre of mass"),
        Line2D([], [], linestyle="none", marker=point, color=orange, label="connection of two bodies"),
        Line2D([], [], linestyle="-", color=orange, linewidth=1.6, label="element, along its direction"),
        Line2D(
            [], [], linestyle="none", marker="o", fillstyle="none", color=orange, label="element against rotation"
        ),
    ]
    fig.legend(handles=handles, loc="outside lower left", ncols=3, fontsize=SMALL_SIZE - 1.0, frameon=False)


def _labels(drawn: Drawing, axes: tuple[str, str], numbers: Mapping[str, str], limits: Limits) -> list[Label]:
    """Points that lie behind each other share one."""
    i, j = (AXES.index(axis) for axis in axes)
    named: dict[tuple[str, str, tuple[float, float]], list[str]] = {}
    for points, (marker, colour) in ((drawn.centres, CENTRE), (drawn.points, POINT)):
        for point in points:
            place = (round(point.position[i], 6), round(point.position[j], 6))
            named.setdefault((marker, colour, place), []).append(point.name)
    radii = {wheel.name: wheel.radius for wheel in drawn.wheels}
    radii |= {point.name: _wheel_around(point.position, drawn) for point in drawn.points}
    return [
        Label(
            *key, ",".join(numbers[name] for name in names) if numbers else shared(names),
            *_beside(key[0], key[2], axes, radii.get(names[0], 0.0), limits),
        )
        for key, names in named.items()
    ]  # fmt: skip


def _wheel_around(position: Vector, drawn: Drawing) -> float:
    """Radius of the wheel a point lies within, seen from the side; 0 if there is none."""
    x, _, z = position
    return max(
        (w.radius for w in drawn.wheels if hypot(x - w.centre[0], z - w.centre[2]) < 0.5 * w.radius), default=0.0
    )


def _beside(
    marker: str, place: tuple[float, float], axes: tuple[str, str], radius: float, limits: Limits
) -> tuple[tuple[float, float], str, str]:
    """Offset and alignment of a name: below or beside a wheel, outside of a point, beside a centre of mass."""
    stroke = STROKE * (limits[1] - limits[0]) * _scale(limits)
    if marker == CENTRE[0]:
        if axes[1] == "z" and radius:
            return (0.0, -radius * _scale(limits) - 3.0), "center", "top"
        return (5.0, 3.0 if axes[1] == "z" else -3.0), "left", "bottom" if axes[1] == "z" else "top"
    if axes[1] == "z":
        off = max(stroke, 0.75 * radius * _scale(limits))  # beyond the rim
        return (off, off), "left", "bottom"
    return (
        ((0.0, stroke + 1.0), "center", "bottom") if place[1] >= 0.0 else ((0.0, -stroke - 1.0), "center", "top")
    )


def _scale(limits: Limits) -> float:
    """Points per metre of the picture."""
    return (WIDTH_CM - AXIS_CM) / 2.54 * 72.0 / (limits[1] - limits[0])


def _meet(labels: Sequence[Label], limits: Limits) -> bool:
    """Whether names as long as these would run into each other or off the view."""
    boxes = [label.box(_scale(limits)) for label in labels]
    left, right = (_scale(limits) * end for end in limits[:2])
    off = any(box[1] > right or box[0] < left for box in boxes)
    return off or any(
        a[0] < b[1] and b[0] < a[1] and a[2] < b[3] and b[2] < a[3] for a, b in combinations(boxes, 2)
    )


def _key(ax: Axes, numbers: Mapping[str, str], lines: int, centres: Collection[str]) -> None:
    ax.set_axis_off()
    for k, (name, number) in enumerate(numbers.items()):
        column, line = divmod(k, lines)
        colour = CENTRE[1] if name in centres else POINT[1]
        place = (column / KEY_COLUMNS, 1.0 - (line + 0.5) / lines)
        text = f"{number}  {name.replace('_', ' ')}"
        ax.text(*place, text, transform=ax.transAxes, fontsize=LABEL_SIZE, color=colour, va="center")


def _limits(drawn: Drawing, axes: tuple[str, str]) -> Limits:
    low, high = drawn.extent()
    i, j = (AXES.index(axis) for axis in axes)
    room = MARGIN * max(high[i] - low[i], high[j] - low[j], 1.0)
    below = min(low[j], 0.0) if axes[1] == "z" else low[j]
    return low[i] - room, high[i] + room, below - room, high[j] + room


def _height(limits: Limits) -> float:
    left, right, below, above = limits
    return min(max((WIDTH_CM - AXIS_CM) * (above - below) / (right - left), LEAST_CM), MOST_CM)


def _draw_view(ax: Axes, drawn: Drawing, axes: tuple[str, str], limits: Limits) -> None:
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
    _marks(ax, drawn, axes, STROKE * (limits[1] - limits[0]))
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


def shared(names: Sequence[str]) -> str:
    """front_left and front_right as `front left/right`."""
    words = [name.split("_") for name in names]
    start = 0
    while all(len(w) > start + 1 for w in words) and len({w[start] for w in words}) == 1:
        start += 1
    rest = "/".join(dict.fromkeys(" ".join(w[start:]) for w in words))
    return " ".join([*words[0][:start], rest])
