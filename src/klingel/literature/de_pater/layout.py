"""Places of the numbers in the flat arrays of the kernels, and the options among them."""

from enum import IntEnum

from klingel.literature.de_pater.creep_table import SIZE as TABLE_SIZE


class Forces(IntEnum):
    """How tangential and normal forces are brought together, equation (7-4)."""

    SECANT = 0  # ours: secant steps on both normal forces, begun without creep
    PREVIOUS_STEP = 1  # his: repeated substitution, begun with the tangential forces of the previous step


class Inertia(IntEnum):
    FIRST_ORDER = 0  # J*' q*' dropped, as in (4-19)
    COMPLETE = 1  # kept


class P(IntEnum):
    """Order of the flat parameters of the kernels: fields, derived numbers, counters, creep tables."""

    MASS, I, I_Y, R, B, L1, G, C_X, C_Y, C_Z, V = range(11)
    GAMMA, RAIL, WHEEL, MU, FLANGE, CORNER, CLEARANCE, DEPTH, K_RAIL, D_RAIL = range(11, 21)
    PUSH, PUSH_START, PUSH_RAMP, PUSH_HOLD, FORCES, INERTIA = range(21, 27)
    # derived: slope of the flange, height of the gauge corner's centre, lateral offset of flange and corner
    TAN_FLANGE, CORNER_Z, OFFSET = range(27, 30)
    # tau_x = T_X v_x N^(-1/3), tau_y likewise, tau_s = T_S spin, of the tread and of the flange
    T_X, T_Y, T_S, FLANGE_T_X, FLANGE_T_Y, FLANGE_T_S = range(30, 36)
    # work done: evaluations of all forces, rounds of their iteration
    CALLS, ROUNDS = range(36, 38)
    TABLE = 38
    FLANGE_TABLE = TABLE + TABLE_SIZE
    END = FLANGE_TABLE + TABLE_SIZE


FIELDS = P.INERTIA + 1  # the first ones are fields of DePaterWheelset


class X(IntEnum):
    """Order of the state (7-1); a prime is a derivative with respect to the distance."""

    U, CHI, V, PSI, U_1, CHI_1, V_1, PSI_1 = range(8)


STATES = ("u", "chi", "v", "psi", "u_prime", "chi_prime", "v_prime", "psi_prime")


class Mem(IntEnum):
    """Order of the memory: where a free rail was let go and how far it was moved; tangential forces."""

    RIGHT_DELTA, RIGHT_PLACE, LEFT_DELTA, LEFT_PLACE, T_Y1, T_Y2 = range(6)


class Second(IntEnum):
    """Mode of the second contact of one side."""

    FREE, PRESSED = range(2)
