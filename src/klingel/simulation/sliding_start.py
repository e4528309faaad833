"""Kicks onto a flange: nothing holds the wheelset there, it slides down and strikes its rail. A run says so.

A kicked wheelset is put on its rails held in y and yaw, without acceleration in z and roll. On a flange it is let
go instead (`model.standing.let_go`): it falls from the first instant, and the run begins with a blow that has
nothing to do with hunting.
"""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from klingel._errors import visible
from klingel.simulation.request.parts import Placing
from klingel.simulation.run import Run

FALLS = 5.0  # downwards at the first instant; held wheelsets have none [m/s2]
STEEP = 0.7  # angle of a contact that is no tread [rad]
EARLY = 0.1  # the blow falls in this time [s]
KICKS = ("y", "yaw", "y_dot", "yaw_dot")


class Sliding(NamedTuple):
    wheelset: str
    wheel: str  # on its flange
    falls: float  # acceleration downwards [m/s2]
    largest: float  # Q of either wheel in the first rows [N]

    def told(self) -> str:
        side = self.wheel.rpartition(".")[2]
        return (
            f"{visible(self.wheelset, 60)} starts on its {side} flange and falls onto the rail "
            f"with {self.falls:.2g} m/s2 (Q up to {1e-3 * self.largest:.0f} kN in the rows kept of the first "
            f"{EARLY:g} s); a smaller kick stays on the tread"
        )


def sliding_starts(run: Run) -> list[Sliding]:
    """Wheelsets that the kicks of this run put on a flange; none where forces and accelerations were not kept."""
    start = run.request.start
    if not isinstance(start.initial, Mapping) or start.placing == Placing.BARE or not run.time.size:
        return []
    kicked = dict.fromkeys(
        name.rpartition(".")[0]
        for name, value in start.initial.items()
        if value != 0.0 and name.rpartition(".")[2] in KICKS
    )
    found = []
    for wheelset in kicked:
        fall = f"{wheelset}.z_ddot"
        if fall not in run or -run.values(fall)[0] < FALLS:
            continue
        wheels = [f"{wheelset}.{side}" for side in ("left", "right")]
        steep = [wheel for wheel in wheels if _on_flange(run, wheel)]
        if steep:
            early = run.time <= run.time[0] + EARLY
            largest = max(float(run.values(f"{wheel}.Q")[early].max()) for wheel in wheels if f"{wheel}.Q" in run)
            found.append(Sliding(wheelset, steep[0], float(-run.values(fall)[0]), largest))
    return found


def _on_flange(run: Run, wheel: str) -> bool:
    """Whether one of its contacts presses at a steep angle in the first row."""
    for contact in (wheel, f"{wheel}.second"):
        force, angle = f"{contact}.normal_force", f"{contact}.contact_angle"
        if force in run and angle in run and f"{wheel}.Q" in run:
            first = float(np.nan_to_num(run.values(force)[0])), float(np.nan_to_num(run.values(angle)[0]))
            if first[0] > 0.0 and abs(first[1]) > STEEP:
                return True
    return False
