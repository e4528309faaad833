"""Natural splines on equal steps: against SciPy, smooth at the nodes, exact for straight lines."""

import numpy as np
import pytest
from scipy.interpolate import CubicSpline

from klingel.contact.profiles import spline


def value(coefficients, x):
    i = np.clip(np.floor(x).astype(int), 0, len(coefficients) - 1)
    t = (x - i)[:, None]
    c = coefficients[i]
    return c[:, 0] + t * (c[:, 1] + t * (c[:, 2] + t * c[:, 3]))


def test_agrees_with_scipy_inside_and_beyond_the_ends():
    rng = np.random.default_rng(0)
    nodes = rng.normal(size=(9, 3))
    x = np.linspace(-0.7, 8.6, 60)
    expected = CubicSpline(np.arange(9.0), nodes, bc_type="natural")(x)
    np.testing.assert_allclose(value(spline.natural(nodes), x), expected, atol=1e-12)


def test_value_slope_and_curvature_are_continuous_at_the_nodes():
    nodes = np.random.default_rng(1).normal(size=(7, 2))
    c = spline.natural(nodes)
    np.testing.assert_allclose(c[:-1].sum(axis=1), c[1:, 0], atol=1e-13)
    np.testing.assert_allclose(c[:-1, 1] + 2 * c[:-1, 2] + 3 * c[:-1, 3], c[1:, 1], atol=1e-13)
    np.testing.assert_allclose(2 * c[:-1, 2] + 6 * c[:-1, 3], 2 * c[1:, 2], atol=1e-13)
    assert np.all(c[0, 2] == 0.0)
    np.testing.assert_allclose(2 * c[-1, 2] + 6 * c[-1, 3], 0.0, atol=1e-13)


@pytest.mark.parametrize("kind", [spline.natural, spline.linear])
@pytest.mark.parametrize("count", [1, 2, 5])
def test_short_tables_and_straight_lines(kind, count):
    nodes = np.column_stack([2.0 + 3.0 * np.arange(count), np.full(count, 4.0)])
    x = np.array([0.0, 0.3, count - 1.0, count - 0.5])
    slope = 3.0 if count > 1 else 0.0
    np.testing.assert_allclose(value(kind(nodes), x), np.column_stack([2 + slope * x, np.full(4, 4.0)]))


def test_fourth_order_inside():
    def error(n):
        nodes = np.sin(np.linspace(0, 6, n + 1))[:, None]
        x = np.linspace(n / 3, 2 * n / 3, 101)  # away from the ends, where natural splines are of order two
        return np.abs(value(spline.natural(nodes), x)[:, 0] - np.sin(6 * x / n)).max()

    assert error(40) / error(80) == pytest.approx(16, rel=0.2)


def test_prolonged_and_divided_are_the_same_cubics():
    values = np.column_stack([np.sin(np.arange(6.0)), np.arange(6.0) ** 3])
    cubics = spline.natural(values)

    def at(table, place, per_node, begin):
        s = (place - begin) * per_node
        i = int(np.clip(np.floor(s), 0, len(table) - 1))
        return (s - i) ** np.arange(4) @ table[i]

    for place in (-1.7, -0.2, 0.4, 3.3, 5.6, 6.9):
        more = spline.divided(spline.prolonged(cubics, 2, 2), 3)
        np.testing.assert_allclose(at(more, place, 3, -2.0), at(cubics, place, 1, 0.0), rtol=1e-12, atol=1e-12)


def test_sine_and_cosine_of_a_turning_angle():
    """Exact at the nodes; in between the error of a cubic, which falls by 16 when intervals are halved."""
    angle = np.array([[0.3, 0.2, -0.05, 0.01], [0.46, 0.13, 0.0, 0.0]])
    at = np.linspace(0.0, 1.0, 7)[:, None] ** np.arange(4)

    def error(cubics):
        true = np.einsum("tk,ik->ti", at, cubics)
        found = np.einsum("tk,ikc->tic", at, spline.turned(cubics))
        np.testing.assert_allclose(found[[0, -1], :, 0], np.sin(true[[0, -1]]), rtol=1e-14)
        return np.abs(found - np.stack([np.sin(true), np.cos(true)], axis=2)).max()

    coarse, fine = (error(spline.divided(angle, parts)) for parts in (4, 8))
    assert coarse / fine == pytest.approx(16.0, rel=0.1)
