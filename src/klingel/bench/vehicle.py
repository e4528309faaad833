"""Rows of the engine: wall time of a simulated second of the Hbbills 311, straight 1/40 track, events located."""

from collections.abc import Iterator

from klingel.bench.row import Row, best_time
from klingel.io.vehicle_files import load_vehicle
from klingel.simulation import simulate
from klingel.track.track import Track

DURATION = 10.0  # [s]
KICK = {"front_wheelset.y": 2e-3}  # a quiet run
AIMS = {20.0: 1e-3, 45.0: 1e-3}  # speed [m/s] -> wall time per simulated second: a thousand times real time


def rows() -> Iterator[Row]:
    wagon, track = load_vehicle("hbbills311"), Track.straight(inclination=1 / 40)
    for speed, aim in AIMS.items():
        wall = []

        def run(speed=speed, wall=wall):
            out = simulate(wagon, track, speed=speed, duration=DURATION, initial=KICK, method="dopri54", rtol=1e-5)
            wall.append(out.stats.wall_time)

        best_time(run, 3)
        yield Row(
            f"Hbbills 311 at {speed:g} m/s, wall time per simulated second",
            min(wall) / DURATION,
            "",
            None,
            aim,
            "s",
        )
