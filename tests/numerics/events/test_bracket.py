"""The bracket always holds the root and never needs more than bisection plus one."""

from math import cos

import pytest

from klingel.numerics.events.bracket import MAX_PROBES, TOLERANCE, Bracket, narrow, probe

CASES = [
    pytest.param(lambda s: cos(s) - s, 0.7390851332151607, 10, id="transversal"),
    pytest.param(lambda s: 1e9 * (s - 1e-6), 1e-6, 12, id="stiff, near the left end"),
    pytest.param(lambda s: (0.3 - s) * (1 if s < 0.3 else 50), 0.3, MAX_PROBES, id="kink"),
    pytest.param(lambda s: 1e-9 - s**3, 1e-3, MAX_PROBES, id="nearly grazing"),
]


@pytest.mark.parametrize(("g", "root", "most"), CASES)
def test_root_is_enclosed_to_tolerance(g, root, most):
    b = Bracket(0.0, g(0.0), 1.0, g(1.0), 0)
    while b.hi - b.lo > 2 * TOLERANCE:
        s = probe(b)
        if g(s) == 0.0:
            break
        b = narrow(b, s, g(s))
        assert b.lo <= root <= b.hi
    assert b.count <= most + 1  # one for rounding
