"""Pictures of contact tables: contact points between the profiles, and columns over the lateral shift.

After figures 2.16 and 2.18 to 2.21 of Hoffmann (2006).
"""

from collections.abc import Callable, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from klingel.contact.curve import sample
from klingel.contact.geometry import Hand, WheelsetOnTrack
from klingel.contact.loaded import Transfer
from klingel.contact.pieces import Pieces
from klingel.contact.sections import Sections
from klingel.contact.table import Column, ContactTable
from klingel.plots.style import CYCLE, SMALL_SIZE, figure, legend

MM = 1e3
LIFT = 25.0  # of the wheel above the rail in the picture of the contact points [mm]
LINE_EVERY = 0.2  # least difference of shift between two lines there [mm]
LABEL_WIDTH = 2.6  # of a number there [mm]
SHIFT = "lateral shift of the wheelset [mm]"


def _curve(pieces: Pieces, points_per_piece: int = 120) -> np.ndarray:
    rows = np.empty((len(pieces) * points_per_piece + 1, 6))
    sample(pieces, np.linspace(0.0, len(pieces), len(rows)), rows)
    return rows[:, :2]


def contact_points(wheelset: WheelsetOnTrack, table: ContactTable, hand: Hand = Hand.LEFT) -> Figure:
    """Wheel and rail apart, the contact points of every shift joined; whole millimetres are numbered."""
    side = wheelset.left if hand == Hand.LEFT else wheelset.right
    sections = table.left if hand == Hand.LEFT else table.right
    sign = 1.0 if hand == Hand.LEFT else -1.0
    wheel, rail = _curve(side.wheel), _curve(side.rail)
    r0 = table.conditions.radius
    fig, ax = figure(width_cm=16.0, height_cm=8.8)
    ax.plot(
        sign * MM * wheel[:, 0], MM * (r0 - wheel[:, 1]) + LIFT, color="black", linestyle="-", linewidth=1.4
    )
    ax.plot(sign * MM * rail[:, 0], MM * rail[:, 1], color="black", linestyle="-", linewidth=1.4)
    for part in sections.parts:
        for row in part.values[:: max(1, round(LINE_EVERY / MM / part.step))]:
            ends = ([MM * row[Column.WHEEL_Y], MM * row[Column.RAIL_Y]],
                    [MM * (row[Column.WHEEL_Z] + r0) + LIFT, MM * row[Column.RAIL_Z]])  # fmt: skip
            ax.plot(*ends, color="0.55", linestyle="-", linewidth=0.5)
    _number_shifts(ax, sections, r0)
    ax.set_aspect("equal")
    low, high = sorted(sign * MM * np.array([rail[0, 0] - 0.02, rail[-1, 0] + 0.01]))
    ax.set_xlim(low, high)
    ax.set_ylim(-17.0, LIFT + 7.0)
    ax.set_xlabel("lateral position from the track centre [mm]")
    ax.set_ylabel(f"height; wheel raised by {LIFT:g} mm [mm]")
    c = table.conditions
    ax.set_title(f"{c.wheel} on {c.rail}, inclination 1/{1 / c.inclination:.0f}, {hand.name.lower()} wheel"
                 if c.inclination else f"{c.wheel} on {c.rail}, {hand.name.lower()} wheel")  # fmt: skip
    return fig


def _number_shifts(ax: Axes, sections: Sections, r0: float) -> None:
    """The shift in millimetres above the wheel, unless the label before is too close."""
    last = None
    for shift in np.arange(np.ceil(MM * sections.low), np.floor(MM * sections.high) + 0.5):
        k = int(np.searchsorted(sections.jumps, shift / MM))
        part = sections.parts[k]
        y = MM * np.interp(shift / MM, part.shift, part.values[:, Column.WHEEL_Y])
        z = MM * (np.interp(shift / MM, part.shift, part.values[:, Column.WHEEL_Z]) + r0)
        angle = np.interp(shift / MM, part.shift, part.values[:, Column.ANGLE])
        if last is None or abs(y - last) > LABEL_WIDTH:
            side = "center" if abs(angle) < 0.5 else "right" if angle > 0.0 else "left"  # away from a flange
            ax.text(y, z + LIFT + 0.8, f"{shift:.0f}", fontsize=SMALL_SIZE - 2.5, ha=side, va="bottom")
            last = y


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


def radius_difference(
    without_roll: tuple[np.ndarray, np.ndarray],
    with_roll: tuple[np.ndarray, np.ndarray],
    amplitudes: np.ndarray,
    conicity: np.ndarray,
    conicity_with_roll: np.ndarray,
) -> Figure:
    """Rolling radius difference (shift and value [m]) and equivalent conicity over the amplitude."""
    fig, (left, right) = figure(1, 2, width_cm=17.0, height_cm=7.5)
    labels = ("without roll (EN 15302)", "with roll")
    for (shift, value), style, label in zip((without_roll, with_roll), CYCLE[:2], labels, strict=True):
        left.plot(MM * shift, MM * value, **style, linewidth=1.3, label=label)
    for value, style, label in zip((conicity, conicity_with_roll), CYCLE[:2], labels, strict=True):
        right.plot(MM * amplitudes, value, **style, linewidth=1.3, label=label)
    left.set_xlabel(SHIFT)
    left.set_ylabel("rolling radius difference [mm]")
    right.set_xlabel("amplitude [mm]")
    right.set_ylabel("equivalent conicity [–]")
    right.set_ylim(bottom=0.0)
    legend(left)
    legend(right)
    return fig


def load_transfer(transfers: Sequence[Transfer], loads: Sequence[float]) -> Figure:
    """Share of the patch behind each jump over the distance from it; a panel per jump, a line per load."""
    fig, axes = figure(1, len(transfers), width_cm=17.0, height_cm=6.5, sharey=True, squeeze=False)
    for ax, transfer in zip(axes[0], transfers, strict=True):
        low, high = transfer.reach(max(loads))
        shifts = np.linspace(low - 0.1 * (high - low), high + 0.1 * (high - low), 400)
        for load, style in zip(loads, CYCLE, strict=False):
            share = transfer.shares(shifts, load)[:, 1]
            ax.plot(MM * (shifts - transfer.shift), share, **style, linewidth=1.2, label=f"{load / 1e3:g} kN")
        ax.set_xlabel("shift beyond the jump [mm]")
        ax.set_title(f"jump at {MM * transfer.shift:.2f} mm")
    axes[0, 0].set_ylabel("share of the load behind the jump [–]")
    legend(axes[0, -1], loc="lower right")
    return fig
