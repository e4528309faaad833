"""Wheels in the air: lifting off is inside the contact law, no event, and is counted afterwards.

A wheel is off where both of its normal forces are zero. One lift-off is counted for every unbroken series of rows
in the air; what begins and ends between two rows of output is not seen. With `output_step=None`, a row for every
step, nothing longer than a step is missed.
"""

import numpy as np

from klingel.simulation.run import Run


def in_the_air(run: Run, wheel: str) -> np.ndarray:
    """Rows in which the wheel does not touch its rail."""
    if f"{wheel}.normal_force" not in run:  # of a file with the usual quantities only
        return run.values(f"{wheel}.Q") == 0.0
    load = np.zeros(run.time.size)
    for contact in (wheel, f"{wheel}.second"):
        name = f"{contact}.normal_force"
        if name in run:
            load = load + np.nan_to_num(run.values(name))
    return load <= 0.0


def lift_offs(run: Run) -> dict[str, int]:
    """How often each wheel left its rail; conical wheelsets, which cannot, are left out."""
    wheels = [w for w in run.names["wheels"] if f"{w}.Q" in run or f"{w}.normal_force" in run]
    rises = {wheel: np.diff(in_the_air(run, wheel).astype(int), prepend=0) > 0 for wheel in wheels}
    return {wheel: int(np.count_nonzero(rise)) for wheel, rise in rises.items()}
