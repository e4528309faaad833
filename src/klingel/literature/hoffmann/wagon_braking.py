"""Longitudinal suspension: impacts on the axle guides under hard braking, friction climbing.

Braking: the carbody is decelerated by 5 m/s^2 from 45 m/s, wheelsets follow through their links until the
guides stop them, 22.5 mm away. Climbing: in chaotic hunting of the Kbps at 50 m/s the middle of the front left
link's deformation wanders towards the leading guide. Source: Hoffmann (2006), figures 5.38, 5.51-5.53.
"""

import numpy as np

from klingel.literature.reproduce.case import Case
from klingel.literature.reproduce.claim import Claim, Outcome, Result, Study, failing, identities, of_seeds

THESIS = "Hoffmann 2006, "
RTOL = 1e-5
CORNERS = ("front_left", "front_right", "rear_left", "rear_right")
DECELERATION = 5.0  # [m/s2]
CLIMB = 120.0  # [s]
CLIMB_RTOL = 1e-4


def braking(case: Case) -> dict[str, Result]:
    from klingel.simulation.simulate import simulate
    from klingel.track.track import Track

    wagon, track = case.wagon("hbbills311", links="PTP"), Track.straight(inclination=1 / 40)
    braked, rtol = case.number("deceleration", DECELERATION), case.rtol(RTOL)
    run = simulate(wagon, track, 45.0, 6.0, {"front_wheelset.y": 1e-3}, -braked, rtol=rtol, output_step=0.001)
    farthest = [float(np.abs(run[f"{corner}.link_x.deformation"].to_numpy()).max()) for corner in CORNERS]
    struck = sum(bool(run.events["element"].str.startswith(f"{corner}.guide_x").any()) for corner in CORNERS)
    count = int(run.events["element"].str.contains("guide_x").sum())
    return {
        "braking-gap": 1e3 * max(farthest),
        "braking-struck": Outcome(float(struck), f"{count} changes of state of the guides in 6 s"),
    }


def climbing(case: Case) -> dict[str, Result]:
    """Means over windows of 5 s, against the start from rest; positive towards the front."""
    from klingel.simulation.simulate import simulate
    from klingel.track.track import Track

    wagon, track = case.wagon("kbps", links="SPP"), Track.straight(inclination=1 / 30)
    shifts, farthest = [], []
    for generator in case.generators():
        y = generator.uniform(2e-3, 4e-3, 2)
        begin = {"front_wheelset.y": float(y[0]), "rear_wheelset.y": float(y[1])}
        run = simulate(wagon, track, 50.0, CLIMB, begin, rtol=case.rtol(CLIMB_RTOL), output_step=0.01)
        x = run["front_left.link_x.deformation"].to_numpy()
        means = [1e3 * float(part.mean()) for part in np.array_split(x[: int(CLIMB / 0.01)], int(CLIMB / 5.0))]
        shifts.append(means[-1])
        farthest.append(max(means))
    most = ", ".join(f"{value:.1f}" for value in farthest)
    note = f"after {CLIMB:g} s, towards the front; farthest on the way: {most} mm"
    return {"friction-climbing": of_seeds(shifts, note)}


STUDIES: tuple[Study, ...] = (
    Study(
        "wagon-braking",
        braking,
        failing(
            identities(
                (
                    Claim(
                        "braking-gap",
                        THESIS + "figures 5.52, 5.53",
                        "largest longitudinal deformation under 5 m/s2",
                        22.5,
                        "mm",
                        0.05,
                        "printed digit",
                    ),
                    Claim(
                        "braking-struck",
                        THESIS + "figure 5.52",
                        "corners that strike their guides",
                        4.0,
                        "",
                        0.0,
                        "a count",
                    ),
                ),
                "braking-gap",
            ),
            "deceleration",
            0.1,
        ),
        fast=False,
        leaf_springs=True,
        rtol=RTOL,
    ),
    Study(
        "wagon-climbing",
        climbing,
        failing(
            (
                Claim(
                    "friction-climbing",
                    THESIS + "figure 5.38",
                    "shift of the front left longitudinal link, Kbps 50 m/s",
                    5.0,
                    "mm",
                    0.5,
                    "half of the printed digit of 'about 5 mm'; after a time not given, two minutes here",
                ),
            ),
            "vehicle.wheel_friction",
            0.5,
        ),
        fast=False,
        leaf_springs=True,
        rtol=CLIMB_RTOL,
        regular=False,
    ),
)
