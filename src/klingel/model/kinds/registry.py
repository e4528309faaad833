"""The kinds of elements, one line each, and what every file `model/kinds/<kind>.py` holds.

==============  ===============================================================================================
in every file   what it is
==============  ===============================================================================================
`ABOUT`         class of the law, its parameters in a vehicle file, how pictures group it ... (`About`)
`Row`, `At`     fields of its rows in the float table and in the integer table
`put`           description -> rows, modes, memory, states; `finish` once all are put
`report`        kernel: its force in each direction
`energy`        kernel: stored energy and heat per time
==============  ===============================================================================================

==============  ===============================================================================================
where it has    what it is
a part
==============  ===============================================================================================
`enter`         kernel, at events: affine pieces and walls on its ports (`affine` makes it, and `report`)
`cross`         kernel, at events: those of its elements whose wall was crossed leave their mode
`forces`        kernel, every right-hand side: forces with curvature, rates of its own states
`guards`        kernel: guards besides the walls of its ports; `watched` names them
`act`           kernel, at events: what its guards do
`settle`        kernel: modes and memory after a jump of the rates
`narrow`        kernel: what it allows the deformations of its ports, for the quick scan
`rest`          memory and modes of a vehicle at rest; `close`: modes that its deformation decides;
                `preset`: another branch at the start
`shares`        stiffness by which it takes its share of the weight, None where its force is stated; `stated`: the
                law with the force found; `supports`: whether it can hold a weight (`statics`)
`unwind`        states of its own at rest, where it carries nothing
`drag`          memory after a slow displacement from rest
`unload`        carries nothing while rest is sought; `static_line`: its force without memory, as a branch
`along`         force along a slow path, zero if it has none; `reach` is the amplitude that shows the whole law
`hold`          forces between which it can rest at a deformation; the force of `along` if it has none
`clearance`     free ways to either side before it carries anything; none if it has none
`secant`        stiffness of a motion to and fro, for estimates; zero if it has none
`ignored`       the law as a force of deformation and rate alone, for runs that ignore its corners (`smoothing`)
`smooth`        the law with corners and jumps rounded over given widths (`smoothing`); refused by name without
==============  ===============================================================================================

`assembly` calls the kernels in a list written out by hand, so that the compiled code keeps its shape. A hook takes
the same arguments in every file; `slow_path` asks `along` to `secant`.
"""

from dataclasses import dataclass
from enum import IntEnum, StrEnum
from functools import cache
from importlib import import_module
from typing import Any


class Kind(IntEnum):
    """Names are those of the files and of the laws in a vehicle file."""

    SPRING = 0
    DRY_FRICTION = 1
    DEAD_BAND = 2
    LEAF_SPRING = 3
    GUIDE = 4
    STOP = 5
    SERIES_DAMPER = 6
    RIGID_FRICTION = 7
    ELASTIC_FRICTION = 8
    TABLE_SPRING = 9
    SMOOTH_DEAD_BAND = 10
    SMOOTH_FRICTION = 11

    @property
    def word(self) -> str:
        return self.name.lower()


class Family(StrEnum):
    SPRING = "spring"
    DAMPER = "damper"
    FRICTION = "friction"
    CLEARANCE = "clearance"


@dataclass(frozen=True)
class About:
    """What is known of a kind besides its hooks."""

    law: type  # from `elements`; one object of it stands in the description
    fields: dict[
        str, tuple
    ]  # parameter in a vehicle file -> dimension, bounds, a default that is the file's alone, words for values
    family: Family  # how pictures group it
    ports: tuple[int, int] = (1, 1)  # how many directions of its connection it acts in, at least and at most
    events: bool = True  # whether it can leave a mode while a vehicle runs
    memory: tuple[Any, ...] = ()  # what it remembers, entry by entry (`Remembered`)
    per_load: str = ""  # the parameter that is multiplied by a normal load, and needs one unless it is zero


class Place(IntEnum):
    """What the head of the tables says of a kind."""

    COUNT, ROWS, AT = range(3)
    SIZE = 3


def places(kind: Kind, first: int) -> tuple[int, int, int]:
    """Entries of the head with the number of elements, the first of their rows, the first of their integers."""
    o = first + Place.SIZE * kind
    return o + Place.COUNT, o + Place.ROWS, o + Place.AT


@cache
def module(kind: Kind) -> Any:
    return import_module(f"klingel.model.kinds.{kind.word}")


@cache
def _by_law() -> dict[type, Kind]:
    return {module(kind).ABOUT.law: kind for kind in Kind}


def kind_of(law: Any) -> Kind:
    return _by_law()[type(law)]


def of(law: Any) -> Any:
    """The file of the kind a law belongs to."""
    return module(kind_of(law))


def is_law(law: Any) -> bool:
    return type(law) in _by_law()


def with_hook(name: str) -> list[Any]:
    """Files of the kinds that have a hook."""
    return [module(kind) for kind in Kind if hasattr(module(kind), name)]
