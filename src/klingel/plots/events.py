"""Event diagram: who changes mode and when, one line per element below the motion that causes it.

A flat line is the mode at rest. Sliders: a small peak is sliding to positive deformation, a high one to negative.
Dead bands: touching above or below. Leaf springs: the number of the mode. Wheels: contact states away from that in
the middle of the track, upwards when the wheelset moves to the left. Impacts, which last no time, are dots.

Source of the layout: Hoffmann (2006), figure 3.4. Steps stand at the located instants, not at rows of output.
"""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from klingel.plots.style import COLOURS, SMALL_SIZE, figure
from klingel.simulation.run import Run

HEIGHT = 0.38  # of a line [cm]
PEAK = 0.75  # of the distance between two lines


def draw_events(run: Run, window: tuple[float, float], coordinate: str = "front_wheelset.y") -> Figure:
    """Motion above, modes of all elements that change within the window below."""
    changing = _changing(run, window)
    height = HEIGHT * max(len(changing), 4) + 6.0
    fig, (top, low) = figure(
        2, 1, width_cm=17.0, height_cm=height, sharex=True, height_ratios=[4.0, height - 5.5]
    )  # fmt: skip
    inside = (run.time >= window[0]) & (run.time <= window[1])
    top.plot(run.time[inside], 1e3 * run[coordinate].to_numpy()[inside], "-", color=COLOURS[0], linewidth=1.0)
    top.set_ylabel(f"{coordinate.replace('_', ' ').replace('.', ', ')} [mm]")
    for line, k in enumerate(changing):
        _draw_line(low, run, k, len(changing) - 1 - line, window)
    names = [run.names["modes"][k].replace(".", " ") for k in changing]
    low.set_yticks(range(len(names) - 1, -1, -1), names)
    low.tick_params(axis="y", length=0)
    low.set_ylim(-0.7, len(names))
    low.set_xlim(*window)
    low.set_xlabel(f"time [s];  {len(run.names['modes']) - len(changing)} elements without a change are left out")
    for label in low.get_yticklabels():
        label.set_fontsize(SMALL_SIZE - 2.0)
    return fig


def _changing(run: Run, window: tuple[float, float]) -> list[int]:
    time, owner = run.data["event_time"].to_numpy(), run.data["event_owner"].to_numpy()
    found = set(owner[(time >= window[0]) & (time <= window[1]) & (owner >= 0)].tolist())
    return sorted(found, key=lambda k: (_group(run.names["modes"][k]), k))


def _group(name: str) -> int:
    """Links first, then the other elements of the corners, wheels last."""
    return 0 if ".link_" in name else 2 if name.endswith((".left", ".right")) else 1


def _draw_line(ax: Axes, run: Run, k: int, level: int, window: tuple[float, float]) -> None:
    owner = run.data["event_owner"].to_numpy()
    rows = np.flatnonzero(owner == k)
    time = run.data["event_time"].to_numpy()[rows]
    old, new = run.data["event_old"].to_numpy()[rows], run.data["event_new"].to_numpy()[rows]
    values = np.array([old[0], *new, new[-1]], float)
    name, wheel = run.names["modes"][k], run.names["modes"][k] in run.names["wheels"]
    values -= _middle_state(run, name) if wheel else 0
    scale = (0.5 * PEAK if wheel else PEAK) / max(np.abs(values).max(), 2.0)
    steps = np.array([0.0, *time, max(window[1], float(time[-1]))])
    colour = COLOURS[1] if wheel else COLOURS[0] if ".link_" in name else COLOURS[2]
    ax.step(steps, level + scale * values, where="post", color=colour, linewidth=0.7, linestyle="-")
    same = old == new
    if same.any():
        ax.plot(time[same], np.full(same.sum(), level), ".", color=colour, markersize=3)


def _middle_state(run: Run, wheel: str) -> int:
    """Contact state of the row in which the wheelset is nearest to the middle of the track."""
    y = run[f"{wheel.rpartition('.')[0]}.y"].to_numpy()
    return int(run[f"{wheel}.mode"].to_numpy()[np.argmin(np.abs(y))])
