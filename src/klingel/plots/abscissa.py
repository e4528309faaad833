"""What a run is drawn over: time, speed or distance; and the part of it that is shown.

With a prescribed acceleration a the speed is V + a t and the distance V t + a t²/2; a run that stores its distance
is believed.
"""

from enum import StrEnum

import numpy as np
from matplotlib.axes import Axes

from klingel._errors import InputError
from klingel.simulation.run import Run

Window = tuple[float, float]  # [s]


class Along(StrEnum):
    TIME = "time"
    SPEED = "speed"
    DISTANCE = "distance"


LABELS = {Along.TIME: "time [s]", Along.SPEED: "speed [m/s]", Along.DISTANCE: "distance [m]"}


def inside(run: Run, window: Window | None) -> np.ndarray:
    """Rows of the window, all without one."""
    t = run.time
    if t.size < 2:
        raise InputError("run", f"{t.size} rows", "must have at least two rows to be drawn")
    start, end = window or (float(t[0]), float(t[-1]))
    rows = (t >= start) & (t <= end)
    if rows.sum() < 2:
        allowed = f"must hold at least two rows of the run, which lasts from {t[0]:g} to {t[-1]:g} s"
        raise InputError("window", f"{start:g} to {end:g} s", allowed)
    return rows


def usual(run: Run) -> Along:
    """Speed if it changes, otherwise time."""
    return Along.SPEED if run.options["acceleration"] != 0.0 else Along.TIME


def abscissa(run: Run, along: Along) -> np.ndarray:
    t, speed, acceleration = run.time, run.options["speed"], run.options["acceleration"]
    if along == Along.SPEED:
        if acceleration == 0.0:
            raise InputError("along", "speed", "must be time or distance: the speed of this run is constant")
        return speed + acceleration * t
    if along == Along.TIME:
        return t
    if "distance" in run.data:
        return run["distance"].to_numpy()
    return speed * t + 0.5 * acceleration * t**2


def set_limits(ax: Axes, x: np.ndarray) -> None:
    """From the first to the last row, to the left if the speed falls."""
    ax.set_xlim(float(x[0]), float(x[-1]))
