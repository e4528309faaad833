"""The engine compiled by two processes: what it prepares, and what happens when one of them fails."""

import subprocess
import sys

import numba
import pytest

from klingel._errors import InputError
from klingel.io.vehicle.files import load_vehicle
from klingel.model import assembly
from klingel.model.problem import vehicle_problem
from klingel.numerics.ode.setup import new_work
from klingel.numerics.options import Options
from klingel.simulation import compile_ahead
from klingel.simulation.integration import rest_of
from klingel.simulation.setup import put_on_track
from klingel.track.track import Track


def test_loop_is_compiled_for_the_types_of_every_vehicle():
    compiled = put_on_track(load_vehicle("hbbills311"), Track.straight(), 20.0)
    rest = rest_of(compiled)
    problem = vehicle_problem(compiled, rest.memory, rest.mode)
    options = Options(0.0, 1.0, "chain34", None, 1e-6, 1e-9, 0.01, None, 1.0, False, True, 10, 10, None, 10)
    work = new_work(problem, rest.x, options, 10)
    stand_in, empty = compile_ahead.loop_arguments()
    assert numba.typeof(stand_in.parameters) == numba.typeof(problem.parameters)
    assert [numba.typeof(group) for group in empty] == [numba.typeof(group) for group in work]


def test_search_for_a_rest_finds_its_kernels_compiled():
    """For the types it calls them with: nothing is added by what is compiled ahead."""
    kernels = assembly.prepare, assembly.wheel_depth, assembly.rolling_radius, assembly.state_of_wheel
    rest_of(put_on_track(load_vehicle("hbbills311"), Track.straight(), 20.0))
    before = [set(kernel.overloads) for kernel in kernels]
    compile_ahead.compile_standing()
    compile_ahead.compile_vehicle_functions()
    assert [set(kernel.overloads) for kernel in kernels] == before


@pytest.fixture
def unmarked(monkeypatch, tmp_path):
    """As if nothing had been compiled; the list of what was."""
    done = []
    monkeypatch.setattr(compile_ahead, "_mark", lambda: tmp_path / "cache" / "mark")
    monkeypatch.setattr(compile_ahead, "compile_first_part", lambda: done.append("functions"))
    return done


@pytest.mark.parametrize("second", ["pass", "import sys; sys.exit(3)", "no python"])
def test_compiles_once_whatever_becomes_of_the_second_process(unmarked, monkeypatch, second):
    monkeypatch.setattr(compile_ahead, "SECOND", second)
    assert compile_ahead.is_first()
    compile_ahead.compile_engine()
    assert not compile_ahead.is_first()
    compile_ahead.compile_engine()
    assert unmarked == ["functions"]


def test_second_process_knows_what_to_call(monkeypatch):
    """Its code is a string, which no tool follows when a module moves."""
    called = []
    monkeypatch.setattr(compile_ahead, "compile_second_part", lambda: called.append("second part"))
    monkeypatch.setattr(compile_ahead.os, "_exit", lambda status: called.append(status))
    exec(compile_ahead.SECOND, {})
    assert called == ["second part", 0]


def test_goes_on_where_no_process_can_be_started(unmarked, monkeypatch):
    monkeypatch.setattr(sys, "executable", "/no/such/file")
    compile_ahead.compile_engine()
    assert unmarked == ["functions"]


def test_second_process_ends_with_the_first(unmarked, monkeypatch):
    started = []
    real = subprocess.Popen

    def remember(*args, **named):
        started.append(real(*args, **named))
        return started[0]

    def fail():
        raise InputError("here", 1, "must not be")

    monkeypatch.setattr(compile_ahead, "SECOND", "import time; time.sleep(600)")
    monkeypatch.setattr(subprocess, "Popen", remember)
    monkeypatch.setattr(compile_ahead, "compile_first_part", fail)
    with pytest.raises(InputError):
        compile_ahead.compile_engine()
    assert started[0].wait(60) != 0
    assert compile_ahead.is_first()
