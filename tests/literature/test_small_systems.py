"""The examples of the small systems: checks hold, figures appear, other parameters still balance."""

import numpy as np
import pytest

from klingel._errors import InputError
from klingel.literature.example import CATALOGUE, find
from klingel.literature.guided_rod import example as guided_rod
from klingel.literature.impact_oscillator import event_location
from klingel.literature.impact_oscillator import example as impact_oscillator


def failed(result):
    return [check.what for check in result.checks if not check.ok]


def test_catalogue_leads_to_runnable_modules():
    for name in ("impact-oscillator", "event-location", "guided-rod"):
        parameters, run = find(name)
        assert callable(run)
        assert parameters() == parameters()
        assert len(CATALOGUE[name][1]) > 10


def test_unknown_example_is_named():
    with pytest.raises(InputError, match="pendulum"):
        find("pendulum")


def test_impact_oscillator(tmp_path):
    result = impact_oscillator.run(tmp_path, impact_oscillator.Parameters())
    assert not failed(result)
    assert len(result.checks) == 4
    assert all(path.stat().st_size > 10_000 for path in result.files)
    assert result.quantities["settled_impacts_per_period"] == 2
    assert result.quantities["settled_impact_repeat_s"] < 1e-9


def test_impact_oscillator_with_other_numbers(tmp_path):
    """Only the energy balance is known then; without impacts the speeds are zero, not an error."""
    parameters = impact_oscillator.Parameters(wall=np.inf, amplitude=2e3, duration=5.0)
    result = impact_oscillator.run(tmp_path, parameters)
    assert not failed(result)
    assert [check.what for check in result.checks] == ["energy not accounted for / energy spent"]
    assert result.quantities["impacts"] == 0


def test_locating_events_halves_the_steps(tmp_path):
    result = event_location.run(tmp_path, event_location.Parameters())
    assert not failed(result)
    q = result.quantities
    assert q["steps_located_per_ignored"] == q["steps_located"] / q["steps_ignored"] <= 0.5
    assert max(q["error_located_m"], q["error_ignored_m"]) <= q["accuracy_m"]


def test_locating_events_halves_the_steps_also_at_a_quarter_of_the_error():
    """Over ignored corners the error jumps with the tolerance, as rounding decides: the two ways are not compared
    at equal errors but with the one that locates asked for half the error, the other for twice as much."""
    parameters = event_location.Parameters()
    exact, (located, ignored) = event_location.reference(parameters), event_location.ways(parameters)
    one = event_location.cheapest(located, exact, 0.5 * parameters.accuracy)[2]
    other = event_location.cheapest(ignored, exact, 2.0 * parameters.accuracy)[2]
    assert event_location.steps(one) <= 0.5 * event_location.steps(other)


@pytest.mark.parametrize(
    ("field", "value"), [("wall", 0.02), ("accuracy", 1.0), ("duration", 1.0), ("method", "esdirk34")]
)
def test_event_location_refuses(field, value):
    with pytest.raises(InputError, match=field):
        event_location.Parameters(**{field: value})


def test_event_location_needs_corners(tmp_path):
    with pytest.raises(InputError, match="amplitude"):
        event_location.run(tmp_path, event_location.Parameters(amplitude=100.0))


@pytest.mark.parametrize(("field", "value"), [("method", "euler"), ("rtol", -1.0), ("duration", 0.1)])
def test_impact_oscillator_refuses(field, value):
    with pytest.raises(InputError, match=field):
        impact_oscillator.Parameters(**{field: value})


def test_guided_rod(tmp_path):
    result = guided_rod.run(tmp_path, guided_rod.Parameters())
    assert not failed(result)
    assert len(result.checks) == 5
    assert len(result.files) == 4
    assert result.quantities["double_largest_yaw_rad"] < 1e-14
    assert result.quantities["single_impacts_one_contact"] > 10


def test_guided_rod_under_force_keeps_its_books(tmp_path):
    result = guided_rod.run(tmp_path, guided_rod.Parameters(force_x=20.0, moment=3.0, duration=8.0))
    assert not failed(result)


def test_bounce_times_by_hand():
    """Clearance 1 m at 1 m/s, half the speed after each impact: 1 s, then 4 s, then 8 s."""
    assert guided_rod.bounce_times(1.0, 1.0, 0.5, 14.0) == pytest.approx([1.0, 5.0, 13.0])
    assert guided_rod.bounce_times(1.0, 1.0, 0.0, 14.0) == pytest.approx([1.0])
