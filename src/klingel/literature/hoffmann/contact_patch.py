"""Hoffmann (2006), appendix B.4: the contact ellipse and Kalker's coefficients of a cone on a round rail.

Wheel radius 0.46 m, cone 0.05, rail radius 0.21 m, G = 8.27e10 Pa, nu = 0.27. Both the ellipse and the
coefficients are computed here to rounding of the formulas; the thesis took them from tables.
"""

from collections.abc import Mapping
from math import acos, cos, degrees

from klingel.literature.reproduce.case import Case
from klingel.literature.reproduce.claim import Claim, Outcome, Result, Study, failing

SOURCE = "Hoffmann 2006, appendix B.4"
RADIUS, RAIL, CONE = 0.46, 0.21, 0.05  # [m], [m], [rad]
SHEAR, POISSON = 8.27e10, 0.27  # [Pa], [-]
MASS, LOAD = 1032.0, 5073.0  # [kg], printed N0 [N]
PRINTED_A, PRINTED_B = 2.8134e-3, 1.6745e-3  # [m]
OTHER_GRAVITY = 9.82  # [m/s2]

# Hertz' coefficients of the semi-axes in the three-digit table of textbooks, at two auxiliary angles [degrees]
TABLE_ANGLES, TABLE_LONG, TABLE_SHORT = (65.0, 70.0), (1.378, 1.284), (0.759, 0.802)

DIGIT = "half of the last printed digit"
TABLE = "half of the last digit of Kalker's table, from which it is interpolated"
CLAIMS = (
    Claim(
        "b4-normal-force", SOURCE, "N0 = m g/(2 cos delta)", LOAD, "N", 0.5, DIGIT, "g is not printed; 9.81 here"
    ),
    Claim("b4-semi-axis-along", SOURCE, "a0 under N0", 1e3 * PRINTED_A, "mm", 5e-5, DIGIT),
    Claim("b4-semi-axis-across", SOURCE, "b0 under N0", 1e3 * PRINTED_B, "mm", 5e-5, DIGIT),
    Claim("b4-c11", SOURCE, "Kalker's C11 at the printed a0/b0", 4.8530, "", 0.005, TABLE),
    Claim("b4-c22", SOURCE, "Kalker's C22 at the printed a0/b0", 4.5548, "", 0.005, TABLE),
    Claim("b4-c23", SOURCE, "Kalker's C23 at the printed a0/b0", 2.2666, "", 0.005, TABLE),
)


def run(case: Case) -> Mapping[str, Result]:
    from klingel.contact.patch.hertz import ellipse
    from klingel.contact.patch.kalker import kalker

    poisson = case.number("poisson", POISSON)
    found = ellipse(LOAD, 1 / (2 * RADIUS), 1 / (2 * RAIL), SHEAR / (1 - poisson))
    table_a, table_b = from_textbook_table()
    coefficients = kalker(PRINTED_A / PRINTED_B, poisson)
    forces = {g: MASS * g / (2 * cos(CONE)) for g in (9.81, OTHER_GRAVITY)}
    guess = "Hertz' coefficients interpolated linearly in the textbook table give"
    return {
        "b4-normal-force": Outcome(forces[9.81], f"g = {OTHER_GRAVITY} m/s2 gives {forces[OTHER_GRAVITY]:.0f} N"),
        "b4-semi-axis-along": Outcome(1e3 * found.a, f"{guess} {1e3 * table_a:.4f} mm"),
        "b4-semi-axis-across": Outcome(1e3 * found.b, f"{guess} {1e3 * table_b:.4f} mm"),
        "b4-c11": Outcome(
            coefficients.c11,
            "linear in a/b or in b/a, linear or parabolic in nu, of C or of 1/C: eight ways give 4.861 to 4.877",
        ),
        "b4-c22": coefficients.c22,
        "b4-c23": coefficients.c23,
    }


def from_textbook_table() -> tuple[float, float]:
    """Semi-axes [m] by linear interpolation of rounded coefficients: m, n times (3 N/(4 E* (A + B)))^(1/3)."""
    a, b = 1 / (2 * RADIUS), 1 / (2 * RAIL)
    angle = degrees(acos((b - a) / (a + b)))
    share = (angle - TABLE_ANGLES[0]) / (TABLE_ANGLES[1] - TABLE_ANGLES[0])
    size = (3 * LOAD / (4 * SHEAR / (1 - POISSON) * (a + b))) ** (1 / 3)
    long, short = (low + share * (high - low) for low, high in (TABLE_LONG, TABLE_SHORT))
    return size * long, size * short


STUDIES = (Study("contact-patch", run, failing(CLAIMS, "poisson", 1.2), fast=True),)
