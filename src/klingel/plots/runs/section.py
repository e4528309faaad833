"""Poincaré sections: two quantities wherever a wheelset rises through the middle of the track.

A motion that repeats is one point, one that repeats every n cycles n points, one with two frequencies a closed
curve, chaos a set with folds. Points between rows of a run are found by the cubic through values and rates.
"""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from klingel._errors import InputError
from klingel.analysis.extrema import upward_crossings
from klingel.plots.abscissa import Window, inside
from klingel.plots.quantity import Names, coordinate, full_label, shown, wheelsets
from klingel.plots.style import COLOURS, LEAST_SPAN, TEXT_SIZE, figure
from klingel.simulation.irregular.irregular_motion import IrregularMotion
from klingel.simulation.run import Run
from klingel.simulation.settled import PART

LEAST_POINTS = 3
LEAST_PART = 0.02  # of the values, that an axis shows to either side
SIZE = 11.0  # of a picture [cm]
MILLI = 1e3


def draw_section(run: Run, window: Window | None = None, quantities: Names = ()) -> Figure:
    """`a:b` draws b over a; by default the yaw angle of the first wheelset over the lateral position of the last.

    The first third of the run is left out, unless a window says otherwise.
    """
    names = coordinate(run, wheelsets(run), "y")
    if not names:
        raise InputError("run", None, "must have wheelsets that move to the side")
    across, up = _pair(run, quantities[0]) if quantities else _usual(run, names)
    part = inside(run, window)
    if window is None:
        part &= run.time >= run.time[0] + PART * (run.time[-1] - run.time[0])
    t, y, v = run.time[part], run.values(names[0])[part], run.values(f"{names[0]}_dot")[part]
    none = np.zeros(1)
    times = upward_crossings(t, y[:, None], v[:, None], none, none).time
    if times.size < LEAST_POINTS:
        raise InputError("run", f"{times.size} points", f"must cross the middle at least {LEAST_POINTS} times")
    fig, ax = figure(width_cm=SIZE, height_cm=SIZE)
    _draw(ax, *(np.interp(times, t, shown(run, name)[part]) for name in (across, up)))
    ax.set_xlabel(full_label(run, across))
    ax.set_ylabel(full_label(run, up))
    _title(ax, f"{times.size} rises of {names[0]} through zero")
    return fig


def draw_irregular(found: IrregularMotion, pair: tuple[str, str] | None = None) -> Figure:
    """Of points found on the motion itself."""
    across, up = pair or _other(found)
    fig, ax = figure(width_cm=SIZE, height_cm=SIZE)
    _draw(ax, MILLI * found[across], MILLI * found[up])
    for set_label, name in ((ax.set_xlabel, across), (ax.set_ylabel, up)):
        set_label(f"{name} [{_unit(name)}]")
    exponent = found.lyapunov
    told = "" if exponent is None else f"\nLyapunov exponent {exponent.exponent:.2g} ± {exponent.error:.1g} 1/s"
    _title(ax, f"{found.section.t.size} points at {found.speed:g} m/s{told}")
    return fig


def _draw(ax: Axes, x: np.ndarray, y: np.ndarray) -> None:
    ax.plot(x, y, linestyle="none", marker=".", markersize=3.0, color=COLOURS[0])
    for values, set_limits in ((x, ax.set_xlim), (y, ax.set_ylim)):  # a motion that repeats is one point
        middle, size = 0.5 * (values.max() + values.min()), float(np.abs(values).max())
        room = max(0.55 * float(np.ptp(values)), LEAST_PART * size, LEAST_SPAN)
        set_limits(middle - room, middle + room)


def _title(ax: Axes, words: str) -> None:
    ax.set_title(words, loc="left", fontsize=TEXT_SIZE)


def _unit(name: str) -> str:
    last = name.rpartition(".")[2]
    base = last.removesuffix("_dot")
    unit = "mm" if base in ("x", "y", "z") else "mrad"
    return f"{unit}/s" if last != base else unit


def _other(found: IrregularMotion) -> tuple[str, str]:
    body = found.coordinate.rpartition(".")[0]
    lateral = [name for name in found.states if name.endswith("wheelset.y") and name != found.coordinate]
    across = lateral[-1] if lateral else f"{found.coordinate.removesuffix('_dot')}_dot"
    return across, f"{body}.yaw"


def _usual(run: Run, names: list[str]) -> tuple[str, str]:
    yaw = f"{names[0].rpartition('.')[0]}.yaw"
    return (names[-1] if len(names) > 1 else f"{names[0]}_dot"), yaw


def _pair(run: Run, text: str) -> tuple[str, str]:
    across, colon, up = text.partition(":")
    if not colon:
        raise InputError("quantity", text, "must be two quantities, a:b")
    for name in (across, up):
        if run[name].dims != ("time",):
            raise InputError("quantity", name, "must be a quantity over time")
    return across, up
