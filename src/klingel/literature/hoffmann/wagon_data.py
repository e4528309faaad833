"""Printed numbers of the wagons that follow from other printed numbers: masses, inertias, the end of one run.

The load of the loaded Hbbills 311 is a homogeneous box on the empty carbody. About the vertical axis both inertias
add up; about the others a term for the distance of the two centres comes on top, the same for both, so that their
difference does not depend on it. Sums of printed numbers are identities: they check what was typed. Source:
Hoffmann (2006), sections 2.4, 5.1 and 5.4.
"""

from math import sqrt

from klingel.literature.reproduce.case import Case
from klingel.literature.reproduce.claim import Claim, Outcome, Result, Study, failing, identities

THESIS = "Hoffmann 2006, "
AXLE, BEARING, SUSPENSION = 1032.0, 81.5, 147.6  # masses of wheelset BA004 and of one bearing and suspension [kg]
AXLE_INERTIA = 529.8  # [kg m2]
LEVER = 1.0  # of bearings and suspensions [m]
LOAD = 26000.0  # [kg]
BOX = (16.01, 2.90, 2.35)  # length, width, height [m]
PRINTED_LOADED = (41176.0, 66492.0, 993040.0)  # m_cb [kg], I_xx, I_yy [kg m2]
BRAKING_RUN = (50.0, 0.25, 2000.0)  # VOCOLIN: speed [m/s], deceleration [m/s2], distance [m]


def data(case: Case) -> dict[str, Result]:
    empty = case.wagon("hbbills311", links="MP").meta["parameters"]
    mass = empty.carbody_mass + LOAD
    i_xx, i_yy, i_zz = empty.carbody_inertia
    length, width, height = (size**2 * LOAD / 12.0 for size in BOX)
    above = PRINTED_LOADED[1] - i_xx - width - height
    distance = sqrt(above * mass / (LOAD * empty.carbody_mass))
    centre = empty.carbody_height + LOAD / mass * distance
    speed, deceleration, way = BRAKING_RUN
    return {
        "wheelset-mass": AXLE + 2.0 * BEARING + 2.0 * SUSPENSION,
        "wheelset-inertia": AXLE_INERTIA + 2.0 * (BEARING + SUSPENSION) * LEVER**2,
        "loaded-mass": mass,
        "loaded-axle-load": (0.5 * mass + empty.wheelset_mass) / 1e3,
        "loaded-inertia-z": i_zz + length + width,
        "loaded-inertia-difference": Outcome(
            i_yy - i_xx + length - width,
            f"I_xx itself puts the box {distance:.3f} m above the centre of the empty carbody and the common "
            f"centre at {centre:.2f} m; 1.6 and 2.1 m are simulated",
        ),
        "vocolin-speed": sqrt(speed**2 - 2.0 * deceleration * way),
    }


_DIGIT = "half of the printed digit"

_SUMS = (
    "wheelset-mass",
    "wheelset-inertia",
    "loaded-mass",
    "loaded-inertia-z",
    "loaded-inertia-difference",
    "vocolin-speed",
)

STUDIES: tuple[Study, ...] = (
    Study(
        "wagon-data",
        data,
        failing(
            identities(
                (
                    Claim(
                        "wheelset-mass",
                        THESIS + "section 2.4",
                        "wheelset with bearings and suspensions",
                        1490.0,
                        "kg",
                        0.5,
                        "printed as 'about', a whole number",
                    ),
                    Claim(
                        "wheelset-inertia",
                        THESIS + "section 2.4",
                        "the same, inertia about the longitudinal axis",
                        988.0,
                        "kg m2",
                        0.05,
                        _DIGIT,
                    ),
                    Claim(
                        "loaded-mass",
                        THESIS + "section 5.1",
                        "carbody with a load of 26 t",
                        PRINTED_LOADED[0],
                        "kg",
                        0.05,
                        _DIGIT,
                    ),
                    Claim(
                        "loaded-axle-load",
                        THESIS + "section 5.1",
                        "axle load of the loaded wagon",
                        22.5,
                        "t",
                        0.05,
                        _DIGIT,
                        "the printed masses add up to less; 22.5 t is the limit of the main lines of Europe",
                    ),
                    Claim(
                        "loaded-inertia-z",
                        THESIS + "section 5.1",
                        "loaded carbody, yaw inertia, from the box",
                        986832.0,
                        "kg m2",
                        0.5,
                        "half of the last digit before the point: the size of the box is printed to 1 cm",
                    ),
                    Claim(
                        "loaded-inertia-difference",
                        THESIS + "section 5.1",
                        "loaded carbody, I_yy - I_xx, from the box",
                        PRINTED_LOADED[2] - PRINTED_LOADED[1],
                        "kg m2",
                        1.0,
                        "two whole numbers",
                    ),
                    Claim(
                        "vocolin-speed",
                        THESIS + "figure 5.43",
                        "speed after 2000 m from 50 m/s at -0.25 m/s2",
                        38.7,
                        "m/s",
                        0.05,
                        _DIGIT,
                    ),
                ),
                *_SUMS,
            ),
            "vehicle.carbody.mass",
            1.01,
            "loaded-axle-load",
        ),
        fast=True,
    ),
)
