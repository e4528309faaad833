"""Klingel's estimate of the wheelsets' frequency over speed beside the yaw frequency of the carbody.

Where a line crosses the level, wheelsets excite yaw: Hoffmann (2006), figure 5.4.
"""

import numpy as np
from matplotlib.figure import Figure

from klingel._errors import InputError
from klingel.io.units import parse_quantity
from klingel.model.description import Vehicle
from klingel.plots.captions import inclination_word
from klingel.plots.style import CYCLE, SMALL_SIZE, TEXT_SIZE, figure, legend
from klingel.simulation.resonance import AMPLITUDE, suspended, wheelset_frequency, yaw_frequency

INCLINATIONS = ("1/20", "1/30", "1/40")
FASTEST = 60.0  # [m/s]
RAIL, GAUGE = "UIC60", 1.435


def draw_resonance(vehicle: Vehicle, quantities=()) -> Figure:
    """Quantities are inclinations of the rails, UIC60 at 1435 mm; by default 1/20, 1/30 and 1/40."""
    if not vehicle.wheelsets:
        raise InputError("vehicle", vehicle.name, "must have wheels with a profile")
    level = yaw_frequency(vehicle)
    fig, ax = figure(width_cm=13.0, height_cm=8.5)
    body = suspended(vehicle).name
    ax.axhline(level, color="0.4", linewidth=1.6)
    ax.annotate(
        f"yaw of the {body}, {level:.2f} Hz", (0.4, level), (0, 3), ("axes fraction", "data"), "offset points",
        fontsize=SMALL_SIZE,
    )  # fmt: skip
    speeds = np.array([0.0, FASTEST])
    crossings = []
    for text, style in zip(quantities or INCLINATIONS, CYCLE, strict=False):
        inclination = parse_quantity(text, "quantity", "number")
        rate = wheelset_frequency(vehicle.wheelsets[0], RAIL, inclination, GAUGE)
        crossings.append(level / rate)
        told = f"wheelsets, {inclination_word(inclination)}: {level / rate:.1f} m/s"
        ax.plot(speeds, rate * speeds, linewidth=1.2, label=told, **style)
        ax.plot(level / rate, level, "o", color=style["color"], markersize=4.5)
    ax.set_xlim(0.0, max(FASTEST, 1.05 * max(crossings)))
    ax.set_ylim(0.0, 3.0 * level)
    ax.set_xlabel("speed [m/s]")
    ax.set_ylabel("frequency [Hz]")
    ax.set_title(
        f"{vehicle.name}, conicity at {1e3 * AMPLITUDE:g} mm, links at 10 mm", loc="left", fontsize=TEXT_SIZE
    )
    legend(ax, loc="upper left")
    return fig
