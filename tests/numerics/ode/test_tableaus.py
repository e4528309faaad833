"""Order conditions over rooted trees in exact arithmetic: steps, error estimates, interpolants."""

from fractions import Fraction
from functools import cache

import numpy as np
import pytest

from klingel._errors import InputError
from klingel.numerics.ode.coefficients import TABLEAUS, Tableau
from klingel.numerics.ode.interpolants import evaluate
from klingel.numerics.ode.tableaus import METHODS, find_method

Tree = tuple  # a rooted tree is the sorted tuple of its subtrees
THETAS = [Fraction(1, 7), Fraction(2, 5), Fraction(1, 2), Fraction(5, 6), Fraction(1)]
COMPANION = {"esdirk34": 4}  # order of b̂ where it is not that of the estimate


@cache
def trees(order: int) -> tuple[Tree, ...]:
    """All rooted trees with `order` vertices."""

    def forests(vertices: int, largest: int) -> set[Tree]:
        if vertices == 0:
            return {()}
        return {
            tuple(sorted((tree, *rest)))
            for size in range(1, min(vertices, largest) + 1)
            for tree in trees(size)
            for rest in forests(vertices - size, size)
        }

    return tuple(sorted(forests(order - 1, order - 1)))


def vertices(tree: Tree) -> int:
    return 1 + sum(vertices(branch) for branch in tree)


def density(tree: Tree) -> int:
    product = vertices(tree)
    for branch in tree:
        product *= density(branch)
    return product


def elementary_weights(a, tree: Tree) -> list[Fraction]:
    """Φ_i of every stage."""
    weights = [Fraction(1)] * len(a)
    for branch in tree:
        inner = elementary_weights(a, branch)
        for i, row in enumerate(a):
            weights[i] *= sum(x * y for x, y in zip(row, inner, strict=True))
    return weights


def all_stages(m: Tableau):
    """Stage matrix with the derivative at the new point and the extra stages appended."""
    size = len(m.b) + 1 + len(m.extra_a)
    rows = [*m.a, m.b, *m.extra_a]
    return [(list(row) + [Fraction(0)] * size)[:size] for row in rows]


def order_of(a, weights, highest: int, theta: Fraction = Fraction(1)) -> int:
    """Largest p ≤ highest with Σ w_j Φ_j(tree) = θ^r / γ(tree) for all trees of r ≤ p vertices."""
    weights = (list(weights) + [Fraction(0)] * len(a))[: len(a)]
    for order in range(1, highest + 1):
        for tree in trees(order):
            phi = elementary_weights(a, tree)
            if sum(w * p for w, p in zip(weights, phi, strict=True)) != theta**order / density(tree):
                return order - 1
    return highest


@pytest.fixture(params=TABLEAUS)
def name(request):
    return request.param


@pytest.fixture
def exact(name):
    return TABLEAUS[name]


def test_generator_counts_the_rooted_trees():
    assert [len(trees(n)) for n in range(1, 8)] == [1, 1, 2, 4, 9, 20, 48]


def test_advanced_solution_has_exactly_the_stated_order(exact):
    assert order_of(all_stages(exact), exact.b, exact.order + 1) == exact.order


def test_error_estimate_has_exactly_the_stated_order(name, exact):
    a = all_stages(exact)
    bhat = [b - d for b, d in zip([*exact.b, Fraction(0)], exact.d, strict=True)]
    companion = order_of(a, bhat, exact.order + 1)
    assert companion == COMPANION.get(name, exact.error_order)
    assert min(companion, exact.order) == exact.error_order


@pytest.mark.parametrize("theta", THETAS, ids=str)
def test_interpolant_has_the_stated_order_inside_the_step(exact, theta):
    assert order_of(all_stages(exact), evaluate(exact.dense, theta), exact.dense_order, theta) == exact.dense_order


def test_interpolant_order_is_not_understated(exact):
    theta = Fraction(2, 5)
    assert order_of(all_stages(exact), evaluate(exact.dense, theta), 6, theta) == exact.dense_order


def test_interpolant_meets_the_new_point(exact):
    after = [Fraction(0)] * (1 + len(exact.extra_a))
    assert evaluate(exact.dense, Fraction(1)) == [*exact.b, *after]


def test_interpolant_has_the_slopes_of_both_ends(name, exact):
    start = [row[0] for row in exact.dense]
    end = [sum((m + 1) * w for m, w in enumerate(row)) for row in exact.dense]
    s, stages = len(exact.b), len(exact.dense)
    smooth = start == [j == 0 for j in range(stages)] and end == [j == s for j in range(stages)]
    assert smooth == (name != "esdirk34")


def test_interpolant_weights_stay_moderate(exact):
    assert max(abs(w) for i in range(11) for w in evaluate(exact.dense, Fraction(i, 10))) < 2


def test_last_stage_of_nt1_is_the_derivative_at_the_new_point():
    nt1 = TABLEAUS["esdirk34"]
    assert nt1.a[-1] == nt1.b
    assert nt1.c[-1] == 1
    assert nt1.d[-1] == 0
    assert nt1.dense[-1] == [0, 0, 0]
    assert [nt1.a[i][i] for i in range(1, 4)] == [Fraction(5, 12)] * 3


def test_nt1_has_stage_order_two():
    nt1 = TABLEAUS["esdirk34"]
    for row, c in zip(nt1.a, nt1.c, strict=True):
        assert sum(a * cj for a, cj in zip(row, nt1.c, strict=True)) == c**2 / 2


def test_published_nodes(name):
    nodes = {
        "esdirk34": "0 5/6 10/21 1",
        "erkf34": "0 2/7 7/15 35/38 1",
        "bs32": "0 1/2 3/4",
        "rkf23": "0 1 1/2",
        "cashkarp54": "0 1/5 3/10 3/5 1 7/8",
        "dopri54": "0 1/5 3/10 4/5 8/9 1",
        "verner65": "0 1/6 4/15 2/3 5/6 1 1/15 1",
        "chain33": "0 1/3 2/3",
        "chain34": "0 0.129 1/3 2/3",
        "chain35": "0 0.048 0.144 1/3 2/3",
    }
    assert TABLEAUS[name].c == [Fraction(node) for node in nodes[name].split()]


def test_arrays_are_the_rounded_fractions(name, exact):
    m = METHODS[name]
    for array, fractions in (
        (m.a, exact.a),
        (m.b, exact.b),
        (m.c, exact.c),
        (m.d, exact.d),
        (m.extra_a, exact.extra_a),
        (m.extra_c, exact.extra_c),
        (m.dense, exact.dense),
    ):
        assert array.dtype == np.float64
        assert array.flags.c_contiguous
        assert np.array_equal(array.ravel(), np.array(fractions, dtype=float).ravel())


def test_shapes_fit_together(name):
    m = METHODS[name]
    s, e = m.stages, m.extra_c.size
    assert m.name == name
    assert m.a.shape == (s, s)
    assert m.d.shape == (s + 1,)
    assert m.extra_a.shape == (e, s + 1 + e)
    assert m.dense.shape[0] == s + 1 + e
    assert np.all(np.triu(m.a, 1) == 0)
    assert m.explicit == (not np.any(np.diag(m.a)))


def slope(t, x):
    """Right-hand side whose solution is x = 1 / (1 + t²)."""
    return -2.0 * t * x**2


def one_step(m, t, x, h):
    """Stage derivatives including k_s and the extra ones, new point; stages by fixed-point iteration."""
    k = np.zeros(m.dense.shape[0])
    for i in range(m.stages):
        for _ in range(1 if m.explicit else 60):
            k[i] = slope(t + m.c[i] * h, x + h * m.a[i] @ k[: m.stages])
    new = x + h * m.b @ k[: m.stages]
    k[m.stages] = slope(t + h, new)
    for i in range(m.extra_c.size):
        k[m.stages + 1 + i] = slope(t + m.extra_c[i] * h, x + h * m.extra_a[i] @ k)
    return k, new


def errors_of_one_step(m, t, h):
    """Error of the new point, error estimate, and largest error of the interpolant, for x = 1 / (1 + t²)."""
    theta = np.linspace(0.1, 0.9, 9)
    x = 1 / (1 + t**2)
    k, new = one_step(m, t, x, h)
    powers = theta[:, None] ** np.arange(1, m.dense.shape[1] + 1)
    inside = x + h * powers @ (k @ m.dense) - 1 / (1 + (t + theta * h) ** 2)
    return np.abs([new - 1 / (1 + (t + h) ** 2), h * m.d @ k[: m.stages + 1], np.abs(inside).max()])


def test_errors_of_one_step_fall_with_the_stated_orders(name):
    m = METHODS[name]
    # small enough for the leading term to rule, large enough for rounding not to
    h = {6: 0.08, 5: 0.04}.get(m.order, 0.02)
    starts = (0.2, 0.5, 1.0, 1.5)  # at a single one the leading term may nearly vanish
    large, small = (sum(errors_of_one_step(m, t, step) for t in starts) for step in (h, h / 2))
    expected = [m.order + 1, m.error_order + 1, m.dense_order + 1]
    assert np.log2(large / small) == pytest.approx(expected, abs=0.25)


def test_unknown_method_is_refused_by_name():
    with pytest.raises(InputError, match=r"method: must be one of esdirk34, .*chain35, got 'rk4'"):
        find_method("rk4")
