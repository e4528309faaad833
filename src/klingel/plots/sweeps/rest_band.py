"""The set of rest states as a band: what friction can hold, computed, not met by chance.

Over a parameter that does not change it (the speed, on straight track) it is a strip through the whole diagram.
Where a diagram shows sizes or amplitudes it reaches from zero to the farthest rest.
"""

from collections.abc import Sequence
from math import isfinite
from typing import Any

from matplotlib.axes import Axes
from matplotlib.patches import Patch

from klingel._errors import InputError
from klingel.simulation.resting.rest_set import StoredRestSet

MILLI = 1e3
STYLE: dict[str, Any] = {
    "facecolor": "#56B4E9",
    "alpha": 0.28,
    "edgecolor": "#0072B2",
    "hatch": "///",
    "linewidth": 0.8,
}
LABEL = "rest set"
SPEED = "speed"


def apart(others: Sequence[Any], parameter: str) -> tuple[list[Any], list[StoredRestSet]]:
    """Rest sets among what is drawn beside a sweep or branch."""
    sets = [other for other in others if isinstance(other, StoredRestSet)]
    if sets and parameter != SPEED:
        allowed = f"must be left out of a diagram over {parameter}: it belongs to one vehicle, at any speed"
        raise InputError("with", "a rest set", allowed)
    return [other for other in others if not isinstance(other, StoredRestSet)], sets


def draw_set(ax: Axes, sets: Sequence[StoredRestSet], name: str, size: bool = False) -> list[Patch]:
    """Band of a coordinate; what it is called."""
    drawn = False
    for found in sets:
        low, high = found.extent.get(name, (float("inf"), float("inf")))
        if not (isfinite(low) and isfinite(high)):
            continue
        ends = (0.0, max(abs(low), abs(high))) if size else (low, high)
        before = ax.get_ylim()
        ax.axhspan(MILLI * ends[0], MILLI * ends[1], zorder=0.6, **STYLE)
        ax.set_ylim(min(before[0], 1.05 * MILLI * ends[0]), max(before[1], 1.05 * MILLI * ends[1]))
        drawn = True
    return [Patch(label=LABEL, **STYLE)] if drawn else []
