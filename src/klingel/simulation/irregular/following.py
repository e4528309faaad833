"""A vehicle at one speed as a system that can be followed from any state."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from klingel._arguments import check_kind
from klingel._errors import InputError
from klingel.analysis.chaos.following import State
from klingel.model.builder import Compiled
from klingel.model.description import Vehicle
from klingel.model.on_track.track_tables import is_plain
from klingel.model.problem import vehicle_problem
from klingel.model.standing.equilibrium import Rest, find_rest
from klingel.numerics.trajectory import Trajectory
from klingel.simulation.integration import Start, bare_run, start_from_rest
from klingel.simulation.lateral_motion import lateral_names
from klingel.simulation.request.parts import Solving
from klingel.simulation.run import Run, load_run
from klingel.simulation.setup import check_speed, put_on_track
from klingel.track.track import Track

Begin = Mapping[str, float] | Run | str | Path  # offsets from rest, or a run that goes on from its end


@dataclass(frozen=True)
class Moving:
    """A vehicle on straight track at a speed that does not change: time can be counted from anywhere."""

    vehicle: Vehicle
    speed: float  # [m/s]
    compiled: Compiled
    rest: Rest
    solving: Solving

    @classmethod
    def on(cls, vehicle: Vehicle, track: Track | None, speed: float, method: str, rtol: float) -> "Moving":
        check_kind("vehicle", vehicle, Vehicle, "a vehicle, as kg.load_vehicle gives it")
        track = track or Track.straight()
        check_kind("track", track, Track, "a track, like kg.Track.straight(), or None")
        if not is_plain(track):
            raise InputError("track", track.title or None, "must be straight, level and smooth")
        check_speed(speed, 0.0, 1.0)
        compiled = put_on_track(vehicle, track, speed)
        return cls(vehicle, float(speed), compiled, find_rest(compiled), Solving(method=method, rtol=rtol))

    @property
    def layout(self):
        return self.compiled.layout

    @cached_property
    def lateral(self) -> list[int]:
        """Lateral positions of the wheelsets among the states."""
        return [self.layout.state(name) for name in lateral_names(self.layout.state_info, self.layout.rolling)]

    @cached_property
    def carried(self) -> np.ndarray:
        """Entries of the memory that move with the motion."""
        return vehicle_problem(self.compiled, self.rest.memory, self.rest.mode).memory_coordinates

    def start(self, given: Begin) -> State:
        if isinstance(given, Run | str | Path):
            run = given if isinstance(given, Run) else load_run(given)
            end = run.end_state()
            if len(end.x) != len(self.layout.states) or len(end.mode) != len(self.layout.modes):
                raise InputError("start", f"a run of {run.vehicle.name}", f"must be a run of {self.vehicle.name}")
            return State(np.array(end.x), np.array(end.memory), np.array(end.mode, np.int8))
        check_kind("start", given, Mapping, "offsets from rest by name, or a run")
        return State(*start_from_rest(self.compiled, self.rest, given))

    def follow(self, state: State, duration: float, rows: float | None) -> Trajectory:
        """From time 0: nothing depends on it."""
        begin = Start(state.x.copy(), state.memory.copy(), state.mode.copy())
        run = bare_run(self.compiled, begin, duration, self.solving, rows)
        run.t[:] += state.t
        return run
