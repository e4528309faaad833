"""Event diagram: who changes mode and when, one line per element below the motion that causes it.

A flat line is the mode at rest. Sliders: a small peak is sliding to positive deformation, a high one to negative.
Dead bands: touching above or below. Leaf springs: the number of the mode. Wheels: contact states away from that in
the middle of the track, upwards when the wheelset moves to the left. Impacts, which last no time, are dots.

Source of the layout: Hoffmann (2006), figure 3.4. Steps stand at the located instants, not at rows of output.
"""

from collections.abc import Collection

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from klingel.model.kinds.registry import Family, of
from klingel.plots.abscissa import Window, inside
from klingel.plots.quantity import Names, first_lateral, full_label, pick, shown
from klingel.plots.style import COLOURS, SMALL_SIZE, figure, show_no_noise
from klingel.simulation.run import Run

HEIGHT = 0.38  # of a line [cm]
PEAK = 0.75  # of the distance between two lines
FOOT = 2.6  # for the words at the foot [cm]
GROUP_COLOURS = (COLOURS[0], COLOURS[2], COLOURS[1])
MEANINGS = (
    "sliders: at rest on the line when stuck, low step sliding to positive, high step to negative deformation",
    "leaf springs, stops, guides: number of the mode; a dot is an impact",
    "wheels: contact state, that is the section of the contact table in which the contact point lies\n"
    "(every jump of the point begins a new one; steps between are overlaps, where both points carry),\n"
    "counted from the one in the middle of the track, up when the wheelset is to the left",
)
SHOWN = 3.0  # longest part that is drawn without a choice [s]


def draw_events(
    run: Run, window: Window | None = None, quantities: Names = (), coordinate: str | None = None
) -> Figure:
    """Motion above, modes of all elements that change within the window below; without one the first 3 s.

    A choice of quantities keeps some elements.
    """
    part = inside(run, window or (float(run.time[0]), float(run.time[0]) + SHOWN) if run.time.size else None)
    window = window or (float(run.time[part][0]), float(run.time[part][-1]))
    coordinate = coordinate or first_lateral(run)
    kept = pick(run.names["modes"], quantities, run)
    changing = [k for k in _changing(run, window) if run.names["modes"][k] in kept]
    height = HEIGHT * max(len(changing), 4) + 6.0 + FOOT
    fig, (top, low) = figure(
        2, 1, width_cm=17.0, height_cm=height, sharex=True, height_ratios=[4.0, height - 5.5 - FOOT]
    )  # fmt: skip
    top.plot(run.time[part], shown(run, coordinate)[part], "-", color=COLOURS[0], linewidth=1.0)
    show_no_noise(top)
    top.set_ylabel(full_label(run, coordinate).replace(", ", ",\n"))
    for line, k in enumerate(changing):
        _draw_line(low, run, k, len(changing) - 1 - line, window)
    names = [run.names["modes"][k].replace(".", ", ").replace("_", " ") for k in changing]
    low.set_yticks(range(len(names) - 1, -1, -1), names)
    low.tick_params(axis="y", length=0)
    low.set_ylim(-0.7, max(len(names), 1))
    low.set_xlim(*window)
    low.set_xlabel(f"time [s];  {len(kept) - len(changing)} elements without a change are left out")
    _explain(fig, {_group(run, run.names["modes"][k]) for k in changing})
    return fig


def _explain(fig: Figure, groups: Collection[int]) -> None:
    """What the heights of the lines mean, for the groups that are drawn."""
    if groups:
        handles = [
            Line2D([], [], color=GROUP_COLOURS[k], linewidth=1.2, label=MEANINGS[k]) for k in sorted(groups)
        ]
        fig.legend(
            handles=handles, loc="outside lower left", fontsize=SMALL_SIZE, frameon=False, handlelength=1.6,
        )  # fmt: skip


def _changing(run: Run, window: Window) -> list[int]:
    time, owner = run.data["event_time"].to_numpy(), run.data["event_owner"].to_numpy()
    found = set(owner[(time >= window[0]) & (time <= window[1]) & (owner >= 0)].tolist())
    return sorted(found, key=lambda k: (_group(run, run.names["modes"][k]), k))


def _group(run: Run, name: str) -> int:
    """Friction first, then the other suspension elements, wheels last."""
    if name in run.names["wheels"]:
        return 2
    friction = (e.name for e in run.vehicle.elements if of(e.law).ABOUT.family == Family.FRICTION)
    return 0 if name in friction else 1


def _draw_line(ax: Axes, run: Run, k: int, level: int, window: Window) -> None:
    owner = run.data["event_owner"].to_numpy()
    rows = np.flatnonzero(owner == k)
    time = run.data["event_time"].to_numpy()[rows]
    old, new = run.data["event_old"].to_numpy()[rows], run.data["event_new"].to_numpy()[rows]
    values = np.array([old[0], *new, new[-1]], float)
    name, wheel = run.names["modes"][k], run.names["modes"][k] in run.names["wheels"]
    values -= _middle_state(run, name) if wheel else 0
    scale = (0.5 * PEAK if wheel else PEAK) / max(np.abs(values).max(), 2.0)
    steps = np.array([min(0.0, window[0]), *time, max(window[1], float(time[-1]))])
    colour = GROUP_COLOURS[_group(run, name)]
    ax.step(steps, level + scale * values, where="post", color=colour, linewidth=0.7, linestyle="-")
    same = old == new
    if same.any():
        ax.plot(time[same], np.full(same.sum(), level), ".", color=colour, markersize=3)


def _middle_state(run: Run, wheel: str) -> int:
    """Contact state of the row in which the wheelset is nearest to the middle of the track."""
    y = run[f"{wheel.rpartition('.')[0]}.y"].to_numpy()
    return int(run[f"{wheel}.mode"].to_numpy()[np.argmin(np.abs(y))])
