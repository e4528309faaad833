"""What `auto` takes for a vehicle, and that its methods agree with each other on the wagon."""

from math import inf

import numpy as np
import pytest

from klingel.io.vehicle.files import load_vehicle
from klingel.model.problem import vehicle_problem
from klingel.numerics.ode.setup import new_work
from klingel.numerics.options import Options
from klingel.simulation.integration import Solving, bare_run, rest_of, start_from_rest
from klingel.simulation.method_choice import SLOW, Choice, choose_method
from klingel.simulation.setup import put_on_track
from klingel.track.track import Track

QUIET = {"front_wheelset.y": 1.5e-3, "carbody.y": 0.5e-3}
# a start in which a slider's rate passes zero within microseconds, under the blow of the contact forces
BLOW = {
    "front_wheelset.y": 0.0018772113690227717,
    "rear_wheelset.y": 0.000955653091008095,
    "front_wheelset.yaw": 0.001405377085094665,
    "carbody.y": -0.017464815172885693,
    "carbody.z": -0.0016228759848314965,
    "front_wheelset.z_dot": 0.014380912154278015,
}
FLANGES = {"front_wheelset.y": 5.5e-3, "rear_wheelset.y": -3e-3, "front_wheelset.yaw": 3e-3, "carbody.y": 5e-3}


def test_a_named_method_is_taken():
    assert choose_method("bs32", 5.0, -1.0, 1e-6) == Choice("bs32")


@pytest.mark.parametrize(
    ("speed", "rtol", "method"),
    [
        (5.0, 1e-5, "ros34pw2"),
        (5.0, 1e-6, "chain35"),
        (5.0, 1e-8, "dopri54"),
        (45.0, 1e-4, "dopri54/chain34"),
        (45.0, 1e-6, "dopri54/chain34"),
        (45.0, 1e-7, "dopri54"),
    ],
)
def test_constant_speed(speed, rtol, method):
    assert choose_method("auto", speed, 0.0, rtol) == Choice(method)


def test_braking_run_turns_implicit_when_it_is_slow():
    method, times = choose_method("auto", SLOW + 4.0, -0.5, 1e-5)
    assert method == "dopri54/chain34+ros34pw2"
    assert times == (8.0, inf)


def test_braking_run_at_tight_tolerance_stays_explicit():
    assert choose_method("auto", SLOW + 4.0, -0.5, 1e-7) == Choice("dopri54")


def test_starting_run_turns_explicit():
    assert choose_method("auto", SLOW - 3.0, 0.5, 1e-5).implicit_times == (-inf, 6.0)


@pytest.fixture(scope="module")
def wagon():
    return load_vehicle("hbbills311")


def on_track(wagon, speed, kick, acceleration=0.0, inclination=1 / 40):
    compiled = put_on_track(wagon, Track.straight(inclination=inclination), speed, acceleration)
    return compiled, start_from_rest(compiled, rest_of(compiled), kick, "bare")


def error(compiled, run, reference):
    positions = [k for k, name in enumerate(compiled.layout.states) if not name.endswith("_dot")]
    return np.abs(run.x - reference.x)[:, positions].max()


def test_wheelsets_share_their_difference_quotients(wagon):
    compiled, start = on_track(wagon, 20.0, QUIET)
    problem = vehicle_problem(compiled, start.memory, start.mode)
    options = Options(0.0, 1.0, "ros34pw2", None, 1e-5, 1e-6, None, None, inf, False, True, 10, 5, None, 10)
    implicit = new_work(problem, start.x, options, 10).implicit
    assert implicit.colours.max() + 1 == 11
    assert sorted(np.diff(implicit.starts))[-3:] == [1, 11, 11]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("method", "rtol"), [("esdirk34", 1e-5), ("ros34pw2", 1e-5), ("rosw43", 1e-5), ("chain35", 1e-5)]
)
def test_methods_agree_with_events_at_low_speed(wagon, method, rtol):
    """48 events within 2 s, stick, slip, springs and sections; errors below a hundred tolerances of a step."""
    compiled, start = on_track(wagon, 5.0, FLANGES)
    reference = bare_run(compiled, start, 2.0, Solving("dopri54", 1e-8), 0.01)
    run = bare_run(compiled, start, 2.0, Solving(method, rtol), 0.01)
    assert reference.stats.events > 40
    assert run.stats.events == reference.stats.events
    assert np.array_equal(run.mode[-1], reference.mode[-1])
    assert error(compiled, run, reference) < 100 * 0.1 * rtol


@pytest.mark.parametrize("method", ["esdirk34", "ros34pw2", "rosw43"])
def test_implicit_runs_do_not_chatter_where_a_rate_passes_zero(wagon, method):
    compiled, start = on_track(wagon, 5.0, BLOW)
    reference = bare_run(compiled, start, 0.1, Solving("dopri54", 1e-8), 0.01)
    run = bare_run(compiled, start, 0.1, Solving(method, 1e-5), 0.01)
    assert run.complete
    assert error(compiled, run, reference) < 100 * 0.1 * 1e-5


@pytest.mark.parametrize("speed", [5.0, 20.0, 45.0])
def test_higher_order_of_the_explicit_part_pays_in_quiet_running(wagon, speed):
    """Most of the error is in the roll of the carbody, which both W-methods treat explicitly."""
    compiled, start = on_track(wagon, speed, QUIET, inclination=1 / 20)
    reference = bare_run(compiled, start, 2.0, Solving("dopri54", 1e-8), 0.01)
    third, fourth = (
        bare_run(compiled, start, 2.0, Solving(method, rtol), 0.01)
        for method, rtol in (("ros34pw2", 1e-5), ("rosw43", 1e-4))
    )
    assert max(error(compiled, run, reference) for run in (third, fourth)) < 2e-6
    assert fourth.stats.rhs < 0.6 * third.stats.rhs


def test_position_is_the_integral_of_velocity_in_implicit_runs(wagon):
    compiled, start = on_track(wagon, 20.0, QUIET, inclination=1 / 20)
    run = bare_run(compiled, start, 0.5, Solving("esdirk34", 1e-5), 1e-3)
    z, v = (compiled.layout.state(f"carbody.{name}") for name in ("z", "z_dot"))
    moved = np.cumsum(0.5e-3 * (run.x[1:, v] + run.x[:-1, v]))
    assert np.abs(run.x[1:, z] - run.x[0, z] - moved).max() < 1e-6


def test_braking_through_the_change_of_method_agrees_with_one_method(wagon):
    compiled, start = on_track(wagon, SLOW + 0.25, QUIET, -0.5, 1 / 20)
    reference = bare_run(compiled, start, 1.0, Solving("dopri54", 1e-8), 0.01)
    run = bare_run(compiled, start, 1.0, Solving("auto", 1e-5), 0.01)
    assert run.stats.family_changes >= 1  # explicit methods may have changed as well
    assert run.stats.jacobians > 0
    assert error(compiled, run, reference) < 100 * 0.1 * 1e-5
