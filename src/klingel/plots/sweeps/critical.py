"""Critical speed in one picture: width over speed of every motion met, and the lowest speed of each family."""

from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from klingel.plots.style import COLOURS, SMALL_SIZE, figure, legend_above
from klingel.plots.sweeps.rest_band import STYLE
from klingel.simulation.critical.protocols import STEPS
from klingel.simulation.critical.result import CriticalSpeed

MILLI = 1e3
HEIGHT = 9.0  # [cm]
MARKS: dict[str, dict[str, Any]] = {
    "starts at one speed": {"marker": "o", "markersize": 4.0, "markerfacecolor": "none", "color": COLOURS[1]},
    STEPS: {"marker": "s", "markersize": 3.0, "markerfacecolor": "none", "color": COLOURS[7]},
    "descents": {"marker": ".", "markersize": 2.5, "color": COLOURS[0], "alpha": 0.5},
}
LINEAR = {"stuck": ("linear, sliders stuck", "--"), "slipping": ("linear, sliders taken away", ":")}


def draw_critical(found: CriticalSpeed) -> Figure:
    """Half widths of the lateral motion over the speed; bands are the uncertainty of the lowest speeds."""
    fig, ax = figure(height_cm=HEIGHT)
    groups: dict[str, list[tuple[float, float]]] = {name: [] for name in MARKS}
    for speed, width, source in found.points:
        name = STEPS if source == STEPS else "descents" if source == "descent" else "starts at one speed"
        groups[name].append((speed, MILLI * width))
    for name, pairs in groups.items():
        if pairs:
            ax.plot(*zip(*pairs, strict=True), linestyle="none", label=name, **MARKS[name])
    for name, (words, dash) in LINEAR.items():
        value = found.linear.get(name)
        if value is not None:
            ax.axvline(value["speed"], color=COLOURS[3], linestyle=dash, linewidth=1.0, label=words)
    ax.axhline(
        MILLI * found.settings.get("threshold", 0.0), color="0.4", linewidth=0.8, linestyle="-.", label="counts"
    )
    _rest(ax, found)
    _motions(ax, found)
    ax.set_xlim(0.0, _fastest(found))
    ax.set_ylim(bottom=0.0)
    ax.set_xlabel("speed [m/s]")
    ax.set_ylabel("half of peak to peak, widest wheelset [mm]")
    legend_above(ax, columns=3)
    return fig


def _rest(ax: Axes, found: CriticalSpeed) -> None:
    """How far beside the middle friction can hold a wheelset: motions about a rest anywhere in there."""
    reach = [max(abs(end) for end in ends) for name, ends in found.rest_set.items() if "wheelset" in name]
    if reach and max(reach) > 0.0:
        ax.axhspan(0.0, MILLI * max(reach), zorder=0.6, label="rest set, farthest wheelset", **STYLE)


def _motions(ax: Axes, found: CriticalSpeed) -> None:
    """Lowest speeds with their bands; names stand one above the other beside the first of their crowd."""
    top = max([MILLI * motion.amplitude for motion in found.motions], default=1.0)
    ax.set_ylim(top=1.6 * max([top, *(MILLI * width for _, width, _ in found.points)]))
    for number, motion in enumerate(found.motions):
        colour = COLOURS[2] if motion.agrees else COLOURS[4]
        ax.axvspan(motion.low, motion.high, color=colour, alpha=0.35, linewidth=0.0)
        height = 0.97 - 0.085 * number
        doubt = "" if motion.agrees else " (ways disagree)"
        ax.annotate(
            f"{motion.family}: {motion.speed:.4g} m/s{doubt}",
            (motion.speed, height), (4, 0), xycoords=("data", "axes fraction"), textcoords="offset points",
            fontsize=SMALL_SIZE, va="top", color="black", clip_on=False,
            bbox={"boxstyle": "square,pad=0.15", "facecolor": "white", "edgecolor": colour, "linewidth": 0.8},
            ha="left" if motion.speed < 0.55 * _fastest(found) else "right",
        )  # fmt: skip
        ax.plot([motion.speed], [MILLI * motion.amplitude], marker="v", markersize=6, color=colour)


def _fastest(found: CriticalSpeed) -> float:
    return float(found.settings.get("fastest") or max((speed for speed, _, _ in found.points), default=1.0))
