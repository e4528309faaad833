"""S1002 wheel profile, flange height 28 mm, flange thickness 32.5 mm, from its eight sections.

Sources: UIC 510-2 (2004) and EN 13715; piecewise form of the DLR (Netter). All numbers in mm; y from the
running circle 70 mm from the flange back, positive to the field side, z down. The sections meet to 1.2e-4 mm
and to 7.7e-6 in slope: the ten printed digits of section C allow no more. The chamfer beyond y = 60 mm is
left out.
"""

from klingel.contact.profiles import pieces as make
from klingel.contact.profiles.profile import Body, Profile

SECTION_A = (1.364323640, -0.066666667)
SECTION_B = (0.0, -3.358537058e-2, 1.565681624e-3, -2.810427944e-5, 5.844240864e-8, -1.562379023e-8,
             5.309217349e-15, -5.957839843e-12, 2.646656573e-13)  # fmt: skip
SECTION_C = (-4.320221063e3, -1.038384026e3, -1.065501873e2, -6.051367875, -2.054332446e-1, -4.169739389e-3,
             -4.687195829e-5, -2.252755540e-7)  # fmt: skip
SECTION_E = (-93.576667419, -2.747477419)

HOLLOW, ROUND = -1, 1  # which half of the circle: below its centre the root, above it the flange

# from the flange back, where the tangent is vertical, to the field side
SECTIONS = (
    make.arc_through((-49.5, 9.519259302), 20.5, -70.0, -62.764705882, ROUND),  # H
    make.arc_through((-55.0, 16.0), 12.0, -62.764705882, -49.662510381, ROUND),  # G
    make.arc_through((-58.558326413, 8.834924130), 20.0, -49.662510381, -39.764473993, ROUND),  # F
    make.polynomial(SECTION_E, -39.764473993, -38.426669071),
    make.arc_through((-26.210665, 16.446), 13.0, -38.426669071, -35.0, HOLLOW),  # D
    make.polynomial(SECTION_C, -35.0, -26.0),
    make.polynomial(SECTION_B, -26.0, 32.15796),
    make.polynomial(SECTION_A, 32.15796, 60.0),
)


def s1002() -> Profile:
    """The profile in metres."""
    return Profile("S1002", Body.WHEEL, make.scaled(make.join(*SECTIONS), 1e-3), "UIC 510-2, EN 13715 sections")
