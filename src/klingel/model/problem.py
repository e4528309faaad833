"""A compiled vehicle as a HybridProblem, and its start state."""

from collections.abc import Mapping
from enum import StrEnum
from math import inf

import numpy as np

from klingel._errors import InputError
from klingel.model import assembly
from klingel.model.builder import Compiled
from klingel.model.kinds.wheels import wheel_following
from klingel.model.on_track.stages import corner_instants
from klingel.model.standing.equilibrium import Rest
from klingel.model.standing.settled_modes import choose_sections, close_gaps
from klingel.model.system import Head
from klingel.model.vehicle_loop import VEHICLE_LOOP
from klingel.numerics.problem import HybridProblem


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
    close_gaps(compiled, x, rest.memory, mode)
    return x, mode


class Locate(StrEnum):
    """Which events a run stops at."""

    ALL = "all"  # every change of a mode
    NEEDED = "needed"  # those at which the right-hand side jumps; contact states follow the lateral shift
    IGNORE = "ignore"  # none: what is violated at the end of a step acts there; contact states follow


def vehicle_problem(
    compiled: Compiled,
    memory: np.ndarray,
    mode: np.ndarray,
    duration: float = inf,
    locate: Locate = Locate.ALL,
) -> HybridProblem:
    """Ready for the integrator; the system's port sums are set for these modes. Known are the corners passed."""
    layout = compiled.layout
    system = compiled.system
    follows = locate != Locate.ALL and bool(system.i[Head.WHEELS]) and not compiled.jumps
    wheel_following.begin(system, follows)
    instants, instant_names = corner_instants(compiled, duration)
    pattern, implicit = compiled.stiff_blocks
    assembly.prepare(compiled.system, memory, mode)
    bent = bool(compiled.system.i[Head.HAS_TRACK])
    return HybridProblem(
        assembly.rhs,
        compiled.system,
        layout.states,
        guards=assembly.guards if layout.guards else None,
        act=assembly.act,
        scan=assembly.look if layout.guards else None,
        follow=assembly.follow if follows else None,
        breaks=assembly.breaks if system.i[Head.WHEELS] else None,
        after_step=assembly.after_step if compiled.soft_springs or _rigid_faces(compiled) else None,
        guard_names=layout.guards,
        guard_owner=layout.guard_owner,
        guard_tolerance=layout.guard_tolerance[bent],
        mode_names=layout.modes,
        mode_types=layout.mode_types,
        memory=memory,
        remembered=layout.remembered,
        mode=mode,
        time_events=instants,
        time_names=instant_names,
        pattern=pattern,
        implicit=implicit,
        loop=VEHICLE_LOOP,
    )


def _rigid_faces(compiled: Compiled) -> bool:
    """Whether stuck faces are kept at rest after every step."""
    return int(compiled.system.i[Head.HELD_ROWS]) > 0
