"""Branches of periodic motions: amplitude over the parameter, solid where stable, dashed where not.

Special points have a mark and a name, changes of the event sequence (a flange that begins to touch) a small mark.
Sweeps over the same parameter, drawn beside a branch, give their amplitudes as marks.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from klingel._errors import InputError
from klingel.model.description import unit_of
from klingel.plots.style import COLOURS, DASHES, SMALL_SIZE, figure, legend
from klingel.plots.sweeps.rest_band import apart, draw_set
from klingel.simulation.orbits.result import VehicleBranch
from klingel.simulation.resting.rest_set import StoredRestSet
from klingel.simulation.sweep.result import Sweep

MILLI = 1e3
PANEL = 8.0  # height of one [cm]
MARKS = {
    "hopf": "o", "fold": "s", "period-doubling": "D", "symmetry": "^", "branch": "v", "torus": "h", "grazing": "X",
    "sequence": "|",
}  # fmt: skip
UNITS = {"speed": "m/s"}
LINE, WIDTH = 8.0, 70.0  # room of a name [points]
UP = [
    9.0,
    *(sign * 9.0 * k for k in range(2, 200) for sign in (-1.0, 1.0)),
]  # where a name may stand, from its mark


def draw_branch(
    branch: VehicleBranch,
    quantities: Sequence[str] = (),
    others: Sequence[VehicleBranch | Sweep | StoredRestSet] = (),
) -> Figure:
    """One diagram per coordinate; without a choice that of the wheelset that moves most."""
    others, sets = apart(others, branch.settings["parameter"])
    branches = [branch, *(other for other in others if isinstance(other, VehicleBranch))]
    sweeps = [other for other in others if isinstance(other, Sweep)]
    parameter = branch.settings["parameter"]
    for other in (*branches, *sweeps):
        if other.settings["parameter"] != parameter:
            raise InputError("with", other.settings["parameter"], f"must be over the same parameter, {parameter}")
    names = _chosen(branch, quantities)
    fig, axes = figure(len(names), 1, height_cm=PANEL * len(names), sharex=True, squeeze=False)
    band: list[Any] = []
    for ax, name in zip(axes[:, 0], names, strict=True):
        for k, one in enumerate(branches):
            _draw(ax, one, name, COLOURS[k % len(COLOURS)])
        _label(ax, branches, name)
        for sweep in sweeps:
            _draw_sweep(ax, sweep, name)
        band = draw_set(ax, sets, name, size=True)
        unit = "mm" if unit_of(name.rpartition(".")[2]) == "m" else "mrad"
        ax.set_ylabel(f"amplitude of {name} [{unit}]")
        ax.set_ylim(bottom=0.0)
    unit = UNITS.get(parameter)
    axes[-1, 0].set_xlabel(f"{parameter} [{unit}]" if unit else parameter)
    legend(axes[0, 0], handles=[*_handles(branches, sweeps), *band], loc="best")
    return fig


def _chosen(branch: VehicleBranch, quantities: Sequence[str]) -> list[str]:
    known = branch.coordinates
    for name in quantities:
        if name not in known:
            raise InputError("quantity", name, f"must be one of {', '.join(known)}")
    if quantities:
        return list(quantities)
    lateral = [name for name in known if name.endswith("wheelset.y")] or [n for n in known if n.endswith(".y")]
    return [max(lateral or known, key=lambda name: float(branch[f"{name}.amplitude"].max()))]


def _draw(ax: Axes, branch: VehicleBranch, name: str, colour: str) -> None:
    x, y = branch.parameter, MILLI * branch[f"{name}.amplitude"].to_numpy()
    stable, parts = branch.stable, branch.part
    ends = [0, *(np.flatnonzero(np.diff(stable.astype(int)) | np.diff(parts)) + 1).tolist(), x.size]
    for a, b in pairwise(ends):
        part = slice(a - 1 if a > 0 and parts[a - 1] == parts[a] else a, b)  # lines of both kinds meet
        ax.plot(x[part], y[part], color=colour, linestyle="-" if stable[a] else "--", linewidth=1.2)
    for special in branch.special:
        small = special.type == "sequence"
        ax.plot(
            special.parameter, MILLI * special.amplitude[name], marker=MARKS[special.type], color=colour,
            markersize=5.0, linestyle="none", markerfacecolor="none" if small else "white", zorder=3.0,
        )  # fmt: skip
    ax.margins(x=0.18, y=0.15)


def _label(ax: Axes, branches: Sequence[VehicleBranch], name: str) -> None:
    """Names stand on the side from which the branch does not come, one above the other where they would meet."""
    ax.autoscale_view()
    taken: list[tuple[float, float, bool]] = []
    for branch in branches:
        for special in branch.special:
            if special.type == "sequence":
                continue
            at = special.parameter, MILLI * special.amplitude[name]
            near = branch.parameter[max(special.after - 2, 0) : special.after + 3]
            left = bool(near.mean() > special.parameter)
            x, y = (72.0 / ax.figure.dpi * float(v) for v in ax.transData.transform(at))  # in points
            up = next(up for up in UP if all(_apart((x, y + up, left), other) for other in taken))
            taken.append((x, y + up, left))
            ax.annotate(
                f"{special.type} {special.parameter:.5g}", at, xytext=(-6 if left else 6, up),
                textcoords="offset points", fontsize=SMALL_SIZE - 1.0, ha="right" if left else "left",
                va="center", zorder=4.0,
            )  # fmt: skip


def _apart(one: tuple[float, float, bool], other: tuple[float, float, bool]) -> bool:
    """Whether two names, placed by their corner and the side they stand on, leave each other room."""
    (a, b), (c, d) = _ends(one), _ends(other)
    return abs(one[1] - other[1]) > LINE or b < c or d < a


def _ends(one: tuple[float, float, bool]) -> tuple[float, float]:
    return (one[0] - WIDTH, one[0]) if one[2] else (one[0], one[0] + WIDTH)


def _draw_sweep(ax: Axes, sweep: Sweep, name: str) -> None:
    if name in sweep.coordinates:
        y = MILLI * sweep[f"{name}.amplitude"].to_numpy()
        ax.plot(sweep.place, y, marker=".", color="0.5", markersize=3.0, linestyle="none", zorder=1.5)


def _handles(branches: Sequence[VehicleBranch], sweeps: Sequence[Sweep]) -> list[Any]:
    found: list[Any] = [
        Line2D([], [], color=COLOURS[0], linestyle="-", label="stable"),
        Line2D([], [], color=COLOURS[0], linestyle=DASHES[1], label="unstable"),
    ]
    if any(special.type == "sequence" for branch in branches for special in branch.special):
        words = "another sequence of events"
        found.append(Line2D([], [], marker="|", linestyle="none", color=COLOURS[0], label=words))
    if sweeps:
        found.append(Line2D([], [], marker=".", color="0.5", linestyle="none", label="sweep"))
    return found
