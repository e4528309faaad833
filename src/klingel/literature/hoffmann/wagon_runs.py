"""Two-axle wagons held at constant speed: seeded starts, chains from speed to speed, measures of a motion.

A state is carried from one speed to another as its offset from static equilibrium, with the memory and modes of
its friction elements. Flange-to-flange motion begins well above the speed of interest: both wheelsets about 5.5
mm off centre with some milliradians of yaw, some seconds to settle, then the speed of interest at once.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from klingel.contact.table.build import Grid
from klingel.contact.table.sections import OVERLAP
from klingel.contact.table.wheel_table import compile_side
from klingel.io.contact.cache import cached_table, wheelset_on_track
from klingel.literature.hoffmann.soft_contact import soft_table
from klingel.model.builder import Compiled, compile_vehicle
from klingel.model.description import Vehicle
from klingel.model.equilibrium import Rest
from klingel.numerics.ode.workspace import Status
from klingel.numerics.trajectory import IntegrationError
from klingel.simulation.integration import Start, bare_run, rest_of, start_from_rest
from klingel.simulation.request.parts import Placing, Solving, VehicleChoice
from klingel.simulation.request.request import RunRequest
from klingel.simulation.run import DERAILED, FAILED
from klingel.simulation.setup import at_speed, put_on_track
from klingel.track.track import Track

SOLVING = Solving("dopri54", 1e-4)  # errors of some micrometres after 2 s, see the documentation of rtol
ROWS = 0.005  # [s]
BODIES = ("front_wheelset", "rear_wheelset")
FRONT, REAR, CARBODY = "front_wheelset.y", "rear_wheelset.y", "carbody.y"
FLANGE = 5e-3  # a motion beyond it on both sides touches both flanges [m]
FIRST_SPEED = 30.0  # for which tables are made; any [m/s]
EMPTY_WHEEL, LOADED_WHEEL = 44.5e3, 108.3e3  # wheel loads of the Hbbills 311 [N]
SETTLE = 4.0  # at the speed where flange-to-flange motion begins [s]


@dataclass(frozen=True)
class Setting:
    """A wagon on straight track, in the words of `load_vehicle`."""

    name: str
    links: str
    inclination: float = 1 / 40
    load: str = "empty"
    leaf_model: str | None = None
    friction: tuple[tuple[str, float], ...] = ()  # in the joints of single corners
    values: tuple[tuple[str, float | str], ...] = ()  # changed ones, by dotted name
    # for tests of guesses only
    overlap: float | None = None  # of contact sections at a jump [m]
    soft: float = 0.0  # contact points next to the track centre as `soft_contact` has them, wheel load [N]

    def request(self) -> RunRequest:
        """Of a run at some speed."""
        options = {
            "links": self.links,
            "load": self.load,
            "friction": dict(self.friction) or None,
            "leaf_model": self.leaf_model,
        }
        vehicle = VehicleChoice(self.name, options, dict(self.values))
        track = Track.straight(inclination=self.inclination)
        return RunRequest(vehicle, track, speed=FIRST_SPEED, duration=SETTLE, solving=SOLVING)


class State(NamedTuple):
    offset: np.ndarray  # from static equilibrium
    memory: np.ndarray
    mode: np.ndarray


@dataclass(frozen=True)
class Piece:
    """Rows of a run at constant speed."""

    t: np.ndarray
    states: tuple[str, ...]
    x: np.ndarray  # [row][state]
    end: State
    memory: np.ndarray = field(repr=False)  # [row][...]
    mode: np.ndarray = field(repr=False)
    status: str = ""  # `derailed` or `failed` where it ended early

    def __getitem__(self, name: str) -> np.ndarray:
        return self.x[:, self.states.index(name)]

    def last(self, duration: float) -> "Piece":
        rows = self.t >= self.t[-1] - duration
        return Piece(self.t[rows], self.states, self.x[rows], self.end, self.memory[rows], self.mode[rows])

    def amplitude(self, name: str) -> float:
        """Half of peak to peak."""
        return 0.5 * float(np.ptp(self[name]))


def _on_other_tables(vehicle: Vehicle, track: Track, setting: Setting) -> Compiled:
    """On contact tables whose sections overlap by another width, or of another generator."""
    contact = {}
    for wheelset in vehicle.wheelsets:
        placed = wheelset_on_track(
            wheelset.profile, track.rail, track.inclination, track.gauge, wheelset.radius, wheelset.back_to_back
        )
        table = cached_table(placed, grid=Grid(overlap=OVERLAP if setting.overlap is None else setting.overlap))
        sides = soft_table(placed, setting.soft) if setting.soft else (table.left, table.right)
        left, right = (compile_side(side, table.conditions.shear_modulus) for side in sides)
        contact[wheelset.body] = left, right
    return compile_vehicle(vehicle, contact, FIRST_SPEED, 0.0, track, 0.0)


class Wagon:
    """A compiled wagon; the tables are made once."""

    def __init__(self, setting: Setting):
        request = setting.request()
        self.vehicle, track = request.read_vehicle(), request.read_track()
        if setting.overlap is None and setting.soft == 0.0:
            self._tables = put_on_track(self.vehicle, track, FIRST_SPEED)
        else:
            self._tables = _on_other_tables(self.vehicle, track, setting)

    @lru_cache(maxsize=64)  # noqa: B019, wagons live as long as their process
    def at(self, speed: float) -> tuple[Compiled, Rest]:
        compiled = at_speed(self._tables, speed)
        return compiled, rest_of(compiled)

    def start(self, speed: float, offsets: Mapping[str, float]) -> State:
        compiled, rest = self.at(speed)
        begin = start_from_rest(compiled, rest, offsets, Placing.BARE)
        return State(begin.x - rest.x, begin.memory, begin.mode)

    def hold(self, speed: float, state: State, duration: float, rows: float = ROWS) -> Piece:
        """At constant speed from a state."""
        compiled, rest = self.at(speed)
        begin = Start(rest.x + state.offset, state.memory.copy(), state.mode.copy())
        try:
            run = bare_run(compiled, begin, duration, SOLVING, rows)
            status = DERAILED if run.status == Status.STOPPED else ""
        except IntegrationError as error:
            run, status = error.trajectory, FAILED
        end = State(run.x[-1] - rest.x, run.memory[-1].copy(), run.mode[-1].copy())
        return Piece(run.t, compiled.layout.states, run.x, end, run.memory, run.mode, status)

    def chain(self, speeds: Sequence[float], state: State, duration: float) -> Iterator[tuple[float, Piece]]:
        """From speed to speed, each with the last state of the one before; ends where the wagon derails."""
        for speed in speeds:
            piece = self.hold(speed, state, duration)
            if piece.status:
                return
            yield speed, piece
            state = piece.end


@lru_cache(maxsize=16)
def wagon(setting: Setting) -> Wagon:
    return Wagon(setting)


def flange_start(rng: np.random.Generator, opposite: bool) -> dict[str, float]:
    """Both wheelsets 5 to 6 mm off centre, up to 4 mrad of yaw; to opposite sides, or each to a random one."""
    side = rng.choice([-1.0, 1.0], 2)
    if opposite:
        side[1] = -side[0]
    offsets = side * rng.uniform(5e-3, 6e-3, 2)
    yaw = rng.uniform(-4e-3, 4e-3, 2)
    return {f"{body}.y": float(y) for body, y in zip(BODIES, offsets, strict=True)} | {
        f"{body}.yaw": float(a) for body, a in zip(BODIES, yaw, strict=True)
    }


def hunting_states(stand: Wagon, high: float, seed: int, count: int, opposite: bool = False) -> list[State]:
    """Flange-to-flange motions settled at a high speed."""
    found = []
    for k in range(count):
        begin = flange_start(np.random.default_rng([seed, k]), opposite)
        piece = stand.hold(high, stand.start(high, begin), SETTLE, SETTLE)
        if not piece.status:
            found.append(piece.end)
    return found


def touches_flanges(piece: Piece, name: str, duration: float = 1.0) -> bool:
    """Whether the last part of a stretch goes from flange to flange."""
    y = piece.last(duration)[name]
    return bool(not piece.status and y.max() > FLANGE and y.min() < -FLANGE)


def peak_frequency(t: np.ndarray, y: np.ndarray) -> float:
    """Of the highest peak of the power spectrum, between its lines by a parabola [Hz]."""
    power = np.abs(np.fft.rfft((y - y.mean()) * np.hanning(y.size))) ** 2
    k = int(power[1:-1].argmax()) + 1
    low, top, high = np.log(power[k - 1 : k + 2] + 1e-300)
    shift = 0.5 * (low - high) / (low - 2.0 * top + high)
    return float((k + shift) / (t[1] - t[0]) / y.size)


def correlation(a: np.ndarray, b: np.ndarray) -> float:
    """Of two motions about their middles: 1 in phase, -1 out of phase."""
    return float(np.corrcoef(a, b)[0, 1])
