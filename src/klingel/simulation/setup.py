"""A vehicle put on a track: contact tables of its wheelsets, compiled tables, tolerances of its states."""

from dataclasses import replace
from math import isfinite

import numpy as np

from klingel._errors import InputError
from klingel.contact.wheel_table import WheelTable, compile_side
from klingel.io.contact_cache import cached_table, wheelset_on_track
from klingel.model.builder import Compiled, compile_vehicle
from klingel.model.description import Vehicle, Wheelset
from klingel.model.system import Head, Run
from klingel.track.track import Track

# Absolute tolerances of one step. Motions are millimetres and milliradians, their rates some ten times that, so
# these are about a ten-thousandth of them. Of the spin only its part in V/r0 matters, the creepage: 1e-5 rad/s are
# 1e-7 at 45 m/s.
POSITION = 1e-7  # [m, rad]
RATE = 1e-6  # [m/s, rad/s]
SPIN = 1e-5  # [rad/s]


def refuse_bends(track: Track) -> None:
    """Only straight, level, smooth track is available."""
    for stage in track.alignment.stages:
        if any((*stage.curvature, *stage.vertical_curvature, *stage.cant)):
            given = track.title or "curves, cant or gradients"
            raise InputError("track", given, "must be straight and level, other tracks are not available yet")
    if track.irregularity:
        given = track.title or "irregularities"
        raise InputError("track", given, "must be without irregularities, they are not available yet")


def check_speed(speed: float, acceleration: float, duration: float) -> None:
    """Creepages are relative to the speed: it must stay positive to the end."""
    if not (isfinite(speed) and speed > 0.0):
        raise InputError("speed", speed, "must be a positive speed in m/s")
    if not (isfinite(duration) and duration > 0.0):
        raise InputError("duration", duration, "must be a positive time in s")
    if not isfinite(acceleration):
        raise InputError("acceleration", acceleration, "must be finite, in m/s2")
    if not speed + acceleration * duration > 0.0:
        least = -speed / duration
        raise InputError("acceleration", acceleration, f"must be more than {least:.4g} m/s2, or the vehicle stops")


def contact_sides(wheelset: Wheelset, track: Track) -> tuple[WheelTable, WheelTable]:
    """Contact tables of the left and right wheel on the rails of the track, from the cache if they are there."""
    placed = wheelset_on_track(
        wheelset.profile, track.rail, track.inclination, track.gauge, wheelset.radius, wheelset.back_to_back
    )
    table = cached_table(placed)
    shear = table.conditions.shear_modulus
    return compile_side(table.left, shear), compile_side(table.right, shear)


def put_on_track(vehicle: Vehicle, track: Track, speed: float, acceleration: float = 0.0) -> Compiled:
    """Compiled tables of the vehicle; wheelsets of equal wheels share their contact table."""
    if not vehicle.wheelsets:
        raise InputError("vehicle", vehicle.name, "must have wheels: give it at least one wheelset")
    refuse_bends(track)
    known: dict[tuple, tuple[WheelTable, WheelTable]] = {}
    contact = {}
    for wheelset in vehicle.wheelsets:
        key = (wheelset.profile, wheelset.radius, wheelset.back_to_back)
        if key not in known:
            known[key] = contact_sides(wheelset, track)
        contact[wheelset.body] = known[key]
    return compile_vehicle(vehicle, contact, speed, acceleration)


def at_speed(compiled: Compiled, speed: float) -> Compiled:
    """The same vehicle and track at another speed, without making the tables again; the original is not touched."""
    system = compiled.system.copy()
    system.f[int(system.i[Head.RUN]) + Run.SPEED] = speed
    return replace(compiled, system=system)


def tolerances(states: tuple[str, ...]) -> np.ndarray:
    """Absolute tolerance of each state."""
    sizes = [SPIN if n.endswith(".spin_dot") else RATE if n.endswith("_dot") else POSITION for n in states]
    return np.array(sizes)
