"""The main job: a freight wagon hunting on straight track, with the pictures that explain it."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from klingel.io.vehicle.files import load_vehicle
from klingel.numerics.integrate import Progress
from klingel.plots.runs.events import draw_events
from klingel.plots.runs.loops import draw_loops
from klingel.plots.runs.motion import draw_motion
from klingel.plots.style import save
from klingel.simulation.run import Run
from klingel.simulation.settled import Settled, settled
from klingel.simulation.simulate import simulate
from klingel.track.track import Track

VEHICLE, LINKS, LOAD = "hbbills311", "PTP", "empty"
SPEED = 45.0  # [m/s]
DURATION = 15.0  # [s]
OUTPUT_STEP = 0.005  # fine enough for smooth loops [s]
BEGIN, END = 3.0, 2.0  # parts shown [s]
SHOCK = 0.2  # the kick presses the flanges into the rails; loops are shown after that [s]
KICK = {  # both wheelsets to the left, turned the same way: beyond what dies away
    "front_wheelset.y": 5.5e-3,
    "rear_wheelset.y": 5.5e-3,
    "front_wheelset.yaw": 3e-3,
    "rear_wheelset.yaw": 3e-3,
}
MOTIONS = (
    ("front_wheelset.y", "rear_wheelset.y"),
    ("front_wheelset.yaw", "rear_wheelset.yaw"),
    ("carbody.y",),
    ("carbody.roll",),
)
LOOPS = ("front_left.link_y", "front_left.link_x", "front_left.leaf")


@dataclass(frozen=True)
class Hunting:
    run: Run
    settled: Settled
    figures: dict[str, Path]  # motion, loops, events
    file: Path  # the run itself


def hunting(folder: Path, on_chunk: Callable[[Progress], bool | None] | None = None) -> Hunting:
    """Simulate, draw, store; everything into `folder`."""
    vehicle = load_vehicle(VEHICLE, links=LINKS, load=LOAD)
    run = simulate(
        vehicle,
        Track.straight(inclination=1 / 40),
        SPEED,
        DURATION,
        KICK,
        output_step=OUTPUT_STEP,
        on_chunk=on_chunk,
    )
    end = float(run.time[-1])
    begin, last = (0.0, min(BEGIN, end)), (max(end - END, 0.0), end)
    swings = (min(SHOCK, end), begin[1])
    figures = {
        "motion": save(draw_motion(run, MOTIONS, (begin, last)), folder / "motion.png"),
        "loops": save(draw_loops(run, LOOPS, swings), folder / "loops.png"),
        "events": save(draw_events(run, begin), folder / "events.png"),
    }
    return Hunting(run, settled(run), figures, run.save(folder / "run.nc"))
