"""Hoffmann (2006), section 2.3.3: UIC links, their parameters read off simulated loops as the text tells.

Figure 2.49: the loop begins with the slope k + k_1, bends at y_1 = T_0/k_1 to the slope k, and beyond the
clearance of the suspension bracket to twice that slope.
"""

from collections.abc import Mapping

from klingel.literature.reproduce.case import Case
from klingel.literature.reproduce.claim import Claim, Outcome, Result, Study, failing, identities

TABLES = "Hoffmann 2006, tables 2.4, 2.5 and figure 2.49"
DIGIT = "half of the last printed digit"
AMPLITUDE = 0.020  # of the simulated loop [m]
RTOL = 1e-9
SWAY = 0.009  # release of the swaying mass, just inside the bracket [m]

CLAIMS = (
    Claim("link-ptp-rolling-slope", TABLES, "PTP lateral: first slope of the loop, k + k_1", 13.781, "1/m", 0.0005,
          DIGIT),
    Claim("link-ptp-sliding-slope", TABLES, "PTP lateral: slope while sliding, k", 3.406, "1/m", 0.0005, DIGIT),
    Claim("link-ptp-friction-limit", TABLES, "PTP lateral: friction limit k_1 y_1 at the bend y_1", 0.053, "",
          0.0005,
          DIGIT),
    Claim("link-bracket-doubles", "Hoffmann 2006, section 2.3.3",
          "PTP lateral: slope beyond the clearance over that before", 2.0, "", 1e-3, "printed as doubled"),
    Claim("link-clearance", "Hoffmann 2006, section 2.3.3", "PTP lateral: displacement at which the loop bends up",
          10.0,
          "mm", 0.05, "half of the printed digit of 0.010 m, read off a sampled loop"),
    Claim("link-mp-frequency", "Hoffmann 2006, section 2.3.3",
          "MP lateral: first swing of the freely swaying mass", 1.0,
          "Hz", 0.5, "half of the printed digit of 'about 1 Hz'",
          "released at 9 mm, ours; driven by a motor there"),
    Claim("link-rolling-loss", "Hoffmann 2006, section 2.3.3",
          "PTP longitudinal: energy lost in 10 s of swaying below the first break-out, relative", 0.0, "", 1e-3,
          "printed as practically none"),
)  # fmt: skip


def run(case: Case) -> Mapping[str, Result]:
    import numpy as np

    from klingel.elements.link_sets import link_law

    law = link_law("PTP", "y")
    u, force = first_loading(case, law)
    slope = np.gradient(force, u)
    rolling, sliding, beyond = slope[5], float(np.median(slope[(u > 7e-3) & (u < 9.5e-3)])), slope[-5]
    bend = float(u[np.argmax(slope < 0.5 * (rolling + sliding))])
    clearance = float(u[np.argmax((slope > 0.5 * (sliding + beyond)) & (u > 7e-3))])
    return {
        "link-ptp-rolling-slope": float(rolling),
        "link-ptp-sliding-slope": sliding,
        "link-ptp-friction-limit": float(rolling - sliding) * bend,
        "link-bracket-doubles": float(beyond) / sliding,
        "link-clearance": 1e3 * clearance,
        "link-mp-frequency": first_swing(case),
        "link-rolling-loss": rolling_loss(case),
    }


def first_loading(case: Case, law):
    """Displacement and force over load on the way from rest to the amplitude."""
    from klingel.literature.links.link import restoring, shaken_link, shaken_path
    from klingel.numerics.integrate import integrate

    out = integrate(shaken_link(law, AMPLITUDE), [0.0], 0.24, rtol=case.rtol(1e-11), atol=1e-14, redo_events=True,
                    output_step=1e-4)  # fmt: skip
    u = shaken_path(out.t, AMPLITUDE)
    return u, restoring(u, out.memory)


def first_swing(case: Case) -> Outcome:
    import numpy as np

    from klingel.elements.link_sets import link_law
    from klingel.literature.links.link import swaying_mass
    from klingel.numerics.integrate import integrate

    law, rtol = case.fields(link_law("MP", "y")), case.rtol(RTOL)
    out = integrate(swaying_mass(law, SWAY), [SWAY, 0.0], 3.0, rtol=rtol, atol=1e-3 * rtol)
    speed = out["speed"]
    back = int(np.flatnonzero((speed[1:-1] > 0.0) & (speed[2:] <= 0.0))[0]) + 1
    return Outcome(1.0 / float(out.t[back]), f"amplitude {1e3 * out['displacement'][back]:.1f} mm after one swing")


def rolling_loss(case: Case) -> float:
    from klingel.elements.link_sets import link_law
    from klingel.literature.links.link import GRAVITY, swaying_mass
    from klingel.numerics.integrate import integrate

    law = link_law("PTP", "x")
    start = 0.9 * min(limit / stiffness for stiffness, limit in law.sliders)
    law = law.with_friction(case.number("friction in the joints", 1.0))
    out = integrate(swaying_mass(law, start), [start, 0.0], 10.0, rtol=0.1 * case.rtol(RTOL), atol=1e-14)
    energy = out["speed"] ** 2 / GRAVITY + law.rolling_stiffness * out["displacement"] ** 2
    return float(1.0 - energy[-1] / energy[0])


_READ_BACK = tuple(claim.id for claim in CLAIMS[:5])  # slopes, limit and clearance are parameters of the law
_CLAIMS = failing(identities(CLAIMS, *_READ_BACK), "stiffness", 4.0, "link-mp-frequency")
STUDIES = (
    Study(
        "links",
        run,
        failing(_CLAIMS, "friction in the joints", 0.5, "link-rolling-loss"),
        fast=True,
        rtol=RTOL,
    ),
)
