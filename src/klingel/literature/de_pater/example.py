"""Example `de-pater`: the contact geometry of his section 3 with real profiles, and the motion of his wheelset.

Geometry: the contact equations (3-34), their continuation in arclength, and figure 3-4 with the turning points P1,
P2 and the double-contact point P12, here for S1002 wheels on UIC60 rails. The exact planar equations are
followed, checked against the minimum-distance search, and compared with his first-order ones.

Motion (sections 4 to 9): `literature.de_pater.report`.
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from klingel._errors import InputError
from klingel.contact.geometry import continuation
from klingel.contact.geometry.continuation import follow
from klingel.contact.geometry.double_point import DoublePoint, double_points
from klingel.contact.geometry.equations import FIRST, HEIGHT, ROLL, SHIFT, Equations
from klingel.contact.geometry.placement import RailPair, WheelPair
from klingel.contact.geometry.wheelset_on_track import WheelsetOnTrack
from klingel.contact.profiles.s1002 import s1002
from klingel.contact.profiles.uic60 import uic60
from klingel.literature.de_pater.report import MotionParameters, motion
from klingel.literature.example import Check, ExampleResult
from klingel.plots.style import save
from klingel.plots.wheel_rail import contact as pictures

CLEAR_OF_JUMPS = 2e-6  # shifts nearer to a jump are not compared [m]
BEFORE = 1e-3  # the path is followed from this far on the other side, to show whole loops [m]


@dataclass(frozen=True)
class Parameters(MotionParameters):
    """The wheelset in motion, and what the real profiles need besides its radius."""

    inclination: float = 1 / 40  # of the rails
    gauge: float = 1.435  # 14 mm below the rail tops [m]
    flange_back: float = 1.360  # distance of the flange backs [m]
    reach: float = 0.008  # largest lateral shift [m]
    shifts: int = 161  # compared shifts


def run(folder: Path, parameters: Parameters) -> ExampleResult:
    """Geometry first: its input is refused before anything is integrated."""
    contact, moved = geometry(folder, parameters), motion(folder, parameters)
    return ExampleResult(
        "de-pater",
        {**contact.quantities, **moved.quantities},
        (*contact.checks, *moved.checks),
        (*contact.files, *moved.files),
    )


def geometry(folder: Path, parameters: Parameters) -> ExampleResult:
    """Contact of S1002 wheels on UIC60 rails over the lateral shift."""
    if not 1e-3 <= parameters.reach <= 0.02:
        raise InputError("reach", parameters.reach, "must lie between 1 and 20 mm")
    wheelset = WheelsetOnTrack(
        WheelPair(s1002(), flange_back=parameters.flange_back, radius=parameters.radius),
        RailPair(uic60(), inclination=parameters.inclination, gauge=parameters.gauge),
    )
    exact = follow(wheelset, -BEFORE, parameters.reach)
    first = follow(wheelset, 0.0, parameters.reach, Equations.FIRST_ORDER)
    doubles = [point for point in double_points(exact) if point.shift > 0.0]
    quantities = {**_loops(exact, doubles), **_first_order(exact, first, double_points(first), doubles)}
    checks = (
        *_against_search(wheelset, exact, parameters),
        *_against_bisection(wheelset, doubles, parameters),
    )
    return ExampleResult(
        "de-pater", quantities, checks, _draw(folder, wheelset, exact, first, doubles, parameters)
    )


def _loops(path: continuation.Path, doubles: list[DoublePoint]) -> dict[str, float]:
    found: dict[str, float] = {}
    for number, double in enumerate(doubles, 1):
        p1, p2 = pictures.loop_of(path, double)
        found |= {
            f"loop_{number}_p1_shift_m": float(p1.unknowns[SHIFT]),
            f"loop_{number}_p2_shift_m": float(p2.unknowns[SHIFT]),
            f"loop_{number}_p12_shift_m": double.shift,
            f"loop_{number}_p12_roll_rad": double.roll,
            f"loop_{number}_jump_on_wheel_m": abs(double.wheel[1] - double.wheel[0]),
        }
    return found


def _first_order(
    exact: continuation.Path,
    first: continuation.Path,
    approximate: list[DoublePoint],
    doubles: list[DoublePoint],
) -> dict[str, float]:
    """Size of the terms de Pater drops, on the tread (3 mm) and on the flange (7 mm)."""
    found: dict[str, float] = {}
    for number, (rough, fine) in enumerate(zip(approximate, doubles, strict=False), 1):
        found[f"first_order_p12_{number}_shift_error_m"] = rough.shift - fine.shift
    for place, shift in (("tread", 0.003), ("flange", 0.007)):
        if shift < exact.unknowns[-1, SHIFT] and shift < first.unknowns[-1, SHIFT]:
            difference = first.at(shift) - exact.at(shift)
            found[f"first_order_{place}_roll_error_rad"] = float(difference[ROLL])
            found[f"first_order_{place}_height_error_m"] = float(difference[HEIGHT])
            found[f"first_order_{place}_position_error_m"] = float(difference[FIRST])
    return found


def _against_search(wheelset: WheelsetOnTrack, exact: continuation.Path, p: Parameters) -> list[Check]:
    jumps = np.array([jump.shift for jump in wheelset.jumps(0.0, p.reach)])
    shifts = np.linspace(0.0, p.reach, p.shifts)[1:-1]
    if jumps.size:
        shifts = shifts[np.min(abs(shifts[:, None] - jumps), axis=1) > CLEAR_OF_JUMPS]
    search = wheelset.at(shifts)
    x = np.array([exact.at(shift) for shift in shifts])
    position = max(
        np.max(abs(x[:, FIRST] - search.left.first.wheel_y)),
        np.max(abs(x[:, FIRST + 2] + search.right.first.wheel_y)),
    )
    return [
        Check("height, continuation against search, largest difference [m]", 0.0,
              float(np.max(abs(x[:, HEIGHT] - search.height))), 1e-9),
        Check("roll, continuation against search, largest difference [rad]", 0.0,
              float(np.max(abs(x[:, ROLL] - search.roll))), 1e-9),
        Check("position, continuation against search, largest difference [m]", 0.0, float(position), 1e-6),
    ]  # fmt: skip


def _against_bisection(wheelset: WheelsetOnTrack, doubles: list[DoublePoint], p: Parameters) -> list[Check]:
    shifts = np.array([jump.shift for jump in wheelset.jumps(0.0, p.reach)])
    return [
        Check(f"shift of double contact {number}, nine equations against bisection [m]",
              float(shifts[np.argmin(abs(shifts - double.shift))]), double.shift, 1e-9)
        for number, double in enumerate(doubles, 1)
    ]  # fmt: skip


def _draw(
    folder: Path,
    wheelset: WheelsetOnTrack,
    exact: continuation.Path,
    first: continuation.Path,
    doubles: list[DoublePoint],
    p: Parameters,
) -> tuple[Path, ...]:
    shifts = np.linspace(-p.reach, p.reach, p.shifts)
    contact = wheelset.at(shifts)
    jumps = wheelset.jumps(-p.reach, p.reach)
    named = np.arange(np.ceil(-1e3 * p.reach), 1e3 * p.reach + 0.5) * 1e-3
    compared = np.linspace(0.02 * p.reach, 0.995 * p.reach, 200)
    figures = {
        "contact-points": pictures.contact_points(wheelset, contact, named=named),
        "geometry": pictures.geometry_curves(contact, jumps, wheelset.wheels.arm),
        "first-order": pictures.first_order_error(exact, first, compared),
    }
    if doubles:
        figures["figure-3-4"] = pictures.turning_points(exact, doubles)
    return tuple(save(figure, folder / f"{name}.png") for name, figure in figures.items())
