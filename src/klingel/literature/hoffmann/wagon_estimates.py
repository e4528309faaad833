"""Resonance of the wheelsets' motion with yaw and roll of the carbody, estimated by hand.

    f_yaw = 1/(2 pi) sqrt(4 a^2 k_y / I_zz)        f_w = V/(2 pi) sqrt(lambda / (b_0 r_0))              (5.1)
    f_roll = 1/(2 pi) sqrt(4 (L_1^2 k_z + L_2^2 k_y) / I_xx)                                            (5.2)

with k_y = (k + sum T_0i / 10 mm) Q of one corner under its load Q, the secant of its links at 10 mm; lambda the
equivalent conicity at 3 mm, the amplitude of EN 15302 (the thesis states none); k_z = (mu_0 Q + F_r) / beta the
dynamic stiffness of a leaf spring. Source: Hoffmann (2006), section 5.1.
"""

from math import pi, sqrt
from typing import TYPE_CHECKING

from klingel.literature.reproduce.case import Case
from klingel.literature.reproduce.claim import Claim, Outcome, Result, Study, failing

if TYPE_CHECKING:
    from klingel.vehicles.two_axle import TwoAxle

THESIS = "Hoffmann 2006, "
SECANT = 0.010  # deformation of the links [m]
AMPLITUDE = 3.0  # of the equivalent conicity [mm]
B0, R0 = 0.75, 0.46  # [m]
PRINTED_ROLL = 3.3  # [Hz]


def link_stiffness(links: str, load: float) -> float:
    """Secant of the lateral links of one corner [N/m]."""
    from klingel.elements.link_sets import LINK_SETS

    law = LINK_SETS[links]["y"]
    return (law.stiffness + sum(limit for _, limit in law.sliders) / SECANT) * load


def corner_load(wagon: "TwoAxle") -> float:
    return 0.25 * wagon.carbody_mass * wagon.gravity


def yaw_frequency(wagon: "TwoAxle") -> float:
    stiffness = link_stiffness("PTP", corner_load(wagon))
    return sqrt(wagon.wheelbase**2 * stiffness / wagon.carbody_inertia[2]) / (2.0 * pi)


def roll_frequency(wagon: "TwoAxle", height: float, k_z: float) -> float:
    lateral = (height - R0) ** 2 * link_stiffness("PTP", corner_load(wagon))
    return sqrt(4.0 * (k_z + lateral) / wagon.carbody_inertia[0]) / (2.0 * pi)


def klingel_speed(frequency: float, conicity: float, radius: float = R0) -> float:
    return 2.0 * pi * frequency * sqrt(B0 * radius / conicity)


def yaw(case: Case) -> dict[str, Result]:
    from klingel.contact.table.table_conicity import equivalent_conicity
    from klingel.io.contact.cache import cached_table, wheelset_on_track

    frequency = yaw_frequency(case.wagon("hbbills311", links="PTP").meta["parameters"])
    radius = case.number("rolling radius of (5.1)", R0)
    results: dict[str, Result] = {}
    for n, published in ((40, 12.0), (30, 18.0), (20, 49.0)):
        table = cached_table(wheelset_on_track("S1002", "UIC60", 1 / n, 1.435, R0, 1.36))
        conicity = {a: equivalent_conicity(table, 1e-3 * a) for a in (2.0, 2.5, 3.0, 4.0, 5.0)}
        speed = {a: klingel_speed(frequency, value, radius) for a, value in conicity.items()}
        shown = ", ".join(f"{a:g} mm: {conicity[a]:.3f}, {speed[a]:.1f} m/s" for a in conicity)
        implied = B0 * R0 * (2.0 * pi * frequency / published) ** 2
        note = f"yaw {frequency:.2f} Hz; the published speed implies a conicity of {implied:.3f}; here {shown}"
        results[f"yaw-estimate-1in{n}"] = Outcome(speed[AMPLITUDE], note)
        if n == 40:
            at = klingel_speed(PRINTED_ROLL, conicity[AMPLITUDE], radius)
            own = klingel_speed(PRINTED_ROLL, implied)
            results["klingel-speed-of-roll"] = Outcome(
                at, f"{own:.1f} m/s with the conicity of the printed 12 m/s"
            )
    return results


def roll(case: Case) -> dict[str, Result]:
    from klingel.elements.leaf_spring import PARABOLIC

    empty, loaded = (case.wagon("hbbills311", links="PTP", load=name).meta["parameters"]
                     for name in ("empty", "loaded_high"))  # fmt: skip

    def dynamic(wagon: "TwoAxle") -> float:
        return (PARABOLIC.friction * corner_load(wagon) + PARABOLIC.residual) / PARABOLIC.decay

    deflection = PARABOLIC.static_deflection(corner_load(loaded))
    main = (PARABOLIC.friction * PARABOLIC.stiffness * deflection + PARABOLIC.residual) / PARABOLIC.decay
    note = f"{roll_frequency(loaded, 1.6, dynamic(loaded)):.2f} Hz with the centre of mass at 1.6 m, and there "
    note += f"{roll_frequency(loaded, 1.6, main):.2f} Hz with the stiffness of the main leaves alone in k_z; "
    static = roll_frequency(loaded, loaded.carbody_height, PARABOLIC.stiffness_second)
    note += f"static stiffness of both stages at 2.1 m: {static:.2f} Hz"
    frequency = yaw_frequency(empty)
    with_static = roll_frequency(empty, empty.carbody_height, PARABOLIC.stiffness) / frequency
    return {
        "roll-estimate": Outcome(roll_frequency(loaded, loaded.carbody_height, dynamic(loaded)), note),
        "roll-estimate-empty": Outcome(
            roll_frequency(empty, empty.carbody_height, dynamic(empty)) / frequency,
            f"{with_static:.2f} with the static stiffness of the main leaves in k_z",
        ),
    }


_INTEGER = "printed integer"
_YAW = "speed of resonance by (5.1)"
_AT = THESIS + "(5.1), figure 5.4"

STUDIES: tuple[Study, ...] = (
    Study(
        "wagon-estimates",
        yaw,
        failing(
            (
                Claim("yaw-estimate-1in40", _AT, f"{_YAW}, 1/40", 12.0, "m/s", 0.5, _INTEGER),
                Claim(
                    "yaw-estimate-1in30",
                    _AT,
                    f"{_YAW}, 1/30",
                    18.0,
                    "m/s",
                    0.5,
                    _INTEGER,
                    "conicity rises steeply around 2.5 mm, the first jump; there both 1/40 and 1/30 come out",
                ),
                Claim(
                    "yaw-estimate-1in20",
                    _AT,
                    f"{_YAW}, 1/20",
                    49.0,
                    "m/s",
                    0.5,
                    _INTEGER,
                    "a difference of 0.002 in a conicity of 0.01",
                ),
                Claim(
                    "klingel-speed-of-roll",
                    THESIS + "section 5.1, figure 5.4",
                    "speed at which wheelsets on 1/40 reach 3.3 Hz by (5.1)",
                    30.0,
                    "m/s",
                    0.5,
                    _INTEGER,
                ),
            ),
            "rolling radius of (5.1)",
            1.2,
        ),
        fast=True,
    ),
    Study(
        "wagon-roll-estimates",
        roll,
        failing(
            (
                Claim(
                    "roll-estimate",
                    THESIS + "(5.2)",
                    "roll frequency, loaded, centre of mass at 2.1 m",
                    PRINTED_ROLL,
                    "Hz",
                    0.1,
                    "'about', printed to 0.1 Hz",
                ),
                Claim(
                    "roll-estimate-empty",
                    THESIS + "(5.2), text below",
                    "roll frequency over yaw frequency, empty",
                    1.0,
                    "",
                    0.25,
                    "'about the same': a quarter at most",
                ),
            ),
            "vehicle.carbody.inertia.x",
            2.0,
        ),
        fast=True,
    ),
)
