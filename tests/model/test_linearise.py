"""Linearisation: closed forms, an independent integration, and what is said about its error."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.linalg import expm

from klingel.io.vehicle.files import load_vehicle
from klingel.model.builder import compile_vehicle
from klingel.model.linearise import _limit, linearise
from klingel.model.problem import vehicle_problem
from klingel.model.standing.equilibrium import find_rest
from klingel.numerics.integrate import integrate
from tests.model.cooperrider_equations import NAMES, linear_matrix
from tests.model.test_wagon import mirror_signs
from tests.model.wagon import compiled


def at_rest(model):
    rest = find_rest(model)
    return linearise(model, rest), rest


def test_limit_of_a_series_with_odd_powers():
    """(1 - h + h^2 - ...) as saturated creep has it, and exp(h): both tend to 1."""
    h = 0.1 * 0.5 ** np.arange(9)
    best, error = _limit(np.column_stack([1.0 / (1.0 + h), np.exp(h), np.full_like(h, 2.0)]))
    np.testing.assert_allclose(best, [1.0, 1.0, 2.0], rtol=1e-13)
    assert error.max() < 1e-12


@pytest.mark.parametrize("speed", [20.0, 65.0, 120.0])
def test_bogie_against_its_linear_equations(speed):
    model = compile_vehicle(load_vehicle("cooperrider"), {}, speed)
    lin, _ = at_rest(model)
    order = [model.layout.state(name) for name in (*NAMES, *(f"{name}_dot" for name in NAMES))]
    computed, expected = lin.matrix[np.ix_(order, order)], linear_matrix(speed)
    largest = np.abs(expected).max(axis=1, keepdims=True)
    assert (np.abs(computed - expected) / largest).max() < 1e-13
    assert (np.abs(lin.kink) / largest).max() < 1e-15
    values = np.linalg.eigvals(expected)
    assert lin.eigenvalues()[0].real == pytest.approx(values.real.max(), abs=1e-10)


def test_error_of_an_eigenvalue_follows_that_of_the_matrix():
    """Spread of the eigenvalues over matrices disturbed within their error: below the bound, but not by orders."""
    lin, _ = at_rest(compile_vehicle(load_vehicle("cooperrider"), {}, 65.0))
    uncertain = replace(lin, error=1e-8 * np.abs(lin.matrix))
    bound, rng = uncertain.vibrations().errors[0], np.random.default_rng(0)
    moved = []
    for _ in range(50):
        disturbed = replace(lin, matrix=lin.matrix + rng.choice([-1.0, 1.0], lin.matrix.shape) * uncertain.error)
        moved.append(abs(disturbed.eigenvalues()[0] - lin.eigenvalues()[0]))
    assert 0.05 * bound < max(moved) < bound


@pytest.mark.parametrize("speed", [60.0, 70.0])
def test_small_motions_grow_and_decay_at_the_rate_of_the_eigenvalue(speed):
    """Start on the least stable mode, one nanometre large: x(t) = Re(shape exp(eigenvalue t))."""
    model = compile_vehicle(load_vehicle("cooperrider"), {}, speed)
    lin, rest = at_rest(model)
    values, shapes, _ = lin.vibrations()
    assert (values[0].real > 0.0) == (speed > 65.29)
    shape = 1e-9 * shapes[:, 0] / np.abs(shapes[:7, 0]).max()
    out = integrate(
        vehicle_problem(model, rest.memory, rest.mode), shape.real, 2.0, rtol=1e-10, atol=1e-20, output_step=0.1
    )
    expected = (shape[None, :] * np.exp(values[0] * out.t[:, None])).real
    np.testing.assert_allclose(out.x[:, :7], expected[:, :7], rtol=0, atol=2e-5 * np.abs(expected[:, :7]).max())


@pytest.mark.slow
def test_wagon_stuck_at_rest_moves_as_the_exponential():
    """Two-axle wagon, all sliders stuck: a kick of a tenth of a micrometre, too small for anything to slip."""
    model = compiled(30.0)
    lin, rest = at_rest(model)
    kick = np.zeros_like(rest.x)
    kick[[model.layout.state(name) for name in ("front_wheelset.y", "carbody.y", "carbody.roll")]] = 1e-7
    out = integrate(
        vehicle_problem(model, rest.memory, rest.mode),
        rest.x + kick,
        0.2,
        rtol=1e-11,
        atol=1e-16,
        output_step=0.02,
    )
    assert out.stats.events == 0
    moved = out.x - rest.x
    expected = np.array([expm(lin.matrix * t) @ kick for t in out.t])
    sizes = np.abs(expected).max(axis=0)
    lateral = mirror_signs(model.layout.states) < 0
    assert (np.abs(moved - expected)[:, lateral] / sizes[lateral]).max() < 1e-3


def test_wagon_at_rest_decouples_into_its_mirror_symmetric_halves():
    lin, _ = at_rest(compiled(30.0))
    odd = mirror_signs(lin.states) < 0
    largest = np.abs(lin.matrix).max(axis=1)
    for rows, columns in ((odd, ~odd), (~odd, odd)):
        block = np.abs(lin.matrix[np.ix_(rows, columns)])
        assert (block / largest[rows, None]).max() < 1e-9
    assert (lin.error / largest[:, None]).max() < 1e-8
