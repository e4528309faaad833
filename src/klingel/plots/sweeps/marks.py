"""What pictures of sweeps share: which marks points get, the rest with its width, axes and words.

Points on the way down are filled dark triangles that point down, on the way up open ones that point up, fresh
ones crosses, upright where a start displaced the friction sliders: told apart without colour. When sweeps of
several cases are shown together, each case has a mark of its own, filled on the way down, open on the way up and
grey where fresh.

Rest is a set where dry friction holds: every position found at rest at one value lies in a band, from the
least to the greatest of them. The dark band is what motions leave behind that began with sliders in their places;
the light one what friction can hold, from starts that displace them. More starts make both wider.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from klingel._errors import InputError
from klingel.analysis.motion_kinds import AT_REST
from klingel.io.units import si_unit
from klingel.io.vehicle.files import parse_vehicle
from klingel.io.vehicle.units import dimension_of
from klingel.model.description import unit_of
from klingel.plots.captions import Facts, events_word, facts, labels, told
from klingel.plots.style import COLOURS, SMALL_SIZE, TEXT_SIZE, figure
from klingel.simulation.sweep.case import DOWN, FRESH, UP
from klingel.simulation.sweep.result import Sweep
from klingel.vehicles.registry import option_dimension

MILLI = 1e3
MOST_BELOW = 4  # panels below each other before a second column begins
WIDEST_CELL = 0.05  # of the axis, for a value far from all others
LEGEND = 1.7  # height of what stands above the panels [cm]
DISPLACED = "sliders displaced"  # fresh points whose starts do that
WAYS = (DISPLACED, FRESH, DOWN, UP)  # in the order they are drawn
MARKS: dict[str, dict[str, Any]] = {
    DOWN: {"marker": "v", "color": COLOURS[0], "markersize": 3.4, "markeredgewidth": 0.3},
    UP: {"marker": "^", "color": COLOURS[2], "markersize": 4.2, "markerfacecolor": "none", "markeredgewidth": 0.7},
    FRESH: {"marker": "x", "color": COLOURS[1], "markersize": 3.2, "markeredgewidth": 0.7},
    DISPLACED: {"marker": "+", "color": COLOURS[5], "markersize": 3.8, "markeredgewidth": 0.7},
}
CASE_MARKERS = ("o", "s", "^", "D", "v", "p", "h", "*")
FACES = {UP: "none", FRESH: "0.8", DISPLACED: "0.95"}  # of marks when there are several cases; None is filled
# faces and edges of the bands, what friction can hold behind what motions leave behind
BANDS = {"rest, sliders displaced": ("0.93", "0.7"), "rest, its width": ("0.78", "0.35")}
WIDE = 116  # letters that fit side by side above a picture
Cells = dict[float, tuple[float, float]]  # value of the parameter -> its part of the axis
UNITS = {"speed": "m/s", "inclination": "–", "gauge": "m"}


@dataclass(frozen=True)
class Series:
    """Points of one sweep on one way."""

    sweep: Sweep
    rows: np.ndarray
    label: str
    style: dict[str, Any]
    displaced: bool = False  # starts with displaced sliders

    @property
    def place(self) -> np.ndarray:
        return self.sweep.place[self.rows]

    @property
    def kinds(self) -> list[str]:
        return [self.sweep.kinds[k] for k in self.rows]

    def values(self, name: str) -> np.ndarray:
        return self.sweep[name].to_numpy()[self.rows]


def series_of(sweeps: Sequence[Sweep]) -> list[Series]:
    """One per sweep and way; sweeps of the same case look the same."""
    _check_alike(sweeps)
    cases = [_case(sweep) for sweep in sweeps]
    kinds = [case for k, case in enumerate(cases) if case not in cases[:k]]
    names = labels([_facts(sweeps[cases.index(case)]) for case in kinds]) if len(kinds) > 1 else [""]
    found = []
    for way in WAYS:
        for sweep, case in zip(sweeps, cases, strict=True):
            rows = np.flatnonzero([_way(sweep, direction) == way for direction in sweep.directions])
            number = kinds.index(case)
            style = MARKS[way] if len(kinds) == 1 else _style(number, way)
            words = ", ".join(word for word in (names[number], way) if word)
            if rows.size:
                found.append(Series(sweep, rows, words, style, way == DISPLACED))
    return sorted(found, key=lambda series: names.index(_name_of(series, names))) if len(kinds) > 1 else found


def _way(sweep: Sweep, direction: str) -> str:
    names = {name for start in sweep.settings.get("starts", ()) for name in start}
    return DISPLACED if direction == FRESH and names - set(sweep.settings["states"]) else direction


def _name_of(series: Series, names: Sequence[str]) -> str:
    return next(name for name in names if series.label.startswith(f"{name}, "))


def _style(number: int, way: str) -> dict[str, Any]:
    style = {"marker": CASE_MARKERS[number % len(CASE_MARKERS)], "color": COLOURS[number % len(COLOURS)]}
    face = {"markerfacecolor": FACES[way]} if way in FACES else {}
    return {**style, **face, "markersize": 3.4, "markeredgewidth": 0.6}


def _case(sweep: Sweep) -> tuple[Any, ...]:
    return (*(sweep.settings.get(key) for key in ("vehicle", "track", "speed")), events_word(sweep.settings))


def _facts(sweep: Sweep) -> Facts:
    settings = sweep.settings
    speed = settings.get("speed")
    known = facts(
        settings.get("vehicle", ""), settings.get("track", ""), **({"speed": f"{speed:g} m/s"} if speed else {})
    )
    return {**known, "events": events_word(settings)}


def _check_alike(sweeps: Sequence[Sweep]) -> None:
    first = sweeps[0]
    for other in sweeps[1:]:
        for what, mine, theirs in (
            ("parameter", first.settings["parameter"], other.settings["parameter"]),
            ("words", first.words, other.words),
        ):
            if mine != theirs:
                raise InputError("with", theirs, f"must be a sweep over the same {what}, {mine}")


def _title_of(sweeps: Sequence[Sweep]) -> str:
    """Of one case; several are told in the legend."""
    return (
        told(_facts(sweeps[0]), sweeps[0].settings["parameter"])
        if len({_case(sweep) for sweep in sweeps}) == 1
        else ""
    )


def chosen(sweeps: Sequence[Sweep], quantities: Sequence[str]) -> list[str]:
    """Coordinates to be shown; by default the lateral motions of all bodies."""
    known = sweeps[0].coordinates
    names = list(quantities) or [name for name in known if name.endswith(".y")]
    for name in names:
        if any(name not in sweep.coordinates for sweep in sweeps):
            raise InputError("quantity", name, f"must be one of {', '.join(known)}")
    return names


def cells(values: np.ndarray) -> Cells:
    """The part of the axis that belongs to each value: half of the way to its neighbours.

    A value far from all others keeps a cell as wide as is usual, or a few hundredths of the axis.
    """
    known = np.unique(values)
    if known.size == 1:
        room = max(abs(float(known[0])), 1.0) * 0.005
        return {float(known[0]): (float(known[0]) - room, float(known[0]) + room)}
    gaps = np.diff(known)
    most = max(float(np.median(gaps)), WIDEST_CELL * float(known[-1] - known[0]))
    halves = 0.5 * np.minimum(gaps, most)
    left, right = np.append(halves[0], halves), np.append(halves, halves[-1])
    return {float(v): (float(v - a), float(v + b)) for v, a, b in zip(known, left, right, strict=True)}


def all_cells(series: Sequence[Series]) -> Cells:
    return cells(np.concatenate([part.place for part in series]))


def draw_rest(ax: Axes, series: Sequence[Series], name: str, size: bool = False) -> list[Patch]:
    """Bands of the positions at rest, or of their size; what they are called."""
    around = all_cells(series)
    handles = []
    for (word, (face, edge)), displaced in zip(BANDS.items(), (True, False), strict=True):
        parts = [part for part in series if displaced or not part.displaced]
        if any(part.displaced for part in parts) == displaced and _draw_band(
            ax, parts, name, around, size, face, edge
        ):
            handles.insert(0, Patch(facecolor=face, edgecolor=edge, label=word))
    return handles


def _draw_band(
    ax: Axes, series: Sequence[Series], name: str, around: Cells, size: bool, face: str, edge: str
) -> bool:
    places = np.concatenate([part.place[_resting(part)] for part in series] or [np.zeros(0)])
    middles = [MILLI * part.values(f"{name}.middle")[_resting(part)] for part in series]
    middle = np.concatenate(middles or [np.zeros(0)])
    middle = np.abs(middle) if size else middle
    known = np.unique(places)
    low = np.array([middle[places == value].min() for value in known])
    high = np.array([middle[places == value].max() for value in known])
    if known.size:
        ends = np.array([around[value] for value in known.tolist()])
        ax.bar(
            ends[:, 0], high - low, ends[:, 1] - ends[:, 0], low, align="edge", facecolor=face, edgecolor="none",
            zorder=0.8,
        )  # fmt: skip
        for line in (low, high):
            ax.plot(*_stairs(ends, line), color=edge, linewidth=1.2, linestyle="-")
    return bool(known.size)


def _stairs(ends: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A line with a flat part per cell, broken where cells do not meet."""
    x, y = [], []
    for k, ((left, right), value) in enumerate(zip(ends, values, strict=True)):
        if k and left - ends[k - 1, 1] > 1e-9 * abs(right):
            x.append(left)
            y.append(np.nan)
        x += [left, right]
        y += [value, value]
    return np.array(x), np.array(y)


def _resting(series: Series) -> np.ndarray:
    return np.array([kind in AT_REST for kind in series.kinds], bool)


def moving(series: Series) -> np.ndarray:
    return ~_resting(series)


def panels(sweeps: Sequence[Sweep], names: Sequence[str], height_cm: float) -> tuple[Figure, list[Axes]]:
    """A picture with one panel per coordinate above the axis of the parameter."""
    columns = 1 if len(names) <= MOST_BELOW else 2
    rows = -(-len(names) // columns)
    fig, axes = figure(
        rows, columns, width_cm=16.0 if columns == 1 else 26.0, height_cm=height_cm * rows + LEGEND, sharex=True,
        squeeze=False,
    )  # fmt: skip
    for ax in axes.flat[len(names) :]:
        ax.remove()
    drawn = list(axes.flat[: len(names)])
    axes[0, 0].set_title(_title_of(sweeps), loc="left", fontsize=TEXT_SIZE)
    for ax in drawn[-columns:]:
        _dress_axis(ax, sweeps)
        ax.tick_params(labelbottom=True)
    return fig, drawn


def _dress_axis(ax: Axes, sweeps: Sequence[Sweep]) -> None:
    """Limits and words of the axis of the parameter."""
    first = sweeps[0]
    ends = np.array(list(cells(np.concatenate([sweep.place for sweep in sweeps])).values()))
    ax.set_xlim(ends.min() - 0.01 * np.ptp(ends), ends.max() + 0.01 * np.ptp(ends))
    parameter = first.settings["parameter"].replace("_", " ").replace(".", ", ")
    if first.words:
        ax.set_xticks(range(len(first.words)), first.words)
        ax.set_xlabel(parameter)
    else:
        ax.set_xlabel(f"{parameter} [{_unit(first)}]")


def _unit(sweep: Sweep) -> str:
    """Of the parameter, whose values are SI."""
    name = sweep.settings["parameter"]
    if name in UNITS:
        return UNITS[name]
    try:
        dimension = dimension_of(parse_vehicle(sweep.settings["vehicle"], "vehicle of the sweep"), name)
    except KeyError:
        dimension = option_dimension(name) or "number"
    return re.sub("(?<=m)2$", "²", si_unit(dimension)) or "–"


def label(name: str) -> str:
    body, _, coordinate = name.rpartition(".")
    return f"{body.replace('_', ' ')}, {coordinate} [m{unit_of(coordinate)}]"


def mark_handles(series: Sequence[Series], words: str = "{}") -> list[Any]:
    """For a legend, each label once."""
    styles = {part.label: part.style for part in series}
    return [
        Line2D([], [], linestyle="none", label=words.format(text), **style) for text, style in styles.items()
    ]  # fmt: skip


def legend_outside(fig: Figure, handles: Sequence[Any]) -> None:
    """Above everything; long labels of several cases leave room for fewer columns."""
    longest = max(len(str(handle.get_label())) for handle in handles)
    fig.legend(
        handles=handles, loc="outside upper center", ncols=max(1, min(5, WIDE // (longest + 6))),
        fontsize=SMALL_SIZE, frameon=False, handlelength=1.6, columnspacing=1.4,
    )  # fmt: skip
