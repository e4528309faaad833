"""Jump laws against closed forms in the plane, the motion through turning normals, and complementarity."""

from math import acos, atan2, cos, exp, log, sin

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import solve_ivp

from klingel.literature.nonsmooth_manifold.jump_laws import Law, jump, rest, turning
from klingel.numerics.linear.lcp import solve_lcp

PLANE = np.eye(2)
UP = np.array([0.0, 1.0])


def tilted(alpha):
    return np.array([-sin(alpha), cos(alpha)])


def after(law, number, alpha):
    v = np.array([1.0, 0.0])
    jump(law, number, 1.0, PLANE, UP, tilted(alpha), v)
    return v


@pytest.mark.parametrize("alpha", [1e-6, 0.1, 0.6, 1.3])
@pytest.mark.parametrize("mu", [0.0, 0.15, 0.4])
def test_laws_in_the_plane(alpha, mu):
    along = np.array([cos(alpha), sin(alpha)])
    np.testing.assert_allclose(after(Law.PLASTIC, 0.0, alpha), cos(alpha) * along, atol=1e-15)
    np.testing.assert_allclose(after(Law.REGULARISED, mu, alpha), exp(-mu * alpha) * along, atol=1e-10)
    kept = cos(alpha) + 0.3 * (1 - cos(alpha))
    np.testing.assert_allclose(after(Law.POLAR_CONE, 0.3, alpha), kept * along, atol=1e-15)


def test_ends_of_the_polar_cone_family_are_the_other_laws():
    for alpha in (0.2, 1.1):
        np.testing.assert_allclose(after(Law.POLAR_CONE, 0.0, alpha), after(Law.PLASTIC, 0.0, alpha), atol=1e-15)
        np.testing.assert_allclose(
            after(Law.POLAR_CONE, 1.0, alpha), after(Law.REGULARISED, 0.0, alpha), atol=1e-15
        )


@pytest.mark.parametrize("alpha", [0.3, 0.9])
def test_friction_leaves_the_polar_cone_beyond_a_limit(alpha):
    """The regularised impulse is a n- + b n+ with a >= 0 only up to mu = -ln(cos alpha)/alpha."""
    limit = -log(cos(alpha)) / alpha
    for mu, inside in ((0.99 * limit, True), (1.01 * limit, False)):
        impulse = after(Law.REGULARISED, mu, alpha) - [1.0, 0.0]
        a, b = np.linalg.solve(np.column_stack([UP, tilted(alpha)]), impulse)
        assert b > 0.0
        assert (a >= 0.0) == inside


def test_small_angles_are_not_lost_in_rounding():
    assert turning(PLANE, UP, tilted(1e-9)) == pytest.approx(1e-9, rel=1e-6)


def test_velocity_that_leaves_the_new_branch_stays():
    v = np.array([-1.0, 0.0])
    jump(Law.PLASTIC, 0.0, 1.0, PLANE, UP, tilted(0.4), v)
    np.testing.assert_array_equal(v, [-1.0, 0.0])


def random_crossing(seed, size=4, kept=1):
    """Mass matrix, mobility with `kept` more constraints, two normals, an admissible closing velocity."""
    rng = np.random.default_rng(seed)
    root = rng.normal(size=(size, size))
    mass = root @ root.T + 0.3 * np.eye(size)
    inverse = np.linalg.inv(mass)
    others = rng.normal(size=(size, kept))
    block = np.linalg.inv(others.T @ inverse @ others) if kept else np.zeros((0, 0))
    mobility = inverse - inverse @ others @ block @ others.T @ inverse
    before, new = rng.normal(size=(2, size))
    v = mobility @ rng.normal(size=size)
    v -= mobility @ before * (before @ v) / (before @ mobility @ before)
    if new @ v > 0.0:
        v = -v
    return mass, np.ascontiguousarray(mobility), before, new, v, others


def through_turning_normals(mass, mobility, before, new, v, mu):
    """The limit of the smoothed motion: the normal runs from one to the other at a fixed position."""

    def rate(s, v):
        n, dn = (1 - s) * before + s * new, new - before
        impulse = -(dn @ v) / (n @ mobility @ n)
        reaction = abs(impulse) * np.sqrt(n @ mobility @ n)
        return mobility @ n * impulse - mu * reaction * v / np.sqrt(v @ mass @ v)

    return solve_ivp(rate, (0.0, 1.0), v, method="DOP853", rtol=1e-11, atol=1e-13).y[:, -1]


@settings(deadline=None, max_examples=30)
@given(seed=st.integers(0, 10**6), mu=st.sampled_from([0.0, 0.2, 0.5]), kept=st.integers(0, 2))
def test_regularised_law_is_the_motion_through_turning_normals(seed, mu, kept):
    mass, mobility, before, new, v, others = random_crossing(seed, kept=kept)
    exact = through_turning_normals(mass, mobility, before, new, v, mu)
    found = v.copy()
    speed = np.sqrt(v @ mass @ v)
    alpha, cos_beta = jump(Law.REGULARISED, mu, speed, mobility, before, new, found)
    np.testing.assert_allclose(found, exact, atol=1e-8 * abs(v).max())
    assert abs(new @ found) < 1e-11 * abs(v).max() * abs(new).max()
    assert others.T @ found == pytest.approx(np.zeros(kept), abs=1e-11 * abs(v).max() * 10)
    energy = (found @ mass @ found) / speed**2
    assert energy == pytest.approx(exp(-2 * mu * alpha * cos_beta), rel=1e-10)


@settings(deadline=None, max_examples=60)
@given(seed=st.integers(0, 10**6), kept=st.integers(0, 1))
def test_plastic_law_is_complementarity_up_to_a_right_angle(seed, kept):
    """Smallest impulse of the polar cone: v+ = v- + W N L with 0 <= L, 0 <= N^T v+, one of them zero."""
    _, mobility, before, new, v, _ = random_crossing(seed, kept=kept)
    normals = np.column_stack([before, new])
    impulse, _ = solve_lcp(normals.T @ mobility @ normals, normals.T @ v)
    expected = v + mobility @ normals @ impulse
    found = v.copy()
    scale = abs(v).max()
    if turning(mobility, before, new) <= acos(0.0):
        jump(Law.PLASTIC, 0.0, 1.0, mobility, before, new, found)
    else:
        rest(mobility, before, new, found)
        assert normals.T @ found == pytest.approx([0.0, 0.0], abs=1e-9 * scale * abs(normals).max())
    np.testing.assert_allclose(found, expected, atol=1e-8 * scale)


def test_turning_is_measured_in_the_kinetic_metric():
    mobility = np.diag([1.0, 4.0])
    assert turning(mobility, UP, np.array([-1.0, 1.0])) == pytest.approx(atan2(1.0, 2.0))
