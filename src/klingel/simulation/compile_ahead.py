"""The first start of all: the engine is compiled by two processes at once.

This process compiles right-hand side, actions, preparation, reports and the contact kernels; a second one the
event loop, which has right-hand side, guards and scan inside, crossings, breaks, and what the search for rest
calls: about 36 s of processor time each, as equal as whole kernels can be shared out. Both leave their results in
the cache on disk. Whatever the second process could not do is compiled later, where it is needed. Other starts
find a mark in the cache and go on.
"""

import os
import subprocess
import sys
from contextlib import suppress
from multiprocessing import parent_process
from pathlib import Path

import numba
import numpy as np
from numba import types

from klingel import _jit
from klingel._collector import collector_paused
from klingel.contact.table.build import contact_table
from klingel.io.contact.cache import wheelset_on_track
from klingel.model import assembly, output
from klingel.model.system import Head, System
from klingel.model.vehicle_loop import VEHICLE_LOOP
from klingel.numerics.linear.least_squares import LeastSquares
from klingel.numerics.ode.hybrid import compiled_loop
from klingel.numerics.ode.setup import Work, new_work
from klingel.numerics.options import Options
from klingel.numerics.problem import HybridProblem
from klingel.numerics.signatures import MODES, REAL, VECTOR

SECOND = f"import {__name__} as ahead; ahead.second_process()"


def _mark() -> Path:
    return _jit.cache_folder("model") / "engine-compiled"


def is_first() -> bool:
    """Whether the engine is still to be compiled, as far as is known without looking at every part."""
    return not (numba.config.DISABLE_JIT or _mark().exists())  # type: ignore[attr-defined]


def compile_engine() -> None:
    """Compile what every run of a vehicle needs; returns at once if that was done before."""
    if parent_process() is not None or not is_first():
        return
    second = _second_process()
    try:
        with collector_paused():
            compile_first_part()
    except BaseException:
        if second is not None:
            second.kill()
        raise
    if second is not None:
        second.wait()
    with suppress(OSError):  # a cache that cannot be written to is no reason to fail
        _mark().parent.mkdir(parents=True, exist_ok=True)
        _mark().touch()


def _second_process() -> subprocess.Popen | None:
    if (os.cpu_count() or 1) < 2 or not sys.executable:
        return None
    package = str(Path(_jit.__file__).resolve().parents[1])
    path = os.pathsep.join([package, *filter(None, [os.environ.get("PYTHONPATH")])])
    quiet = subprocess.DEVNULL
    try:
        return subprocess.Popen(
            [sys.executable, "-c", SECOND],
            stdin=quiet, stdout=quiet, stderr=quiet, env={**os.environ, "PYTHONPATH": path},
        )  # fmt: skip
    except OSError:
        return None


def second_process() -> None:
    """It ends without tidying up: taking apart what a compilation leaves behind takes a second or two."""
    with collector_paused():
        compile_second_part()
        os._exit(0)


def compile_second_part() -> None:
    compile_loop()
    for function in (assembly.follow, assembly.breaks):
        _jit.ready(function)
    compile_standing()


def compile_first_part() -> None:
    compile_vehicle_functions()
    compile_contact()


def compile_vehicle_functions() -> None:
    for function in (assembly.rhs, assembly.act):
        _jit.ready(function)
    _jit.ready(assembly.prepare, (assembly.SYSTEM, VECTOR, MODES))
    nothing = np.empty((0, 1))
    reports = output.Outputs(
        nothing, nothing, nothing, nothing, nothing, np.empty((0, 1, 1)), np.empty((0, 1, 1, 1))
    )
    output.report_rows(np.empty(0), nothing, nothing, np.empty((0, 1), np.int8), _no_system(), reports)


def compile_standing() -> None:
    """What the search for the rest of a vehicle calls."""
    system = assembly.SYSTEM
    _jit.ready(assembly.wheel_depth, (REAL, VECTOR, VECTOR, MODES, system, types.int64))
    for function in (assembly.rolling_radius, assembly.state_of_wheel):
        _jit.ready(function, (system, types.int64, REAL))
    LeastSquares(np.eye(2), 0.5).solve(np.ones(2))


def compile_contact() -> None:
    contact_table(wheelset_on_track())


def compile_loop() -> None:
    problem, work = loop_arguments()
    compiled_loop(problem, *work)


def loop_arguments() -> tuple[HybridProblem, Work]:
    """Arguments of the types the loop has for every vehicle."""
    problem = HybridProblem(assembly.rhs, _no_system(), ("x",), loop=VEHICLE_LOOP)
    options = Options(0.0, 1.0, "auto", None, 1e-6, 1e-9, None, None, 1.0, False, True, 1, 1, None, 1)
    return problem, new_work(problem, np.zeros(1), options, 1)


def _no_system() -> System:
    return System(np.zeros(1), np.zeros(max(Head) + 1, np.uint32))
