"""What every picture must satisfy: words inside it and apart from each other, units, no empty panels."""

import re
import warnings
from itertools import combinations

from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.transforms import Bbox

from klingel.plots.style import set_sizes

UNIT = re.compile(r"\[[^\]]+\]")
NUMBER = re.compile(r"^[−\-+]?[\d.,]*(×?10)?[\d.^{}\\a-z$−\-\s]*$")
DPI = 60  # as good for finding overlaps as a higher one, and faster
TOUCH = 0.5  # overlap that cannot be seen [pixel]


def rendered(fig: Figure) -> Figure:
    """As it is saved; warnings are errors."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        set_sizes(fig)
        fig.set_dpi(DPI)
        FigureCanvasAgg(fig).draw()
    return fig


def words(fig: Figure) -> list[tuple[str, Bbox]]:
    """Boxes of everything that is written: titles, labels, numbers at the axes, texts, legends as a whole."""
    renderer = fig.canvas.get_renderer()  # pyright: ignore
    items: list[tuple[str, object]] = [("legend", legend) for legend in fig.legends]
    items += [("heading", fig._suptitle)] if fig._suptitle else []  # pyright: ignore
    for ax in fig.axes:
        items += [("legend of axes", ax.get_legend())] if ax.get_legend() else []
        texts = [*ax.texts] + ([ax.title, ax._left_title, ax._right_title] if ax.axison else [])  # pyright: ignore
        for axis in (ax.xaxis, ax.yaxis) if ax.axison else ():
            if not axis.get_visible():
                continue
            texts += [axis.label, axis.get_offset_text()]
            for tick in axis._update_ticks():  # those that are drawn  # pyright: ignore
                texts += [tick.label1, tick.label2]
        items += [(text.get_text(), text) for text in texts if text.get_visible() and text.get_text().strip()]
    return [(name, item.get_window_extent(renderer)) for name, item in items]  # pyright: ignore


def complaints(fig: Figure) -> list[str]:
    """What is wrong with a rendered picture."""
    boxes = words(fig)
    width, height = fig.bbox.width, fig.bbox.height
    found = [
        f"{name!r} leaves the picture"
        for name, box in boxes
        if min(box.x0, box.y0) < -2 * TOUCH or box.x1 > width + 2 * TOUCH or box.y1 > height + 2 * TOUCH
    ]
    found += [
        f"{one!r} meets {two!r}"
        for (one, a), (two, b) in combinations(boxes, 2)
        if a.padded(-TOUCH).overlaps(b.padded(-TOUCH))
    ]
    return [*found, *_empty(fig), *_without_unit(fig)]


def _empty(fig: Figure) -> list[str]:
    return ["an empty panel" for ax in fig.axes if not (ax.lines or ax.patches or ax.texts or ax.collections)]


def _without_unit(fig: Figure) -> list[str]:
    found = []
    for ax in fig.axes:
        if not ax.axison or not ax.lines:
            continue
        for way, axis in (("x", ax.xaxis), ("y", ax.yaxis)):
            label = _label(ax, way)
            if axis.get_visible() and not UNIT.search(label) and _has_numbers(ax, way):
                found.append(f"{way} axis labelled {label!r} without a unit")
    return found


def _label(ax: Axes, way: str) -> str:
    """Of the axis itself, or of one it shares."""
    shared = ax.get_shared_x_axes() if way == "x" else ax.get_shared_y_axes()
    axes = [ax, *shared.get_siblings(ax)]
    labels = [getattr(one, f"get_{way}label")() for one in axes]
    return next((text for text in labels if text), "")


def _has_numbers(ax: Axes, way: str) -> bool:
    ticks = getattr(ax, f"get_{way}ticklabels")()
    return all(NUMBER.match(tick.get_text().replace("$\\mathdefault{", "")) for tick in ticks)
