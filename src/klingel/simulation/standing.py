"""Whether a vehicle file describes a vehicle that stays on all of its wheels, in each of its load cases."""

from pathlib import Path
from typing import NamedTuple

import numpy as np

from klingel._errors import InputError
from klingel.io.toml_tables import read_text, read_toml
from klingel.io.vehicle.files import load_vehicle
from klingel.model.builder import Compiled
from klingel.model.output import Wheel, outputs
from klingel.model.standing.equilibrium import Rest, find_rest
from klingel.model.standing.missing import REMEDY
from klingel.model.standing.toppling import toppling
from klingel.simulation.setup import put_on_track
from klingel.track.track import Track
from klingel.vehicles.template import EMPTY, LOADS

SPEED = 10.0  # at which it is tried [m/s]
HANGS = 1e-6  # of the mean wheel load: a wheel with less is in the air


class Standing(NamedTuple):
    """What is said of the load cases."""

    problems: tuple[InputError, ...]  # it does not stand
    warnings: tuple[InputError, ...]  # it stands, but not on all of its wheels, or not for long


def try_standing(file: Path) -> Standing:
    """What is not balanced at rest on straight track, wheels that hang in the air there, bodies that fall over."""
    problems: list[InputError] = []
    warnings: list[InputError] = []
    content = read_toml(read_text(file), file.name)
    cases = dict.fromkeys((EMPTY, *content.get(LOADS, {})))
    for case in cases:
        loaded = "" if case == EMPTY else f" (load {case})"
        try:
            compiled = put_on_track(load_vehicle(file, load=case), Track.straight(), SPEED)
            rest = find_rest(compiled)
        except InputError as error:
            problems.append(InputError(f"{error.field}{loaded}", error.given, error.allowed))
            continue
        if hanging := hanging_wheels(compiled, rest):
            more = "" if len(hanging) == 1 else f" (and {', '.join(hanging[1:])})"
            allowed = (
                f"hangs in the air at rest{more}: the vehicle stands on its other wheels; look at where the load"
                " lies, at the stiffness over this wheelset and at preloads"
            )
            warnings.append(InputError(f"{hanging[0]}{loaded}", None, allowed))
        if falls := toppling(compiled, rest):
            remedy = REMEDY[falls.name.rpartition(".")[2]]
            allowed = (
                f"falls over from rest, a small push grows e-fold in {1.0 / falls.rate:.2g} s: it needs {remedy}"
            )
            warnings.append(InputError(f"{falls.name}{loaded}", None, allowed))
    return Standing(tuple(problems), tuple(warnings))


def hanging_wheels(compiled: Compiled, rest: Rest) -> list[str]:
    """Wheels that carry nothing at rest; cones, which have no load of their own, are not among them."""
    row = outputs(compiled, np.zeros(1), rest.x[None], rest.memory[None], rest.mode[None])
    load = row.wheel[0, :, Wheel.Q]
    if not load.size:
        return []
    return [wheel for wheel, q in zip(compiled.layout.wheels, load, strict=True) if q <= HANGS * load.mean()]
