"""Empty Hbbills 311 through a left-hand curve of 1000 m with 150 mm of cant, at 20 and 30 m/s.

Signs as in the thesis: y to the left, so the outer, right rail is at negative y. Carbody overthrow: the chord
between the wheelsets lies a^2 / (2 R) inside the arc, 12.5 mm. Means are taken over the second half of the
circular arc. The transition length is not in the thesis; 100 m here. Source: Hoffmann (2006), section 5.3.
"""

from math import inf
from typing import TYPE_CHECKING

from klingel.literature.reproduce.case import Case
from klingel.literature.reproduce.claim import Claim, Outcome, Result, Study, failing, identities

if TYPE_CHECKING:
    from klingel.simulation.run import Run

THESIS = "Hoffmann 2006, "
RADIUS, CANT = 1000.0, 0.150  # [m]
LEAD, TRANSITION, ARC = 50.0, 100.0, 300.0  # [m]
RTOL = 1e-5


def _through(case: Case, speed: float) -> "Run":
    from klingel.simulation.simulate import simulate
    from klingel.track.track import Track

    track = Track.curve(RADIUS, case.number("cant", CANT), TRANSITION, ARC, LEAD, inclination=1 / 40)
    duration = (LEAD + 2.0 * TRANSITION + ARC + 150.0) / speed
    return simulate(case.wagon("hbbills311", links="PTP"), track, speed, duration, rtol=case.rtol(RTOL))


def _mean(run: "Run", name: str, first: float, last: float) -> float:
    """Between two distances of the middle of the wagon [m]."""
    place = run.options["speed"] * run.time
    rows = (place >= first) & (place <= last)
    return float(run[name].to_numpy()[rows].mean())


def _in_curve(run: "Run", name: str) -> float:
    end = LEAD + TRANSITION + ARC
    return _mean(run, name, end - 0.5 * ARC, end - 10.0)


def balance(case: Case) -> dict[str, Result]:
    from klingel.io.vehicle.files import load_vehicle
    from klingel.track.track import Track

    gravity = load_vehicle("hbbills311").gravity
    return {"curve-balance": (gravity * RADIUS * CANT / Track.straight().cant_reference) ** 0.5}


def curve(case: Case) -> dict[str, Result]:
    runs = {speed: _through(case, speed) for speed in (20.0, 30.0)}
    results: dict[str, Result] = {}
    for speed, run in runs.items():
        lateral = {
            name: 1e3 * _in_curve(run, f"{name}.y") for name in ("front_wheelset", "rear_wheelset", "carbody")
        }
        told = ", ".join(f"{name} {mm:.2f} mm" for name, mm in lateral.items())
        results[f"curve-front-{speed:g}"] = Outcome(lateral["front_wheelset"] - lateral["rear_wheelset"], told)
        results[f"curve-carbody-{speed:g}"] = lateral["carbody"]
        lean = 1e3 * (
            _in_curve(run, "front_left.leaf.compression") - _in_curve(run, "front_right.leaf.compression")
        )
        results[f"curve-lean-{speed:g}"] = lean
    slow = runs[20.0]
    yaw = 1e3 * _in_curve(slow, "front_wheelset.yaw")
    results["curve-yaw"] = Outcome(yaw, f"rear {1e3 * _in_curve(slow, 'rear_wheelset.yaw'):.2f} mrad")
    results["curve-rear-20"] = 1e3 * _in_curve(slow, "rear_wheelset.y")
    out = LEAD + TRANSITION + ARC
    for name, first in (("entry", LEAD), ("exit", out)):
        part = (first, first + TRANSITION)
        left, right = (_mean(runs[30.0], f"front_{hand}.leaf.compression", *part) for hand in ("left", "right"))
        results[f"curve-{name}-right"] = 1e3 * (right - left)
        # positive pitch lowers the front
        results[f"curve-{name}-front"] = -1e3 * _mean(runs[30.0], "carbody.pitch", *part)
    after = slow["front_wheelset.y"].to_numpy()[-300:]
    results["curve-after"] = 0.5e3 * float(after.max() - after.min())
    return results


def _both(
    name: str, quantity: str, published: dict[int, object], reason: str, tolerance: float = 0.0
) -> list[Claim]:
    figures = {20: "figure 5.32", 30: "figure 5.33"}
    return [
        Claim(f"curve-{name}-{v}", THESIS + figures[v], f"{quantity}, {v} m/s", value, "mm", tolerance, reason)  # type: ignore[arg-type]
        for v, value in published.items()
    ]


_WORD = "said in words, no number"
_SIGN_ONLY = "a direction " + _WORD
_SIGN = (
    *_both(
        "front",
        "front wheelset minus rear, in the arc (negative: to the outer rail)",
        {20: (-inf, -0.5), 30: (-inf, -0.5)},
        "'significantly displaced': by more than half a millimetre",
    ),
    *_both(
        "carbody",
        "carbody in the arc, positive: inwards",
        {20: (5.0, inf), 30: (5.0, inf)},
        "'positive', for overthrow (12.5 mm) and roll; half the overthrow may be taken back by the wheelsets",
    ),
    *_both(
        "lean",
        "front left leaf spring compressed more than the right",
        {20: (0.5, inf)},
        "'leaning slightly on the left': visible in a figure of millimetres",
    ),
    *_both(
        "lean",
        "front left leaf spring compressed more than the right",
        {30: 0.0},
        "'seen to be equal': as well as a figure of millimetres shows",
        1.0,
    ),
)

STUDIES: tuple[Study, ...] = (
    Study(
        "wagon-curve-balance",
        balance,
        identities(
            (
                Claim(
                    "curve-balance",
                    THESIS + "section 5.3",
                    "equilibrium speed",
                    31.3,
                    "m/s",
                    0.05,
                    "printed digit",
                ),
            )
        ),
        fast=True,
    ),
    Study(
        "wagon-curve",
        curve,
        (
            *failing(_SIGN, "cant", 0.3),
            *failing(
                (
                    Claim(
                        "curve-yaw",
                        THESIS + "section 5.3, figure 5.32",
                        "yaw of the front wheelset against the radial line, 20 m/s (negative: underradial)",
                        (-2.5, 0.0),
                        "mrad",
                        0.0,
                        "'almost radially ... slightly underradial': less than half of a rigid wagon's 5 mrad",
                    ),
                ),
                "vehicle.links.x.stiffness",
                20.0,
            ),
            Claim(
                "curve-rear-20",
                THESIS + "figure 5.32",
                "rear wheelset in the arc (negative: to the outer rail), 20 m/s",
                (-inf, 0.0),
                "mm",
                0.0,
                _SIGN_ONLY,
            ),
            *(
                Claim(
                    f"curve-{name}-{part}",
                    THESIS + "section 5.3",
                    f"{what}, {name} of the curve, 30 m/s",
                    (0.0, inf) if name == "entry" else (-inf, 0.0),
                    unit,
                    0.0,
                    _SIGN_ONLY,
                )
                for name in ("entry", "exit")
                for part, what, unit in (
                    ("right", "front right leaf spring compressed more than the left", "mm"),
                    ("front", "front of the carbody lifted", "mrad"),
                )
            ),
            Claim(
                "curve-after",
                THESIS + "figure 5.32",
                "front wheelset after the curve, half of peak to peak, 20 m/s",
                (0.05, inf),
                "mm",
                0.0,
                "'thrown out on the periodic attractor ... stays': it moves; " + _WORD,
            ),
        ),
        fast=False,
        leaf_springs=True,
        rtol=RTOL,
    ),
)
