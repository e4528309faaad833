"""Statements of True, Engsig-Karup and Bigoni (2013) on bogies, next to computed values.

Most of them are words: grows linearly, is subcritical, captures the hunting. A number stands for each, and an open
range is a direction. Speeds and masses of the single-axle bogie are ours, those of the paper could not be opened.
"""

from collections.abc import Mapping
from math import inf, log

import numpy as np

from klingel.literature.reproduce.claim import Claim, Outcome, Result, Study

PAPER = "True, Engsig-Karup, Bigoni (2013)"
TABLE = f"{PAPER}, table 1 and figure 20"
HUNTING = 1.0  # amplitude from which a motion is called hunting [mm]
WORD = "a word: more or less than 1 mm in the last two seconds"

WAGON_CLAIMS = (
    Claim("bogies-wagon-40", f"{PAPER}, section 6", "wagon of 66 equations at 40 m/s: amplitude after 20 s",
          (-inf, HUNTING), "mm", 0.0, WORD),
    Claim("bogies-wagon-120", f"{PAPER}, section 6", "wagon of 66 equations at 120 m/s: amplitude after 20 s",
          (HUNTING, inf), "mm", 0.0, WORD),
    Claim("bogies-erkf34-1e-4", TABLE, "the same by ERKF34 at the tolerance 1e-4",
          (HUNTING, inf), "mm", 0.0, WORD),
    Claim("bogies-esdirk34-1e-4", TABLE, "the same by ESDIRK34 at the tolerance 1e-4: fails to hunt",
          (-inf, HUNTING), "mm", 0.0, WORD,
          "the paper does not locate changes of the contact state, nor tell its relative tolerance and start; "
          "here they are located, and both methods hunt from 0.1 or 1 mm, with relative tolerances 1e-12 to 1e-4"),
    Claim("bogies-esdirk34-1e-5", TABLE, "the same by ESDIRK34 at the tolerance 1e-5",
          (HUNTING, inf), "mm", 0.0, WORD),
    Claim("bogies-cpu-1e-5", TABLE, "CPU time of ESDIRK34 over that of ERKF34 at 1e-5", (1.0, inf), "", 0.0,
          "a word: the explicit method is quicker; printed 467.12 / 21.25 = 22, on another machine and code"),
)  # fmt: skip


def run_wagon(_: object) -> Mapping[str, Result]:
    from klingel.literature.nonsmooth_bogies.solver_table import CHANGED_SIGN, rows

    found = {(r.solver, r.tolerance): r for r in rows(120.0, 20.0, (1e-4, 1e-5), 1e-6, "empty", 300_000)}
    slow = next(iter(rows(40.0, 20.0, (1e-5,), 1e-6, "empty", 300_000)))
    mm = {key: 1e3 * row.amplitude for key, row in found.items()}
    ratio = found["esdirk34", 1e-5].cpu / found["erkf34", 1e-5].cpu
    broken = found[CHANGED_SIGN, 1e-4]
    note = (
        f"with the sign of the fourth entry of its error row changed ERKF34 takes {broken.accepted} steps for "
        f"{broken.simulated:.2f} s: the printed 12 617 are not of that row, if the error norm was like ours"
    )
    return {
        "bogies-wagon-40": 1e3 * slow.amplitude,
        "bogies-wagon-120": mm["erkf34", 1e-5],
        "bogies-erkf34-1e-4": Outcome(mm["erkf34", 1e-4], note),
        "bogies-esdirk34-1e-4": mm["esdirk34", 1e-4],
        "bogies-esdirk34-1e-5": mm["esdirk34", 1e-5],
        "bogies-cpu-1e-5": ratio,
    }


BRANCH_CLAIMS = (
    Claim("bogies-single-axle-growth", f"{PAPER}, section 3",
          "single-axle bogie: exponent of the amplitude over the speed above its Hopf point", 1.0, "", 0.25,
          "linear, and not a square root: halfway between 1 and 1/2",
          "numbers of the bogie chosen; without a damper amplitudes jump to the flange, because both creep forces "
          "saturate alike", given_kind="direction"),
    Claim("bogies-single-axle-supercritical", f"{PAPER}, section 3",
          "single-axle bogie 0.1 % below its Hopf point: largest amplitude after a start of 8 mm, over that of 40 "
          "s before", (-inf, 1.0), "", 0.0, "a word: supercritical, large motions decay below it"),
    Claim("bogies-single-axle-chaos", f"{PAPER}, section 3",
          "single-axle bogie beyond grazing its flange: scatter of the maxima over 10 s", (0.05, inf), "mm", 0.0,
          "a word: chaotic",
          "numbers of the bogie chosen; periodic up to 1.3 times the Hopf speed with them"),
    Claim("bogies-cooperrider-subcritical", f"{PAPER}, section 3",
          "Cooperrider bogie 0.1 % below its Hopf point: amplitude 100 s after a start of 12 mm", (5.0, inf), "mm",
          0.0, "a word: subcritical, a cycle of large amplitude is there below it"),
    Claim("bogies-cooperrider-small", f"{PAPER}, section 3",
          "Cooperrider bogie 0.1 % below its Hopf point: amplitude 100 s after a start of 0.1 mm", (-inf, 0.1),
          "mm", 0.0, "a word: rest is stable there"),
)  # fmt: skip


def run_branches(_: object) -> Mapping[str, Result]:
    import klingel as kg

    def motion(vehicle, name: str, speed: float, start: float, duration: float) -> np.ndarray:
        track, kept = kg.Track.straight(), (name,)
        kick = {name: start}
        run = kg.simulate(vehicle, track, speed, duration, kick, rtol=1e-8, output_step=2e-3, quantities=kept)
        return 1e3 * run[name].to_numpy()

    def end(y: np.ndarray) -> float:
        return float(np.abs(y[-len(y) // 10 :]).max())

    single, bogie = kg.load_vehicle("single_axle"), kg.load_vehicle("cooperrider")
    hopf = kg.linear_critical_speed(single, slowest=150.0, fastest=200.0)
    flip = kg.linear_critical_speed(bogie, slowest=50.0, step=5.0)
    assert hopf is not None
    assert flip is not None
    near, far = (end(motion(single, "wheelset.y", hopf.speed * (1.0 + e), 2e-3, 60.0)) for e in (0.005, 0.01))
    below = motion(single, "wheelset.y", hopf.speed * 0.999, 8e-3, 80.0)
    wild = motion(single, "wheelset.y", hopf.speed * 1.1, 5e-3, 60.0)[-5000:]
    tops = wild[1:-1][(wild[1:-1] > wild[:-2]) & (wild[1:-1] >= wild[2:])]
    name = "leading_front_wheelset.y"
    large, small = (end(motion(bogie, name, 0.999 * flip.speed, start, 100.0)) for start in (12e-3, 1e-4))
    return {
        "bogies-single-axle-growth": Outcome(
            log(far / near) / log(2.0), f"{near:.3f} mm at 0.5 %, {far:.3f} mm at 1 %"
        ),
        "bogies-single-axle-supercritical": end(below) / end(below[: len(below) // 2]),
        "bogies-single-axle-chaos": float(tops.max() - tops.min()),
        "bogies-cooperrider-subcritical": large,
        "bogies-cooperrider-small": small,
    }


STUDIES = (
    Study("bogies-solvers", run_wagon, WAGON_CLAIMS, fast=False),
    Study("bogies-branches", run_branches, BRANCH_CLAIMS, fast=False),
)
