"""What happens at the jumps of a contact table: Hoffmann (2006), figures 2.22 and 2.23.

Above each jump the contact angle of both sections, continued into the overlap by the outer cubics as a
simulation does; below how the load passes from one contact point to the other.
"""

import numpy as np
from matplotlib.figure import Figure

from klingel._errors import InputError
from klingel.contact.table.contact_table import ContactTable
from klingel.contact.table.wheel_table import ROW, Row, compile_side, evaluate, upper_weight
from klingel.plots.style import CYCLE, SMALL_SIZE, figure

MM = 1e3
MOST = 4  # jumps shown, those next to the track centre
AROUND = 3.0  # half widths of the overlap shown to both sides


def draw_overlaps(table: ContactTable) -> Figure:
    """A column per jump of the left wheel."""
    side = table.left
    wide = np.flatnonzero(side.reach > 0.0)
    if not wide.size:
        raise InputError("table", table.conditions.wheel, "must have a jump with an overlap")
    jumps = np.sort(wide[np.argsort(np.abs(side.jumps[wide]))[:MOST]])
    wheel = compile_side(side, table.conditions.shear_modulus)
    fig, axes = figure(
        2, len(jumps), width_cm=17.0, height_cm=10.5, squeeze=False, sharex="col"
    )  # fmt: skip
    for (above, below), k in zip(axes.T, jumps, strict=True):
        jump, reach = side.jumps[k], side.reach[k]
        shifts = np.linspace(jump - AROUND * reach, jump + AROUND * reach, 301)
        for section, style in zip((k, k + 1), CYCLE, strict=False):
            inside = shifts <= jump + reach if section == k else shifts >= jump - reach
            above.plot(MM * shifts[inside], _angles(wheel, section, shifts[inside]), linewidth=1.2, **style)
            upper = np.array([upper_weight(wheel, 2 * k + 1, shift) for shift in shifts])
            share = 1.0 - upper if section == k else upper
            told = f"contact {'before' if section == k else 'behind'} the jump"
            below.plot(MM * shifts, share, linewidth=1.2, label=told, **style)
        for ax in (above, below):
            ax.axvspan(MM * (jump - reach), MM * (jump + reach), color="0.9", zorder=0.5)
            ax.locator_params(axis="x", nbins=4)
        above.set_title(f"jump at {MM * jump:.2f} mm")
        below.set_xlabel("lateral shift [mm]")
    axes[0, 0].set_ylabel("contact angle [mrad]")
    axes[1, 0].set_ylabel("share of the load [–]")
    handles, words = axes[1, 0].get_legend_handles_labels()
    fig.legend(handles, words, loc="outside upper left", ncols=2, fontsize=SMALL_SIZE, frameon=False)
    return fig


def _angles(wheel, section: int, shifts: np.ndarray) -> np.ndarray:
    """Of one section, NaN where it cannot be continued [mrad]."""
    row = np.zeros(ROW)
    found = []
    for shift in shifts:
        known = evaluate(wheel, section, shift, ROW, row)
        found.append(MM * np.arctan2(row[Row.SIN], row[Row.COS]) if known else np.nan)
    return np.array(found)
