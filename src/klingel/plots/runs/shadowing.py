"""Attractors shadowed by a run whose speed changes slowly: Hoffmann (2006), figures 5.7 to 5.9.

Left the contact angle over the lateral displacement of a wheelset, on the axis of the motion beside it: it tells
where its amplitude ends: at a jump of the contact, or at the flange. Below the other bodies. Stored runs have the
angles only where they were asked for; without them the motions take the whole width.

More cycles than a picture can resolve are drawn as an envelope: greatest and least value, and the middle between
them, piece by piece; a piece holds about a cycle at least.
"""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from klingel._errors import InputError
from klingel.plots.abscissa import LABELS, Along, Window, abscissa, inside, set_limits, usual
from klingel.plots.quantity import (
    Names,
    coordinate,
    label,
    other_bodies,
    pick,
    shown,
    split,
    told_apart,
    wheelsets,
)  # fmt: skip
from klingel.plots.style import CYCLE, TEXT_SIZE, figure, legend_above, line_styles
from klingel.plots.wheel_rail.contact_angle import angle_names, draw_met_angles
from klingel.simulation.run import Run

FEW = 40  # cycles that can be told apart in a panel
PIECES = 240  # of an envelope


@dataclass(frozen=True)
class Envelope:
    x: np.ndarray  # middle of each piece
    low: np.ndarray
    high: np.ndarray


def envelope(x: np.ndarray, values: np.ndarray) -> Envelope | None:
    """None where single cycles can be seen."""
    off = values - np.mean(values)
    cycles = int(np.count_nonzero(np.diff(off > 0.0))) // 2
    if cycles <= FEW:
        return None
    ends = np.linspace(0, values.size, min(PIECES, cycles) + 1).astype(int)
    parts = [slice(a, b) for a, b in pairwise(ends)]
    return Envelope(
        np.array([np.mean(x[part]) for part in parts]),
        np.array([values[part].min() for part in parts]),
        np.array([values[part].max() for part in parts]),
    )


def draw_shadowing(
    run: Run, window: Window | None = None, quantities: Names = (), along: Along | None = None
) -> Figure:
    """One row per wheelset, the lateral motion of the other bodies below; for a run whose speed changes."""
    if run.options["acceleration"] == 0.0:
        allowed = "must be a run whose speed changes, or come with another run to compare"
        raise InputError("run", f"{run.options['speed']:g} m/s", allowed)
    along = along or usual(run)
    bodies = pick([b for b in wheelsets(run) if f"{b}.y" in run.data], quantities, run)
    angled = any(angle_names(run, body) for body in bodies)
    others = split(run, coordinate(run, other_bodies(run), "y"))
    rows = len(bodies) + len(others)
    height = 5.6 if rows <= 4 else 4.8
    fig, axes = figure(
        rows, 1 + angled, width_cm=17.0, height_cm=height * rows + 0.6, squeeze=False,
        width_ratios=(1, 3) if angled else None,
    )  # fmt: skip
    part = inside(run, window)
    x = abscissa(run, along)[part]
    for (*beside, motion), body in zip(axes, bodies, strict=False):
        for ax in beside:
            ax.sharey(motion)
            draw_met_angles(ax, run, body, part)
        told = _draw_motion(motion, x, shown(run, f"{body}.y")[part])
        motion.set_title(f"{body.replace('_', ' ')}, lateral{told}", loc="left", fontsize=TEXT_SIZE)
        motion.tick_params(labelleft=not beside)
        motion.set_ylabel("" if beside else label(run, f"{body}.y"))
    for (*beside, motion), names in zip(axes[len(bodies) :], others, strict=True):
        for ax in beside:
            ax.remove()
        words, shared = told_apart(names)
        for name, word, style in zip(names, words, line_styles(len(names)), strict=True):
            _draw_motion(motion, x, shown(run, name)[part], word, style, fill=len(names) == 1)
        motion.set_ylabel(f"{shared} {label(run, names[0])}".lstrip())
        legend_above(motion, width_cm=10.5)
    for ax in axes[:-1, -1]:
        ax.sharex(axes[-1, -1])
        ax.tick_params(labelbottom=False)
    set_limits(axes[-1, -1], x)
    axes[-1, -1].set_xlabel(_told(run, along))
    return fig


def _draw_motion(ax: Axes, x: np.ndarray, values: np.ndarray, word: str = "", style=None, fill=True) -> str:
    """The motion or its envelope; what the title says of it."""
    style = style or CYCLE[0]
    found = envelope(x, values)
    if found is None:
        ax.plot(x, values, linewidth=0.8, label=word, **style)
        return ""
    if fill:
        ax.fill_between(found.x, found.low, found.high, color="0.85", linewidth=0.0)
        ax.plot(found.x, 0.5 * (found.low + found.high), color="0.45", linewidth=0.8, linestyle="--")
    for side, told in ((found.high, word), (found.low, None)):
        ax.plot(found.x, side, linewidth=0.9, label=told, **style)
    return ": envelope, and its middle (dashed)"


def _told(run: Run, along: Along) -> str:
    if along == Along.SPEED:
        return f"{LABELS[along]};  acceleration {run.options['acceleration']:g} m/s²"
    return LABELS[along]
