"""Motion of a run over time, and loops of its suspension."""

from collections.abc import Sequence

import numpy as np
from matplotlib.figure import Figure

from klingel.plots.style import CYCLE, SMALL_SIZE, TEXT_SIZE, figure, legend
from klingel.simulation.run import Run

MILLI = 1e3
ANGLES = ("roll", "pitch", "yaw")
WORDS = {"x": "longitudinal", "y": "lateral", "z": "vertical"}
Window = tuple[float, float]  # [s]


def draw_motion(run: Run, rows: Sequence[Sequence[str]], windows: Sequence[Window]) -> Figure:
    """One row of axes per group of coordinates of one kind, one column per window of time."""
    fig, axes = figure(
        len(rows), len(windows), width_cm=17.0, height_cm=3.6 * len(rows) + 0.8, squeeze=False, sharex="col",
        sharey="row",
    )  # fmt: skip
    for line, names in zip(axes, rows, strict=True):
        for ax, window in zip(line, windows, strict=True):
            inside = (run.time >= window[0]) & (run.time <= window[1])
            for name, style in zip(names, CYCLE, strict=False):
                values = run[name].to_numpy()[inside]
                ax.plot(run.time[inside], MILLI * values, label=_body(name), linewidth=1.0, **style)
            ax.set_xlim(*window)
        line[0].set_ylabel(_label(names[0]))
        if len(names) > 1:
            legend(line[0], loc="lower right", ncols=2, fontsize=SMALL_SIZE - 1)
        else:
            line[0].set_title(_body(names[0]), loc="left", fontsize=TEXT_SIZE)
    for ax in axes[-1]:
        ax.set_xlabel("time [s]")
        ax.locator_params(axis="x", nbins=4)
    return fig


def _body(name: str) -> str:
    return name.rpartition(".")[0].replace("_", " ")


def _label(name: str) -> str:
    coordinate = name.rpartition(".")[2]
    return f"{coordinate} [mrad]" if coordinate in ANGLES else f"{WORDS[coordinate]} [mm]"


def draw_loops(run: Run, elements: Sequence[str], window: Window) -> Figure:
    """Force on the wheelset over the deformation of some suspension elements: what the loops enclose is heat."""
    fig, axes = figure(1, len(elements), width_cm=17.0, height_cm=6.6, squeeze=False)
    inside = (run.time >= window[0]) & (run.time <= window[1])
    for ax, name in zip(axes[0], elements, strict=True):
        u, force = run[f"{name}.deformation"].to_numpy()[inside], run[f"{name}.force"].to_numpy()[inside]
        ax.plot(MILLI * u, 1e-3 * force, "-", color="black", linewidth=0.7)
        ax.set_title(name.replace("_", " ").replace(".", ", "))
        ax.set_xlabel("deformation [mm]")
    axes[0][0].set_ylabel("force on the wheelset [kN]")
    return fig


def loop_energy(run: Run, element: str, window: Window) -> float:
    """Mean power an element takes out of the motion in the window, by the trapezoidal rule [W]."""
    inside = (run.time >= window[0]) & (run.time <= window[1])
    u, force = run[f"{element}.deformation"].to_numpy()[inside], run[f"{element}.force"].to_numpy()[inside]
    work = float(np.sum(0.5 * (force[1:] + force[:-1]) * np.diff(u)))
    return -work / float(np.ptp(run.time[inside]))
