"""The main job: a freight wagon hunting on straight track, with the pictures that explain it.

At 18 m/s the empty wagon on links of the set SPP settles to a periodic motion in which the rear links slip in
every cycle: near the resonance of the wheelsets with yaw of the carbody. Wheelsets kicked against each other end
there.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from klingel.io.vehicle.files import load_vehicle
from klingel.numerics.integrate import Progress
from klingel.plots.abscissa import Window
from klingel.plots.laws.vehicle import draw_vehicle
from klingel.plots.runs.events import draw_events
from klingel.plots.runs.loops import draw_loops
from klingel.plots.runs.motion import draw_motion
from klingel.plots.runs.wheelset import draw_wheelset
from klingel.plots.style import save
from klingel.simulation.run import Run
from klingel.simulation.settled import Settled, settled
from klingel.simulation.simulate import simulate
from klingel.track.track import Track

VEHICLE, LINKS, LOAD = "hbbills311", "SPP", "empty"
SPEED = 18.0  # [m/s]
DURATION = 20.0  # [s]
OUTPUT_STEP = 0.005  # fine enough for smooth loops [s]
BEGIN, END = 3.0, 2.0  # parts shown [s]
KICK = {"front_wheelset.y": 5e-3, "rear_wheelset.y": -5e-3}
MOTIONS = (
    ("front_wheelset.y", "rear_wheelset.y"),
    ("front_wheelset.yaw", "rear_wheelset.yaw"),
    ("carbody.y",),
    ("carbody.yaw",),
)
LOOPS = ("rear_left.link_y", "rear_left.link_x", "rear_left.leaf")


@dataclass(frozen=True)
class Hunting:
    run: Run
    settled: Settled
    figures: dict[str, Path]  # vehicle, motion, forces, loops, events
    shown: Window  # the settled part in the pictures [s]
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
    figures = {
        "vehicle": save(draw_vehicle(run.vehicle), folder / "vehicle.png"),
        "motion": save(draw_motion(run, MOTIONS, (begin, last)), folder / "motion.png"),
        "forces": save(draw_wheelset(run, last), folder / "forces.png"),
        "loops": save(draw_loops(run, LOOPS, last), folder / "loops.png"),
        "events": save(draw_events(run, last), folder / "events.png"),
    }
    return Hunting(run, settled(run), figures, last, run.save(folder / "run.nc"))
