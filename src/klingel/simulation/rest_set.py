"""`rest_set`: where dry friction can hold a vehicle at rest, coordinate by coordinate.

Sliders are taken exactly: each carries any force up to its limit. Wheels, creep forces, springs and gaps are those
of the engine, in the contact section and gap mode each position has. The set is followed from static equilibrium
as far as it hangs together. Leaf springs stay on their line without friction, and friction faces
(`rigid_friction`, `elastic_friction`) are refused: what they hold comes on top. On straight track the set does not
depend on the speed; whether the vehicle stays in it does.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from klingel._arguments import check_kind
from klingel._errors import InputError
from klingel.analysis.rest_extent import Extreme, extreme
from klingel.model.builder import Compiled
from klingel.model.description import SPIN, Vehicle
from klingel.model.kinds.registry import Family, Kind, kind_of, of
from klingel.model.layout import Moves
from klingel.model.on_track.track_tables import is_plain
from klingel.model.standing.balance import Balance, weights, without_memory
from klingel.model.standing.equilibrium import Rest, accelerations, find_rest, settled
from klingel.model.standing.settled_modes import port_deformation
from klingel.simulation.integration import Start
from klingel.simulation.setup import check_speed, put_on_track
from klingel.track.track import Track

SPEED = 10.0  # at which the vehicle stands, if not given: any will do [m/s]
SPINS = 100.0  # unit of the turning of wheels, of which 0.1 rad/s are little [rad/s]
SHARE = 0.5  # of a limit, by which anchors are moved to see what a force does


@dataclass(frozen=True)
class RestSet:
    """Extent of the set; `low` and `high` have the extreme states, by coordinate."""

    extent: dict[str, tuple[float, float]]  # [m, rad]; infinite where nothing holds the coordinate
    low: dict[str, Start]
    high: dict[str, Start]
    rest: Start  # static equilibrium, all sliders unloaded
    left: float  # largest acceleration left in an extreme state, of that of the weight
    final: dict[str, tuple[bool, bool]]  # False: stopped by a kink of contact forces, a bound from inside

    def __getitem__(self, coordinate: str) -> tuple[float, float]:
        return self.extent[coordinate]


def rest_set(
    vehicle: Vehicle,
    track: Track | None = None,
    speed: float = SPEED,
    coordinates: Sequence[str] | None = None,
    limits: float = 1.0,
) -> RestSet:
    """Least and greatest position at rest of every coordinate, others free.

    Parameters
    ----------
    vehicle, track
        The track must be straight, level and smooth; by default rails inclined 1/40.
    speed : float
        At which the vehicle runs [m/s]; the set does not depend on it.
    coordinates : names, optional
        All positions if not given.
    limits : float
        Factor on the limits of all sliders: a little below 1 the extreme states stay, a little above 1 they slip.
    """
    check_kind("vehicle", vehicle, Vehicle, "a vehicle, as kg.load_vehicle gives it")
    track = track or Track.straight()
    check_kind("track", track, Track, "a track, like kg.Track.straight(), or None")
    check_speed(speed, 0.0, 1.0)
    if not is_plain(track):
        raise InputError("track", track.title or None, "must be straight, level and smooth")
    if not (np.isfinite(limits) and limits >= 0.0):
        raise InputError("limits", limits, "must be a factor, 0 or more")
    refuse_faces(vehicle)
    standing = Standing(vehicle, put_on_track(vehicle, track, speed), limits)
    known = standing.positions
    for name in coordinates or ():
        if name not in known:
            raise InputError("coordinates", name, f"must be among {', '.join(known)}")
    return standing.extremes(tuple(coordinates or known))


def refuse_faces(vehicle: Vehicle) -> None:
    """Friction other than that of sliders is not covered."""
    for element in vehicle.elements:
        if of(element.law).ABOUT.family == Family.FRICTION and kind_of(element.law) != Kind.DRY_FRICTION:
            allowed = "must have sliders (dry_friction) only: the rest of friction faces is not computed yet"
            raise InputError("vehicle", f"{vehicle.name} with {element.name}", allowed)


class Standing:
    """A vehicle at rest as `rest_extent` asks for it; unknown are positions and spins."""

    def __init__(self, vehicle: Vehicle, compiled: Compiled, factor: float):
        self.vehicle, self.compiled = vehicle, compiled
        self.rest: Rest = find_rest(compiled)
        search = without_memory(compiled)  # modes in which sliders carry nothing come with it
        self._balance = Balance(search, self.rest.x.copy(), np.zeros(compiled.memory_size), search.mode.copy())
        self.sliders = [e for e in vehicle.elements if kind_of(e.law) == Kind.DRY_FRICTION]
        self.limits = factor * np.array([e.law.limit for e in self.sliders])
        self._unit = weights(compiled)
        spins = [compiled.layout.state_info[k].coordinate == SPIN for k in self._balance.unknown]
        self.units = np.where(spins, SPINS, 1.0)

    @cached_property
    def positions(self) -> tuple[str, ...]:
        return tuple(s.name for s in self.compiled.layout.state_info if s.moves == Moves.POSITION)

    def _full(self, q: np.ndarray) -> np.ndarray:
        x = self.rest.x.copy()
        x[self._balance.unknown] = q
        return x

    def residual(self, q: np.ndarray) -> np.ndarray:
        return self._balance.accelerations(self._full(q)) / self._unit

    def jacobian(self, q: np.ndarray) -> np.ndarray:
        self._balance.x = self._full(q)
        self._balance.residual = self._balance.accelerations(self._balance.x)
        return self._balance.jacobian() / self._unit[:, None]

    def friction(self, q: np.ndarray) -> np.ndarray:
        """Forces are linear in the anchors of stuck sliders, so their differences are exact."""
        there = settled(self.compiled, self._full(q), self.rest.memory)
        base = accelerations(self.compiled, there.x, there.memory, there.mode)
        columns = []
        for element in self.sliders:
            entry = self.compiled.layout.memory[element.name]
            moved = there.memory.copy()
            moved[entry] -= SHARE * element.law.limit / element.law.stiffness
            force = element.law.stiffness * (there.memory[entry] - moved[entry])
            columns.append((self._accelerations(there, moved) - base) / force)
        found = np.column_stack(columns) if columns else np.zeros((base.size, 0))
        return found / self._unit[:, None]

    def _accelerations(self, there: Rest, memory: np.ndarray) -> np.ndarray:
        from klingel.model import assembly

        assembly.prepare(self.compiled.system, memory, there.mode)
        return accelerations(self.compiled, there.x, memory, there.mode)

    def extremes(self, names: tuple[str, ...]) -> RestSet:
        start = self.rest.x[self._balance.unknown]
        places = {int(k): n for n, k in enumerate(self._balance.unknown)}
        found: dict[str, tuple[Extreme, Extreme]] = {}
        for name in names:
            at = places[self.compiled.layout.state(name)]
            found[name] = extreme(self, start, at, -1.0), extreme(self, start, at, 1.0)
        states = [{name: self.state(pair[side]) for name, pair in found.items()} for side in (0, 1)]
        finite = [e for pair in found.values() for e in pair if np.isfinite(e.value)]
        rest = Start(self.rest.x.copy(), self.rest.memory.copy(), self.rest.mode.copy())
        final = {name: (low.final, high.final) for name, (low, high) in found.items()}
        extent = {name: (low.value, high.value) for name, (low, high) in found.items()}
        return RestSet(extent, states[0], states[1], rest, max((e.left for e in finite), default=0.0), final)

    def state(self, found: Extreme) -> Start:
        """With anchors at which the sliders carry these forces."""
        there = settled(self.compiled, self._full(found.q), self.rest.memory)
        memory = there.memory.copy()
        u = port_deformation(self.compiled.system, there.x, memory, there.mode)
        for element, force in zip(self.sliders, found.forces, strict=True):
            port = self.compiled.layout.ports[element.ports[0]]
            memory[self.compiled.layout.memory[element.name]] = u[port] - force / element.law.stiffness
        return Start(there.x, memory, there.mode)
