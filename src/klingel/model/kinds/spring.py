"""Springs with viscous dampers: one affine piece each, no modes."""

from dataclasses import replace
from enum import IntEnum

import numpy as np

from klingel._jit import kernel
from klingel.elements import spring
from klingel.elements.spring import FOUND, FREE_LENGTH, Spring
from klingel.model.description import Element
from klingel.model.kinds.affine import affine_hooks
from klingel.model.kinds.registry import About, Family, Kind, places
from klingel.model.rows import Rows
from klingel.model.system import Head

ABOUT = About(
    Spring,
    {
        "stiffness": ("stiffness", "not negative"),
        "damping": ("damping", "not negative"),
        "preload": ("force", "", None, {FOUND: None, FREE_LENGTH: 0.0}),
    },
    Family.SPRING,
    events=False,
)
COUNT, ROWS, AT = places(Kind.SPRING, Head.KINDS)


class Row(IntEnum):
    STIFFNESS, DAMPING, PRELOAD = range(3)
    SIZE = 3


class At(IntEnum):
    PORT, SLOT = range(2)
    SIZE = 2


@kernel(merged=True)
def piece_of(p, k, memory, mode):
    o = p[1][ROWS] + Row.SIZE * k
    return spring.piece(p[0][o + Row.STIFFNESS], p[0][o + Row.DAMPING], p[0][o + Row.PRELOAD])


@kernel(merged=True)
def energy_of(p, k, u, v, force, mode):
    f, o = p[0], p[1][ROWS] + Row.SIZE * k
    stored = spring.stored_energy(u, f[o + Row.STIFFNESS], f[o + Row.PRELOAD])
    return stored, spring.dissipated_power(v, f[o + Row.DAMPING])


enter, report, energy = affine_hooks(piece_of, energy_of, COUNT, AT, At)


def put(element: Element, rows: Rows) -> None:
    law: Spring = element.law
    preload = rows.loads[element.name] if law.preload is None else law.preload
    floats = (law.stiffness, law.damping, preload)
    rows.add(Kind.SPRING, element.name, floats, (rows.port(element), rows.slot(element)))


def along(law: Spring, u: np.ndarray) -> np.ndarray:
    """A spring whose preload is to be found is drawn without one."""
    return (law.preload or 0.0) + law.stiffness * u


def hold(law: Spring, u: float, load: float) -> tuple[float, float]:
    """`load` is the preload that was found, if none is stated."""
    force = (load if law.preload is None else law.preload) + law.stiffness * u
    return force, force


def shares(law: Spring) -> float | None:
    return law.stiffness if law.preload is None else None


def stated(law: Spring, force: float) -> Spring:
    return replace(law, preload=force)


def supports(law: Spring) -> bool:
    return law.stiffness > 0.0 or bool(law.preload)


def secant(law: Spring, amplitude: float) -> float:
    """Stiffness of a motion to and fro, for estimates [N/m]."""
    return law.stiffness
