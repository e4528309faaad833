"""The contact equations of a wheelset on its track, three for every contact point.

Unknowns are shift v, height z and roll phi of the wheelset and, for every contact, the lateral coordinates
s on the wheel (axial distance from the middle of the axle) and u on the rail (distance from the track
centre), both outwards. For a left contact, with R(s) the wheel and Z(u) the rail profile,

==============  ==================================  ==================================
                EXACT                               FIRST_ORDER, de Pater (3-34a-c)
==============  ==================================  ==================================
lateral         v + s cos(phi) + R sin(phi) = u     v + s + r0 phi = u
vertical        z + s sin(phi) - R cos(phi) = Z     z + b phi - R = Z
tangents        phi - atan(R') = atan(Z')           the same
==============  ==================================  ==================================

For a right contact v and phi change sign. In de Pater's letters s = b - eta*, u = b - eta, R = r + zeta*,
Z = -zeta, z = r - w; his sign -+ in (3-34a) is corrected. FIRST_ORDER drops R - r0 in the lateral and s - b
in the vertical equation, both times roll, and the cosine: terms of second order on the tread, not on the
flange.

Each contact names the piece of wheel and rail it lies on, and the pieces are continued analytically beyond
their ends: within one set of pieces the equations are smooth, and Newton's iteration converges quadratically.
"""

from enum import IntEnum
from math import atan, cos, sin

import numpy as np
from numpy.typing import NDArray

from klingel._jit import kernel
from klingel.contact.geometry.wheelset_on_track import Hand, WheelsetOnTrack
from klingel.contact.profiles.curve import height_on
from klingel.contact.profiles.pieces import ends

SHIFT, HEIGHT, ROLL, FIRST = range(4)  # places in the vector of unknowns; FIRST: s of the first contact


class Equations(IntEnum):
    EXACT, FIRST_ORDER = range(2)


@kernel
def contact_equations(x, contacts, left_wheel, left_rail, right_wheel, right_rail, arm, radius, variant, f, jac):
    """Residual (3 m) and Jacobian (3 m, 3 + 2 m); rows of `contacts`: hand, wheel piece, rail piece."""
    for j in range(contacts.shape[0]):
        hand = contacts[j, 0]
        sign = 1.0 if hand == Hand.LEFT else -1.0
        s, u = x[FIRST + 2 * j], x[FIRST + 2 * j + 1]
        if hand == Hand.LEFT:
            r, r1, r2 = height_on(left_wheel, contacts[j, 1], s)
            z, z1, z2 = height_on(left_rail, contacts[j, 2], u)
        else:
            r, r1, r2 = height_on(right_wheel, contacts[j, 1], s)
            z, z1, z2 = height_on(right_rail, contacts[j, 2], u)
        roll = sign * x[ROLL]
        if variant == Equations.EXACT:
            c, n, lateral, vertical = cos(roll), sin(roll), r, s
        else:
            c, n, lateral, vertical = 1.0, 0.0, radius, arm
        for k in range(3):
            for i in range(x.size):
                jac[3 * j + k, i] = 0.0
        a, b = FIRST + 2 * j, FIRST + 2 * j + 1
        # lateral
        turned = r * n if variant == Equations.EXACT else radius * roll
        f[3 * j] = sign * x[SHIFT] + s * c + turned - u
        jac[3 * j, SHIFT] = sign
        jac[3 * j, ROLL] = sign * (lateral * c - s * n)
        jac[3 * j, a], jac[3 * j, b] = c + r1 * n, -1.0
        # vertical
        risen = s * n if variant == Equations.EXACT else arm * roll
        f[3 * j + 1] = x[HEIGHT] + risen - r * c - z
        jac[3 * j + 1, HEIGHT] = 1.0
        jac[3 * j + 1, ROLL] = sign * (vertical * c + r * n)
        jac[3 * j + 1, a], jac[3 * j + 1, b] = n - r1 * c, -z1
        # tangents
        f[3 * j + 2] = roll - atan(r1) - atan(z1)
        jac[3 * j + 2, ROLL] = sign
        jac[3 * j + 2, a], jac[3 * j + 2, b] = -r2 / (1.0 + r1 * r1), -z2 / (1.0 + z1 * z1)


class ContactSystem:
    """The equations of one wheelset, with the ends of all its pieces."""

    def __init__(self, wheelset: WheelsetOnTrack, variant: Equations):
        self.variant = variant
        self.arm = wheelset.wheels.arm
        self.radius = wheelset.wheels.radius
        left, right = wheelset.left, wheelset.right
        self.curves = (left.wheel, left.rail, right.wheel, right.rail)
        self.breaks = tuple(np.ascontiguousarray(ends(curve)[:, 0]) for curve in self.curves)

    def evaluate(self, x: NDArray, contacts: NDArray) -> tuple[NDArray, NDArray]:
        m = len(contacts)
        f, jac = np.empty(3 * m), np.empty((3 * m, x.size))
        contact_equations(x, contacts, *self.curves, self.arm, self.radius, int(self.variant), f, jac)
        return f, jac

    def interval(self, contact: NDArray, place: int) -> tuple[float, float]:
        """Ends of the piece that coordinate `place` (0 wheel, 1 rail) of a contact lies on."""
        breaks = self.breaks[2 * int(contact[0]) + place]
        piece = int(contact[1 + place])
        return float(breaks[piece]), float(breaks[piece + 1])

    def count(self, contact: NDArray, place: int) -> int:
        """Number of pieces of that curve."""
        return self.breaks[2 * int(contact[0]) + place].size - 1

    def pieces(self, x: NDArray, hands: NDArray) -> NDArray:
        """Pieces on which the contacts of `x` lie."""
        rows = []
        for j, hand in enumerate(hands):
            places = [
                int(np.clip(np.searchsorted(self.breaks[2 * hand + k], x[FIRST + 2 * j + k]) - 1, 0,
                            self.breaks[2 * hand + k].size - 2))
                for k in range(2)
            ]  # fmt: skip
            rows.append([hand, *places])
        return np.array(rows, dtype=np.int64)
