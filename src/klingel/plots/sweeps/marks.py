"""What pictures of sweeps share: which marks points get, the rest with its width, axes and words.

Points on the way down are filled dark triangles that point down, on the way up open ones that point up, fresh
ones crosses, upright where a start displaced the friction sliders: told apart without colour. When sweeps of
several cases are shown together, each case has a mark of its own, filled on the way down, open on the way up and
grey where fresh.

Rest is a set where dry friction holds: every position found at rest at one value lies in a band, from the
least to the greatest of them. The dark band is what motions leave behind that began with sliders in their places;
the light one what friction can hold, from starts that displace them. More starts make both wider.
"""

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
from klingel.model.description import unit_of
from klingel.plots.captions import Facts, facts, labels, told
from klingel.plots.style import COLOURS, SMALL_SIZE, TEXT_SIZE, figure
from klingel.simulation.sweep.case import DOWN, FRESH, UP
from klingel.simulation.sweep.result import Sweep

MILLI = 1e3
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
UNITS = {"speed": "m/s", "inclination": "-", "gauge": "m"}


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
    return tuple(sweep.settings.get(key) for key in ("vehicle", "track", "speed"))


def _facts(sweep: Sweep) -> Facts:
    settings = sweep.settings
    speed = settings.get("speed")
    return facts(
        settings.get("vehicle", ""), settings.get("track", ""), **({"speed": f"{speed:g} m/s"} if speed else {})
    )


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


def spacing(values: np.ndarray) -> float:
    known = np.unique(values)
    return float(np.diff(known).min()) if known.size > 1 else max(abs(float(known[0])), 1.0) * 0.01


def draw_rest(ax: Axes, series: Sequence[Series], name: str, size: bool = False) -> list[Patch]:
    """Bands of the positions at rest, or of their size; what they are called."""
    step = spacing(np.concatenate([part.place for part in series]))
    handles = []
    for (word, (face, edge)), displaced in zip(BANDS.items(), (True, False), strict=True):
        parts = [part for part in series if displaced or not part.displaced]
        if any(part.displaced for part in parts) == displaced and _draw_band(
            ax, parts, name, step, size, face, edge
        ):
            handles.insert(0, Patch(facecolor=face, edgecolor=edge, label=word))
    return handles


def _draw_band(
    ax: Axes, series: Sequence[Series], name: str, step: float, size: bool, face: str, edge: str
) -> bool:
    places = np.concatenate([part.place[_resting(part)] for part in series] or [np.zeros(0)])
    middles = [MILLI * part.values(f"{name}.middle")[_resting(part)] for part in series]
    middle = np.concatenate(middles or [np.zeros(0)])
    middle = np.abs(middle) if size else middle
    known = np.unique(places)
    low = np.array([middle[places == value].min() for value in known])
    high = np.array([middle[places == value].max() for value in known])
    if known.size:
        ax.bar(known, high - low, step, low, facecolor=face, edgecolor="none", zorder=0.8)
        for line in (low, high):
            ax.plot(*_stairs(known, line, step), color=edge, linewidth=1.2, linestyle="-")
    return bool(known.size)


def _stairs(places: np.ndarray, values: np.ndarray, step: float) -> tuple[np.ndarray, np.ndarray]:
    """A line with a flat part per place, broken where places are missing."""
    x, y = [], []
    for k, (place, value) in enumerate(zip(places, values, strict=True)):
        if k and place - places[k - 1] > 1.5 * step:
            x.append(place)
            y.append(np.nan)
        x += [place - 0.5 * step, place + 0.5 * step]
        y += [value, value]
    return np.array(x), np.array(y)


def _resting(series: Series) -> np.ndarray:
    return np.array([kind in AT_REST for kind in series.kinds], bool)


def moving(series: Series) -> np.ndarray:
    return ~_resting(series)


def panels(sweeps: Sequence[Sweep], names: Sequence[str], height_cm: float) -> tuple[Figure, list[Axes]]:
    """A picture with one panel per coordinate above the axis of the parameter."""
    height = height_cm * len(names) + LEGEND
    fig, axes = figure(len(names), 1, width_cm=16.0, height_cm=height, sharex=True, squeeze=False)
    axes[0, 0].set_title(_title_of(sweeps), loc="left", fontsize=TEXT_SIZE)
    _dress_axis(axes[-1, 0], sweeps)
    return fig, list(axes[:, 0])


def _dress_axis(ax: Axes, sweeps: Sequence[Sweep]) -> None:
    """Limits and words of the axis of the parameter."""
    first = sweeps[0]
    places = np.concatenate([sweep.place for sweep in sweeps])
    step = spacing(places)
    ax.set_xlim(places.min() - step, places.max() + step)
    parameter = first.settings["parameter"].replace("_", " ").replace(".", ", ")
    if first.words:
        ax.set_xticks(range(len(first.words)), first.words)
        ax.set_xlabel(parameter)
    else:
        ax.set_xlabel(f"{parameter} [{UNITS.get(first.settings['parameter'], 'SI')}]")


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
