"""What `klingel contact` computes and writes: contact table, jumps, conicity, pictures."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import isfinite
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from klingel._errors import InputError
from klingel.contact.geometry.conicity import (
    Characteristics,
    characteristics,
    conicity_over,
    harmonic_conicity,
    turning_shifts,
)
from klingel.contact.geometry.loaded import Transfer, loaded_overlaps, transfers
from klingel.contact.geometry.wheelset_on_track import Hand, Jump, Roll, WheelsetOnTrack
from klingel.contact.table.build import WIDEST, Grid
from klingel.contact.table.contact_table import Conditions, ContactTable
from klingel.io.contact.cache import cached_table
from klingel.io.contact.tables import save_table
from klingel.plots.style import save
from klingel.plots.wheel_rail import contact as geometry_pictures
from klingel.plots.wheel_rail import contact_table as pictures

REACH = 0.0005  # by which the characteristics go beyond the largest amplitude [m]
LINES = 101  # shifts for which contact points are joined
OFF_CENTRE = 1e-5  # of the middle of a motion: less is the rounding of tables [m]
NOT_STEERED = (
    "nowhere within these shifts do the rolling radii bring the wheelset back (hollow wheels); "
    "larger --amplitudes look farther to the sides"
)
CURVE_END = 0.007  # largest amplitude of the drawn conicity [m]


@dataclass(frozen=True)
class ContactStudy:
    wheelset: WheelsetOnTrack
    table: ContactTable
    jumps: tuple[Jump, ...]
    amplitudes: tuple[float, ...]  # [m]
    without_roll: Characteristics
    with_roll: Characteristics
    transfers: tuple[Transfer, ...] = ()  # at the jumps, if loaded
    loaded: float | None = None  # wheel load [N]

    def conicity(self, known: Characteristics, amplitude: float) -> float | None:
        """Of the kinematic motion; None where no motion has this amplitude, as in the middle of hollow wheels."""
        value = float(conicity_over(known, amplitude)[0])
        return value if isfinite(value) else None

    def remarks(self) -> list[str]:
        """What a reader of the conicities should know, one line each."""
        found = []
        for amplitude in self.amplitudes:
            for known, case in ((self.without_roll, ""), (self.with_roll, " with roll")):
                found += _remark(known, amplitude, case, _symmetric(self.wheelset))
        return found

    def radius_difference(self, amplitude: float) -> float:
        """Left minus right rolling radius at a shift of `amplitude`, without roll [m]."""
        return float(self.wheelset.at([amplitude], roll=Roll.NONE).rolling_radius_difference[0])

    def as_dict(self, files: Sequence[Path] = ()) -> dict[str, Any]:
        c = self.table.conditions
        return {
            "wheel": c.wheel,
            "rail": c.rail,
            "inclination": c.inclination,
            "gauge": c.gauge,
            "jumps": [jump.shift for jump in self.jumps],
            "conicity": {f"{a:g}": self.conicity(self.without_roll, a) for a in self.amplitudes},
            "conicity_with_roll": {f"{a:g}": self.conicity(self.with_roll, a) for a in self.amplitudes},
            "harmonic_conicity": {
                f"{a:g}": harmonic_conicity(self.without_roll.radius_difference, a) for a in self.amplitudes
            },
            "rolling_radius_difference": {f"{a:g}": self.radius_difference(a) for a in self.amplitudes},
            "sections": len(self.table.left.parts),
            "remarks": self.remarks(),
            "files": [str(path) for path in files],
        }


def study(
    wheelset: WheelsetOnTrack,
    amplitudes: Sequence[float],
    yaw: float = 0.0,
    grid: Grid | None = None,
    loaded: float | None = None,
) -> ContactStudy:
    """Table, jumps and characteristics of a wheelset on its track.

    With the wheel load `loaded` [N] the overlaps are as wide as the transfer between two elastic patches.
    """
    if not amplitudes or min(amplitudes) <= 0.0:
        raise InputError("amplitudes", list(amplitudes), "must be positive lengths")
    if not max(amplitudes) < WIDEST:
        raise InputError("amplitudes", list(amplitudes), f"must be below {WIDEST:g} m: rails are not wider")
    grid, conditions = grid or Grid(), Conditions(yaw=yaw)
    shared: tuple[Transfer, ...] = ()
    jumps = wheelset.jumps(grid.low, grid.high, yaw)
    if loaded is not None:
        if not loaded > 0.0:
            raise InputError("loaded", loaded, "must be a positive wheel load")
        shared = transfers(wheelset, jumps, conditions, grid)
        grid = replace(grid, overlap=loaded_overlaps(shared, loaded))
    table = cached_table(wheelset, conditions, grid)
    reach = _reach(wheelset, max(amplitudes), grid.high)
    known = [characteristics(wheelset, reach, roll) for roll in (Roll.NONE, Roll.SOLVED)]
    return ContactStudy(wheelset, table, jumps, tuple(amplitudes), known[0], known[1], shared, loaded)


def write(result: ContactStudy, folder: Path) -> list[Path]:
    """The table as text and the pictures; returns the files."""
    folder.mkdir(parents=True, exist_ok=True)
    files = [save_table(result.table, folder / "contact-table.txt")]
    low, high = result.table.range
    lines = result.wheelset.at(np.linspace(low, high, LINES), result.table.conditions.yaw)
    named = 1e-3 * np.arange(np.ceil(1e3 * low), np.floor(1e3 * high) + 0.5)
    hands = (Hand.LEFT,) if _symmetric(result.wheelset) else tuple(Hand)
    for hand in hands:
        ending = "" if len(hands) == 1 else f"-{hand.name.lower()}"
        points = geometry_pictures.contact_points(result.wheelset, lines, hand, named)
        files.append(save(points, folder / f"contact-points{ending}.png"))
        columns = pictures.contact_parameters(result.table, hand)
        files.append(save(columns, folder / f"contact-parameters{ending}.png"))
    files.append(save(_conicity_picture(result), folder / "conicity.png"))
    shown = [transfer for transfer in result.transfers if transfer.hand in hands]
    if shown and result.loaded:
        files.append(save(pictures.load_transfer(shown, (result.loaded,)), folder / "load-transfer.png"))
    return files


def _remark(known: Characteristics, amplitude: float, case: str, symmetric: bool) -> list[str]:
    """Motions that a hollow wheel does not have, or has beside the middle only."""
    size = f"{1e3 * amplitude:g} mm"
    try:
        low, high = turning_shifts(known.radius_difference, amplitude)
    except InputError as error:
        why = f"the amplitude {error.allowed}" if error.field == "amplitude" else NOT_STEERED
        return [f"no conicity{case} at {size}: {why}"]
    middle = 0.5 * (low + high)
    if symmetric and abs(middle) > OFF_CENTRE:
        where = f"{1e3 * abs(middle):.2f} mm beside the middle of the track, on either side"
        return [
            f"at {size}{case} the wheelset moves about a place {where}: hollow wheels drive it out of the middle"
        ]
    return []


def _symmetric(wheelset: WheelsetOnTrack) -> bool:
    wheels, rails = wheelset.wheels, wheelset.rails
    return wheels.right is None and rails.right is None and rails.right_inclination is None


def _reach(wheelset: WheelsetOnTrack, amplitude: float, end: float) -> float:
    """Largest shift of a motion; with unequal sides it is not centred, and all of the table is needed [m]."""
    return amplitude + REACH if _symmetric(wheelset) else max(amplitude + REACH, end)


def _conicity_picture(result: ContactStudy) -> Figure:
    end = min(CURVE_END, result.table.range[1] - REACH)
    reach = _reach(result.wheelset, end, result.table.range[1])
    curves = [characteristics(result.wheelset, reach, roll) for roll in (Roll.NONE, Roll.SOLVED)]
    names = ("without roll (EN 15302)", "with roll")
    return geometry_pictures.conicity(list(zip(names, curves, strict=True)), np.linspace(2e-4, end, 120))
