"""Cost of the contact: one contact from the table, FASTSIM and its table, a whole contact table.

There is no peer: the aims are absolute. Times are CPU times of compiled loops, the best of several, with varying
arguments.
"""

import time
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from klingel._jit import kernel
from klingel.bench.row import Row
from klingel.contact.creep import fastsim, fastsim_table
from klingel.contact.creep.creepage import Creepage, Patch, Settings, wheel_creepage
from klingel.contact.patch.kalker import kalker
from klingel.contact.table import wheel_table
from klingel.contact.table.build import Grid, contact_table
from klingel.io.contact.cache import cached_fastsim_table, wheelset_on_track

REPEATS = 9
SPEED = 30.0  # [m/s]
PATCH = Patch(6e-3, 4.5e-3, 8e4, 0.3, 8.27e10, *kalker(6 / 4.5, 0.27))


def _best(call: Callable[[], Any]) -> float:
    """CPU time of the fastest of several calls; the first, which compiles, does not count."""
    call()
    times = []
    for _ in range(REPEATS):
        start = time.process_time()
        call()
        times.append(time.process_time() - start)
    return min(times)


def _row(name: str, ours: float, aim: float, unit: str) -> Row:
    return Row(name, ours, "", None, aim, unit)


@kernel
def _contacts_from_table(wheel, section, low, high, count, row):
    """Complete contacts: table, creepages, normal force, Shen-Hedrick-Elkins; the sum keeps them alive."""
    total = 0.0
    for i in range(count):
        part = (i % 97) / 97.0
        wheel_table.evaluate(wheel, section, low + part * (high - low), wheel_table.SHORT_ROW, row)
        c = wheel_creepage(SPEED, 65.3, 0.01 * part, 0.001, 1e-3 * part, 0.01, row[2], row[3], 0.03)
        q = 1e-4 + 1e-6 * part
        load = wheel_table.normal_force(row, q, 1e-3 * part, 1.0, 1.5e5)
        tx, ty = wheel_table.shen_hedrick_elkins(row, q, 1.0, 0.3 * load, c.xi, c.eta, c.phi)
        total += load + tx + ty
    return total


@kernel
def _fastsims(patch, settings, count):
    total = 0.0
    for i in range(count):
        part = (i % 97) / 97.0
        total += fastsim.force(Creepage(1e-3 * part, -5e-4 + 1e-3 * part, 0.5 * part), patch, settings).fy
    return total


@kernel
def _tables(patch, settings, count):
    total = 0.0
    for i in range(count):
        part = (i % 97) / 97.0
        total += fastsim_table.force(Creepage(1e-3 * part, -5e-4 + 1e-3 * part, 0.5 * part), patch, settings).fy
    return total


@cache
def _wheelset():
    return wheelset_on_track("S1002", "UIC60", inclination=1 / 40)


def contact_from_table() -> list[Row]:
    """One wheel, from the lateral shift to the creep force."""
    table = contact_table(_wheelset())
    wheel = wheel_table.compile_side(table.left, table.conditions.shear_modulus)
    section = wheel_table.state_at(wheel, 1e-3) // 2
    low, high = (float(b) for b in wheel.bounds[2 * section : 2 * section + 2])
    row, count = np.zeros(wheel_table.ROW), 100_000
    seconds = _best(lambda: _contacts_from_table(wheel, section, low, high, count, row))
    return [_row("contact from the table, Shen-Hedrick-Elkins", 1e9 * seconds / count, 150.0, "ns")]


def fastsim_grid() -> list[Row]:
    """FASTSIM on 20 by 20 cells."""
    count = 2_000
    seconds = _best(lambda: _fastsims(PATCH, Settings(), count))
    return [_row("FASTSIM, 20 by 20", 1e6 * seconds / count, 15.0, "us")]


def fastsim_from_table() -> list[Row]:
    """FASTSIM interpolated."""
    count = 100_000
    settings = Settings(table=cached_fastsim_table())
    seconds = _best(lambda: _tables(PATCH, settings, count))
    return [_row("FASTSIM from the table", 1e9 * seconds / count, 300.0, "ns")]


def whole_table() -> list[Row]:
    """Both wheels, 201 shifts from -10 to 10 mm, jumps located, all columns."""
    seconds = _best(lambda: contact_table(_wheelset(), grid=Grid()))
    return [_row("contact table S1002/60E1, 201 shifts", seconds, 0.5, "s")]


ALL = (contact_from_table, fastsim_grid, fastsim_from_table, whole_table)
