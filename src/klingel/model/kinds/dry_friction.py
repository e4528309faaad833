"""Friction sliders with a spring in series: the affine piece of their mode, an anchor remembered."""

from dataclasses import replace
from enum import IntEnum

import numpy as np

from klingel._jit import kernel
from klingel.elements import dry_friction
from klingel.elements.dry_friction import DryFriction, Mode
from klingel.model.description import Element, unit_of
from klingel.model.kinds.affine import affine_hooks
from klingel.model.kinds.registry import About, Family, Kind, places
from klingel.model.kinds.slow_path import walk
from klingel.model.layout import Remembered
from klingel.model.port_pieces import column
from klingel.model.rows import Rows, table_of
from klingel.model.system import Head, System

ABOUT = About(
    DryFriction,
    {"stiffness": ("stiffness", "positive"), "limit": ("force", "positive")},
    Family.FRICTION,
    memory=(Remembered("anchor", unit="m"),),
)
COUNT, ROWS, AT = places(Kind.DRY_FRICTION, Head.KINDS)


class Row(IntEnum):
    STIFFNESS, LIMIT = range(2)
    SIZE = 2


class At(IntEnum):
    PORT, MODE, MEMORY, SLOT = range(4)
    SIZE = 4


@kernel(merged=True)
def piece_of(p, k, memory, mode):
    f, i = p
    at, o = i[AT] + At.SIZE * k, i[ROWS] + Row.SIZE * k
    return dry_friction.piece(
        mode[i[at + At.MODE]], memory[i[at + At.MEMORY]], f[o + Row.STIFFNESS], f[o + Row.LIMIT]
    )  # fmt: skip


@kernel(merged=True)
def energy_of(p, k, u, v, force, mode):
    f, i = p
    o, now = i[ROWS] + Row.SIZE * k, mode[i[i[AT] + At.SIZE * k + At.MODE]]
    stored = dry_friction.stored_energy(force, f[o + Row.STIFFNESS])
    return stored, dry_friction.dissipated_power(now, v, f[o + Row.LIMIT])


enter, report, energy = affine_hooks(piece_of, energy_of, COUNT, AT, At)


def put(element: Element, rows: Rows) -> None:
    law: DryFriction = element.law
    mode = rows.mode(element.name, Mode, Mode.STICK)
    anchor = rows.remember(element.name, [replace(e, unit=unit_of(element.direction)) for e in ABOUT.memory])
    at = (rows.wall(element), mode, anchor, rows.slot(element))
    rows.add(Kind.DRY_FRICTION, element.name, (law.stiffness, law.limit), at)


@kernel(inner=True)
def cross(p, port, wall, bound, u, v, memory, mode):
    f, i = p
    for k in range(i[COUNT]):
        at, o = i[AT] + At.SIZE * k, i[ROWS] + Row.SIZE * k
        if i[at + At.PORT] == port and piece_of(p, k, memory, mode)[3 + wall] == bound:
            mode[i[at + At.MODE]], memory[i[at + At.MEMORY]] = dry_friction.leave(
                mode[i[at + At.MODE]],
                wall,
                u,
                v,
                memory[i[at + At.MEMORY]],
                f[o + Row.STIFFNESS],
                f[o + Row.LIMIT],
            )


def rest(system: System, u: np.ndarray, memory: np.ndarray, mode: np.ndarray) -> None:
    """Stuck and unloaded at the present deformation."""
    for at in table_of(system, Kind.DRY_FRICTION, Row, At)[1]:
        memory[at[At.MEMORY]] = u[column(at[At.PORT])]


def drag(system: System, u: np.ndarray, before: np.ndarray, memory: np.ndarray) -> None:
    """Stuck, with an anchor that slid along where the limit was reached."""
    for (stiffness, limit), at in zip(*table_of(system, Kind.DRY_FRICTION, Row, At), strict=True):
        here, reach = float(u[column(at[At.PORT])]), limit / stiffness
        inside = dry_friction.INSIDE * (abs(here) + reach)
        anchor = before[at[At.MEMORY]]
        memory[at[At.MEMORY]] = min(max(anchor, here - reach + inside), here + reach - inside)


def unload(system: System, mode: np.ndarray) -> None:
    """All without force, for the search of a rest at which they are unloaded."""
    rows, places_at = table_of(system, Kind.DRY_FRICTION, Row, At)
    rows[:, Row.LIMIT] = 0.0
    mode[places_at[:, At.MODE]] = Mode.SLIP_POS


def hold(law: DryFriction, u: float, load: float) -> tuple[float, float]:
    return -law.limit, law.limit


def along(law: DryFriction, u: np.ndarray) -> np.ndarray:
    def piece(mode: int, anchor: float):
        return dry_friction.piece(mode, anchor, law.stiffness, law.limit)

    def leave(mode: int, wall: int, at: float, v: float, anchor: float):
        return dry_friction.leave(mode, wall, at, v, anchor, law.stiffness, law.limit)

    return walk(u, Mode.STICK, float(u[0]), piece, leave)


def reach(law: DryFriction) -> list[float]:
    return [3.0 * law.limit / law.stiffness]


def secant(law: DryFriction, amplitude: float) -> float:
    """Stiffness of a motion to and fro, for estimates [N/m]."""
    return law.limit / amplitude
