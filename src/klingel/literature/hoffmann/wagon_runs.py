"""Two-axle wagons held at constant speed: seeded starts, chains from speed to speed, measures of a motion.

A state is carried from one speed to another as its offset from static equilibrium, with the memory and modes of
its friction elements. Flange-to-flange motion begins well above the speed of interest: both wheelsets about 5.5
mm off centre with some milliradians of yaw, on the rails, some seconds to settle, then the speed of interest.

At the relative tolerance used here a motion is off by tens of micrometres after 2 s (34 in one case): enough for
widths, frequencies and ends of motions, and the page says how much it changes each number.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from klingel.contact.patch.kalker import Slender
from klingel.contact.table.build import Grid
from klingel.contact.table.contact_table import Conditions
from klingel.contact.table.sections import OVERLAP
from klingel.contact.table.wheel_table import compile_side
from klingel.io.contact.cache import cached_table, wheelset_on_track
from klingel.literature.hoffmann.soft_contact import soft_table
from klingel.literature.reproduce.case import SEEDS, Case
from klingel.model.builder import Compiled, compile_vehicle
from klingel.model.description import Vehicle
from klingel.model.standing.equilibrium import Rest
from klingel.numerics.ode.workspace import Status
from klingel.numerics.trajectory import IntegrationError
from klingel.simulation.integration import Start, bare_run, rest_of, start_from_rest
from klingel.simulation.request.parts import Placing, Solving
from klingel.simulation.run import DERAILED, FAILED
from klingel.simulation.setup import at_speed, put_on_track
from klingel.track.track import Track
from klingel.vehicles.values import value as value_of
from klingel.vehicles.values import with_value

METHOD, RTOL = "dopri54", 1e-4
ROWS = 0.005  # [s]
BODIES = ("front_wheelset", "rear_wheelset")
FRONT, REAR, CARBODY = "front_wheelset.y", "rear_wheelset.y", "carbody.y"
FLANGE = 5e-3  # a motion beyond it on both sides touches both flanges [m]
FIRST_SPEED = 30.0  # for which tables are made; any [m/s]
EMPTY_WHEEL, LOADED_WHEEL = 44.5e3, 108.3e3  # wheel loads of the Hbbills 311 [N]
SETTLE = 4.0  # at the speed where flange-to-flange motion begins [s]
FOLLOWED = 3.0  # at each speed of the way down [s]
TRIES, WIDE_TRIES = 4, 24  # draws of a start
QUICK, SLOW = 1.0, 2.0  # in which both flanges must be touched, at 6 and at 1.3 Hz [s]


@dataclass(frozen=True)
class Setting:
    """A wagon on straight track, in the words of `load_vehicle`."""

    case: Case
    name: str
    links: str
    inclination: float = 1 / 40
    load: str = "empty"
    leaf_model: str | None = None  # that of the case
    friction: tuple[tuple[str, float], ...] = ()  # in the joints of single corners
    values: tuple[tuple[str, float], ...] = ()  # factors on values of the vehicle, by dotted name
    # for tests of guesses only
    overlap: float = OVERLAP  # of contact sections at a jump [m]
    soft: float = 0.0  # contact points next to the track centre as `soft_contact` has them, wheel load [N]
    slender: str = Slender.EXTRAPOLATED  # creep coefficients on the flange

    def vehicle(self) -> Vehicle:
        friction = dict(self.friction) or None
        wagon = self.case.wagon(
            self.name, links=self.links, load=self.load, friction=friction, leaf_model=self.leaf_model
        )
        for name, factor in self.values:
            wagon = with_value(wagon, name, factor * float(value_of(wagon, name)))
        return wagon

    @property
    def track(self) -> Track:
        return Track.straight(inclination=self.inclination)

    @property
    def solving(self) -> Solving:
        return Solving(METHOD, self.case.rtol(RTOL))

    @property
    def usual_tables(self) -> bool:
        return self.overlap == OVERLAP and self.soft == 0.0 and self.slender == Slender.EXTRAPOLATED


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
        table = cached_table(placed, Conditions(slender=setting.slender), Grid(overlap=setting.overlap))
        sides = soft_table(placed, setting.soft) if setting.soft else (table.left, table.right)
        left, right = (compile_side(side, table.conditions.shear_modulus) for side in sides)
        contact[wheelset.body] = left, right
    return compile_vehicle(vehicle, contact, FIRST_SPEED, 0.0, track, 0.0)


class Wagon:
    """A compiled wagon; the tables are made once."""

    def __init__(self, setting: Setting):
        self.vehicle, self.solving = setting.vehicle(), setting.solving
        if setting.usual_tables:
            self._tables = put_on_track(self.vehicle, setting.track, FIRST_SPEED)
        else:
            self._tables = _on_other_tables(self.vehicle, setting.track, setting)

    @lru_cache(maxsize=64)  # noqa: B019, wagons live as long as their process
    def at(self, speed: float) -> tuple[Compiled, Rest]:
        compiled = at_speed(self._tables, speed)
        return compiled, rest_of(compiled)

    def start(self, speed: float, offsets: Mapping[str, float]) -> State:
        """Displaced on the rails."""
        compiled, rest = self.at(speed)
        begin = start_from_rest(compiled, rest, offsets, Placing.RAILS)
        return State(begin.x - rest.x, begin.memory, begin.mode)

    def hold(self, speed: float, state: State, duration: float, rows: float = ROWS) -> Piece:
        """At constant speed from a state."""
        compiled, rest = self.at(speed)
        begin = Start(rest.x + state.offset, state.memory.copy(), state.mode.copy())
        try:
            run = bare_run(compiled, begin, duration, self.solving, rows)
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


def flange_start(rng: np.random.Generator, wide: bool = False) -> dict[str, float]:
    """Both wheelsets 5 to 6 mm off centre, up to 4 mrad of yaw, each to a random side.

    Wide, for 1/20: both to the same side, and the carbody up to 30 mm to any side, for there it is the carbody
    that keeps the motion alive.
    """
    side = rng.choice([-1.0, 1.0], 2)
    if wide:
        side[1] = side[0]
    offsets = side * rng.uniform(5e-3, 6e-3, 2)
    yaw = rng.uniform(-4e-3, 4e-3, 2)
    found = {f"{body}.y": float(y) for body, y in zip(BODIES, offsets, strict=True)}
    found |= {f"{body}.yaw": float(a) for body, a in zip(BODIES, yaw, strict=True)}
    return found | {CARBODY: float(rng.uniform(-0.03, 0.03))} if wide else found


def hunting_state(stand: Wagon, high: float, rng: np.random.Generator, wide: bool = False) -> State | None:
    """A motion of both wheelsets from flange to flange, settled at a high speed; None if no draw leads to one.

    Most wide starts come to rest.
    """
    for _ in range(WIDE_TRIES if wide else TRIES):
        begin = stand.start(high, flange_start(rng, wide))
        piece = stand.hold(high, begin, 3.0 * SETTLE if wide else SETTLE)
        if all(touches_flanges(piece, name, SLOW if wide else QUICK) for name in (FRONT, REAR)):
            return piece.end
    return None


def hunting_states(
    stand: Wagon, high: float, case: Case, count: int = SEEDS, wide: bool = False
) -> list[State | None]:
    """One for each seed."""
    return [hunting_state(stand, high, generator, wide) for generator in case.generators(count)]


def followed(stand: Wagon, state: State | None, high: float, low: float) -> State | None:
    """A motion taken to a lower speed by and by, for a sudden drop throws it off; None where there is none."""
    if state is None:
        return None
    speeds = np.arange(high - 1.0, low - 0.5, -1.0).tolist()
    pieces = list(stand.chain(speeds, state, FOLLOWED))
    return pieces[-1][1].end if len(pieces) == len(speeds) else None


def touches_flanges(piece: Piece, name: str, duration: float = QUICK) -> bool:
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
