"""Suspension characteristics of a vehicle: force over deformation of each kind of element, moved to and fro.

Two amplitudes each: friction dissipates less, and stiffens, when the motion is small. Hoffmann (2006), figures
2.32, 2.33, 2.49, and what figures 5.36 to 5.39 show of it in motion.
"""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from klingel._errors import InputError
from klingel.elements.leaf_spring_envelope import envelope_along
from klingel.model.description import Vehicle
from klingel.model.kinds.registry import of
from klingel.plots.style import COLOURS, DASHES, TEXT_SIZE, figure, legend_above, text_width, wrapped
from klingel.simulation.characteristics import Whole, closed, loop, reach, rigid_at, wholes

COLUMNS = 2
WIDEST = 150.0  # places named above a panel [pt]
PANEL_PT = 185.0  # width of a panel [pt]


def draw_suspension(vehicle: Vehicle, quantities=()) -> Figure:
    """One panel per kind of element; equal ones of several corners once. Quantities are names like link_y."""
    known = wholes(vehicle)
    shown = [whole for whole in known if not quantities or whole.name in quantities or _at(whole, quantities)]
    if not shown:
        names = dict.fromkeys(whole.name for whole in known)
        given = ", ".join(quantities) or vehicle.name
        raise InputError("quantity", given, f"must be among {', '.join(names) or 'elements, which it has not'}")
    columns = min(len(shown), COLUMNS)
    rows = -(-len(shown) // columns)
    fig, axes = figure(rows, columns, width_cm=8.5 * columns, height_cm=6.4 * rows, squeeze=False)
    for ax, whole in zip(axes.flat, shown, strict=False):
        _draw_one(ax, whole, _places(whole, known, len(vehicle.connections)))
    for ax in axes.flat[len(shown) :]:
        ax.remove()
    return fig


def _at(whole: Whole, quantities) -> bool:
    return any(f"{connection}.{whole.name}" in quantities for connection in whole.connections)


def _draw_one(ax: Axes, whole: Whole, places: str) -> None:
    size = reach(whole)
    unit, turning = ("mrad", "kNm") if whole.rotates else ("mm", "kN")
    middle = 0.0
    if whole.leaf is not None:
        middle = whole.leaf.second_leaf if np.isfinite(whole.leaf.second_leaf) else 3.0 * size
        _draw_envelopes(ax, whole, middle + 1.3 * size)
    for amplitude, colour, dash in ((size, COLOURS[0], DASHES[0]), (0.4 * size, COLOURS[2], DASHES[1])):
        u, force = loop(whole, amplitude, middle)
        last = closed(u)
        told = f"±{1e3 * amplitude:.3g} {unit}"
        ax.plot(1e3 * u[last], 1e-3 * force[last], linestyle=dash, color=colour, linewidth=1.1, label=told)
        if _without_memory(ax, whole):
            break
    else:
        legend_above(ax, 3, handlelength=1.6)
    title = wrapped(f"{whole.name.replace('_', ' ')}, {places}", PANEL_PT, TEXT_SIZE)
    ax.set_title(title, pad=None if _plain(whole) else 16)
    ax.set_xlabel(f"{'compression' if whole.leaf is not None else 'deformation'} [{unit}]")
    ax.set_ylabel(f"force [{turning}]" if not whole.rotates else f"moment [{turning}]")


def _draw_envelopes(ax: Axes, whole: Whole, end: float) -> None:
    spring = whole.leaf
    if spring is None:
        return
    z = np.linspace(0.0, end, 200)
    for direction in (1.0, -1.0):
        told = "envelopes" if direction > 0.0 else None
        line = envelope_along(spring, z, direction)
        ax.plot(1e3 * z, 1e-3 * line, linestyle="-", color="0.7", linewidth=0.8, label=told)


def _without_memory(ax: Axes, whole: Whole) -> bool:
    """One stroke tells all; the rigid walls of a guide are drawn here."""
    for law in whole.laws:
        for wall in rigid_at(law):
            ax.axvline(1e3 * wall, color=COLOURS[0], linewidth=2.0)
            ax.set_ylim(-1.0, 1.0)
    return _plain(whole)


def _plain(whole: Whole) -> bool:
    """Force and deformation go along one line."""
    return not any(of(law).ABOUT.memory for law in whole.laws)


def _places(whole: Whole, known: Sequence[Whole], corners: int) -> str:
    """Where it is found, in words that fit above a panel."""
    at = len(whole.connections)
    if at == corners > 1:
        return f"all {corners} corners"
    alike = sum(len(other.connections) for other in known if other.name == whole.name)
    if at == alike > 2:
        return f"all {at} of them"
    named = ", ".join(name.replace("_", " ") for name in whole.connections)
    if text_width(named, TEXT_SIZE) < WIDEST:
        return named
    first = whole.connections[0].replace("_", " ")
    return f"{first} and {at - 1} more"
