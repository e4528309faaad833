"""Rolling radii and equivalent conicity: EN 15302 from its own table, S1002 on UIC60 next to an independent
program.

No table of the conicity of S1002 on UIC60 was found in the literature; the values of the second study are those
of a program that shares nothing with this one.
"""

from collections.abc import Mapping

from klingel.literature.reproduce.case import Case
from klingel.literature.reproduce.claim import Claim, Outcome, Result, Study, failing

# EN 15302:2008, annex E, case E1 (wheel A on rail A): dr [mm] at y = 0, 0.1 .. 6.8 mm
E1 = (
    0, 0.032, 0.051, 0.071, 0.092, 0.116, 0.142, 0.167, 0.197, 0.227, 0.257, 0.292, 0.328, 0.361, 0.402, 0.443,
    0.481,
    0.527, 0.574, 0.616, 0.667, 0.719, 0.766, 0.822, 0.879, 0.931, 0.992, 1.055, 1.111, 1.177, 1.236, 1.299, 1.346,
    1.407, 1.471, 1.539, 1.598, 1.673, 1.752, 1.834, 1.906, 1.995, 2.088, 2.185, 2.286, 2.373, 2.481, 2.593, 2.709,
    2.808, 2.931, 3.058, 3.189, 3.324, 3.440, 3.582, 3.729, 3.879, 4.008, 4.166, 4.328, 4.494, 4.636, 5.064, 5.692,
    6.521, 7.597, 9.010, 10.954,
)  # fmt: skip
SPACING, RADIUS = 1.5, 0.46  # of the running circles, nominal [m]

EN = "EN 15302:2008, annex E, case E1"
DIGIT = "half of the printed digit"
EN_CLAIMS = tuple(
    Claim(f"en15302-e1-{mm}mm", EN, f"equivalent conicity at an amplitude of {mm} mm", value, "", 0.0005, DIGIT)
    for mm, value in ((2, 0.155), (4, 0.216), (6, 0.303))
)

OWN = "independent program: arcs of the profiles, rigid contact, no roll, gauge 1435 mm"
STEPS = "difference between its two step sizes, 0.01 and 0.05 mm, beyond a jump next to the flange"
# inclination, amplitude [mm], value
VALUES = (
    (40, 2, 0.2186),
    (40, 4, 0.1550),
    (40, 6, 0.2665),
    (30, 2, 0.0252),
    (30, 4, 0.1284),
    (30, 6, 0.2219),
    (20, 2, 0.0092),
    (20, 4, 0.0097),
    (20, 6, 0.0107),
)
RADIUS_DIFFERENCES = (0.609, 0.766, 0.939, 1.151, 1.447, 4.270)  # at 1, 2 .. 6 mm, 1/40 [mm]
PROGRAM_STEP = 1e-5  # [m]
GAUGE = 1.435  # [m]
WIDER = 1e-5  # gauge that shows how sensitive they are [m]
S1002_CLAIMS = (
    *(
        Claim(f"s1002-1in{n}-{mm}mm", OWN, f"S1002/UIC60 1/{n}: equivalent conicity at {mm} mm", value, "",
              *((0.0007, STEPS) if mm == 6 and n > 20 else (0.00005, DIGIT)))
        for n, mm, value in VALUES
    ),
    Claim("s1002-first-jump", OWN, "S1002/UIC60 1/40: first jump of a contact point from the track centre", (0.2,
          0.3),
          "mm", 0.0, "seen between two rows of a table"),
    *(
        Claim(f"s1002-radius-difference-{mm}mm", OWN, f"S1002/UIC60 1/40: radius difference at {mm} mm", value,
              "mm", 0.0005, DIGIT)
        for mm, value in enumerate(RADIUS_DIFFERENCES, 1)
    ),
)  # fmt: skip


def run_en(case: Case) -> Mapping[str, Result]:
    import numpy as np

    from klingel.contact.geometry.conicity import Characteristic, equivalent_conicity

    table = Characteristic.odd(1e-4 * np.arange(len(E1)), 1e-3 * np.array(E1))
    scale = case.number("amplitude", 1e-3)
    return {f"en15302-e1-{mm}mm": equivalent_conicity(table, scale * mm, SPACING, RADIUS) for mm in (2, 4, 6)}


def run_s1002(case: Case) -> Mapping[str, Result]:
    from klingel.contact.geometry.conicity import characteristics, equivalent_conicity
    from klingel.contact.geometry.wheelset_on_track import Roll
    from klingel.io.contact.cache import wheelset_on_track

    found: dict[str, Result] = {}
    gauge = case.number("gauge", GAUGE)
    for n in sorted({row[0] for row in VALUES}):
        known = characteristics(wheelset_on_track(inclination=1 / n, gauge=gauge), 6.5e-3, Roll.NONE)
        for mm in (row[1] for row in VALUES if row[0] == n):
            value = equivalent_conicity(known.radius_difference, 1e-3 * mm, known.spacing, known.radius)
            found[f"s1002-1in{n}-{mm}mm"] = value
    wheelset = wheelset_on_track(inclination=1 / 40, gauge=gauge)
    jumps = [abs(jump.shift) for jump in wheelset.jumps(-1e-3, 1e-3, roll=Roll.NONE)]
    found["s1002-first-jump"] = 1e3 * min(jumps)
    return found | radius_differences(gauge)


def radius_differences(gauge: float) -> dict[str, Result]:
    import numpy as np

    from klingel.contact.geometry.wheelset_on_track import Roll
    from klingel.io.contact.cache import wheelset_on_track

    shifts = [1e-3 * mm for mm in range(1, len(RADIUS_DIFFERENCES) + 1)]
    contacts = [
        wheelset_on_track(inclination=1 / 40, gauge=wide).at(shifts, roll=Roll.NONE)
        for wide in (gauge, gauge + WIDER)
    ]
    here, wider = (1e3 * contact.rolling_radius_difference for contact in contacts)
    left, right = (np.abs(np.tan(side.first.wheel_angle)) for side in (contacts[0].left, contacts[0].right))
    rows = zip(here, wider - here, 1e3 * 0.5 * PROGRAM_STEP * (left + right), strict=True)
    return {
        f"s1002-radius-difference-{mm}mm": Outcome(
            float(value),
            f"{change:+.4f} mm for 10 um more gauge; {blur:.4f} mm for points found to 0.01 mm, its step",
        )
        for mm, (value, change, blur) in enumerate(rows, 1)
    }


STUDIES = (
    Study("en15302", run_en, failing(EN_CLAIMS, "amplitude", 1.1), fast=True),
    Study("s1002-uic60", run_s1002, failing(S1002_CLAIMS, "gauge", 1.001), fast=True),
)
