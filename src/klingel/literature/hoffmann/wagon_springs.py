"""Leaf springs under a running wagon: states after a release, linear against nonlinear, load off centre.

Source: Hoffmann (2006), figures 5.37-5.42. The height of the release is not in the thesis; several are tried.
Its linear leaf spring is not given either: the static stiffness and a tenth of critical damping here.

The release is integrated tightly. Where a spring turns its rate is zero, and errors of loose steps, as small
vibrations of the wheelsets on their contacts, make one turning point three: with a relative tolerance of 1e-5 the
sequence is lost at nearly every height, from 1e-8 on it no longer changes.
"""

from math import inf

import numpy as np

from klingel.literature.reproduce.case import Case
from klingel.literature.reproduce.claim import Claim, Outcome, Result, Study, failing, identities, of_seeds

THESIS = "Hoffmann 2006, "
SEQUENCE = ["LOADING_H", "LOADING_HZ", "UNLOADING_HZ", "UNLOADING_H", "LOADING_H", "UNLOADING_H"]
SEQUENCE += ["AUTO", "LOADING_H", "UNLOADING_H", "AUTO"]
HEIGHTS = tuple(1e-3 * h for h in range(40, 61, 2))  # of the carbody above rest [m]
CORNERS = ("front_left", "front_right", "rear_left", "rear_right")
RTOL = 1e-8  # of the release
MOVING_RTOL = 1e-4
RATE_RTOL = 1e-5


def _released(case: Case, height: float) -> list[list[str]]:
    """States of the four leaf springs after a release."""
    from klingel.simulation.simulate import simulate
    from klingel.track.track import Track

    wagon, track = case.wagon("hbbills311", links="SPP"), Track.straight(inclination=1 / 30)
    run = simulate(wagon, track, 20.0, 6.0, {"carbody.z": height}, rtol=case.rtol(RTOL), leaves="loading")
    found = []
    for corner in CORNERS:
        rows = run.events[run.events["element"] == f"{corner}.leaf"]
        found.append([*list(rows["old"])[:1], *rows["new"]])
    return found


def sequence(case: Case) -> dict[str, Result]:
    exact = [sum(states == SEQUENCE for states in _released(case, height)) for height in HEIGHTS]
    tried = ", ".join(f"{1e3 * h:g}" for h in HEIGHTS)
    note = f"released {tried} mm above rest: {', '.join(str(n) for n in exact)}"
    return {"wagon-leaf-sequence": Outcome(float(np.mean([n == len(CORNERS) for n in exact])), note)}


def linear_leaf(case: Case) -> dict[str, Result]:
    """Where flange-to-flange motion ends and where resonance is widest, both models."""
    from klingel.literature.hoffmann.wagon_ends import end_speeds
    from klingel.literature.hoffmann.wagon_resonance import widest_speed
    from klingel.literature.hoffmann.wagon_runs import Setting

    ends, peaks = [], []
    for model in (None, "linear"):
        stiffer = case.number("wheelbase of the wagon with linear springs", 1.0) if model else 1.0
        setting = Setting(case, "hbbills311", "PTP", 1 / 40, leaf_model=model, values=(("wheelbase", stiffer),))
        ends.append(end_speeds(setting, 60.0))
        peaks.append(widest_speed(setting, 16.0, 7.0).value or np.nan)
    apart = [after - before for before, after in zip(*ends, strict=True)]
    told = [", ".join(f"{end:g}" for end in found) for found in ends]
    return {
        "linear-leaf-end": of_seeds(apart, f"nonlinear {told[0]}, linear {told[1]} m/s"),
        "linear-leaf-resonance": Outcome(peaks[1] - peaks[0], f"nonlinear {peaks[0]:g}, linear {peaks[1]:g} m/s"),
    }


def vertical_rates(case: Case) -> dict[str, Result]:
    """Force over deformation of the front left leaf spring at 17 m/s, both models."""
    from klingel.simulation.simulate import simulate
    from klingel.track.track import Track

    track, rates = Track.straight(inclination=1 / 40), []
    for model in (None, "linear"):
        wagon = case.wagon("hbbills311", links="PTP", leaf_model=model)
        begin = {"front_wheelset.y": 3e-3, "rear_wheelset.y": 3e-3}
        run = simulate(wagon, track, 17.0, 20.0, begin, rtol=case.rtol(RATE_RTOL))
        z, f = (run[f"front_left.leaf.{name}"].to_numpy()[-500:] for name in ("deformation", "force"))
        rates.append(float(np.std(f) / np.std(z)))
    note = f"{1e-6 * rates[0]:.2f} and {1e-6 * rates[1]:.2f} MN/m"
    return {"linear-leaf-rate": Outcome(rates[0] / rates[1], note)}


def off_centre(case: Case) -> dict[str, Result]:
    """Mean compression of each leaf spring, and load of each corner over their mean, at 15 m/s."""
    from klingel.simulation.simulate import simulate
    from klingel.track.track import Track

    wagon = case.wagon("hbbills311", links="PTP", load="loaded_off_centre")
    begin = {"front_wheelset.y": 2e-3, "rear_wheelset.y": 2e-3}
    run = simulate(wagon, Track.straight(inclination=1 / 40), 15.0, 15.0, begin, rtol=case.rtol(MOVING_RTOL))
    z = {c: 1e3 * float(run[f"{c}.leaf.compression"].to_numpy()[-500:].mean()) for c in CORNERS}
    laws = {element.name: element.law for element in wagon.elements}
    links = {c: laws[f"{c}.link_y.pendulum"].stiffness for c in CORNERS}
    told = ", ".join(f"{corner} {mm:.1f} mm" for corner, mm in z.items())
    return {
        "off-centre-load-left": Outcome(
            min(z["front_left"], z["rear_left"]) - max(z["front_right"], z["rear_right"]), told
        ),
        "off-centre-load-links": links["front_left"] / links["rear_right"],
    }


STUDIES: tuple[Study, ...] = (
    Study(
        "wagon-leaf-states",
        sequence,
        (
            Claim(
                "wagon-leaf-sequence",
                THESIS + "figure 5.40",
                "share of releases 40 to 60 mm above rest after which all springs go through 1 2 3 4 1 4 0 1 4 0",
                (0.5, inf),
                "",
                0.0,
                "'all models follow the state sequence'; the height is not given: at most of them",
            ),
        ),
        fast=True,
        leaf_springs=True,
        rtol=RTOL,
    ),
    Study(
        "wagon-linear-leaf",
        linear_leaf,
        failing(
            (
                Claim(
                    "linear-leaf-end",
                    THESIS + "figure 5.41",
                    "end of flange-to-flange motion, linear minus nonlinear leaf spring",
                    0.0,
                    "m/s",
                    1.0,
                    "'the same', read off a figure; steps of 1 m/s here",
                ),
                Claim(
                    "linear-leaf-resonance",
                    THESIS + "figure 5.41",
                    "resonance speed, linear minus nonlinear leaf spring",
                    0.0,
                    "m/s",
                    1.0,
                    "'the same', read off a figure; steps of 1 m/s here",
                ),
            ),
            "wheelbase of the wagon with linear springs",
            1.4,
        ),
        fast=False,
        leaf_springs=True,
        rtol=MOVING_RTOL,
        regular=False,
    ),
    Study(
        "wagon-vertical-rates",
        vertical_rates,
        (
            Claim(
                "linear-leaf-rate",
                THESIS + "figure 5.42",
                "effective vertical rate at 17 m/s, nonlinear over linear leaf spring",
                (1.25, inf),
                "",
                0.0,
                "'a clear discrepancy', the dynamic stiffness being the larger: by a quarter at least",
            ),
        ),
        fast=False,
        leaf_springs=True,
        rtol=RATE_RTOL,
    ),
    Study(
        "wagon-off-centre-load",
        off_centre,
        identities(
            (
                Claim(
                    "off-centre-load-left",
                    THESIS + "figure 5.37",
                    "least compression of a left leaf spring minus largest of a right one",
                    (0.1, inf),
                    "mm",
                    0.0,
                    "'the left ... deformed more than the right', no number",
                ),
                Claim(
                    "off-centre-load-links",
                    THESIS + "figure 5.37",
                    "lateral link stiffness, front left over rear right",
                    (1.0, inf),
                    "",
                    0.0,
                    "'the stiffness depends on the load': more load, stiffer",
                ),
            ),
            "off-centre-load-links",
        ),
        fast=False,
        leaf_springs=True,
        rtol=MOVING_RTOL,
    ),
)
