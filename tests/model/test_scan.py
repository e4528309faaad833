"""The quick look for events changes nothing: runs with it and without it have the same events.

Instants agree to rounding: at the beginning of a step whose guards were not asked before, their rates are
differences over another step.

A random family of vehicles, seeded: wagons of two axles, trains of four, a wheelset in springs; links, friction,
masses, gaps, speed, rails and curves drawn, started violently: flanges strike, sliders turn, guides hit.
"""

from dataclasses import replace

import numpy as np
import pytest

import klingel as kg
from klingel._jit import kernel
from klingel.elements import impact
from klingel.model import assembly, scan
from klingel.model.bodies.motion import LANES
from klingel.model.problem import Locate, vehicle_problem
from klingel.model.system import Head, PortField, Run
from klingel.numerics.integrate import integrate
from klingel.simulation.integration import rest_of, start_from_rest
from klingel.simulation.request.parts import Solving
from klingel.simulation.setup import put_on_track
from klingel.vehicles.values import value, with_value
from tests.test_generality import ahead, axle, coupled

FAMILY = 24
FACTORS = {
    "carbody.mass": (0.8, 2.0), "wheelset.mass": (0.8, 1.3), "wheelbase": (0.8, 1.1),
    "guide_gap_x": (0.2, 1.0), "guide_gap_y": (0.2, 1.0), "wheel_friction": (0.5, 1.3),
}  # fmt: skip
METHODS = ("chain34", "dopri54", "erkf34", "cashkarp54", "dopri54")  # beside four kinds of vehicles


def wagon(rng):
    vehicle = kg.load_vehicle(
        str(rng.choice(["hbbills311", "g69", "kbps"])), links=str(rng.choice(["PTP", "SPP"]))
    )
    for name, (low, high) in FACTORS.items():
        vehicle = with_value(vehicle, name, value(vehicle, name) * rng.uniform(low, high))
    return vehicle


def drawn(seed):
    """Vehicle, track, speed, kick and method of one member."""
    rng = np.random.default_rng(seed)
    kind = seed % 4
    vehicle = axle() if kind == 3 else wagon(rng)
    if kind == 2:
        vehicle = coupled(ahead(vehicle, "one.", 0.0), ahead(wagon(rng), "two.", -20.0))
    inclination = 1 / 40 if kind == 3 else float(rng.choice([1 / 40, 1 / 30, 1 / 20]))
    track = kg.Track.straight(inclination)
    if kind == 1:
        track = kg.Track.curve(500.0, cant=0.1, transition=30.0, lead_in=10.0, inclination=inclination)
    kick = {}
    for wheels in vehicle.wheelsets:
        kick[f"{wheels.body}.y"] = rng.uniform(-5e-3, 5e-3)
        kick[f"{wheels.body}.y_dot"] = rng.uniform(-0.2, 0.2)
        kick[f"{wheels.body}.yaw"] = rng.uniform(-4e-3, 4e-3)
    for body in vehicle.bodies:
        if body.name.endswith("carbody"):
            kick |= {f"{body.name}.y_dot": rng.uniform(-0.5, 0.5), f"{body.name}.z_dot": rng.uniform(-0.3, 0.3)}
    return vehicle, track, float(rng.uniform(15.0, 45.0)), kick, METHODS[seed % len(METHODS)]


def run(compiled, start, method, quick, duration=0.5, locate=Locate.ALL):
    problem = vehicle_problem(compiled, start.memory, start.mode, locate=locate)
    if not quick:
        problem = replace(problem, scan=None)
    atol = Solving(method, 1e-6).tolerance(compiled.layout.state_info)
    return integrate(problem, start.x, duration, method=method, rtol=1e-6, atol=atol, output_step=0.01)


@pytest.mark.parametrize("locate", [Locate.ALL, Locate.NEEDED])
@pytest.mark.parametrize("seed", range(FAMILY))
def test_events_are_the_same_with_and_without_the_quick_look(seed, locate):
    vehicle, track, speed, kick, method = drawn(seed)
    compiled = put_on_track(vehicle, track, speed)
    start = start_from_rest(compiled, rest_of(compiled), kick)
    with_it, without = (run(compiled, start, method, quick, locate=locate) for quick in (True, False))
    one, other = with_it.events, without.events
    count = min(len(one), len(other))
    # rounding may decide on the size of a step; from there on the runs part, but never by an event that is missing
    parted = np.flatnonzero(abs(one.time[:count] - other.time[:count]) > 1e-9)
    end = int(parted[0]) + 1 if parted.size else count
    for column in ("guard", "owner", "old", "new"):
        np.testing.assert_array_equal(getattr(one, column)[:end], getattr(other, column)[:end], column)
    np.testing.assert_allclose(one.time[:end], other.time[:end], rtol=0, atol=1e-6)
    assert end > 5  # there was something to compare
    assert parted.size or len(one) == len(other)
    assert with_it.stats.guard_evaluations < without.stats.guard_evaluations


@kernel
def touched(s, h):
    """Lane by lane in bits: whether the quick look lets a row pass."""
    found = 0
    for k in range(LANES):
        scan.touches(s, k, h, 1.0 / h)
        found += int(s[LANES * PortField.TOUCHED + k]) << k
    return found


def test_a_rate_that_dips_inside_a_step_is_not_passed_over():
    """Cubics of equal rates at both ends, whose parabola in between leaves its bounds or does not."""
    h, s = 1e-3, np.zeros(LANES * PortField.SIZE)
    rows = s.reshape(-1, LANES)
    rows[PortField.V_OLD], rows[PortField.V] = 1.0, 1.0
    rows[PortField.U] = h * np.array([1.0, 0.3, 0.9, 1.6])  # a mean rate below 1/3 has the parabola below zero
    for field, bound in (
        (PortField.U_FROM, -1.0),
        (PortField.U_TO, 1.0),
        (PortField.V_FROM, 0.0),
        (PortField.V_TO, 1.8),
    ):
        rows[field] = bound
    assert touched(s, h) == 0b1010  # and the last one above 1.8: its parabola reaches 1.9


@kernel
def touched_closely(s, h):
    found = 0
    for k in range(LANES):
        scan.note_turn(s, k, h)
    for k in range(LANES):
        scan.touches_closely(s, k, h)
        found += int(s[LANES * PortField.TOUCHED + k]) << k
    return found


def test_a_close_look_follows_the_cubic():
    """Random cubics in random intervals: none that leaves passes, all that keep well inside do."""
    rng = np.random.default_rng(5)
    h, at = 1e-3, np.linspace(0.0, 1.0, 201)[:, None]
    inside_that_pass, inside, outside = 0, 0, 0
    for _ in range(300):
        s = np.zeros(LANES * PortField.SIZE)
        rows = s.reshape(-1, LANES)
        u0, u1 = rng.uniform(-1e-3, 1e-3, (2, LANES))
        m0, m1 = rng.uniform(-3e-3, 3e-3, (2, LANES))
        low, high = rng.uniform(-3e-3, -1e-3, LANES), rng.uniform(1e-3, 3e-3, LANES)
        slow, fast = rng.uniform(-8.0, -1.0, LANES), rng.uniform(1.0, 8.0, LANES)
        for field, row in (
            (PortField.U_OLD, u0), (PortField.U, u1), (PortField.V_OLD, m0 / h), (PortField.V, m1 / h),
            (PortField.U_FROM, low), (PortField.U_TO, high), (PortField.V_FROM, slow), (PortField.V_TO, fast),
        ):  # fmt: skip
            rows[field] = row
        b, c = 3.0 * (u1 - u0) - 2.0 * m0 - m1, m0 + m1 - 2.0 * (u1 - u0)
        u = u0 + at * (m0 + at * (b + at * c))
        v = (m0 + at * (2.0 * b + at * 3.0 * c)) / h
        stays = ((u > low) & (u < high) & (v > slow) & (v < fast)).all(axis=0)
        found = touched_closely(s, h)
        passes = np.array([(found >> k) & 1 == 0 for k in range(LANES)])
        assert not (passes & ~stays).any()
        spare = 1.6 * np.abs(v).max(axis=0) < np.minimum(-slow, fast)
        spare &= 1.6 * np.abs(u).max(axis=0) + 0.25 * (abs(m0) + abs(m1)) < np.minimum(-low, high)
        inside_that_pass, inside = inside_that_pass + (passes & spare).sum(), inside + spare.sum()
        outside += (~stays).sum()
    assert inside_that_pass == inside > 20
    assert outside > 200


@kernel
def look_closely(p, h, memory, mode):
    return scan.look_closely(p, h, memory, mode)


def test_intervals_are_set_anew_only_where_one_follows_the_motion():
    """A slider at its wall has nothing to do with how far leaf springs have moved."""
    compiled, _, rest = evaluated()
    p = compiled.system
    assembly.look(0.5, 0.5 + 1e-6, rest.x, rest.x, rest.memory, rest.mode, p)
    row = int(p.i[Head.PORT_STATE])  # of the first corner: x, y, z
    rows = p.f[row : row + LANES * PortField.SIZE].reshape(-1, LANES)
    lateral, vertical = 1, 2
    assert rows[PortField.U_TO, vertical] < rows[PortField.U_HIGH, vertical]  # the force limit of the leaf spring
    assert rows[PortField.U_TO, lateral] == rows[PortField.U_HIGH, lateral] < np.inf
    first, tighter = rows[PortField.U_TO, vertical], 0.999 * rows[PortField.U_TO, vertical]
    rows[PortField.U_TO, vertical] = tighter
    rows[PortField.U, lateral] += 2.0 * rows[PortField.U_HIGH, lateral]
    assert look_closely(p, 1e-6, rest.memory, rest.mode)[1] == 1.0
    assert rows[PortField.U_TO, vertical] == tighter
    rows[PortField.U, vertical] = tighter
    look_closely(p, 1e-6, rest.memory, rest.mode)
    assert rows[PortField.U_TO, vertical] > first  # seen from where the spring is now


def test_a_step_after_one_without_event_begins_where_that_ended():
    """Also where the guards had to be asked: the look knows what a new one would. An action makes it forget."""
    compiled, x, rest = evaluated()
    p, run, row = compiled.system, int(compiled.system.i[Head.RUN]), int(compiled.system.i[Head.PORT_STATE])
    size = LANES * PortField.SIZE * int(p.i[Head.SCAN_ROWS])
    given = (rest.memory, rest.mode, p)
    assert assembly.look(0.5 - 1e-6, 0.5, x, x, *given) == 0
    assert p.f[run + Run.SCANNED] == 0.5
    there, dx = x.copy(), np.empty_like(x)
    there[compiled.layout.state("carbody.y_dot")] = 1.0  # sliders may have turned
    assembly.rhs(0.6, there, rest.memory, rest.mode, p, dx)
    assert assembly.look(0.5, 0.6, x, there, *given) == 1
    assert p.f[run + Run.SCANNED] == 0.6
    g = np.empty(len(compiled.layout.guards))
    assembly.guards(0.5, x, *given, g)  # asked at the beginning of the step, which moves the bodies there
    scan_rows = p.f[row : row + size].reshape(-1, PortField.SIZE, LANES)
    known = scan_rows[:, [PortField.U_OLD, PortField.V_OLD]].copy()
    assert known[0, 1, 1] != 0.0
    forget(p)
    assembly.look(0.6, 0.7, there, there, *given)
    assembly.guards(0.6, there, *given, g)
    links = int(p.i[Head.LINKS])  # behind them stand the shifts of the wheelsets, which guards do not move
    moved = scan_rows[:links, [PortField.U, PortField.V]]
    np.testing.assert_allclose(known[:links], moved, rtol=1e-12, atol=1e-15)  # by another kernel: to rounding
    assembly.act(0.6, there, *given, np.zeros(g.size, bool))
    assert np.isnan(p.f[run + Run.SCANNED])


@kernel
def forget(p):
    scan.forget(p)


def test_contacts_that_rest_are_asked_in_every_step():
    """Their guard is a force; on which side of its wall rounding has left the contact says nothing."""
    compiled, x, rest = evaluated()
    p = compiled.system
    mode, gaps = rest.mode.copy(), [k for k, kind in enumerate(compiled.layout.mode_types) if kind is impact.Mode]
    assert assembly.look(0.5, 0.5 + 1e-6, x, x, rest.memory, mode, p) == 0
    for k in gaps:
        mode[k] = impact.Mode.RESTING
        forget(p)
        assert assembly.look(0.5, 0.5 + 1e-6, x, x, rest.memory, mode, p) == 1
        mode[k] = impact.Mode.FREE
    assert len(gaps) >= 8


@kernel(rows=True)
def holds(p, t, x):
    return scan.holds(p, t, x)


def evaluated():
    """A wagon whose scratch is that of a right-hand side, and its arguments."""
    compiled = put_on_track(kg.load_vehicle("hbbills311"), kg.Track.straight(), 20.0)
    rest = rest_of(compiled)
    x, dx = rest.x.copy(), np.empty_like(rest.x)
    vehicle_problem(compiled, rest.memory, rest.mode)
    assert assembly.rhs(0.5, x, rest.memory, rest.mode, compiled.system, dx) == 0
    return compiled, x, rest


def test_the_scratch_is_known_by_its_numbers():
    """Not by where the state is stored: a copy holds, the same array with one other number does not."""
    compiled, x, rest = evaluated()
    p = compiled.system
    assert holds(p, 0.5, x)
    assert holds(p, 0.5, x.copy())
    assert not holds(p, np.nextafter(0.5, 1.0), x)
    for k, state in enumerate(compiled.layout.state_info):
        if state.coordinate == "spin":  # deforms nothing
            continue
        kept, x[k] = x[k], np.nextafter(x[k], 1.0)
        assert not holds(p, 0.5, x), state.name
        x[k] = kept
    assert holds(p, 0.5, x)
    assembly.guards(0.5, x, rest.memory, rest.mode, p, np.empty(len(compiled.layout.guards)))
    assert not holds(p, 0.5, x)  # guards move the bodies, but note no shifts of wheels
    assert np.isnan(p.f[int(p.i[Head.RUN]) + Run.EVALUATED])
