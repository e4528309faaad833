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
    i: np.ndarray  # uint32: Head, then tables; unsigned, or each index would be asked whether it is negative

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
    STATES = 9  # length of x
    SPEEDS = 10  # free velocities
    RUN = 11  # float tables ...
    BODY = 12
    ARM = 13
    SPRING = 14
    SLIDER = 15
    BAND = 16
    LEAF = 17
    GUIDE = 18
    GUIDE_ROW = 19  # [speed][guide]: rate of the gap per speed
    SECTION = 20
    BOUND = 21  # of the contact states
    SPLINE = 22  # [interval][power][column]
    WEIGHT = 23  # [speed][speed]: inverse mass matrix
    ALIGNMENT = 24
    IRREGULARITY = 25
    MOTION = 26  # scratch: [body][MotionField], one more row for the track
    LOAD = 27  # scratch: [body][LOAD_ROW], one more row for the track
    PLACE = 28  # scratch: [body][track quantities]
    PORT_STATE = 29  # scratch: [PortField][port]
    ACCELERATION = 30  # scratch: [speed]
    IMPACT = 31  # scratch of the impact problem
    SLOT = 32  # integer tables: [body][position 6, velocity 6] index into x, NONE where prescribed
    LINK_AT = 33  # [link] motion rows of inner and outer body, their load rows
    PORT = 34  # [used port] 6 times its link plus its direction
    SPRING_AT = 35  # [spring] port
    SLIDER_AT = 36  # [slider] port, mode, memory
    BAND_AT = 37  # [band] port, mode
    LEAF_AT = 38  # [leaf] port, mode, memory
    WHEEL_AT = 39  # [wheel] body, mode, first section, first bound, number of states
    GUIDE_AT = 40  # [guide] port, mode, 1 where it limits negative deformations
    SECTION_AT = 41  # [section] first interval, number of intervals
    HAS_TRACK = 42  # 1: curves, cant or irregularities
    IMPACT_SIZE = 43
    MOTION_OF = 44  # [state] its place in the motion table
    RATE_OF = 45  # [state] the place of its time derivative
    BLOCKS = 46  # of four wheels
    LANES = 47  # scratch of the blocks, see `wheels.Lane`
    WHEEL_OLD = 48  # scratch: [wheel] lateral shift and its rate at the beginning of the step
    CONES = 49  # conical wheelsets
    CONE = 50  # float table
    CONE_AT = 51  # integer table: [cone] body
    STAGE = 52  # first of the memory entries [body]: stage of the track the body is in
    LINK_OFFSET = 53  # scratch: [link][deformation 6, rate 6, acceleration 6] by the track
    CONTACT_SHIFT = 54  # scratch: [body][WheelMotion]
    LINK_BODY = 55  # [link] inner and outer body
    SIZE = 56


class Run(IntEnum):
    """Numbers of the run."""

    SPEED = 0  # V at t = 0 [m/s]
    ACCELERATION = 1  # Gamma [m/s2]
    GRAVITY = 2  # [m/s2]
    DISTANCE = 3  # of the vehicle's middle at t = 0 [m]
    TILTED = 4  # 1: the track frame tilts with the cant, 0: Hoffmann's does not
    CANT_REFERENCE = 5  # 2 b0, where cant is measured [m]
    SCANNED = 6  # time whose deformations are remembered, see `scan` [s]
    SIZE = 7


class BodyField(IntEnum):
    MASS = 0  # [kg]
    INERTIA_X = 1  # [kg m2]
    INERTIA_Y = 2
    INERTIA_Z = 3
    X = 4  # nominal centre of mass, vehicle frame [m]
    Y = 5
    Z = 6
    RADIUS = 7  # nominal rolling radius, 0 for bodies that do not spin [m]
    PER_MASS = 8  # reciprocals of mass, moments of inertia and radius (0 where there is none)
    PER_INERTIA_X = 9
    PER_INERTIA_Y = 10
    PER_INERTIA_Z = 11
    PER_RADIUS = 12
    SIZE = 16


class MotionField(IntEnum):
    """Scratch of one body: motion and its rates. A body that spins does not pitch."""

    POSITION = 0  # six
    VELOCITY = 6  # six
    SPIN = 12  # on top of V/r0 [rad/s]
    ACCELERATION = 13  # six
    SPIN_RATE = 19
    SIZE = 20


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
    U_OLD = 10  # at the beginning of the step
    V_OLD = 11
    SIZE = 12


class ConeField(IntEnum):
    """One conical wheelset, see `elements.conical_wheelset`."""

    CONICITY = 0
    RADIUS = 1  # r0 [m]
    HALF_GAUGE = 2  # [m]
    STIFFNESS = 3  # G pi a_e b_e [N]
    PSI = 4
    PHI = 5
    LIMIT = 6  # mu N [N]
    SIZE = 7


class SectionField(IntEnum):
    """One smooth section of a contact table, see `contact.wheel_table`."""

    START = 0
    PER_STEP = 1
    LOW = 2
    HIGH = 3
    HOLD_LOW = 4
    HOLD_HIGH = 5
    SIZE = 6


NONE = 2**32 - 1  # in integer tables: no such entry
LOAD_ROW = 8  # force 3, moment 3, moment of the contacts about the axle, one to fill the row
SPIN_MOMENT = 6
LINK_INTS = 4
SLIDER_SIZE = 2  # stiffness, limit
SPRING_SIZE = 3  # stiffness, damping, preload
BAND_SIZE = 3  # gap_low, gap_high, stiffness
GUIDE_SIZE = 3  # clearance, restitution, resting speed
