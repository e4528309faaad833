"""Pictures of contact tables: columns over the lateral shift, load transfer at the jumps.

After figures 2.18 to 2.21 of Hoffmann (2006); figure 2.16 is in `klingel.plots.wheel_rail.contact`.
"""

from collections.abc import Callable, Sequence

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from klingel._errors import InputError
from klingel.contact.geometry.loaded import Transfer
from klingel.contact.geometry.wheelset_on_track import Hand
from klingel.contact.table.contact_table import Column, ContactTable
from klingel.plots.style import CYCLE, figure, legend
from klingel.plots.wheel_rail.overlap import draw_overlaps

MM = 1e3
SHIFT = "lateral shift of the wheelset [mm]"
PER_ROW = 3  # panels of the load transfer side by side


PANELS: tuple[tuple[Column, str, Callable[[np.ndarray], np.ndarray]], ...] = (
    (Column.ANGLE, "contact angle [rad]", lambda v: v),
    (Column.RATIO, "axis ratio a/b [–]", lambda v: v),
    (Column.WHEEL_Y, "point on the wheel,\nlateral [mm]", lambda v: MM * v),
    (Column.RAIL_Y, "point on the rail,\nlateral [mm]", lambda v: MM * v),
    (Column.WHEEL_Z, "point on the wheel,\nvertical [mm]", lambda v: MM * v),
    (Column.RAIL_Z, "point on the rail,\nvertical [mm]", lambda v: MM * v),
)


def draw_table(table: ContactTable, quantities: Sequence[str] = ()) -> Figure:
    """Columns of the table, or with the choice `overlap` what happens at its jumps."""
    if list(quantities) == ["overlap"]:
        return draw_overlaps(table)
    if quantities:
        raise InputError("quantity", ", ".join(quantities), "must be overlap, or not given")
    return contact_parameters(table)


def contact_parameters(table: ContactTable, hand: Hand = Hand.LEFT) -> Figure:
    """Contact angle, axis ratio and the points on wheel and rail of one side over the lateral shift."""
    side = table.left if hand == Hand.LEFT else table.right
    fig, axes = figure(3, 2, width_cm=17.0, height_cm=17.0, sharex=True)
    for ax, (column, label, scale) in zip(axes.flat, PANELS, strict=True):
        shift, values = table.column(side, column)
        ax.plot(MM * shift, scale(values), color="black", linestyle="-", linewidth=1.2)
        for jump, width in zip(side.jumps, side.overlaps, strict=True):
            if width > 0.0:
                ax.axvline(MM * jump, color="0.6", linewidth=0.6, linestyle="--", zorder=1.9)
        ax.set_ylabel(label)
    for ax in axes[-1]:
        ax.set_xlabel(SHIFT)
    fig.align_ylabels(axes[:, 0])
    fig.align_ylabels(axes[:, 1])
    return fig


def load_transfer(transfers: Sequence[Transfer], loads: Sequence[float]) -> Figure:
    """Share of the patch behind each jump over the distance from it; a panel per jump, a line per load."""
    columns = min(len(transfers), PER_ROW)
    rows = -(-len(transfers) // columns)
    fig, axes = figure(rows, columns, width_cm=17.0, height_cm=7.5 * rows, sharey=True, squeeze=False)
    for unused in axes.flat[len(transfers) :]:
        unused.remove()
    for ax, transfer in zip(axes.flat, transfers, strict=False):
        low, high = transfer.reach(max(loads))
        shifts = np.linspace(low - 0.1 * (high - low), high + 0.1 * (high - low), 400)
        for load, style in zip(loads, CYCLE, strict=False):
            share = transfer.shares(shifts, load)[:, 1]
            ax.plot(MM * (shifts - transfer.shift), share, **style, linewidth=1.2, label=f"{load / 1e3:g} kN")
        ax.xaxis.set_major_locator(MaxNLocator(4))
        ax.set_xlabel("shift beyond the jump [mm]")
        ax.set_title(f"jump at {MM * transfer.shift:.2f} mm")
    for ax in axes[:, 0]:
        ax.set_ylabel("share of the load behind the jump [–]")
    legend(axes[0, 0], loc="lower right")
    return fig
