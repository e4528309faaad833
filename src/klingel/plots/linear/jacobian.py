"""Which states of a vehicle depend on which: entries of its linearisation (Hoffmann 2006, figure 3.5).

Rows are rates, columns states; sliders are held stuck. The thesis' pattern has the friction forces as further
states, which here belong to the memory of the elements.
"""

from collections.abc import Collection, Sequence
from itertools import groupby

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from klingel.model.description import Vehicle
from klingel.model.linearise import linearise
from klingel.plots.style import SMALL_SIZE, TEXT_SIZE, figure, text_width
from klingel.simulation.integration import rest_of
from klingel.simulation.setup import put_on_track
from klingel.track.track import Track

SPEED = 20.0  # at which the vehicle is linearised [m/s]
OWN = "own states of elements"
LINE_CM = 0.45  # for the name of a body
NOISE = 10.0  # times its error: what an entry must exceed


def draw_jacobian(vehicle: Vehicle) -> Figure:
    """Marks where an entry is not zero."""
    compiled = put_on_track(vehicle, Track.straight(), SPEED)
    lin = linearise(compiled, rest_of(compiled))
    filled = np.abs(lin.matrix) > NOISE * lin.error + 1e-12
    size = len(lin.states)
    bodies = {body.name for body in vehicle.bodies}
    groups = [(told, len(list(group))) for told, group in groupby(_told(state, bodies) for state in lin.states)]
    names = [told for told, _ in groups]
    side = max(9.5, LINE_CM * len(names))
    beside = max(text_width(name) for name in names) / 72.0 * 2.54
    fig, ax = figure(width_cm=side + beside + 2.5, height_cm=side + 2.0)
    rows, columns = np.nonzero(filled)
    ax.plot(columns + 1, rows + 1, "s", color="black", markersize=min(4.0, 11.0 * side / size))
    ax.set_xlim(0.3, size + 0.7)
    ax.set_ylim(size + 0.7, 0.3)
    ax.set_aspect("equal")
    ax.set_xlabel("state [number]")
    ax.set_ylabel("rate of state [number]")
    ax.set_title(f"{vehicle.name}: {filled.sum()} of {size * size} entries", loc="left", fontsize=TEXT_SIZE)
    _name_groups(ax, groups)
    return fig


def _told(state: str, bodies: Collection[str]) -> str:
    """Its body; elements with states of their own have too few for a line each."""
    owner = state.rpartition(".")[0]
    return f"{owner.replace('_', ' ')}{', rates' if state.endswith('_dot') else ''}" if owner in bodies else OWN


def _name_groups(ax: Axes, groups: Sequence[tuple[str, int]]) -> None:
    """Bodies along the right edge, lines between them."""
    start = 0
    for told, count in groups:
        if start:
            ax.axhline(start + 0.5, color="0.6", linewidth=0.5)
            ax.axvline(start + 0.5, color="0.6", linewidth=0.5)
        ax.annotate(
            told, (1.01, start + 0.5 + 0.5 * count), xycoords=("axes fraction", "data"), va="center",
            fontsize=SMALL_SIZE - 1.0,
        )  # fmt: skip
        start += count
