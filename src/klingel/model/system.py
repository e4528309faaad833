"""A compiled vehicle on a track: two flat arrays, and where things stand in them.

The right-hand side is called through a typed pointer, which passes its arguments by value: a tuple of fifty tables
would cost more than the forces. So all numbers of a vehicle, its scratch included, lie in one float array, all
indices in one integer array, and `Head` says where each table begins. The types never change, so every vehicle
uses the same compiled code.

The scratch part is written during a run. A system is therefore used by one run at a time; `System.copy` is
what threads take.
"""

from enum import IntEnum
from typing import NamedTuple

import numpy as np


class System(NamedTuple):
    """Opaque parameters of the kernels."""

    f: np.ndarray  # float64: tables, then scratch
    i: np.ndarray  # int32: Head, then tables

    def copy(self) -> "System":
        return System(self.f.copy(), self.i.copy())


class Head(IntEnum):
    """Entries of `System.i`: counts, and first entries of the tables."""

    BODIES = 0
    LINKS = 1
    PORTS = 2  # used ones, see PORT
    SPRINGS = 3
    SLIDERS = 4
    BANDS = 5
    LEAVES = 6
    WHEELS = 7
    GUIDES = 8  # sides of clearances
    SECTIONS = 9
    STATES = 10  # length of x
    SPEEDS = 11  # free velocities
    RUN = 12  # float tables ...
    BODY = 13
    ARM = 14
    SPRING = 15
    SLIDER = 16
    BAND = 17
    LEAF = 18
    WHEEL = 19
    GUIDE = 20
    GUIDE_ROW = 21  # [guide][speed]: rate of the gap per speed
    SECTION = 22
    BOUND = 23  # of the contact states
    SPLINE = 24  # [interval][power][column]
    WEIGHT = 25  # [speed]: 1/mass or 1/inertia
    ALIGNMENT = 26
    IRREGULARITY = 27
    MOTION = 28  # scratch: [body][position 6, velocity 6], one more row for the track
    LOAD = 29  # scratch: [body][force 3, moment 3], one more row for the track
    PLACE = 30  # scratch: [body][track quantities]
    PORT_STATE = 31  # scratch: [port][offset, slope, damping, walls 4, u, v, f]
    ACCELERATION = 32  # scratch: [speed]
    CONTACT = 33  # scratch: one row of a contact table
    IMPACT = 34  # scratch of the impact problem
    SLOT = 35  # integer tables: [body][position 6, velocity 6] index into x, -1 where prescribed
    LINK_BODY = 36
    PORT = 37  # [port] link, direction
    SPRING_AT = 38  # [spring] port
    SLIDER_AT = 39  # [slider] port, mode, memory
    BAND_AT = 40  # [band] port, mode
    LEAF_AT = 41  # [leaf] port, mode, memory
    WHEEL_AT = 42  # [wheel] body, mode, first section, first bound, number of states
    GUIDE_AT = 43  # [guide] port, mode, sign
    SECTION_AT = 44  # [section] first interval, number of intervals
    WHEELSETS = 45
    HAS_TRACK = 46  # 1: curves, cant or irregularities
    IMPACT_SIZE = 47
    STAGE = 48  # first of the memory entries [body]: stage of the track the body is in
    LINK_OFFSET = 49  # scratch: [link][deformation 6, rate 6, acceleration 6] by the track
    CONTACT_SHIFT = 50  # scratch: [body][WheelMotion]
    SIZE = 51


class Run(IntEnum):
    """Numbers of the run."""

    SPEED = 0  # V at t = 0 [m/s]
    ACCELERATION = 1  # Gamma [m/s2]
    GRAVITY = 2  # [m/s2]
    DISTANCE = 3  # of the vehicle's middle at t = 0 [m]
    TILTED = 4  # 1: the track frame tilts with the cant, 0: Hoffmann's does not
    CANT_REFERENCE = 5  # 2 b0, where cant is measured [m]
    SIZE = 6


class BodyField(IntEnum):
    MASS = 0  # [kg]
    INERTIA_X = 1  # [kg m2]
    INERTIA_Y = 2
    INERTIA_Z = 3
    X = 4  # nominal centre of mass, vehicle frame [m]
    Y = 5
    Z = 6
    RADIUS = 7  # nominal rolling radius, 0 for bodies that do not spin [m]
    SIZE = 8


class Axis(IntEnum):
    X, Y, Z, ROLL, PITCH, YAW = range(6)


class PortField(IntEnum):
    """Scratch of one port: the sum of its affine pieces, its walls, its motion and force."""

    OFFSET = 0
    SLOPE = 1
    DAMPING = 2
    U_LOW = 3
    U_HIGH = 4
    V_LOW = 5
    V_HIGH = 6
    U = 7
    V = 8
    FORCE = 9
    SIZE = 10


class WheelField(IntEnum):
    FRICTION = 0
    DAMPING = 1  # of the contact [N s/m]
    RADIUS = 2  # r0 [m]
    SIDE = 3  # +1 left, -1 right
    SIZE = 4


class SectionField(IntEnum):
    """One smooth section of a contact table, see `contact.wheel_table`."""

    START = 0
    PER_STEP = 1
    LOW = 2
    HIGH = 3
    HOLD_LOW = 4
    HOLD_HIGH = 5
    SIZE = 6


SLIDER_SIZE = 2  # stiffness, limit
SPRING_SIZE = 3  # stiffness, damping, preload
BAND_SIZE = 3  # gap_low, gap_high, stiffness
GUIDE_SIZE = 3  # clearance, restitution, resting speed
