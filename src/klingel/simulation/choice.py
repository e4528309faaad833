"""Which method `auto` takes for a vehicle: by its speed and the tolerance, both known before the run.

Creep forces grow like 1/V: their eigenvalues, some -50000/V 1/s, hold the steps of explicit methods down at low
speed, while a W-method with the wheelsets implicit steps over them; at high speed, and where events and accuracy
set the steps, explicit pairs win. Third-order chains suit loose tolerances, Dormand-Prince tight ones. The
measurements behind the bounds are in docs/theory/speed.md.

A run that brakes or speeds up through SLOW changes its method there. The choice does not depend on the duration,
so a run that is taken up again goes on as it would have.
"""

from math import inf
from typing import NamedTuple

SLOW = 10.0  # below this speed the wheelsets are implicit [m/s]
LOOSE = 3e-7  # relative tolerance from which on third-order methods are the faster ones
TIGHT, CHAIN, PARTLY_IMPLICIT = "dopri54", "chain34", "ros34pw2"


class Choice(NamedTuple):
    """Arguments of `integrate`."""

    method: str
    implicit_times: tuple[float, float] | None = None


def choose_method(method: str, speed: float, acceleration: float, rtol: float) -> Choice:
    """The method by name; `auto` by speed [m/s], acceleration [m/s2] and tolerance."""
    if method != "auto":
        return Choice(method)
    if rtol < LOOSE:
        return Choice(TIGHT)
    if acceleration == 0.0:
        return Choice(PARTLY_IMPLICIT if speed < SLOW else CHAIN)
    passed = (SLOW - speed) / acceleration
    return Choice(f"{CHAIN}+{PARTLY_IMPLICIT}", (passed, inf) if acceleration < 0.0 else (-inf, passed))
