"""Pictures of contact tables: columns over the lateral shift, load transfer at the jumps.

After figures 2.18 to 2.21 of Hoffmann (2006); figure 2.16 is in `klingel.plots.contact`.
"""

from collections.abc import Callable, Sequence

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from klingel.contact.geometry import Hand
from klingel.contact.loaded import Transfer
from klingel.contact.table import Column, ContactTable
from klingel.plots.style import CYCLE, figure, legend

MM = 1e3
SHIFT = "lateral shift of the wheelset [mm]"


PANELS: tuple[tuple[Column, str, Callable[[np.ndarray], np.ndarray]], ...] = (
    (Column.ANGLE, "contact angle [rad]", lambda v: v),
    (Column.WHEEL_Y, "contact point on the wheel,\nlateral [mm]", lambda v: MM * v),
    (Column.WHEEL_Z, "contact point on the wheel,\nvertical [mm]", lambda v: MM * v),
    (Column.RATIO, "axis ratio a/b [–]", lambda v: v),
)


def contact_parameters(table: ContactTable, hand: Hand = Hand.LEFT) -> Figure:
    """Contact angle, position on the wheel and axis ratio of one wheel over the lateral shift."""
    side = table.left if hand == Hand.LEFT else table.right
    fig, axes = figure(2, 2, width_cm=17.0, height_cm=13.0, sharex=True)
    for ax, (column, label, scale) in zip(axes.flat, PANELS, strict=True):
        shift, values = table.column(side, column)
        ax.plot(MM * shift, scale(values), color="black", linestyle="-", linewidth=1.2)
        for jump, width in zip(side.jumps, side.overlaps, strict=True):
            if width > 0.0:
                ax.axvline(MM * jump, color="0.6", linewidth=0.6, linestyle="--")
        ax.set_ylabel(label)
    for ax in axes[1]:
        ax.set_xlabel(SHIFT)
    fig.align_ylabels(axes[:, 0])
    fig.align_ylabels(axes[:, 1])
    return fig


def load_transfer(transfers: Sequence[Transfer], loads: Sequence[float]) -> Figure:
    """Share of the patch behind each jump over the distance from it; a panel per jump, a line per load."""
    fig, axes = figure(1, len(transfers), width_cm=17.0, height_cm=7.5, sharey=True, squeeze=False)
    for ax, transfer in zip(axes[0], transfers, strict=True):
        low, high = transfer.reach(max(loads))
        shifts = np.linspace(low - 0.1 * (high - low), high + 0.1 * (high - low), 400)
        for load, style in zip(loads, CYCLE, strict=False):
            share = transfer.shares(shifts, load)[:, 1]
            ax.plot(MM * (shifts - transfer.shift), share, **style, linewidth=1.2, label=f"{load / 1e3:g} kN")
        ax.xaxis.set_major_locator(MaxNLocator(4))
        ax.set_xlabel("shift beyond the jump [mm]")
        ax.set_title(f"jump at {MM * transfer.shift:.2f} mm")
    axes[0, 0].set_ylabel("share of the load behind the jump [–]")
    legend(axes[0, 0], loc="lower right")
    return fig
