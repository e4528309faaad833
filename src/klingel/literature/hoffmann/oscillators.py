"""Hoffmann (2006), appendices B.1 and B.3: the impact oscillator and the rod between guides.

The figures show no numbers that could be read from the text; what can be checked are the statements about them
and what follows from the printed parameters.
"""

from collections.abc import Mapping
from math import inf

from klingel.literature.reproduce.case import Case
from klingel.literature.reproduce.claim import Claim, Outcome, Result, Study, failing, identities

IMPACT_RTOL, ROD_RTOL = 1e-9, 1e-10
REPEATS = 1e-4  # impacts are the same [s, m/s]

IMPACT_CLAIMS = (
    Claim("impact-wall", "Hoffmann 2006, section 1.3, figure B.5", "largest displacement of the impact oscillator",
          0.020,
          "m", 1e-9, "a wall: not passed, and reached at every impact"),
    Claim("impact-period", "Hoffmann 2006, figures B.6-B.8", "period of the asymptotic motion", 2 / 3, "s", 0.005,
          "width of a line in a figure of some seconds", "a closed loop is shown; omega = 3 pi"),
    Claim("impact-friction-limit", "Hoffmann 2006, figure B.7", "height of the friction part of the loop, T_01/Q",
          0.08,
          "", 0.005, "half of the printed digit"),
)  # fmt: skip

ROD_CLAIMS = (
    Claim("rod-single-double-impacts", "Hoffmann 2006, figure B.21",
          "slightly turned start: impacts at two guides at once",
          0.0, "", 0.0, "a count", "20 s, restitution 0.9; neither is printed for the rod"),
    Claim("rod-single-irregular", "Hoffmann 2006, figure B.20",
          "slightly turned start: spread of the times between impacts over their mean", (0.1, inf), "", 0.0,
          "printed as irregular; even bouncing has none but the slow growth"),
    Claim("rod-double-single-impacts", "Hoffmann 2006, figure B.23", "straight start: impacts at one guide only",
          0.0, "",
          0.0, "a count"),
    Claim("rod-double-first-impact", "Hoffmann 2006, appendix B.3",
          "straight start: first impact, d_clear over speed", 0.45,
          "s", 0.005, "half of the digit that 4 x 0.0225 m and 0.2 m/s give"),
    Claim("rod-double-slower", "Hoffmann 2006, figure B.22",
          "straight start: last time between impacts over the first", (1.0, inf), "", 0.0,
          "printed as less frequent as time goes by"),
)  # fmt: skip


def run_impact(case: Case) -> Mapping[str, Result]:
    import numpy as np

    from klingel.literature.impact_oscillator.example import Parameters
    from klingel.literature.impact_oscillator.system import impact_oscillator
    from klingel.numerics.integrate import integrate

    parameters = case.fields(Parameters())
    system, rtol = parameters.system(), case.rtol(IMPACT_RTOL)
    atol = [1e-2 * rtol, rtol]
    out = integrate(impact_oscillator(system), [0.0, 0.0], parameters.duration, rtol=rtol, atol=atol)
    hits = out.events.of("contact")
    speeds = np.array([out["v"][np.searchsorted(out.t, hit)] for hit in hits])
    return {
        "impact-wall": float(out["x"].max()),
        "impact-period": Outcome(period(hits, speeds), f"{hits.size} impacts in {parameters.duration:g} s"),
        "impact-friction-limit": friction_part(system, out) / system.load,
    }


def period(hits, speeds) -> float | None:
    """Time after which impacts repeat, in their distances and speeds, over the last three of it; None if never."""
    import numpy as np

    waits = np.diff(hits)
    for n in range(1, waits.size // 4):
        late = slice(waits.size - 3 * n, None)
        before = slice(waits.size - 4 * n, waits.size - n)
        if np.allclose(waits[late], waits[before], atol=REPEATS) and np.allclose(
            speeds[1:][late], speeds[1:][before], atol=REPEATS
        ):
            return float(waits[-n:].sum())
    return None


def friction_part(system, out) -> float:
    """Largest force of the slider along a run [N]."""
    import numpy as np

    from klingel.literature.impact_oscillator.energy import band_force
    from klingel.literature.impact_oscillator.pictures import suspension_force

    x = out["x"]
    rest = suspension_force(system, out) - system.load * system.stiffness * x - band_force(system, x)
    return float(np.abs(rest).max())


def run_rod(case: Case) -> Mapping[str, Result]:
    import numpy as np

    from klingel.literature.guided_rod.example import Parameters, describe
    from klingel.literature.guided_rod.system import guided_rod
    from klingel.numerics.integrate import integrate

    p = case.fields(Parameters())
    rod = p.system()
    starts = {"single": [p.speed_single, 0.0, p.spin_single], "double": [p.speed_double, 0.0, 0.0]}
    counts: dict[str, float] = {}
    times = {}
    for name, speeds in starts.items():
        out = integrate(
            guided_rod(rod),
            [0.0, 0.0, 0.0, *speeds],
            p.duration,
            rtol=case.rtol(ROD_RTOL),
            atol=1e-2 * case.rtol(ROD_RTOL),
        )
        counts |= describe(name, rod, out)
        times[name] = np.unique(out.events.time)
    single, double = (np.diff(times[name]) for name in ("single", "double"))
    return {
        "rod-single-double-impacts": float(counts["single_impacts_more_contacts"]),
        "rod-single-irregular": Outcome(float(single.std() / single.mean()), f"{single.size + 1} impacts"),
        "rod-double-single-impacts": float(counts["double_impacts_one_contact"]),
        "rod-double-first-impact": float(times["double"][0]),
        "rod-double-slower": Outcome(float(double[-1] / double[0]), f"{double.size + 1} impacts"),
    }


STUDIES = (
    Study(
        "impact-oscillator",
        run_impact,
        failing(identities(IMPACT_CLAIMS, "impact-wall", "impact-friction-limit"), "omega", 1.1),
        fast=True,
        rtol=IMPACT_RTOL,
    ),
    Study(
        "guided-rod",
        run_rod,
        failing(
            identities(ROD_CLAIMS, "rod-double-single-impacts", "rod-double-first-impact"), "spin_single", 0.0
        ),
        fast=True,
        rtol=ROD_RTOL,
    ),
)
