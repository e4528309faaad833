"""Statements of True, Engsig-Karup and Bigoni (2013) on dry friction, axle guides and the corner of the flange.

Numbers of the vehicles are chosen, those of the papers told of could not be opened: what is compared are words.
Where a number stands for a word the claim says so.
"""

from collections.abc import Mapping
from math import inf

import numpy as np

from klingel.literature.reproduce.claim import Claim, Outcome, Result, Study

PAPER = "True, Engsig-Karup, Bigoni (2013)"
CHOSEN = "numbers of the bogie chosen"
SMALL = 0.01  # amplitude below which a motion is rest [mm]
PLATE = 2.1e11  # stiffness of an elastic plate: E is given in N/m [N/m]
AXLE_SPEED = 50.0  # of the axle with guides [m/s]

FRICTION_CLAIMS = (
    Claim("bogies-linear-damper", f"{PAPER}, section 4 and figure 4",
          "single-axle bogie with a linear damper, 2 % above its Hopf speed: amplitude after a start of 1 mm",
          (1.0, inf), "mm", 0.0, "a word: it has a bifurcation", CHOSEN),
    Claim("bogies-friction-no-bifurcation", f"{PAPER}, section 4 and figure 4",
          "the same with dry friction of equal dissipation: amplitude after a start of 1 mm", (-inf, SMALL), "mm",
          0.0,
          "a word: the bifurcation disappears", CHOSEN),
    Claim("bogies-friction-start", f"{PAPER}, section 4",
          "with dry friction at 100 m/s: distance of the places at which starts of 1 and 5 mm end", (0.05, inf),
          "mm", 0.0, "a word: depends on the start, there is a set of equilibria", CHOSEN),
    Claim("bogies-friction-low-speed", f"{PAPER}, section 4 and figure 4",
          "with dry friction at 20 m/s: amplitude after a start of 5 mm", (SMALL, inf), "mm", 0.0,
          "a word: a small oscillation exists down to very low speeds",
          "with true stick the bogie rests, at 20 to 210 m/s, where its friction holds it; the paper rounds the "
          "jump of the law by a rule of its own, which could not be opened"),
    Claim("bogies-flange-ignored", f"{PAPER}, section 3",
          "Cooperrider bogie at 75 m/s: largest difference of amplitudes with the corner of the flange ignored "
          "and located, over the amplitude", 0.0, "", 1e-3, "a word: no difference could be detected",
          given_kind="direction"),
    Claim("bogies-flange-smooth", f"{PAPER}, section 3",
          "the same with the corner rounded over 20 um", 0.0, "", 1e-3, "a word: no difference could be detected",
          given_kind="direction"),
)  # fmt: skip


def run_friction(_: object) -> Mapping[str, Result]:
    import klingel as kg

    def motion(vehicle, name: str, speed: float, start: float, duration: float = 20.0, **way) -> np.ndarray:
        options = {"rtol": 1e-8, "output_step": 1e-3, "quantities": (name,), **way}
        run = kg.simulate(vehicle, kg.Track.straight(), speed, duration, {name: start}, **options)
        return 1e3 * run[name].to_numpy()[-3000:]

    def amplitude(y: np.ndarray) -> float:
        return float(np.ptp(y)) / 2.0

    y, dry, linear = "wheelset.y", kg.load_vehicle("true_asmund"), kg.load_vehicle("true_asmund_linear")
    hopf = kg.linear_critical_speed(linear, slowest=150.0, fastest=200.0)
    assert hopf is not None
    above = 1.02 * hopf.speed
    ends = [float(motion(dry, y, 100.0, start).mean()) for start in (1e-3, 5e-3)]
    front, bogie = "leading_front_wheelset.y", kg.load_vehicle("cooperrider")
    ways = ({}, {"locate": "ignore"}, {"locate": "smooth", "smooth_length": 20e-6})
    located, ignored, smooth = (amplitude(motion(bogie, front, 75.0, 0.012, 30.0, **way)) for way in ways)
    return {
        "bogies-linear-damper": Outcome(
            amplitude(motion(linear, y, above, 1e-3)), f"Hopf speed {hopf.speed:.2f} m/s"
        ),
        "bogies-friction-no-bifurcation": amplitude(motion(dry, y, above, 1e-3)),
        "bogies-friction-start": Outcome(abs(ends[0] - ends[1]), f"{ends[0]:.3f} and {ends[1]:.3f} mm"),
        "bogies-friction-low-speed": amplitude(motion(dry, y, 20.0, 5e-3)),
        "bogies-flange-ignored": abs(ignored / located - 1.0),
        "bogies-flange-smooth": Outcome(abs(smooth / located - 1.0), f"amplitude {located:.4f} mm"),
    }


GUIDE_CLAIMS = (
    Claim("bogies-guide-yaw", f"{PAPER}, section 4",
          "axle with guides at 50 m/s: largest yaw over that without them",
          (-inf, 0.8), "", 0.0, "a word: the plate limits the yaw motion; 0.8 stands for it", CHOSEN),
    Claim("bogies-guide-lateral", f"{PAPER}, section 4",
          "the same: root mean square of the lateral motion over that without guides", 1.0, "", 0.2,
          "a word: almost no influence; 20 % stand for it",
          "numbers of the axle chosen; 0.82 with half the conicity", given_kind="direction"),
    Claim("bogies-guide-chaos", f"{PAPER}, section 4 and figure 6",
          "the same: scatter of the lateral maxima over 10 s", (0.5, inf), "mm", 0.0, "a word: chaotic", CHOSEN),
    Claim("bogies-guide-elastic", f"{PAPER}, section 4",
          "the same: root mean square of the lateral motion with an elastic plate over that with ideal reversal",
          1.0, "", 0.1, "a word: the dynamics remain the same; chaotic motions over 30 s agree to some per cent",
          given_kind="direction"),
    Claim("bogies-guide-cost", f"{PAPER}, section 4",
          "the same: steps with the elastic plate over steps with ideal reversal", (1.0, inf), "", 0.0,
          "a word: the elastic plate costs more", "printed: strongly more; here both are stops at located events"),
)  # fmt: skip


def run_guide(_: object) -> Mapping[str, Result]:
    import klingel as kg

    def run(**changes: float):
        vehicle = kg.load_vehicle("true_trzepacz")
        for name, value in changes.items():
            vehicle = kg.with_value(vehicle, f"guide.{name}", value)
        options = {"rtol": 1e-7, "output_step": 1e-3, "quantities": ("wheelset.y", "wheelset.yaw")}
        return kg.simulate(vehicle, kg.Track.straight(), AXLE_SPEED, 40.0, {"wheelset.y": 5e-3}, **options)

    def late(found, name: str) -> np.ndarray:
        return 1e3 * found[f"wheelset.{name}"].to_numpy()[-30_000:]

    guided, free, elastic = run(), run(gap_x=1.0), run(stiffness_x=PLATE)
    rms = {name: float(np.sqrt((late(found, "y") ** 2).mean()))
           for name, found in (("guided", guided), ("free", free), ("elastic", elastic))}  # fmt: skip
    y = late(guided, "y")[-10_000:]
    tops = y[1:-1][(y[1:-1] > y[:-2]) & (y[1:-1] >= y[2:]) & (y[1:-1] > 0.0)]
    yaw, loose = (float(np.abs(late(found, "yaw")).max()) for found in (guided, free))
    return {
        "bogies-guide-yaw": Outcome(yaw / loose, f"{yaw:.2f} and {loose:.2f} mrad"),
        "bogies-guide-lateral": Outcome(
            rms["guided"] / rms["free"], f"{rms['guided']:.2f} and {rms['free']:.2f} mm"
        ),
        "bogies-guide-chaos": float(tops.max() - tops.min()),
        "bogies-guide-elastic": rms["elastic"] / rms["guided"],
        "bogies-guide-cost": elastic.stats.accepted / guided.stats.accepted,
    }


STUDIES = (
    Study("bogies-friction", run_friction, FRICTION_CLAIMS, fast=False),
    Study("bogies-guide", run_guide, GUIDE_CLAIMS, fast=False),
)
