"""A vehicle put on a track: contact tables of its wheelsets, compiled tables, tolerances of its states."""

from collections.abc import Sequence
from dataclasses import replace
from math import isfinite

import numpy as np

from klingel._arguments import check_number as check_argument
from klingel._errors import InputError
from klingel.contact.table.build import Grid, shift_range
from klingel.contact.table.contact_table import ContactTable
from klingel.contact.table.wheel_table import WheelTable, compile_side
from klingel.io.contact.cache import cached_fastsim_table, cached_table, wheelset_on_track
from klingel.model.builder import Compiled, compile_vehicle
from klingel.model.description import TRACK, Vehicle, Wheelset
from klingel.model.kinds.wheels.wheel_turning import SPIN_APART
from klingel.model.layout import Moves, State
from klingel.model.on_track.track_tables import is_plain
from klingel.model.system import Head, Run
from klingel.simulation.compile_ahead import compile_engine
from klingel.track.track import Track

# Absolute tolerances of one step per relative tolerance, so that one number sets the accuracy of a run. At 1e-6
# they are 1e-7 m and 1e-6 m/s, about a ten-thousandth of the motions (millimetres, milliradians) and their rates.
# Of the spin only its part in V/r0 matters, the creepage: 1e-5 rad/s are 1e-7 at 45 m/s.
POSITION = 0.1  # [m, rad]
RATE = 1.0  # [m/s, rad/s]
SPIN = 10.0  # [rad/s]

# Between the frames of two connected bodies. Products of this angle with displacements are dropped: 0.5 mm of a
# centimetre here, some thousandths of a link's own deformation in curves of the usual radii.
LARGEST_TURN = 0.05  # [rad]

FASTEST = 1000.0  # of any vehicle on rails; creepages are for speeds far below those of waves in steel [m/s]
FASTSIM_TABLE = "fastsim_table"  # creep law that needs its table
# Gauge less back-to-back distance: two flanges of 20 mm at least, at most what leaves the treads on the rails.
NARROWEST, WIDEST = 0.04, 0.16  # [m]


def refuse_tight(vehicle: Vehicle, track: Track) -> None:
    """Frames of connected bodies may turn against each other by small angles only."""
    ahead = {body.name: body.position[0] for body in vehicle.bodies}
    ends = [(c.inner, c.outer) for c in vehicle.connections if TRACK not in (c.inner, c.outer)]
    apart = max((abs(ahead[outer] - ahead[inner]) for inner, outer in ends), default=0.0)
    stages = track.alignment.stages
    bend = max((abs(k) for s in stages for k in (*s.curvature, *s.vertical_curvature)), default=0.0)
    if apart * bend > LARGEST_TURN:
        least = apart / LARGEST_TURN
        raise InputError(
            "track radius",
            1.0 / bend,
            f"must be at least {least:.4g} m for bodies {apart:g} m apart (small angles)",
        )


def check_number(field: str, value: object, unit: str) -> None:
    """Units belong to files and the command line: Python takes numbers in SI units."""
    check_argument(field, value, unit, finite=False)


def check_speed(speed: float, acceleration: float, duration: float) -> None:
    """Creepages are relative to the speed: it must stay positive to the end."""
    for field, value, unit in (
        ("speed", speed, "m/s"), ("acceleration", acceleration, "m/s2"), ("duration", duration, "s"),
    ):  # fmt: skip
        check_number(field, value, unit)
    if not (isfinite(speed) and speed > 0.0):
        raise InputError("speed", speed, "must be a positive speed in m/s")
    if speed > FASTEST:
        raise InputError("speed", speed, f"must be at most {FASTEST:g} m/s")
    if not (isfinite(duration) and duration > 0.0):
        raise InputError("duration", duration, "must be a positive time in s")
    if not isfinite(acceleration):
        raise InputError("acceleration", acceleration, "must be finite, in m/s2")
    if not speed + acceleration * duration > 0.0:
        least = -speed / duration
        raise InputError("acceleration", acceleration, f"must be more than {least:.4g} m/s2, or the vehicle stops")


def refuse_misfit(wheelset: Wheelset, gauge: float) -> None:
    """Flanges run between the rails, treads on them, whatever the profiles."""
    least, most = gauge - WIDEST, gauge - NARROWEST
    if not least <= wheelset.back_to_back <= most:
        raise InputError(
            f"{wheelset.body}.back_to_back",
            wheelset.back_to_back,
            f"must lie between {least:.4g} and {most:.4g} m on a gauge of {gauge:.4g} m: flanges run inside it",
        )


def table_on_track(wheelset: Wheelset, track: Track) -> ContactTable:
    """Contact table of a wheelset on the rails of the track, from the cache if it is there."""
    refuse_misfit(wheelset, track.gauge)
    placed = wheelset_on_track(
        wheelset.profile, track.rail, track.inclination, track.gauge, wheelset.radius, wheelset.back_to_back,
        residual=wheelset.profile_residual, wheel_right=wheelset.profile_right, rail_residual=track.rail_residual,
        radius_right=wheelset.radius + wheelset.radius_difference if wheelset.radius_difference else None,
    )  # fmt: skip
    low, high = shift_range(placed)
    return cached_table(placed, grid=Grid(low, high, overlap=track.overlap))


def contact_sides(wheelset: Wheelset, track: Track) -> tuple[WheelTable, WheelTable]:
    """What the left and the right wheel read of it."""
    table = table_on_track(wheelset, track)
    shear = table.conditions.shear_modulus
    return compile_side(table.left, shear), compile_side(table.right, shear)


def put_on_track(
    vehicle: Vehicle, track: Track, speed: float, acceleration: float = 0.0, distance: float = 0.0
) -> Compiled:
    """Compiled tables of the vehicle; wheelsets of equal wheels share their contact table."""
    if not (vehicle.wheelsets or vehicle.conical_wheelsets):
        raise InputError("vehicle", vehicle.name, "must have wheels: give it at least one wheelset")
    check_number("distance", distance, "m")
    if not isfinite(distance):
        raise InputError("distance", distance, "must be finite, in m")
    refuse_tight(vehicle, track)
    if vehicle.conical_wheelsets and not is_plain(track):
        raise InputError("track", track.title or None, "must be straight, level and smooth for conical wheelsets")
    compile_engine()
    known: dict[tuple, tuple[WheelTable, WheelTable]] = {}
    contact = {}
    for wheelset in vehicle.wheelsets:
        key = (
            wheelset.profile, wheelset.profile_right, wheelset.profile_residual,
            wheelset.radius, wheelset.back_to_back, wheelset.radius_difference,
        )  # fmt: skip
        if key not in known:
            known[key] = contact_sides(wheelset, track)
        contact[wheelset.body] = known[key]
    tabulated = any(wheelset.creep == FASTSIM_TABLE for wheelset in vehicle.wheelsets)
    fastsim = cached_fastsim_table() if tabulated else None
    return compile_vehicle(vehicle, contact, speed, acceleration, track, distance, fastsim)


def at_speed(compiled: Compiled, speed: float) -> Compiled:
    """The same vehicle and track at another speed, with the same tables; the original is not touched."""
    system = compiled.system.copy()
    system.f[int(system.i[Head.RUN]) + Run.SPEED] = speed
    return replace(compiled, system=system)


def tolerances(states: Sequence[State], rtol: float) -> np.ndarray:
    """Absolute tolerance of each state; own states of elements are deformations."""
    return rtol * np.array(
        [
            SPIN if s.coordinate in ("spin", SPIN_APART) else RATE if s.moves == Moves.RATE else POSITION
            for s in states
        ]
    )
