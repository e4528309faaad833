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

from klingel.model.kinds.registry import Kind, Place
from klingel.numerics.cache_lines import aligned


class System(NamedTuple):
    """Opaque parameters of the kernels."""

    f: np.ndarray  # float64: tables, then scratch
    i: np.ndarray  # uint32: Head, then tables; unsigned, or each index would be asked whether it is negative

    def copy(self) -> "System":
        return System(aligned(self.f), self.i.copy())


class Head(IntEnum):
    """Entries of `System.i`: counts, and first entries of the tables."""

    BODIES = 0
    LINKS = 1
    PORTS = 2  # used ones, see PORT
    WHEELS = 3
    STATES = 4  # length of x
    SPEEDS = 5  # free velocities
    RUN = 6  # float tables ...
    BODY = 7
    ARM = 8
    GUIDE_ROW = 9  # [speed][guide]: rate of the gap per speed
    SECTION = 10
    BOUND = 11  # of the contact states
    SPLINE = 12  # [interval][power][column]
    WEIGHT = 13  # [speed][speed]: inverse mass matrix
    ALIGNMENT = 14
    IRREGULARITY = 15
    MOTION = 16  # scratch: [body][MotionField], one more row for the track
    LOAD = 17  # scratch: [body][LoadField], one more row for the track
    PLACE = 18  # scratch: [body][track quantities]
    PORT_STATE = 19  # scratch: [row of ports][PortField][four]
    ACCELERATION = 20  # scratch: [speed]
    IMPACT = 21  # scratch of the impact problem
    SLOT = 22  # integer tables: [body][position 6, velocity 6] index into x, NONE where prescribed
    LINK_AT = 23  # [link] motion rows of inner and outer body, their load rows
    PORT = 24  # [port with walls]
    WHEEL_AT = 25  # [wheel] body, mode, first section, first bound, number of states
    SECTION_AT = 26  # [section] first interval, number of intervals
    HAS_TRACK = 27  # 1: curves, cant or irregularities
    IMPACT_SIZE = 28
    STATE_OF = 29  # integer table: [body][motion up to the rates, spin] the state, any where prescribed
    RATE_OF = 30  # [free position or velocity] where its rate stands in the motion table
    BLOCKS = 31  # of four wheels
    LANES = 32  # scratch of the blocks, see `wheels.Lane`
    SCAN_ROWS = 33  # rows of ports that may leave an interval: the first ones
    CONES = 34  # conical wheelsets
    CONE = 35  # float table
    CONE_AT = 36  # integer table: [cone] body
    STAGE = 37  # first of the memory entries [body]: stage of the track the body is in
    LEAF_LANE = 38  # float table: [leaf][four], 1 where its port stands in its row
    CONTACT_SHIFT = 39  # scratch: [body][WheelMotion]
    LINK_BODY = 40  # [link] inner and outer body
    PORT_ROWS = 41
    TURN_PORTS = 42  # from a port x, y or z to roll, pitch or yaw of the same link
    LEVER = 43  # float table: [link][outer body 3, inner body 3][four], see `motion.apart`
    LEAF_ROW = 44  # integer table: [leaf] its row of ports, 1 where a leaf spring before it has the same row
    POSITIONS = 45  # free positions, the first states
    FREE = 46  # float table: [body][as STATE_OF] 1, or 0 where prescribed
    CURVED = 47  # ports with forces of curved laws besides leaf springs
    OWNED = 48  # those of them that no leaf spring writes
    OWNED_AT = 49  # integer table: [port] its place, begun anew in every right-hand side
    OWN_STATES = 50  # states of elements, the last ones of x
    HELD_ROWS = 51  # rows of constraints of rigid friction, see `kinds.held_faces`; 0 without any
    HELD_ROW = 52  # float table: [speed][row] rate of the row per speed
    HELD_PUSH = 53  # [speed][row] acceleration per force on the row
    HELD_WEIGHT = 54  # [row][row] acceleration of a row per force on another
    HELD_AT = 55  # integer table: [row of a face] its port
    HELD = 56  # scratch
    PROBE = 57  # scratch: two states, where loads are differentiated along the motion
    CREEP_WHEELS = 58  # wheels, if some creep by another law than usual, else 0; see `kinds.wheels.wheel_creep`
    CREEP = 59  # float table: [wheel][Creep]
    CREEP_TABLE = 60  # float table of FASTSIM, empty if nobody asks for it
    APART = 61  # wheelsets whose wheels turn at different speeds, see `kinds.wheels.wheel_turning`
    APART_ROW = 62  # float table
    APART_AT = 63  # integer table
    EVALUATED = 64  # scratch: the state of the last right-hand side, see `scan`
    KINDS = 65  # [kind][Place]: see `kinds.registry`
    SIZE = 65 + Place.SIZE * len(Kind)


class Run(IntEnum):
    """Numbers of the run."""

    SPEED = 0  # V at t = 0 [m/s]
    ACCELERATION = 1  # Gamma [m/s2]
    GRAVITY = 2  # [m/s2]
    DISTANCE = 3  # of the vehicle's middle at t = 0 [m]
    TILTED = 4  # 1: the track frame tilts with the cant, 0: Hoffmann's does not
    CANT_REFERENCE = 5  # 2 b0, where cant is measured [m]
    SCANNED = 6  # time whose deformations are remembered, see `scan` [s]
    EVALUATED = 7  # time of the right-hand side that left its motion in the scratch, NaN if none did [s]
    RESTING = 8  # how many clearances are held closed and faces stuck
    FOLLOWS = 9  # 1: contact states follow the lateral shift, 0: they are modes that change at located events
    PROBED = 10  # how many faces ask for rates of loads that are differentiated along the motion
    ONES = 12  # a row of four, see `bodies.motion.write_rates`
    SIZE = 16


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
    """Scratch of one body: motion and its rates, in rows of four. A body that spins does not pitch."""

    POSITION = 0  # x, y, z, zero
    ROTATION = 4  # roll, pitch, yaw, zero
    VELOCITY = 8  # rates of both
    ACCELERATION = 16
    SPIN = 24  # on top of V/r0 [rad/s]
    SPIN_RATE = 25
    SIZE = 28


class LoadField(IntEnum):
    """Scratch of one body: sums over its links and contacts, in rows of four."""

    FORCE = 0  # x, y, z in the track frame [N]
    MOMENT = 4  # in the frame of the body [Nm]
    LEVERED = 8  # three rows: force of the links times x, y, z of the point where it acts [Nm]
    SPIN_MOMENT = 20  # of the contacts about the axle [Nm]
    SIZE = 24


class PortField(IntEnum):
    """Scratch of a row of ports, four numbers each: the sum of their affine pieces, their walls, motion and force.

    Rows are those of the links (x, y, z, none), of the wheelsets (lateral shift against the rails, which only the
    scan looks at), then again of the links (roll, pitch, yaw, none). A port is where its number stands in field 0.
    """

    OFFSET = 0
    SLOPE = 1
    DAMPING = 2
    OWN = 3  # force of laws that are not affine: leaf springs
    U = 4
    V = 5
    FORCE = 6
    U_OLD = 7  # at the beginning of the step
    V_OLD = 8
    U_FROM = 9  # what `scan` allows, in the order of the walls
    U_TO = 10
    V_FROM = 11
    V_TO = 12
    U_LOW = 13
    U_HIGH = 14
    V_LOW = 15
    V_HIGH = 16
    U_TRACK = 17  # deformation, rate, acceleration by the track
    V_TRACK = 18
    A_TRACK = 19
    TOUCHED = 20  # 1 where the scan saw that an interval may have been left, else 0
    TURN = 21  # rate at which the parabola of the rate turns in a step, times the length of the step
    SIZE = 22  # whole lines of the cache


class ConeField(IntEnum):
    """One conical wheelset, see `elements.conical_wheelset`."""

    CONICITY = 0
    RADIUS = 1  # r0 [m]
    HALF_GAUGE = 2  # [m]
    STIFFNESS = 3  # G pi a_e b_e [N]
    PSI = 4
    PHI = 5
    LIMIT = 6  # mu N [N]
    OFFSET = 7  # of the axle from the centre of mass of its body, forwards [m]
    SIZE = 8


class SectionField(IntEnum):
    """One smooth section of a contact table, see `contact.table.wheel_table`."""

    START = 0
    PER_STEP = 1
    LOW = 2
    HIGH = 3
    HOLD_LOW = 4
    HOLD_HIGH = 5
    SIZE = 6


NONE = 2**32 - 1  # in integer tables: no such entry
LINK_INTS = 4
