"""Flange of conical wheels: a spring beyond a gap, with its corner or with the corner rounded."""

from klingel.elements.dead_band import DeadBand
from klingel.elements.smooth_dead_band import SmoothDeadBand

PIECEWISE, SMOOTH, NO_FLANGE = "piecewise", "smooth", "none"
FLANGES = (PIECEWISE, SMOOTH, NO_FLANGE)
WIDTH = 20e-6  # of the rounding; the force in the corner is then 100 N at 14.6 MN/m [m]


def flange_law(flange: str, gap: float, stiffness: float, width: float) -> DeadBand | SmoothDeadBand:
    if flange == SMOOTH:
        return SmoothDeadBand(-gap, gap, stiffness, width)
    return DeadBand(-gap, gap, stiffness)
