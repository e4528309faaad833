"""Creep-force laws behind one signature, chosen by number.

===================  ======  ======  =======================================================
law                  spin    moment  file
===================  ======  ======  =======================================================
LINEAR               yes     yes     linear.py; no bound
VERMEULEN_JOHNSON    no      no      vermeulen_johnson.py
SHEN_HEDRICK_ELKINS  small   no      shen_hedrick_elkins.py
TANH                 small   no      tanh_law.py
POLACH               yes     no      polach.py
FASTSIM              yes     yes     fastsim.py
FASTSIM_TABLE        yes     yes     fastsim_table.py; needs Settings(table=build_table())
===================  ======  ======  =======================================================

`force` is the compiled switch; inner loops that use one law call its own kernel. All kernels expect a
positive load: a wheel in the air has no patch, and its caller knows.
"""

from enum import IntEnum
from math import isfinite

from klingel._errors import InputError
from klingel._jit import kernel
from klingel.contact.creep import (
    fastsim,
    fastsim_table,
    linear,
    polach,
    shen_hedrick_elkins,
    tanh_law,
    vermeulen_johnson,
)
from klingel.contact.creep.creepage import Creepage, CreepForce, Patch, Settings


class Law(IntEnum):
    LINEAR = 0
    VERMEULEN_JOHNSON = 1
    SHEN_HEDRICK_ELKINS = 2
    TANH = 3
    POLACH = 4
    FASTSIM = 5
    FASTSIM_TABLE = 6


LAWS = {
    Law.LINEAR: linear.force,
    Law.VERMEULEN_JOHNSON: vermeulen_johnson.force,
    Law.SHEN_HEDRICK_ELKINS: shen_hedrick_elkins.force,
    Law.TANH: tanh_law.force,
    Law.POLACH: polach.force,
    Law.FASTSIM: fastsim.force,
    Law.FASTSIM_TABLE: fastsim_table.force,
}

HAS_SPIN = frozenset(Law) - {Law.VERMEULEN_JOHNSON}


@kernel
def force(law, creepage, patch, settings):
    """The force of any law; unknown numbers give NaN."""
    if law == Law.SHEN_HEDRICK_ELKINS:
        return shen_hedrick_elkins.force(creepage, patch, settings)
    if law == Law.FASTSIM_TABLE:
        return fastsim_table.force(creepage, patch, settings)
    if law == Law.POLACH:
        return polach.force(creepage, patch, settings)
    if law == Law.FASTSIM:
        return fastsim.force(creepage, patch, settings)
    if law == Law.VERMEULEN_JOHNSON:
        return vermeulen_johnson.force(creepage, patch, settings)
    if law == Law.TANH:
        return tanh_law.force(creepage, patch, settings)
    if law == Law.LINEAR:
        return linear.force(creepage, patch, settings)
    nan = float("nan")
    return CreepForce(nan, nan, nan)


def creep_force(law: Law, creepage: Creepage, patch: Patch, settings: Settings | None = None) -> CreepForce:
    """Creep force of one patch on the wheel, with the input checked.

    Parameters
    ----------
    law : which law.
    creepage : longitudinal, lateral [-] and spin [1/m].
    patch : ellipse, load, friction, shear modulus and Kalker's coefficients.
    settings : grid of FASTSIM, factors of Polach, table; defaults if left out.
    """
    settings = settings or Settings()
    positive = dict(zip(Patch._fields, patch, strict=True))
    for name, value in positive.items():
        if not (value > 0.0 and isfinite(value)):
            raise InputError(f"patch.{name}", value, "must be positive")
    for name, value in zip(Creepage._fields, creepage, strict=True):
        if not isfinite(value):
            raise InputError(f"creepage.{name}", value, "must be finite")
    if law == Law.FASTSIM and (settings.strips < 1 or settings.cells < 1):
        raise InputError("settings.strips, cells", (settings.strips, settings.cells), "must be positive")
    if law == Law.FASTSIM_TABLE and settings.table.size == 0:
        settings = settings._replace(table=fastsim_table.build_table())
    numbers = Creepage(*(float(v) for v in creepage)), Patch(*(float(v) for v in patch))
    return LAWS[Law(law)](*numbers, settings)
