"""Wheel and rail in contact for the browser: profiles, and for every lateral shift where they touch.

The page draws and moves all of it by itself from this one answer. Track frame: y to the left, z up from the rail
tops, millimetres and degrees.
"""

from typing import Any

import numpy as np

from klingel._errors import InputError
from klingel.contact.geometry.conicity import characteristics, conicity_over
from klingel.contact.geometry.wheelset_on_track import Hand, Roll, SideContacts, WheelsetOnTrack
from klingel.contact.profiles.profile import Body, Profile
from klingel.contact.table.build import shift_range
from klingel.io.contact.cache import wheelset_on_track

SHIFTS = 401
PER_PIECE = 24  # points of a drawn piece
MOST = 1500  # points of a drawn profile
AMPLITUDES = np.arange(0.0005, 0.0081, 0.0005)  # of the conicity [m]
SECOND = 1e-5  # gap below which a second point is shown as touching [m]


def contact(wheel: str, rail: str, inclination: float, gauge: float, radius: float, back: float) -> dict[str, Any]:
    """A wheelset on its track over the whole range of lateral shifts."""
    placed = wheelset_on_track(wheel, rail, inclination, gauge, radius, back)
    low, high = shift_range(placed)
    shifts = np.linspace(low, high, SHIFTS)
    found = placed.at(shifts)
    jumps = placed.jumps(low, high)
    return {
        "wheel": wheel,
        "rail": rail,
        "radius": 1e3 * radius,
        "arm": 1e3 * placed.wheels.arm,
        "profiles": {
            "left": _profiles(placed.left, 1.0),
            "right": _profiles(placed.right, -1.0),
        },
        "shift": _mm(shifts),
        "roll": found.roll.tolist(),
        "height": _mm(found.height),
        "left": _side(found.left),
        "right": _side(found.right),
        "difference": _mm(found.rolling_radius_difference),
        "jumps": [
            {"shift": 1e3 * jump.shift, "side": "left" if jump.hand == Hand.LEFT else "right",
             "way": 1e3 * abs(float(jump.after.rail_y - jump.before.rail_y))}
            for jump in jumps
        ],
        "conicity": _conicity(placed, high),
    }  # fmt: skip


def _mm(values: Any) -> list[float]:
    return np.round(1e3 * np.asarray(values, float), 6).tolist()


def _side(side: SideContacts) -> dict[str, Any]:
    first: Any = side.first
    second: Any = side.points[:, 1]
    touches = np.nan_to_num(second.gap, nan=1.0) < SECOND
    return {
        "y": _mm(first.rail_y), "z": _mm(first.rail_z), "radius": _mm(first.radius),
        "angle": np.round(np.degrees(first.angle), 5).tolist(), "on_wheel": _mm(first.wheel_y),
        "second_y": [float(1e3 * y) if t else None for y, t in zip(second.rail_y, touches, strict=True)],
        "second_z": [float(1e3 * z) if t else None for z, t in zip(second.rail_z, touches, strict=True)],
    }  # fmt: skip


def _profiles(side: Any, sign: float) -> dict[str, Any]:
    """Wheel in the frame of the axle (y, and radius downwards), rail in that of the track [mm]."""
    found = {}
    for name, pieces, up in (("wheel", side.wheel, -1.0), ("rail", side.rail, 1.0)):
        fine = min(PER_PIECE, max(2, MOST // len(pieces)))
        t = (np.arange(len(pieces))[:, None] + np.linspace(0.0, 1.0, fine, endpoint=False)).ravel()
        rows = Profile("", Body.RAIL, pieces).sample(np.append(t, len(pieces)))
        found[name] = [_mm(sign * rows[:, 0]), _mm(up * rows[:, 1])]
    return found


def _conicity(placed: WheelsetOnTrack, high: float) -> dict[str, list[Any]]:
    sizes = [float(a) for a in AMPLITUDES if a < high - 1e-3]
    values: list[float | None] = []
    try:
        known = characteristics(placed, max(sizes) + 5e-4, Roll.NONE)
        values = [float(v) if np.isfinite(v) else None for v in conicity_over(known, np.array(sizes))]
    except InputError:
        values = [None] * len(sizes)
    return {"amplitude": [1e3 * a for a in sizes], "conicity": values}
