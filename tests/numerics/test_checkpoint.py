"""An interrupted run goes on from its checkpoint bit for bit: states, modes, events, counters."""

from dataclasses import replace

import numpy as np
import pytest

from klingel._errors import InputError
from klingel.numerics.checkpoint import COUNTS_BEFORE_RACE, REALS_BEFORE_RACE
from klingel.numerics.integrate import integrate
from klingel.numerics.ode.workspace import Status
from tests.numerics.small_problems import bouncing_ball, level_crossing, pushed_mass, stiff_problem

CASES = {
    "ball": (bouncing_ball(), [1.0, 0.0], 3.5, "dopri54"),
    "levels": (level_crossing(), [0.0, 1.0], 20.0, "verner65"),
    "implicit": (level_crossing(), [0.0, 1.0], 10.0, "esdirk34"),
    "stiff": (stiff_problem(1e4), [1.0, 1.0], 1.0, "auto"),
    "known instants": (pushed_mass((1.0, 2.0, 5.0), (1.0, -1.0, 0.5)), [0.0, 0.0], 8.0, "bs32"),
}


def in_pieces(problem, x, t_end, pieces, **options):
    """The run, interrupted after every chunk and resumed with new arrays."""
    parts = [integrate(problem, x, t_end, chunk_steps=pieces, on_chunk=lambda _: True, **options)]
    while parts[-1].status == Status.RUNNING:
        saved = parts[-1].checkpoint
        assert saved is not None
        again = replace(problem, memory=saved["solver.memory"], mode=saved["solver.mode"])
        parts.append(
            integrate(again, x, t_end, chunk_steps=pieces, on_chunk=lambda _: True, resume=saved, **options)
        )
    return parts


@pytest.mark.parametrize("output_step", [None, 0.01])
@pytest.mark.parametrize("case", CASES)
def test_resumed_run_is_bit_identical(case, output_step):
    problem, x, t_end, method = CASES[case]
    options = {"method": method, "rtol": 1e-7, "atol": 1e-9, "output_step": output_step}
    whole = integrate(problem, x, t_end, **options)
    parts = in_pieces(problem, x, t_end, 3, **options)
    assert len(parts) > 3
    for name in ("t", "x", "memory", "mode"):
        np.testing.assert_array_equal(np.concatenate([getattr(p, name) for p in parts]), getattr(whole, name))
    for name in ("time", "guard", "old", "new"):
        pieces = [getattr(p.events, name) for p in parts]
        np.testing.assert_array_equal(np.concatenate(pieces), getattr(whole.events, name))
    assert replace(parts[-1].stats, wall_time=0.0) == replace(whole.stats, wall_time=0.0)
    for name, values in whole.checkpoint.items():
        np.testing.assert_array_equal(parts[-1].checkpoint[name], values)


def test_checkpoint_of_a_time_before_the_race_goes_on():
    """It has no numbers of the race of methods: the run begins a new one, and nothing else changes."""
    problem, x, t_end, method = CASES[next(iter(CASES))]
    options = {"method": method, "rtol": 1e-7, "atol": 1e-9}
    whole = integrate(problem, x, t_end, **options)
    first = integrate(problem, x, t_end, chunk_steps=3, on_chunk=lambda _: True, **options)
    older = dict(first.checkpoint)
    older["real"] = older["real"][:REALS_BEFORE_RACE]
    older["count"] = older["count"][:COUNTS_BEFORE_RACE]
    again = replace(problem, memory=older["solver.memory"], mode=older["solver.mode"])
    second = integrate(again, x, t_end, resume=older, **options)
    np.testing.assert_array_equal(np.concatenate([first.t, second.t]), whole.t)
    np.testing.assert_array_equal(np.concatenate([first.x, second.x]), whole.x)
    shorter = {**older, "count": older["count"][:-1]}
    with pytest.raises(InputError, match="must come from a run of the same system and method, got 'count'"):
        integrate(again, x, t_end, resume=shorter, **options)


def test_prolonged_run_goes_on_at_its_end():
    problem, x = level_crossing(), [0.0, 1.0]
    first = integrate(problem, x, 5.0, rtol=1e-9, atol=1e-11)
    saved = first.checkpoint
    again = replace(problem, memory=saved["solver.memory"], mode=saved["solver.mode"])
    second = integrate(again, x, 12.0, rtol=1e-9, atol=1e-11, resume=saved)
    assert second.t[0] > 5.0
    assert second.x[-1, 0] == pytest.approx(np.sin(12.0), abs=1e-7)


def test_checkpoint_of_another_system_is_refused():
    saved = integrate(bouncing_ball(), [1.0, 0.0], 1.0).checkpoint
    with pytest.raises(InputError, match="must come from a run of the same system"):
        integrate(pushed_mass((1.0,), (1.0,)), [0.0, 0.0], 2.0, resume=saved)
