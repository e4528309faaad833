"""Rest: where it loses its stability, and its width, which dry friction gives it.

Source: Hoffmann (2006), figures 5.1-5.3, 5.34, 5.35 and chapter 7.
"""

from math import inf

from klingel.literature.reproduce.case import Case
from klingel.literature.reproduce.claim import Claim, Outcome, Result, Study, failing

THESIS = "Hoffmann 2006, "
SIDEWAYS = 0.02  # speed of the carbody [m/s]
RTOL = 1e-4


def rest_width(case: Case) -> dict[str, Result]:
    """Kbps at 10 m/s: from a sideways speed of the carbody, which leaves sliders neutral, and after hunting."""
    from klingel.literature.hoffmann.wagon_runs import CARBODY, FRONT, REAR, Setting, wagon

    stand = wagon(Setting(case, "kbps", "SPP", 1 / 30))
    names = (FRONT, REAR, CARBODY)
    piece = stand.hold(10.0, stand.start(10.0, {f"{CARBODY}_dot": SIDEWAYS}), 40.0)
    neutral = max(abs(float(piece[name][-1])) for name in names)
    begin = stand.start(50.0, {FRONT: 3e-3, REAR: 3e-3})
    chain = list(stand.chain((50.0, 40.0, 30.0, 20.0, 10.0, 10.0), begin, 12.0))
    last = chain[-1][1]
    off = max(abs(float(last[name].mean())) for name in names)
    still = max(last.last(4.0).amplitude(name) for name in names)
    return {
        "rest-neutral": Outcome(1e3 * neutral, f"the carbody swung {1e3 * piece.amplitude(CARBODY):.1f} mm"),
        "rest-off-centre": Outcome(1e3 * off, f"moves by {1e3 * still:.3f} mm to either side"),
    }


def stability_of_rest(case: Case) -> dict[str, Result]:
    """Linear critical speed with all sliders stuck, as for motions too small to slip."""
    from klingel.simulation.linear_critical_speed import linear_critical_speed
    from klingel.track.track import Track

    wagon = case.wagon("hbbills311", links="PTP")
    results: dict[str, Result] = {}
    for n in (40, 30, 20):
        found = linear_critical_speed(
            wagon, Track.straight(inclination=1 / n), slowest=3.0, fastest=90.0, step=3.0
        )
        note = f"{found.frequency:.2f} Hz" if found else "stable up to 90 m/s"
        results[f"rest-1in{n}"] = Outcome(found.speed if found else 90.0, note)
    return results


_REST = "speed at which rest loses its stability, Hbbills 311 PTP"
_DRAWN = "a word, no number: below a third, or beyond two thirds, of the speeds shown (5 to 60 m/s)"

STUDIES: tuple[Study, ...] = (
    Study(
        "wagon-rest-stability",
        stability_of_rest,
        failing(
            (
                Claim(
                    "rest-1in20", THESIS + "figure 5.1", f"{_REST}, 1/20: 'high'", (41.0, inf), "m/s", 0.0, _DRAWN
                ),
                Claim(
                    "rest-1in30",
                    THESIS + "chapter 7",
                    f"{_REST}, 1/30: not up to 120 km/h",
                    (33.3, inf),
                    "m/s",
                    0.05,
                    "'stable within the operating speed range (60 - 120 km/h)'",
                    "by simulation 32 to 33, on soft contact 28 to 30 m/s; wheel friction has no effect",
                    "range",
                ),
                Claim(
                    "rest-1in40",
                    THESIS + "figure 5.3",
                    f"{_REST}, 1/40: 'very low'",
                    (0.0, 23.0),
                    "m/s",
                    0.0,
                    _DRAWN,
                    given_kind="direction",
                ),
            ),
            "vehicle.wheelbase",
            0.5,
        ),
        fast=False,
        leaf_springs=True,
    ),
    Study(
        "wagon-rest-width",
        rest_width,
        failing(
            (
                Claim(
                    "rest-neutral",
                    THESIS + "figure 5.34",
                    "off centre after a kick, neutral sliders, Kbps 10 m/s",
                    0.0,
                    "mm",
                    0.05,
                    "a line of a figure that spans some millimetres",
                ),
                Claim(
                    "rest-off-centre",
                    THESIS + "figure 5.35",
                    "off centre after hunting, largest of the bodies, Kbps 10 m/s",
                    (0.05, inf),
                    "mm",
                    0.0,
                    "visibly off centre; how far depends on the motion before",
                ),
            ),
            "vehicle.link_friction.front_left",
            0.02,
        ),
        fast=False,
        leaf_springs=True,
        rtol=RTOL,
    ),
)
