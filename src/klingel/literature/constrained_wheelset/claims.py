"""Hoffmann (2006), appendix B.4: stability verdicts and angles of the wheelset on rigid round rails."""

from collections.abc import Mapping
from math import inf

from klingel.literature.reproduce.case import Case
from klingel.literature.reproduce.claim import Claim, Outcome, Result, Study, failing, identities

DIGIT = "half of the last digit of a printed, approximate value"
UNSTABLE, STABLE = (0.0, inf), (-inf, 0.0)
NAMES = {
    "unsuspended": ("20 m/s, cone 0.05, no suspension", UNSTABLE, "figures B.27-B.30"),
    "suspended": ("100 m/s, cone 0.05, suspended", STABLE, "figures B.31, B.32"),
    "steep": ("100 m/s, cone 0.08, suspended", UNSTABLE, "figures B.33, B.34"),
}
RTOL = 1e-7
ANGLES = (("suspended", 0.05), ("steep", 0.08))


def _angle_claims(name: str, printed: float) -> tuple[Claim, ...]:
    what, _, where = NAMES[name]
    left, right = "delta + phi = s21", "delta - phi = -s32"
    return tuple(
        Claim(f"b4-{name}-{side}", f"Hoffmann 2006, {where}", f"{what}: {symbols}, farthest from its mean",
              printed, "rad",
              0.005, DIGIT)
        for side, symbols in (("left-angle", left), ("right-angle", right))
    )  # fmt: skip


CLAIMS = (
    *(
        Claim(f"b4-{name}-growth", f"Hoffmann 2006, {where}", f"{what}: growth rate of small motions", verdict,
              "1/s", 0.0,
              "printed as unstable" if verdict == UNSTABLE else "printed as stable")
        for name, (what, verdict, where) in NAMES.items()
    ),
    Claim("b4-unsuspended-limited", "Hoffmann 2006, figure B.27",
          "20 m/s: amplitude in the last quarter of 15 s over that in the third", 1.0, "", 0.05,
          "printed as limited by the flange, constant in a figure"),
    *(claim for name, printed in ANGLES for claim in _angle_claims(name, printed)),
)  # fmt: skip


def run(case: Case) -> Mapping[str, Result]:
    from klingel.literature.constrained_wheelset.example import Parameters
    from klingel.literature.constrained_wheelset.stability import hunting_mode

    p = case.fields(Parameters())
    wheelsets = p.wheelsets()
    found: dict[str, Result] = {f"b4-{n}-growth": hunting_mode(w).real for n, w in wheelsets.items()}
    found["b4-unsuspended-limited"] = limited(case, p)
    for name, _printed in ANGLES:
        wheelset = wheelsets[name]
        roll = simulated(case, wheelset, p.fast_duration, p)["roll"]
        extreme = float(roll[abs(roll).argmax()])
        found[f"b4-{name}-left-angle"] = wheelset.conicity + extreme
        found[f"b4-{name}-right-angle"] = wheelset.conicity - extreme
    return found


def simulated(case: Case, wheelset, duration: float, p):
    from klingel.literature.constrained_wheelset.history import history
    from klingel.literature.constrained_wheelset.reduced import reduced_problem
    from klingel.literature.constrained_wheelset.start import start
    from klingel.numerics.integrate import integrate

    x = start(wheelset, y=p.shift)
    rtol = case.rtol(RTOL)
    out = integrate(reduced_problem(wheelset), x, duration, rtol=rtol, atol=1e-2 * rtol, output_step=p.output_step)
    return history(wheelset, out)


def limited(case: Case, p) -> Outcome:
    import numpy as np

    wheelset = p.wheelsets()["unsuspended"]
    h = simulated(case, wheelset, p.duration, p)
    y, share = np.abs(h["y"]), h.t / h.t[-1]
    third, last = (float(y[(share >= low) & (share <= low + 0.25)].max()) for low in (0.5, 0.75))
    return Outcome(
        last / third, f"amplitude {1e3 * last:.2f} mm, clearance {1e3 * wheelset.flange_clearance:g} mm"
    )


_ANGLES = tuple(claim.id for claim in CLAIMS if claim.id.endswith("angle"))  # hold without any roll
_CLAIMS = failing(identities(CLAIMS, *_ANGLES), "flange_stiffness", 0.0)
STUDIES = (Study("constrained-wheelset", run, _CLAIMS, fast=True, rtol=RTOL),)
