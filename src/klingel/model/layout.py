"""Names of everything in a compiled vehicle, and what each is: Python only, never in a kernel."""

from dataclasses import dataclass, field
from enum import IntEnum, StrEnum
from functools import cached_property

from klingel.numerics.problem import GUARD_TOLERANCE
from klingel.numerics.problem import Remembered as Remembered
from klingel.numerics.problem import Role as Role

FORCE_TOLERANCE = 1e-6  # of guards in newtons [N]
GAP_TOLERANCE = 1e-6  # a contact that rested has drifted by the error of its steps, and must be free to open [m]
# of deformations on bent track: distances of kilometres are known to 1e-12 m only, rates are differences over 1e-4
# of a step
PLACE_TOLERANCE = 1e-9  # [m]


class Moves(StrEnum):
    """What a state is."""

    POSITION = "position"
    RATE = "rate"
    OWN = "own"  # of an element


@dataclass(frozen=True)
class State:
    name: str  # <body>.<coordinate>, <body>.<coordinate>_dot, <element>.<name>
    moves: Moves
    owner: str  # body or element
    coordinate: str  # y, roll, spin ... of bodies; the name of an element's own state
    unit: str  # m, rad, m/s, rad/s, N


class Watch(StrEnum):
    """What a guard watches."""

    DEFORMATION = "deformation"  # wall of a port
    RATE = "rate"  # wall of a port, or turning point
    FORCE = "force"
    GAP = "gap"  # of a clearance; of a resting contact its force in kN
    SHIFT_LOW = "shift-low"  # of a wheelset on its rails, against the bounds of a contact state
    SHIFT_HIGH = "shift-high"


@dataclass(frozen=True)
class Guard:
    name: str
    watch: Watch
    unit: str
    owner: str  # port, element or wheel
    mode: int  # index of the mode it belongs to; -1 where several share it

    def tolerance(self, bent: bool) -> float:
        """How far beyond its boundary it counts as lying on it, in its own unit; `bent`: on such a track."""
        if self.watch == Watch.FORCE:
            return FORCE_TOLERANCE
        if self.watch == Watch.GAP:
            return GAP_TOLERANCE
        wall = self.watch == Watch.DEFORMATION and self.mode < 0
        return PLACE_TOLERANCE if bent and wall else GUARD_TOLERANCE


@dataclass(frozen=True)
class Layout:
    """Index of every named thing; names are `<body>.<coordinate>`, `<corner>.<element>`."""

    state_info: tuple[State, ...]  # in the order of x
    modes: tuple[str, ...]
    mode_types: tuple[type[IntEnum], ...]
    guard_info: tuple[Guard, ...]
    ports: dict[str, int]  # "<connection>.<direction>" -> port
    memory: dict[str, int]  # element -> first entry
    remembered: tuple[Remembered, ...]  # entry by entry
    wheels: tuple[str, ...]  # "<wheelset>.left", ...
    wheelsets: tuple[str, ...]  # their bodies
    elements: dict[str, int]  # element name -> index within its kind
    bodies: tuple[str, ...]
    cones: tuple[str, ...] = ()  # bodies of the conical wheelsets
    own_states: dict[str, int] = field(default_factory=dict)  # element -> first of its own states in x
    own_ends: dict[str, tuple[str, str]] = field(default_factory=dict)  # element with states -> its two bodies
    slots: dict[str, int] = field(default_factory=dict)  # element -> first column among reported forces
    slot_count: int = 0
    cone_names: tuple[str, ...] = ()  # of the conical wheelsets; those of their bodies, unless one has several

    @cached_property
    def states(self) -> tuple[str, ...]:
        return tuple(state.name for state in self.state_info)

    @cached_property
    def guards(self) -> tuple[str, ...]:
        return tuple(guard.name for guard in self.guard_info)

    @cached_property
    def guard_owner(self) -> tuple[int, ...]:
        return tuple(guard.mode for guard in self.guard_info)

    @cached_property
    def guard_tolerance(self) -> dict[bool, tuple[float, ...]]:
        """On straight (False) and on bent track (True)."""
        return {bent: tuple(guard.tolerance(bent) for guard in self.guard_info) for bent in (False, True)}

    def wheelset_of(self, wheel: str) -> str:
        """Body of a wheel; wheels stand in pairs, left and right."""
        return self.wheelsets[self.wheels.index(wheel) // 2]

    @property
    def rolling(self) -> tuple[str, ...]:
        """Bodies on wheels, on profiles and conical."""
        return tuple(dict.fromkeys((*self.wheelsets, *self.cones)))

    def rate_of(self, position: str) -> int:
        """Where the rate of a position stands among the states."""
        moves = self.state_info[self.state(position)]
        where = ((s.owner, s.coordinate) == (moves.owner, moves.coordinate) for s in self.state_info)
        return next(k for k, same in enumerate(where) if same and self.state_info[k].moves == Moves.RATE)

    def state(self, name: str) -> int:
        return self.states.index(name)
