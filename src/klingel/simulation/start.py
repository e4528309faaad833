"""Where the elements of a vehicle stand when a run starts: sliders displaced, leaf springs on another branch.

Static equilibrium has every slider stuck and unloaded and every leaf spring near rest on its static load. A slider
displaced by d pulls with k_i d towards its place; where that is more than its limit it slides at once. A leaf
spring may start in its loading or unloading mode instead, with the force c (z - z*) that it has without friction.
"""

from collections.abc import Iterable, Mapping
from fnmatch import fnmatchcase
from typing import Any

import numpy as np

from klingel._errors import InputError
from klingel.model.builder import Compiled
from klingel.model.description import Vehicle
from klingel.model.kinds.registry import of, with_hook
from klingel.model.layout import Remembered
from klingel.model.standing.settled_modes import port_deformation
from klingel.simulation.integration import Start
from klingel.simulation.request.parts import Leaves
from klingel.simulation.setup import check_number

ANCHOR = Remembered("anchor", unit="m")  # deformation at which a stuck slider is unloaded


def sliders_of(vehicle: Vehicle) -> dict[str, Any]:
    """Laws with an anchor that can be displaced, by the name of their element."""
    return {e.name: e.law for e in vehicle.elements if ANCHOR in of(e.law).ABOUT.memory}


def split(vehicle: Vehicle, start: Mapping[str, float]) -> tuple[dict[str, float], dict[str, float]]:
    """A start with offsets of coordinates and of sliders, told apart by their names."""
    known = sliders_of(vehicle)
    sliders = {name: distance for name, distance in start.items() if _meant(name, known)}
    return {name: offset for name, offset in start.items() if name not in sliders}, sliders


def _meant(pattern: str, known: Iterable[str]) -> list[str]:
    return [name for name in known if fnmatchcase(name, pattern) or fnmatchcase(name, f"{pattern}.*")]


def displace_sliders(vehicle: Vehicle, compiled: Compiled, start: Start, sliders: Mapping[str, float]) -> Start:
    """Sliders moved by name: one (`front_left.link_y.slider_1`), all of a link, or a pattern (`*.link_y`) [m]."""
    memory = start.memory.copy()
    known = list(sliders_of(vehicle))
    example = known[0] if known else "(this vehicle has none)"
    for pattern, distance in sliders.items():
        meant = _meant(pattern, known)
        if not meant:
            raise InputError("sliders", pattern, f"must be a slider or pattern of them, like {example}")
        check_number(f"sliders.{pattern}", distance, "m")
        if not np.isfinite(distance):
            raise InputError(f"sliders.{pattern}", distance, "must be finite")
        for name in meant:
            memory[compiled.layout.memory[name]] += distance
    return start._replace(memory=memory)


def load_leaves(compiled: Compiled, start: Start, leaves: str) -> Start:
    """Leaf springs on the branch asked for, at the compression they have."""
    if leaves not in list(Leaves):
        raise InputError("leaves", leaves, f"must be one of {', '.join(Leaves)}")
    if leaves == Leaves.REST:
        return start
    memory, mode = start.memory.copy(), start.mode.copy()
    direction = 1.0 if leaves == Leaves.LOADING else -1.0
    u = port_deformation(compiled.system, start.x, memory, mode)
    for kind in with_hook("preset"):
        kind.preset(compiled.system, direction, u, memory, mode)
    return Start(start.x, memory, mode)
