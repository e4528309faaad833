"""Wheelsets that were held are released: the forces that held them fade, and the rest moves along.

A wheelset whose wheels carry unlike loads is pushed aside by its rails, to where springs and creep forces balance
that: millimetres away, on other sections of its profiles, where Newton's method does not find it. With a part s of
the accelerations R that it would begin with

    a(x) = s R,     s from 1 to 0,

every rest begins near the one before it. Where forces jump between two sections the way ends; another one, from
wheelsets held at another shift, may lead around.
"""

import numpy as np

from klingel.model.standing.balance import SHORT, Balance

FIRST = 0.25  # part of the forces by which they fade in one step
SHORTEST = 1e-3


def release(held: Balance) -> Balance | None:
    """Rest with nothing held; none where the way ends before."""
    found, left, step = held.let_go(), 1.0, FIRST
    forces = found.residual.copy()
    while left > 0.0:
        ahead = found.let_go()
        ahead.help(max(left - step, 0.0) * forces)
        if ahead.newton(SHORT) and not ahead.fallen:
            found, left, step = ahead, max(left - step, 0.0), 2.0 * step
        elif (step := 0.5 * min(step, left)) < SHORTEST:
            return None
    return found if np.isfinite(found.residual).all() else None
