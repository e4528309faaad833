"""Lateral shift at which a wheelset reaches its flanges, and families of motion named by it."""

from math import inf

import numpy as np

from klingel._errors import InputError
from klingel.analysis.descents.motion_sizes import Rank, Sizes
from klingel.contact.table.contact_table import Column
from klingel.model.description import TRACK, Vehicle, Wheelset
from klingel.model.kinds.slow_path import clearance
from klingel.simulation.setup import table_on_track
from klingel.track.track import Track

FLANGE_ANGLE = 0.35  # contact angle from which on a wheel runs on its flange, 20 degrees [rad]
MEDIUM = 0.25  # of the shift to the flange
LARGEST_THRESHOLD = 0.02  # of wheels that have no flange [m]
WITHOUT_FLANGE = 2e-3  # where a motion is medium of wheels that have none [m]


def flange_shift(wheelset: Wheelset, track: Track) -> float:
    """Least shift, to either side, at which the contact angle is that of the flange; inf if none is [m]."""
    table = table_on_track(wheelset, track)
    found = [inf]
    for side in (table.left, table.right):
        shift, angle = table.column(side, Column.ANGLE)
        steep = np.abs(angle) > FLANGE_ANGLE
        found += np.abs(shift[steep]).tolist()
    return float(min(found))


def _gap(vehicle: Vehicle, body: str) -> float:
    """Of a conical wheelset: the free way to the stop between it and the track."""
    mine = {c.name for c in vehicle.connections if {c.inner, c.outer} == {TRACK, body}}
    laws = [e.law for e in vehicle.elements if e.connection in mine and e.direction == "y"]
    return float(min((gap for law in laws for gap in clearance(law)), default=inf))


def sizes_of(vehicle: Vehicle, track: Track, threshold: float) -> Sizes:
    """Bounds of the families of a vehicle, of its rolling bodies in the order of its layout."""
    reached = [(wheelset.body, flange_shift(wheelset, track)) for wheelset in vehicle.wheelsets]
    reached += [(wheelset.body, _gap(vehicle, wheelset.body)) for wheelset in vehicle.conical_wheelsets]
    bodies = dict.fromkeys(body for body, _ in reached)  # several axles may roll under one
    edges = [min(edge for name, edge in reached if name == body) for body in bodies]
    finite = [edge for edge in edges if edge < inf]
    most = min(finite, default=LARGEST_THRESHOLD)
    if threshold >= most:
        words = "the shift to the flange" if finite else "what wheels may shift"
        raise InputError("threshold", threshold, f"must be below {1e3 * most:.3g} mm, {words}")
    medium = MEDIUM * min(finite) if finite else WITHOUT_FLANGE
    return Sizes(threshold, max(medium, 1.01 * threshold), tuple(edges))


def family(rank: Rank, wheelsets: int) -> str:
    """Words for a rank."""
    if rank in (Rank.SMALL, Rank.MEDIUM):
        return rank.name.lower()
    if wheelsets == 1:
        return "flange to flange"
    number = "one wheelset" if rank == Rank.EDGE else "both wheelsets" if wheelsets == 2 else "several wheelsets"
    return f"flange to flange of {number}"
