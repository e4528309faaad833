"""Longitudinal suspension: impacts on the axle guides under hard braking, friction climbing.

Braking: the carbody is decelerated by 5 m/s^2 from 45 m/s, wheelsets follow through their links until the
guides stop them, 22.5 mm away. Climbing: in chaotic hunting of the Kbps at 50 m/s the middle of the front left
link's deformation wanders towards the leading guide. Source: Hoffmann (2006), figures 5.38, 5.51-5.53.
"""

import numpy as np

from klingel.literature.reproduce.claim import Claim, Outcome, Result, Study

THESIS = "Hoffmann 2006, "
RTOL = 1e-5
CORNERS = ("front_left", "front_right", "rear_left", "rear_right")
CLIMB = 120.0  # [s]
STARTS = 4


def braking(seed: int) -> dict[str, Result]:
    from klingel.io.vehicle.files import load_vehicle
    from klingel.simulation.simulate import simulate
    from klingel.track.track import Track

    wagon = load_vehicle("hbbills311", links="PTP")
    track = Track.straight(inclination=1 / 40)
    run = simulate(
        wagon, track, 45.0, 6.0, {"front_wheelset.y": 1e-3}, -5.0, rtol=RTOL, output_step=0.001, placing="bare"
    )
    farthest = [float(np.abs(run[f"{corner}.link_x.deformation"].to_numpy()).max()) for corner in CORNERS]
    struck = sum(bool(run.events["element"].str.startswith(f"{corner}.guide_x").any()) for corner in CORNERS)
    count = int(run.events["element"].str.contains("guide_x").sum())
    return {
        "braking-gap": 1e3 * max(farthest),
        "braking-struck": Outcome(float(struck), f"{count} changes of state of the guides in 6 s"),
    }


def climbing(seed: int) -> dict[str, Result]:
    """Means over windows of 5 s, against the start from rest; positive towards the front."""
    from klingel.io.vehicle.files import load_vehicle
    from klingel.simulation.simulate import simulate
    from klingel.track.track import Track

    wagon, track = load_vehicle("kbps", links="SPP"), Track.straight(inclination=1 / 30)
    shifts, farthest = [], []
    for k in range(STARTS):
        y = np.random.default_rng([seed, k]).uniform(2e-3, 4e-3, 2)
        begin = {"front_wheelset.y": float(y[0]), "rear_wheelset.y": float(y[1])}
        run = simulate(wagon, track, 50.0, CLIMB, begin, rtol=1e-4, output_step=0.01, placing="bare")
        x = run["front_left.link_x.deformation"].to_numpy()
        means = [1e3 * float(part.mean()) for part in np.array_split(x[: int(CLIMB / 0.01)], int(CLIMB / 5.0))]
        shifts.append(means[-1])
        farthest.append(max(means))
    shown, most = (", ".join(f"{value:.1f}" for value in values) for values in (shifts, farthest))
    note = f"after {CLIMB:g} s, towards the front: {shown} mm; farthest on the way: {most} mm"
    return {"friction-climbing": Outcome(float(np.median(shifts)), note)}


STUDIES: tuple[Study, ...] = (
    Study(
        "wagon-braking",
        braking,
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
        fast=False,
    ),
    Study(
        "wagon-climbing",
        climbing,
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
        fast=False,
    ),
)
