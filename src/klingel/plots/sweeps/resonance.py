"""Klingel's estimate of the wheelsets' frequency over speed beside the yaw frequency of the carbody.

Where a line crosses the level, wheelsets excite yaw: Hoffmann (2006), figure 5.4.
"""

from itertools import cycle

import numpy as np
from matplotlib.figure import Figure

from klingel._errors import InputError
from klingel.io.units import parse_quantity
from klingel.model.description import Vehicle
from klingel.plots.captions import inclination_word
from klingel.plots.style import CYCLE, TEXT_SIZE, figure, legend_above
from klingel.simulation.resonance import AMPLITUDE, SECANT, suspended, wheelset_frequency, yaw_frequency

INCLINATIONS = ("1/20", "1/30", "1/40")
FASTEST = 60.0  # [m/s]
RAIL, GAUGE = "UIC60", 1.435


def draw_resonance(vehicle: Vehicle, quantities=()) -> Figure:
    """Quantities are inclinations of the rails, UIC60 at 1435 mm; by default 1/20, 1/30 and 1/40."""
    if not vehicle.wheelsets:
        raise InputError("vehicle", vehicle.name, "must have wheels with a profile")
    level = yaw_frequency(vehicle)
    fig, ax = figure(width_cm=13.0, height_cm=9.5)
    body = suspended(vehicle).name.replace("_", " ")
    ax.axhline(level, color="0.4", linewidth=1.6, linestyle="-", label=f"yaw of the {body}: {level:.2f} Hz")
    inclinations = [parse_quantity(text, "quantity", "number") for text in quantities or INCLINATIONS]
    rates = [wheelset_frequency(vehicle.wheelsets[0], RAIL, one, GAUGE) for one in inclinations]
    fastest = max(FASTEST, *(1.05 * level / rate for rate in rates))  # every crossing is on its line
    speeds = np.array([0.0, fastest])
    for inclination, rate, style in zip(inclinations, rates, cycle(CYCLE)):
        told = f"wheelsets, {inclination_word(inclination)}: {level / rate:.1f} m/s"
        ax.plot(speeds, rate * speeds, linewidth=1.2, label=told, **style)
        ax.plot(level / rate, level, "o", color=style["color"], markersize=4.5)
    ax.set_xlim(0.0, fastest)
    ax.set_ylim(0.0, 3.0 * level)
    ax.set_xlabel("speed [m/s]")
    ax.set_ylabel("frequency [Hz]")
    ax.set_title(
        f"{vehicle.name}, conicity at {1e3 * AMPLITUDE:g} mm, suspension at {1e3 * SECANT:g} mm", loc="left",
        fontsize=TEXT_SIZE, pad=26,
    )  # fmt: skip
    legend_above(ax, 2, 11.0)
    return fig
