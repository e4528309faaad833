"""One point of a sweep: from the state before, through the transient, to what it settles to.

State is carried as the offset from static equilibrium, so that what depends on the parameter at rest (the spin of
the wheels on the speed, the static deflection on the mass) follows it. When only the speed changes, sliders
and leaf springs keep their memory and modes; when the vehicle or the track changes they begin anew at rest, as
after a kick. A chain that derailed or could not go on begins again with its start at the next point.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from klingel._errors import InputError
from klingel.analysis.motion_kinds import AT_REST, Stretch
from klingel.analysis.transients import Measured
from klingel.model.builder import Compiled
from klingel.model.standing.equilibrium import Rest
from klingel.numerics.ode.workspace import Status
from klingel.numerics.trajectory import IntegrationError, Trajectory
from klingel.simulation.integration import Start, bare_run, ending, rest_of, start_from_rest
from klingel.simulation.lateral_motion import lateral_motion, lateral_names
from klingel.simulation.request.parts import Placing
from klingel.simulation.run import DERAILED, FAILED
from klingel.simulation.setup import at_speed, put_on_track
from klingel.simulation.start import displace_sliders, split
from klingel.simulation.sweep.case import SPEED, Case, Point, Value

Record = dict[str, Any]  # what is stored of a point
Stop = Callable[[], bool]


class _Ended(Exception):
    """The vehicle left its track."""


class Underway:
    """A vehicle followed through one point; knows what it costs."""

    def __init__(self, case: Case, compiled: Compiled, start: Start, stop: Stop | None):
        self.case, self.compiled, self.state = case, compiled, start
        self.simulated, self.wall = 0.0, 0.0  # [s]
        self._stop = (lambda _: stop()) if stop else None
        layout = compiled.layout
        self._coordinates = lateral_motion(layout.state_info, layout.rolling)
        self._at = [layout.state(name) for name in self._coordinates.names]
        self._rates = [layout.rate_of(name) for name in self._coordinates.names]

    def _run(self, duration: float, output_step: float) -> Trajectory:
        trajectory = bare_run(
            self.compiled, self.state, duration, self.case.request.solving, output_step, self._stop
        )  # fmt: skip
        self.simulated += trajectory.stats.simulated_time
        self.wall += trajectory.stats.wall_time
        if trajectory.status == Status.RUNNING:
            raise KeyboardInterrupt
        if trajectory.status == Status.STOPPED:
            raise _Ended(ending(trajectory, self.compiled.layout)[1])
        self.state = Start(trajectory.x[-1].copy(), trajectory.memory[-1].copy(), trajectory.mode[-1].copy())
        return trajectory

    def skip(self, duration: float) -> None:
        self._run(duration, duration)

    def piece(self, duration: float) -> Stretch:
        rows_apart = self.case.request.outputs.output_step or duration
        step = duration / max(round(duration / rows_apart), 1)  # the last row is the end
        rows = self._run(duration, step)
        return Stretch(rows.t, rows.x[:, self._at], rows.x[:, self._rates], self._coordinates)


@dataclass
class Stand:
    """A case with its tables; kept from point to point."""

    case: Case
    _compiled: Compiled | None = None

    def ready(self, value: Value) -> tuple[Compiled, Rest]:
        request = self.case.at(value)
        place = request.read_vehicle(), request.read_track(), request.speed
        if self.case.parameter != SPEED:
            compiled = put_on_track(*place)
        else:
            self._compiled = self._compiled or put_on_track(*place)
            compiled = at_speed(self._compiled, request.speed)
        return compiled, rest_of(compiled)

    def start(self, compiled: Compiled, rest: Rest, point: Point, before: Record | None) -> Start:
        end = before.get("end") if before else None
        if before is None or end is None:
            return self._first(compiled, rest, point)
        offset = np.array(end["x"]) - np.array(end["rest"])
        if self.case.parameter != SPEED:
            return start_from_rest(
                compiled, rest, dict(zip(compiled.layout.states, offset, strict=True)), Placing.BARE
            )
        memory, mode = np.array(end["memory"], float), np.array(end["mode"], np.int8)
        carried = Rest(rest.x + offset, memory, mode, 0.0)
        if before["kind"] not in AT_REST or self.case.nudge == 0.0:
            return Start(carried.x, memory, mode)
        size = self.case.nudge * (-1.0) ** point.index  # in turn, or a wheelset held by friction would wander
        lateral = lateral_names(compiled.layout.state_info, compiled.layout.rolling)
        return start_from_rest(compiled, carried, dict.fromkeys(lateral, size), Placing.BARE)

    def _first(self, compiled: Compiled, rest: Rest, point: Point) -> Start:
        vehicle = self.case.at(point.value).read_vehicle()
        offsets, sliders = split(vehicle, self.case.starts[point.start])
        start = start_from_rest(compiled, rest, offsets, self.case.request.start.placing)
        return displace_sliders(vehicle, compiled, start, sliders)


def compute(stand: Stand, point: Point, before: Record | None = None, stop: Stop | None = None) -> Record:
    """One point; `before` is the record of the point before it in its chain."""
    record: Record = {
        "index": point.index,
        "value": point.value,
        "direction": point.direction,
        "start": point.start,
    }
    try:
        compiled, rest = stand.ready(point.value)
        vehicle = Underway(stand.case, compiled, stand.start(compiled, rest, point, before), stop)
    except InputError as error:
        return record | _broken(FAILED, str(error), 0.0, 0.0)
    try:
        measured = stand.case.rule.measure(vehicle)
    except _Ended as error:
        return record | _broken(DERAILED, str(error), vehicle.simulated, vehicle.wall)
    except IntegrationError as error:
        return record | _broken(FAILED, str(error), vehicle.simulated, vehicle.wall)
    x, memory, mode = (part.tolist() for part in vehicle.state)
    end = {"x": x, "rest": rest.x.tolist(), "memory": memory, "mode": mode}
    return record | _told(measured) | {"simulated": vehicle.simulated, "wall": vehicle.wall, "end": end}


def _told(measured: Measured) -> Record:
    motion = measured.motion
    evidence = {
        "settled": measured.settled, "transient": measured.transient, "window": measured.window, **motion.evidence
    }  # fmt: skip
    return {
        "kind": motion.kind,
        "evidence": evidence,
        "minimum": motion.minimum,
        "maximum": motion.maximum,
        "frequency": motion.frequency,
        "maxima": measured.maxima,
    }


def _broken(kind: str, sentence: str, simulated: float, wall: float) -> Record:
    return {"kind": kind, "evidence": {"ended": sentence}, "simulated": simulated, "wall": wall, "end": None}
