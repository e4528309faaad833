"""Linear stability: kinematic limit, printed verdicts, refusals."""

from dataclasses import replace

import pytest

from klingel._errors import InputError
from klingel.literature.constrained_wheelset.parameters import ConstrainedWheelset
from klingel.literature.constrained_wheelset.stability import critical_speed, hunting_mode, kinematic_frequency
from tests.literature.constrained_wheelset.cases import PRINTED, STEEP, SUSPENDED, UNSUSPENDED


@pytest.mark.parametrize("delta", [0.03, 0.05, 0.08])
def test_slow_hunting_is_klingels_motion(delta):
    """Inertia and weight fall out as V -> 0 relative to the creep forces; the deviation is second order in V."""
    w = replace(UNSUSPENDED, conicity=delta, speed=0.5)
    assert hunting_mode(w).imag == pytest.approx(kinematic_frequency(w), rel=1e-6)


@pytest.mark.parametrize(("name", "unstable"), [("unsuspended", True), ("suspended", False), ("steep", True)])
def test_printed_verdicts(name, unstable):
    assert (hunting_mode(PRINTED[name]).real > 0.0) == unstable


def test_critical_speeds_enclose_100_m_s():
    steep, flat = critical_speed(STEEP, 60.0, 150.0), critical_speed(SUSPENDED, 60.0, 150.0)
    assert steep < 100.0 < flat
    for w, v in ((STEEP, steep), (SUSPENDED, flat)):
        assert abs(hunting_mode(replace(w, speed=v)).real) < 1e-6


def test_no_change_of_stability_is_refused():
    with pytest.raises(InputError, match="speeds: must enclose a change of stability"):
        critical_speed(SUSPENDED, 20.0, 60.0)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("mass", 0.0),
        ("speed", -1.0),
        ("conicity", 0.9),
        ("rail_offset", 0.03),
        ("drift_limit", 1e-15),
        ("friction", -0.1),
    ],
)
def test_impossible_wheelsets_are_refused(field, value):
    with pytest.raises(InputError, match=f"^{field}: must"):
        ConstrainedWheelset(**{field: value})
