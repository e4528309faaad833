"""The one Matplotlib style of the package.

Figures are plain `Figure` objects: nothing here touches the global state of pyplot, so they can be drawn in
any thread and without a display. Lines differ in colour *and* dash, the colours also in lightness, so
every figure survives greyscale printing. Labels carry units in brackets: "lateral shift [mm]".
"""

import os
from collections.abc import Sequence
from io import BytesIO
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.textpath import text_to_path

from klingel._errors import InputError
from klingel.io.atomic import write_bytes

FORMATS = ("png", "svg", "pdf")
DPI = 160
TEXT_SIZE = 9.0  # labels and titles [pt]
SMALL_SIZE = 8.0  # ticks and legends [pt]
HANDLE = 2.2  # length of a line in a legend above its axes [of SMALL_SIZE]
LINE_CM = 0.42  # height of a line of such a legend
LEAST_SPAN = 2.2e-3  # of an axis of motion [mm, mrad]
COLOURMAP = "cividis"  # lightness rises steadily, also for colour-blind readers

# of the palette of Okabe and Ito, dark first
COLOURS = ("#000000", "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#7F7F7F")
DASHES: tuple[Any, ...] = (
    "-",
    "--",
    "-.",
    (0, (1, 1)),
    (0, (5, 1, 1, 1, 1, 1)),
    (0, (8, 2)),
    (0, (3, 1)),
    "-",
)
CYCLE: tuple[dict[str, Any], ...] = tuple(
    {"color": colour, "linestyle": dash} for colour, dash in zip(COLOURS, DASHES, strict=True)
)
MARKERS = ("o", "s", "^", "D", "v", "x", "+", "*")


def figure(
    rows: int = 1,
    columns: int = 1,
    width_cm: float = 16.0,
    height_cm: float | None = None,
    projection: str | None = None,
    **subplots: Any,
) -> tuple[Figure, Any]:
    """An empty figure and its axes: one `Axes`, or an array of them as from `Figure.subplots`.

    Without `height_cm` every row is 7 cm high. Other keywords (`sharex`, `width_ratios`, …) go to `subplots`.
    """
    height = 7.0 * rows if height_cm is None else height_cm
    fig = Figure(figsize=(width_cm / 2.54, height / 2.54), dpi=DPI, layout="constrained")
    subplot_kw = {"projection": projection} if projection else {}
    axes = fig.subplots(rows, columns, subplot_kw=subplot_kw, **subplots)
    for ax in fig.axes:
        dress(ax)
    return fig, axes


def dress(ax: Axes) -> None:
    """Grid and line cycle of one axes; needed only for axes added by hand (twins, insets)."""
    ax.set_prop_cycle(color=COLOURS, linestyle=DASHES)
    ax.grid(True, color="0.85", linewidth=0.5)
    ax.set_axisbelow(True)


def _set_sizes(ax: Axes) -> None:
    # done last: set_title and colour bars bring their own sizes
    ax.title.set_fontsize(TEXT_SIZE)
    ax.tick_params(labelsize=SMALL_SIZE)
    for axis in (ax.xaxis, ax.yaxis, getattr(ax, "zaxis", None)):
        if axis is not None:
            axis.label.set_fontsize(TEXT_SIZE)
            axis.get_offset_text().set_fontsize(SMALL_SIZE)


def set_sizes(fig: Figure) -> None:
    """The one size of labels, titles and numbers, whatever brought its own."""
    for ax in fig.axes:
        _set_sizes(ax)


def legend(ax: Axes, **options: Any) -> None:
    """A legend in the small size on a plain white ground."""
    defaults = {"fontsize": SMALL_SIZE, "framealpha": 0.9, "edgecolor": "none", "handlelength": 3.0}
    ax.legend(**{**defaults, **options})


def legend_above(ax: Axes, columns: int = 5, width_cm: float = 14.5, **options: Any) -> None:
    """A legend on the upper edge of the axes, where no line can meet it; long names take fewer columns."""
    place = {"loc": "lower left", "bbox_to_anchor": (0.0, 1.0), "borderaxespad": 0.1, "borderpad": 0.1}
    narrow = {"handlelength": HANDLE, "handletextpad": 0.5, "columnspacing": 1.2}
    names = ax.get_legend_handles_labels()[1]
    legend(ax, ncols=legend_columns(names, columns, width_cm), **{**place, **narrow, **options})


def legend_columns(names: Sequence[str], most: int = 5, width_cm: float = 14.5) -> int:
    """Columns of a `legend_above` that fit side by side."""
    room, gap = width_cm / 2.54 * 72.0, (HANDLE + 0.5 + 1.2) * SMALL_SIZE
    widths = np.array([text_width(name) + gap for name in names])
    fit = [
        k for k in range(1, most + 1) if sum(part.max(initial=0.0) for part in np.array_split(widths, k)) <= room
    ]
    lines = -(-len(names) // max(fit, default=1))
    return next((k for k in fit if -(-len(names) // k) == lines), 1)  # as even as possible


def legend_lines(names: Sequence[str], most: int = 5, width_cm: float = 14.5) -> int:
    """Lines of text of a `legend_above`."""
    return -(-len(names) // legend_columns(names, most, width_cm)) if names else 0


def text_width(text: str, size: float = SMALL_SIZE) -> float:
    """As it will be drawn [pt]."""
    return float(text_to_path.get_text_width_height_descent(text, FontProperties(size=size), False)[0])


def wrapped(text: str, width: float, size: float = SMALL_SIZE) -> str:
    """The text in as many lines as it needs to be no wider than this [pt], broken between words."""
    lines = [""]
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and text_width(longer, size) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return "\n".join(lines)


def line_styles(count: int) -> list[dict[str, Any]]:
    """`count` entries of CYCLE, starting again after the last."""
    return list(islice(cycle(CYCLE), count))


def encode(fig: Figure, kind: str = "png") -> bytes:
    """The picture as the content of a file of one of FORMATS."""
    set_sizes(fig)
    metadata = {"png": {"Software": None}, "svg": {"Date": None}, "pdf": {"CreationDate": None}}
    content = BytesIO()
    fig.savefig(content, format=kind, metadata=metadata[kind])
    return content.getvalue()


def check_format(path: str | os.PathLike[str]) -> str:
    """The ending of a file for a picture, one of FORMATS."""
    suffix = Path(path).suffix.lower().lstrip(".")
    if suffix not in FORMATS:
        raise InputError("figure file", str(path), f"must end in {', '.join('.' + f for f in FORMATS)}")
    return suffix


def save(fig: Figure, path: str | os.PathLike[str]) -> Path:
    """Write the figure; the file appears under its name only when it is complete."""
    target = Path(path)
    content = encode(fig, check_format(target))
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        write_bytes(target, content)
    except OSError as error:
        raise InputError("figure file", str(path), f"must be a place to write to ({error.strerror})") from None
    return target


def show_no_noise(ax: Axes) -> None:
    """Keep the axis as wide as LEAST_SPAN, so that what rests is drawn as a straight line, not as its rounding."""
    low, high = ax.get_ylim()
    if high - low < LEAST_SPAN:
        middle = 0.5 * (low + high)
        ax.set_ylim(middle - 0.5 * LEAST_SPAN, middle + 0.5 * LEAST_SPAN)
