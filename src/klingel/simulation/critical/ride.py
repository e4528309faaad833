"""A vehicle held at one speed after another; a motion is carried as its offset from static equilibrium."""

from collections.abc import Mapping
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np

from klingel.analysis.descents.descent import Held
from klingel.analysis.descents.motion_sizes import Rank, Sizes, width
from klingel.analysis.motion_kinds import Motion, Stretch, judge
from klingel.model.builder import Compiled
from klingel.model.standing.equilibrium import Rest
from klingel.numerics.ode.workspace import Status
from klingel.numerics.trajectory import IntegrationError, Trajectory
from klingel.simulation.critical.flanges import sizes_of
from klingel.simulation.critical.settings import Asked
from klingel.simulation.integration import Start, bare_run, rest_of, start_from_rest
from klingel.simulation.lateral_motion import lateral_motion, lateral_names
from klingel.simulation.request.parts import Solving
from klingel.simulation.setup import at_speed, put_on_track

ROWS = 0.005  # [s]
JUDGED = 0.5  # of a hold, its end


class Carried(NamedTuple):
    """A motion at one instant, to go on with at another speed."""

    offset: np.ndarray  # from static equilibrium
    memory: np.ndarray
    mode: np.ndarray


class Ride:
    """One vehicle on one track; its tables are made once."""

    def __init__(self, asked: Asked):
        self.asked = asked
        self.vehicle, self.track = asked.request.read_vehicle(), asked.request.read_track()
        self._tables = put_on_track(self.vehicle, self.track, asked.settings.fastest)

    @property
    def layout(self):
        return self._tables.layout

    @cached_property
    def sizes(self) -> Sizes:
        return sizes_of(self.vehicle, self.track, self.asked.settings.threshold)

    @cached_property
    def lateral(self) -> list[int]:
        """Lateral positions of the wheelsets among the states."""
        return [self.layout.state(name) for name in lateral_names(self.layout.state_info, self.layout.rolling)]

    @lru_cache(maxsize=512)  # noqa: B019, rides live as long as their process
    def at(self, speed: float) -> tuple[Compiled, Rest]:
        compiled = at_speed(self._tables, speed)
        return compiled, rest_of(compiled)

    def start(self, speed: float, offsets: Mapping[str, float]) -> Carried:
        """Displaced on the rails."""
        compiled, rest = self.at(speed)
        begin = start_from_rest(compiled, rest, offsets)
        return Carried(begin.x - rest.x, begin.memory, begin.mode)

    def run(self, speed: float, state: Carried, duration: float, solving: Solving, rows: float) -> Trajectory:
        compiled, rest = self.at(speed)
        begin = Start(rest.x + state.offset, state.memory.copy(), state.mode.copy())
        found = bare_run(compiled, begin, duration, solving, rows)
        if found.status == Status.RUNNING:  # Ctrl-C: the integrator hands over what it has
            raise KeyboardInterrupt
        return found

    def hold(
        self, speed: float, state: Carried, duration: float, solving: Solving
    ) -> tuple[Held, Trajectory | None]:
        """At constant speed; the second half is judged."""
        rest = self.at(speed)[1]
        lost = Held(speed, Rank.OFF, 0.0, state)
        try:
            first = self.run(speed, state, (1.0 - JUDGED) * duration, solving, (1.0 - JUDGED) * duration)
            if first.status == Status.STOPPED:
                return lost, None
            middle = Carried(first.x[-1] - rest.x, first.memory[-1].copy(), first.mode[-1].copy())
            judged = JUDGED * duration
            rows = self.run(speed, middle, judged, solving, judged / max(round(judged / ROWS), 1))
        except IntegrationError:
            return lost, None
        if rows.status == Status.STOPPED:
            return lost, None
        y = rows.x[:, self.lateral]
        end = Carried(rows.x[-1] - rest.x, rows.memory[-1].copy(), rows.mode[-1].copy())
        return Held(speed, self.sizes.rank(y), width(y), end), rows

    def judged(self, rows: Trajectory) -> Motion:
        """Kind of the motion in these rows."""
        coordinates = lateral_motion(self.layout.state_info, self.layout.rolling)
        at = [self.layout.state(name) for name in coordinates.names]
        rates = [self.layout.rate_of(name) for name in coordinates.names]
        return judge(Stretch(rows.t, rows.x[:, at], rows.x[:, rates], coordinates))
