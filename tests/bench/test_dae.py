"""Bench rows of the constrained wheelset: the peer solves the same problem, and times are read off a fit."""

import numpy as np
import pytest

from klingel.bench import dae
from klingel.literature.wheelset_dae import problem as wheelset_dae
from klingel.literature.wheelset_dae.problem import Formulation, Wheelset, mescd
from klingel.literature.wheelset_dae.runs import Case, implicit


@pytest.mark.parametrize("compiled_jacobian", [False, True])
def test_peer_reaches_the_same_end(compiled_jacobian):
    pytest.importorskip("sksundae")
    wheelset = Wheelset()
    start = wheelset_dae.start(wheelset)
    case = Case(wheelset, start, 0.2, start)
    ours = implicit(Formulation.INDEX_2)(case, 1e-9).end
    assert mescd(dae.ida(case, 1e-8, compiled_jacobian)(), ours) > 5.0


def test_time_at_equal_digits_is_read_off_the_fit(monkeypatch):
    """Digits equal to the exponent, times growing by e per digit."""
    monkeypatch.setattr(dae, "shortest_time", lambda action: action())
    monkeypatch.setattr(dae, "mescd", lambda end, reference: np.log(end))
    found = dae.time_at(lambda rtol: np.exp(-np.log10(rtol)), np.arange(1.0, 7.0), np.zeros(1))
    assert np.allclose(found, np.exp(dae.DIGITS))
