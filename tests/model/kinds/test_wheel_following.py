"""Contact states that follow the lateral shift: the same motion and events as when every change is located."""

import numpy as np
import pytest

import klingel as kg
from klingel._jit import kernel
from klingel.model import assembly
from klingel.model.kinds.wheels import wheel_following
from klingel.model.problem import Locate, vehicle_problem
from klingel.model.system import Head, Run
from klingel.numerics.integrate import integrate
from klingel.numerics.ode.workspace import Status
from klingel.simulation.integration import bare_run, rest_of, start_from_rest
from klingel.simulation.method_choice import FOLLOWED, choose_locate
from klingel.simulation.request.parts import Solving
from klingel.simulation.setup import put_on_track

FLANGES = {"front_wheelset.y": 5.5e-3, "rear_wheelset.y": -3e-3, "front_wheelset.yaw": 3e-3, "carbody.y": 5e-3}


def placed(speed, kick, inclination=1 / 40, track=None):
    track = kg.Track.straight(inclination) if track is None else track
    compiled = put_on_track(kg.load_vehicle("hbbills311"), track, speed)
    return compiled, start_from_rest(compiled, rest_of(compiled), kick, "bare")


def run(compiled, start, locate, rtol=1e-10, method="dopri54", duration=1.0):
    return bare_run(compiled, start, duration, Solving(method, rtol, locate=locate), 0.01)


def is_wheel(compiled, events):
    """Which rows are changes of contact states."""
    wheels = {compiled.layout.modes.index(name) for name in compiled.layout.wheels}
    return np.array([owner in wheels for owner in events.owner])


def same(one, other, chosen, time):
    """Equal guards and modes in the same order of time; instants agree to `time`."""
    keep = [chosen(events) for events in (one, other)]
    for column in ("guard", "owner", "old", "new"):
        first, second = (getattr(events, column)[k] for events, k in zip((one, other), keep, strict=True))
        np.testing.assert_array_equal(first, second, column)
    np.testing.assert_allclose(one.time[keep[0]], other.time[keep[1]], rtol=0, atol=time)


@pytest.mark.parametrize(("speed", "inclination"), [(10.0, 1 / 40), (20.0, 1 / 40), (45.0, 1 / 20)])
def test_both_converge_to_one_motion_with_the_same_events(speed, inclination):
    compiled, start = placed(speed, FLANGES, inclination)
    all_of_them, needed = (run(compiled, start, locate) for locate in (Locate.ALL, Locate.NEEDED))
    positions = [k for k, s in enumerate(compiled.layout.state_info) if not s.name.endswith("_dot")]
    np.testing.assert_allclose(needed.x[:, positions], all_of_them.x[:, positions], rtol=0, atol=2e-8)
    same(needed.events, all_of_them.events, lambda e: ~is_wheel(compiled, e), 1e-7)
    # both wheels of a wheelset may change at one instant, in either order: compare them wheel by wheel
    for wheel in compiled.layout.wheels:
        owner = compiled.layout.modes.index(wheel)
        same(needed.events, all_of_them.events, lambda e, owner=owner: e.owner == owner, 1e-7)
    assert is_wheel(compiled, needed.events).sum() > 10
    assert needed.stats.stops < 0.7 * all_of_them.stats.stops


@pytest.mark.parametrize("locate", list(Locate))
def test_modes_of_output_rows_are_those_of_the_shift(locate):
    compiled, start = placed(20.0, FLANGES)
    found = run(compiled, start, locate, rtol=1e-6)
    for w, wheel in enumerate(compiled.layout.wheels):
        y = found.x[:, compiled.layout.state(f"{wheel.rpartition('.')[0]}.y")]
        mode = found.mode[:, compiled.layout.modes.index(wheel)]
        at = compiled.system.i[Head.WHEEL_AT] + 5 * w
        bound = compiled.system.f[int(compiled.system.i[at + 3]) :][: int(compiled.system.i[at + 4]) + 1]
        assert np.all(bound[mode] - 1e-7 <= y)
        assert np.all(y <= bound[mode + 1] + 1e-7)


def test_the_force_is_continuous_at_every_bound():
    """With the state found from the shift, the accelerations just below and above a bound agree."""
    compiled, start = placed(20.0, {})
    vehicle_problem(compiled, start.memory, start.mode, locate=Locate.NEEDED)
    p, slot = compiled.system, compiled.layout.state("front_wheelset.y")
    assert not wheel_following.jumps(p)
    at = p.i[Head.WHEEL_AT]
    bounds = p.f[int(p.i[at + 3]) :][: int(p.i[at + 4]) + 1]
    for bound in bounds[1:-1]:
        rates = []
        for side in (-1e-13, 1e-13):
            x, dx = start.x.copy(), np.empty_like(start.x)
            x[slot] = bound + side
            assert assembly.rhs(0.0, x, start.memory, start.mode, p, dx) == 0
            rates.append(dx)
        np.testing.assert_allclose(rates[0], rates[1], rtol=1e-6, atol=1e-6 * np.abs(rates[0]).max())


def test_a_table_that_jumps_is_located():
    """Overlaps of no width: the contact point jumps, and so does the force."""
    table = kg.Track.straight(1 / 40)
    compiled = put_on_track(kg.load_vehicle("hbbills311"), table, 20.0)
    p = compiled.system
    at = p.i[Head.WHEEL_AT]
    bound = int(p.i[at + 3])
    count = int(p.i[at + 4])
    p.f[bound + 1 : bound + count : 2] = p.f[bound + 2 : bound + count + 1 : 2][: (count - 1) // 2]
    assert wheel_following.jumps(p)
    rest = rest_of(put_on_track(kg.load_vehicle("hbbills311"), table, 20.0))
    problem = vehicle_problem(compiled, rest.memory, rest.mode, locate=Locate.NEEDED)
    assert problem.follow is None
    assert p.f[int(p.i[Head.RUN]) + Run.FOLLOWS] == 0.0


@pytest.mark.parametrize("curve", [False, True])
def test_a_run_in_pieces_is_the_same_to_the_bit(curve):
    track = kg.Track.curve(500.0, cant=0.1, transition=30.0, lead_in=10.0, inclination=1 / 40) if curve else None
    compiled, start = placed(25.0, FLANGES, track=track)
    options = {"method": "dopri54", "rtol": 1e-5, "atol": 1e-8, "output_step": 0.01}

    def problem(memory, mode):
        return vehicle_problem(compiled, memory, mode, locate=Locate.NEEDED)

    whole = integrate(problem(start.memory, start.mode), start.x, 0.6, **options)
    piece = integrate(
        problem(start.memory, start.mode), start.x, 0.6, chunk_steps=100, on_chunk=lambda at: at.t > 0.3, **options
    )
    saved = piece.checkpoint
    rest = integrate(problem(saved["solver.memory"], saved["solver.mode"]), start.x, 0.6, resume=saved, **options)
    assert 0.3 <= piece.t[-1] < 0.6
    assert np.array_equal(np.concatenate([piece.x, rest.x]), whole.x)
    assert np.array_equal(np.concatenate([piece.mode, rest.mode]), whole.mode)
    assert np.array_equal(np.concatenate([piece.events.time, rest.events.time]), whole.events.time)


def test_a_wheel_that_leaves_its_table_ends_the_run():
    compiled, start = placed(30.0, {"front_wheelset.y_dot": 3.0, "front_wheelset.y": 6e-3})
    both = [run(compiled, start, locate, rtol=1e-6) for locate in (Locate.ALL, Locate.NEEDED)]
    assert [found.status for found in both] == [Status.STOPPED, Status.STOPPED]
    one, other = (found.events.fired for found in both)
    assert one.time[-1] == pytest.approx(other.time[-1], abs=1e-6)
    assert (one.guard[-1], one.old[-1], one.new[-1]) == (other.guard[-1], other.old[-1], other.new[-1])


def test_tight_tolerances_locate_everything():
    assert choose_locate("auto", 1e-4) == Locate.NEEDED
    assert choose_locate("auto", 0.5 * FOLLOWED) == Locate.ALL
    assert choose_locate("all", 1e-4) == Locate.ALL
    with pytest.raises(kg.InputError, match="locate"):
        Solving(locate="some")


@kernel
def root(y, level, low, high):
    return wheel_following.root_between(y, level, low, high)


def test_roots_of_cubics_between_their_turning_points():
    """Monotone cubics whose root is known; also one that lies at an end of the bracket, and a flat one."""
    rng = np.random.default_rng(4)
    for _ in range(500):
        a, b = rng.uniform(-1.0, 1.0, 2)
        y = (rng.uniform(-1.0, 1.0), 1.0 + a * a, a * b, b * b / 3.0)  # slope 1 + (a + b s)^2
        y = tuple(rng.choice([-1.0, 1.0]) * np.array(y))
        low, high = 0.0, rng.uniform(0.2, 1.0)
        s = rng.uniform(low, high)
        level = y[0] + s * (y[1] + s * (y[2] + s * y[3]))
        assert root(y, level, low, high) == pytest.approx(s, abs=1e-9)
    assert root((0.0, 1.0, 0.0, 0.0), 0.0, 0.0, 1.0) == pytest.approx(0.0, abs=1e-9)
    assert 0.0 <= root((0.0, 0.0, 0.0, 1.0), 1e-6, 0.0, 1.0) <= 1.0
    assert root((0.0, 0.0, 0.0, 1.0), 1e-6, 0.0, 1.0) == pytest.approx(1e-2, abs=1e-9)
