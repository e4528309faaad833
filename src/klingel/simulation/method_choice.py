"""Which method `auto` takes for a vehicle: by its speed and the tolerance, both known before the run.

Creep forces grow like 1/V: their eigenvalues, some -50000/V 1/s, hold the steps of explicit methods down at low
speed, while a W-method with the wheelsets implicit steps over them. At high speed, and at tolerances so tight that
accuracy sets the steps, explicit pairs win: third-order chains at loose tolerances, Dormand-Prince at tight
ones. The measurements behind the bounds are in docs/theory/speed.md.

A run that brakes or speeds up through SLOW changes its method there. The choice does not depend on the duration,
so a run that is taken up again goes on as it would have.
"""

from math import inf
from typing import NamedTuple

from klingel.model.problem import Locate

SLOW = 10.0  # below this speed the wheelsets are implicit [m/s]
LOOSE = 5e-6  # relative tolerance from which on that pays
THIRD_ORDER = 5e-7  # relative tolerance from which on third order may pay
FOLLOWED = 1e-8  # relative tolerance from which on contact states follow the shift instead of being located
FIFTH_ORDER, CHAIN, LONG_CHAIN, PARTLY_IMPLICIT = "dopri54", "chain34", "chain35", "ros34pw2"


def choose_locate(locate: str, rtol: float) -> Locate:
    """Which events are located; `auto`: all at tolerances at which a kink inside a step costs more than a stop."""
    if locate in ("auto", "smooth"):
        return Locate.NEEDED if rtol >= FOLLOWED else Locate.ALL
    return Locate(locate)


class Choice(NamedTuple):
    """Arguments of `integrate`."""

    method: str
    implicit_times: tuple[float, float] | None = None


def choose_method(method: str, speed: float, acceleration: float, rtol: float) -> Choice:
    """The method by name; `auto` by speed [m/s], acceleration [m/s2] and tolerance."""
    if method != "auto":
        return Choice(method)
    fast = f"{FIFTH_ORDER}/{CHAIN}" if rtol >= THIRD_ORDER else FIFTH_ORDER
    if acceleration == 0.0 and speed < SLOW:
        explicit = LONG_CHAIN if rtol >= THIRD_ORDER else FIFTH_ORDER
        return Choice(PARTLY_IMPLICIT if rtol >= LOOSE else explicit)
    if acceleration == 0.0 or rtol < LOOSE:
        return Choice(fast)
    passed = (SLOW - speed) / acceleration
    return Choice(f"{fast}+{PARTLY_IMPLICIT}", (passed, inf) if acceleration < 0.0 else (-inf, passed))
