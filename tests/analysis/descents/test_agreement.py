"""Numbers of several ways: hull, agreement, and which way is to blame."""

import pytest

from klingel.analysis.descents.agreement import agreement


def test_hull_and_median():
    found = agreement({"a": [10.0, 10.2], "b": [9.9, 10.1]})
    assert found is not None
    assert (found.low, found.high, found.middle) == (9.9, 10.2, pytest.approx(10.05))
    assert found.agrees
    assert found.medians() == {"a": pytest.approx(10.1), "b": pytest.approx(10.0)}


def test_nothing_found():
    assert agreement({"a": [None], "b": [None, None]}) is None


@pytest.mark.parametrize(
    ("values", "agrees"),
    [
        ([10.0, 10.4], True),  # 4 %, but less than 0.5
        ([50.0, 50.9], True),  # 0.9, but less than 2 %
        ([10.0, 10.6], False),
        ([50.0, 51.2], False),
        ([10.0, None], False),  # one way found nothing
    ],
)
def test_both_bounds_must_be_passed(values, agrees):
    found = agreement({"a": values})
    assert found is not None
    assert found.agrees is agrees


def test_culprit():
    moved = agreement({"base": [10.0, 10.1], "finer": [12.0, 12.1], "slow": [10.0, 10.0]})
    assert moved is not None
    assert moved.culprit("base") == "finer"
    lost = agreement({"base": [10.0, 10.1], "finer": [None, None], "slow": [10.0, 10.0]})
    assert lost is not None
    assert lost.culprit("base") == "finer"
    scattered = agreement({"base": [10.0, 13.0, 11.5], "finer": [13.0, 10.0, 11.4]})
    assert scattered is not None
    assert scattered.culprit("base") is None
