"""Which quantities of a run are kept, and how precisely.

The usual ones are states, modes, memory, forces of wheels and of whole elements, their deformations, and the track
under the wheels. What takes more than half of the room and is looked at rarely is left out: accelerations, forces
of the parts of an element, compressions (a deformation and a constant), and the inside of the contacts.
"""

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from fnmatch import fnmatchcase

import numpy as np

from klingel._errors import InputError
from klingel.io.netcdf4 import Variable
from klingel.simulation.outputs import CHECKPOINT, CONTACTS, LAST_ROW
from klingel.simulation.request.parts import ALL, USUAL, Outputs, Precision

ALWAYS = ("time", "distance", CHECKPOINT, LAST_ROW)
EXACT = ("time", "distance", "event_time", LAST_ROW)  # in double precision always
INSIDE = tuple(f"*.{name}" for name, _, _ in CONTACTS.values())  # of contacts


def in_memory(outputs: Outputs) -> Outputs:
    """All in double precision where nothing else was asked for."""
    return Outputs(outputs.output_step, outputs.quantities or (ALL,), outputs.precision or Precision.DOUBLE)


def in_file(outputs: Outputs) -> Outputs:
    """The usual quantities in single precision where nothing else was asked for."""
    return Outputs(outputs.output_step, outputs.quantities or (USUAL,), outputs.precision or Precision.SINGLE)


def kept(variables: Mapping[str, Variable], outputs: Outputs) -> dict[str, Variable]:
    """The variables asked for, in the precision asked for."""
    names = chosen(list(variables), outputs.quantities or (ALL,))
    single = outputs.precision == Precision.SINGLE
    return {
        name: _single(variable) if single and name not in EXACT else variable
        for name, variable in variables.items()
        if name in names
    }


def check_like(variables: Mapping[str, Variable], before: Mapping[str, Variable]) -> None:
    """Whether a vehicle has all quantities of a run: one whose file was changed has not."""
    for name in before:
        if name not in variables and name not in (CHECKPOINT, LAST_ROW):
            raise InputError("run", name, "must be a quantity of the vehicle stored with it")


def like(variables: Mapping[str, Variable], before: Mapping[str, Variable]) -> dict[str, Variable]:
    """Those that `before` has, as precisely."""
    found = {}
    for name, (dims, values, words) in variables.items():
        if name in before or name in (CHECKPOINT, LAST_ROW):
            kind = before[name][1].dtype if name in before else values.dtype
            found[name] = (dims, values.astype(kind, copy=False), words)
    return found


def _single(variable: Variable) -> Variable:
    dims, values, words = variable
    return (dims, values.astype(np.float32), words) if values.dtype == np.float64 else variable


def chosen(names: Iterable[str], patterns: Iterable[str]) -> set[str]:
    """Names that are meant; a pattern that means none is refused."""
    names = list(names)
    found = {name for name in names if name in ALWAYS or name.startswith("event_")}
    for pattern in patterns:
        if pattern == ALL:
            meant = names
        elif pattern == USUAL:
            meant = [name for name in names if is_usual(name, names)]
        else:
            meant = [name for name in names if fnmatchcase(name, pattern)]
        if not meant:
            close = get_close_matches(pattern, names, n=2)
            hint = f"did you mean {' or '.join(close)}? " if close else ""
            raise InputError(
                "quantities", pattern, f"{hint}must be a quantity, a pattern like *.Q, {ALL} or {USUAL}"
            )
        found.update(meant)
    return found


def is_usual(name: str, names: Iterable[str]) -> bool:
    """Whether a quantity is among the usual ones of all these."""
    if name.endswith("_ddot") or any(fnmatchcase(name, pattern) for pattern in INSIDE):
        return False
    whole, _, last = name.rpartition(".")
    return last != "compression" and (last != "force" or f"{whole}.deformation" in names)
