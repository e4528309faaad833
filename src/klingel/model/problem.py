"""A compiled vehicle as a HybridProblem, and its start state."""

from collections.abc import Mapping
from math import inf

import numpy as np

from klingel._errors import InputError
from klingel.elements import leaf_spring
from klingel.model import assembly
from klingel.model.builder import Compiled
from klingel.model.equilibrium import Rest
from klingel.model.on_track.stages import corner_instants
from klingel.model.settled_modes import choose_sections, close_bands
from klingel.model.stiff_blocks import stiff_blocks
from klingel.model.system import Head
from klingel.numerics.problem import GUARD_TOLERANCE, HybridProblem

FORCE_TOLERANCE = 1e-6  # of guards in newtons [N]
GAP_TOLERANCE = 1e-6  # a contact that rested has drifted by the error of its steps, and must be free to open [m]
# of deformations on bent track: distances of kilometres are known to 1e-12 m only, rates are differences over 1e-4
# of a step
PLACE_TOLERANCE = 1e-9  # [m]


def displaced(compiled: Compiled, rest: Rest, offsets: Mapping[str, float]) -> tuple[np.ndarray, np.ndarray]:
    """State and modes away from rest: offsets by name, sliders stuck where they were, wheels in their section.

    Dead bands are in the mode of their deformation: a kick may begin in flange contact.
    """
    x, mode = rest.x.copy(), rest.mode.copy()
    for name, value in offsets.items():
        if name not in compiled.layout.states:
            raise InputError("initial", name, f"must be one of {', '.join(compiled.layout.states)}")
        if not np.isfinite(value):
            raise InputError(f"initial.{name}", value, "must be finite")
        x[compiled.layout.state(name)] += value
    choose_sections(compiled, x, mode)
    close_bands(compiled, x, rest.memory, mode)
    return x, mode


def vehicle_problem(
    compiled: Compiled, memory: np.ndarray, mode: np.ndarray, duration: float = inf
) -> HybridProblem:
    """Ready for the integrator; the system's port sums are set for these modes. Known are the corners passed."""
    layout = compiled.layout
    instants, instant_names = corner_instants(compiled, duration)
    pattern, implicit = stiff_blocks(compiled)
    assembly.prepare(compiled.system, memory, mode)
    tolerance = tuple(_tolerance(name, bool(compiled.system.i[Head.HAS_TRACK])) for name in layout.guards)
    return HybridProblem(
        assembly.rhs,
        compiled.system,
        layout.states,
        guards=assembly.guards,
        act=assembly.act,
        scan=assembly.look,
        after_step=assembly.after_step if _soft_springs(compiled) else None,
        guard_names=layout.guards,
        guard_owner=layout.guard_owner,
        guard_tolerance=tolerance,
        mode_names=layout.modes,
        mode_types=layout.mode_types,
        memory=memory.copy(),
        mode=mode.copy(),
        time_events=instants,
        time_names=instant_names,
        pattern=pattern,
        implicit=implicit,
    )


def _tolerance(guard: str, bent: bool) -> float:
    if guard.endswith(".limit"):
        return FORCE_TOLERANCE
    if guard.endswith((".plus", ".minus")):
        return GAP_TOLERANCE
    return PLACE_TOLERANCE if bent and guard.endswith((".u_low", ".u_high")) else GUARD_TOLERANCE


def _soft_springs(compiled: Compiled) -> bool:
    """Whether some leaf spring moves its reference near rest without an event."""
    f, i = compiled.system.f, compiled.system.i
    size = leaf_spring.LAW_SIZE + 1
    first = int(i[Head.LEAF])
    laws = [leaf_spring.read_law(f, first + size * k) for k in range(int(i[Head.LEAVES]))]
    return any(law.reading == leaf_spring.Reading.FULL for law in laws)
