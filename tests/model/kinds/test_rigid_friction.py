"""Rigid friction on blocks: closed forms of stick and slip, faces in series and in parallel, no creep, energy."""

from math import asin, cos, hypot, pi, sin, sqrt

import numpy as np
import pytest
from scipy.linalg import expm
from scipy.optimize import brentq

from klingel._errors import InputError
from klingel.elements.guide import Guide
from klingel.elements.rigid_friction import Mode, RigidFriction
from klingel.elements.spring import Spring
from klingel.elements.stick_or_slip import GIVES
from klingel.model.builder import compile_vehicle
from klingel.model.description import Body, Connection, Element, Vehicle
from klingel.model.layout import Watch
from klingel.model.output import energies, outputs
from tests.model.kinds.moving_ground import HEAVY, Rig, blocks

MASS, STIFFNESS = 2.0, 8.0


def face(link: str, name="face", direction="x", also=(), load=None, **law) -> Element:
    return Element(f"{link}.{name}", link, direction, RigidFriction(**law), also, load)


def spring(link: str, stiffness: float, damping=0.0, direction="x", name="spring") -> Element:
    return Element(f"{link}.{name}{direction}", link, direction, Spring(stiffness, damping, 0.0))


def modes(run, column=0) -> list[int]:
    return [int(run.mode[0, column]), *run.events.new[run.events.owner == column].tolist()]


def test_free_oscillation_loses_two_limits_a_swing_and_stops_where_the_spring_is_too_weak():
    rig = blocks({"block": MASS}, {"foot": ("track", "block")}, spring("foot", STIFFNESS), face("foot", limit=3.0))
    run = rig.run({"block.x": 4.0}, 20.0)
    x = rig.column(run, "block.x")
    assert run.events.time[1:] == pytest.approx(np.arange(1, 6) * pi / 2.0, abs=1e-8)
    turning = x[np.searchsorted(run.t, run.events.time[1:])]
    assert turning == pytest.approx([-3.25, 2.5, -1.75, 1.0, -0.25], abs=1e-8)
    assert modes(run)[-1] == Mode.STICK
    assert abs(run.x[-1, 1]) < 1e-20  # the last swing stops to rounding


@pytest.mark.parametrize("ratio", [1.0, 1.6])
def test_mass_on_a_belt(ratio):
    """Stick until k x reaches the static limit, then an arc about the kinetic one to the belt speed."""
    limit, speed, omega = 3.0, 0.5, sqrt(STIFFNESS / MASS)
    rig = blocks(
        {"block": MASS, "belt": HEAVY}, {"ground": ("track", "block"), "foot": ("belt", "block")},
        spring("ground", STIFFNESS), face("foot", limit=limit, static_ratio=ratio),
    )  # fmt: skip
    run = rig.run({"block.x_dot": speed, "belt.x_dot": speed}, 30.0)
    ratio *= 1.0 + GIVES  # where it is seen to give way
    gap = (ratio - 1.0) * limit / STIFFNESS
    theta = asin(gap / hypot(gap, speed / omega))
    first, slide, stick = ratio * limit / STIFFNESS / speed, (2.0 * pi - 2.0 * theta) / omega, 2.0 * gap / speed
    changes = run.events.time[run.events.old != run.events.new]
    if ratio < 1.1:  # sticking lasts no time: an oscillation with the amplitude of the belt speed
        x = rig.column(run, "block.x")[run.t > first]
        assert x.max() == pytest.approx(limit / STIFFNESS + speed / omega, rel=1e-6)
        return
    expected = first + np.cumsum([0.0, *[slide, stick] * 10])
    assert changes == pytest.approx(expected[: changes.size], abs=2e-8)
    assert changes.size >= 6
    x = rig.column(run, "block.x")
    assert x.max() == pytest.approx(limit / STIFFNESS + hypot(gap, speed / omega), abs=1e-4)


def forced(omega: float, drive=1.5, damping=0.05):
    """x'' + 2 z x' + x = f cos(w t + phi) - sign(x'): half of the spring hangs on a heavy body that swings."""
    return blocks(
        {"block": 1.0, "shaker": HEAVY},
        {"foot": ("track", "block"), "drive": ("shaker", "block"), "base": ("track", "shaker")},
        spring("foot", 0.5, 2.0 * damping), spring("drive", 0.5), spring("base", HEAVY * omega**2),
        face("foot", limit=1.0),
    )  # fmt: skip


def sliding_orbit(omega: float, drive=1.5, z=0.05) -> tuple[float, float, float]:
    """Amplitude, phase and force at the turning point of the orbit that never sticks, from its half period.

    From rest at -X to rest at X with friction -1: x = -1 + particular + homogeneous, one linear equation for each.
    """
    half = pi / omega
    a = np.array([[0.0, 1.0], [-1.0, -2.0 * z]])
    p = expm(a * half)
    amplitude = drive / complex(1.0 - omega**2, 2.0 * z * omega)

    def ends(phase: float) -> tuple[float, float]:
        """X from x(half) = X, and the rate that is left there."""
        at_0 = amplitude * complex(cos(phase), sin(phase))
        forced_0 = np.array([at_0.real - 1.0, -omega * at_0.imag])
        forced_1 = np.array([-at_0.real - 1.0, omega * at_0.imag])
        # (-X, 0) - forced_0 is carried by p, and arrives at (X, 0) - forced_1
        right = p @ -forced_0 + forced_1
        x = right[0] / (1.0 + p[0, 0])
        return x, right[1] - p[1, 0] * x

    grid = np.linspace(-pi, pi, 400)
    rates = [ends(phase)[1] for phase in grid]
    for k in range(399):
        if rates[k] * rates[k + 1] < 0.0:
            phase = float(brentq(lambda q: ends(q)[1], grid[k], grid[k + 1], xtol=1e-14))
            x = ends(phase)[0]
            if x > 0.0:
                return x, phase, drive * cos(phase) + x
    raise AssertionError("no orbit")


def on_orbit(omega: float):
    x, phase, _ = sliding_orbit(omega)
    rig, swing = forced(omega), 3.0  # 0.5 * 3 is the drive
    start = {"block.x": -x, "shaker.x": swing * cos(phase), "shaker.x_dot": -swing * omega * sin(phase)}
    return rig, rig.run(start, 20.0 * pi / omega), x


def test_orbit_of_continuous_sliding():
    found, _, force = sliding_orbit(0.9)
    assert (found, force) == pytest.approx((2.4202363506, 1.9238109947), abs=1e-9)
    rig, run, x = on_orbit(0.9)
    turns = run.events.time[run.events.guard >= 0]
    assert np.diff(turns) == pytest.approx(np.full(turns.size - 1, pi / 0.9), abs=1e-7)
    assert Mode.STICK not in modes(run)[2:]
    assert np.abs(rig.column(run, "block.x")).max() == pytest.approx(x, abs=1e-8)


def test_onset_of_sticking():
    onset = brentq(lambda w: sliding_orbit(w)[2] - 1.0, 0.70, 0.74, xtol=1e-13)
    assert onset == pytest.approx(0.722679194438, abs=1e-11)
    assert sliding_orbit(onset)[0] == pytest.approx(2.012072953, abs=1e-8)
    for omega, sticks in ((onset + 2e-3, False), (onset - 2e-3, True)):
        rig = forced(omega)
        run = rig.run({"block.x": -2.0, "shaker.x": 3.0}, 250.0, rtol=1e-9, atol=1e-11)
        late = run.events.time > 200.0
        assert (Mode.STICK in run.events.new[late & (run.events.owner == 0)]) == sticks


def series(lower: RigidFriction, upper: RigidFriction):
    """Block `a` on the ground, `b` on it; b is drawn by a spring whose end runs away with 1 m/s."""
    return blocks(
        {"a": 3.0, "b": 1.0, "hand": HEAVY},
        {"ground": ("track", "a"), "between": ("a", "b"), "pull": ("b", "hand")},
        Element("ground.face", "ground", "x", lower), Element("between.face", "between", "x", upper),
        spring("pull", 10.0),
    )  # fmt: skip


def test_two_blocks_in_series_the_weaker_face_gives_way_first():
    rig = series(RigidFriction(limit=5.0), RigidFriction(limit=2.0))
    run = rig.run({"hand.x_dot": 1.0}, 1.0)
    assert run.events.time[0] == pytest.approx(0.2, abs=1e-8)  # 10 t = 2
    assert np.abs(rig.column(run, "a.x")).max() < 1e-15
    assert set(modes(run, 0)) == {Mode.STICK}
    # b then moves as x'' = 10 (t - x) - 2 from rest
    late = run.t - 0.2
    expected = np.where(late > 0.0, late - np.sin(sqrt(10.0) * late) / sqrt(10.0), 0.0)
    assert rig.column(run, "b.x") == pytest.approx(expected, abs=1e-9)


def test_two_blocks_in_series_go_together_until_the_upper_face_gives_way_too():
    rig = series(RigidFriction(limit=2.0), RigidFriction(limit=3.5))
    run = rig.run({"hand.x_dot": 1.0}, 1.5)
    w = sqrt(10.0 / 4.0)

    def pull(t: float) -> float:
        return 2.0 + 10.0 * sin(w * t) / w  # 10 (hand - b) after the ground gave way at 0.2

    needed = brentq(lambda t: 2.0 + 3.0 * (pull(t) - 2.0) / 4.0 - 3.5, 0.0, 0.5)
    assert run.events.time[:2] == pytest.approx([0.2, 0.2 + needed], abs=1e-8)
    out = outputs(rig.compiled, run.t, run.x, run.memory, run.mode)
    stuck = (run.t > 0.2) & (run.t < 0.2 + needed)
    expected = [2.0 + 0.75 * (pull(t - 0.2) - 2.0) for t in run.t[stuck]]
    assert out.element[stuck, 1] == pytest.approx(expected, rel=1e-8)


def test_parallel_faces_share_by_limit_and_give_way_together():
    rig = blocks(
        {"block": MASS, "hand": HEAVY}, {"foot": ("track", "block"), "pull": ("block", "hand")},
        face("foot", "one", limit=1.0, static_ratio=1.5), face("foot", "two", limit=3.0), spring("pull", 10.0),
    )  # fmt: skip
    run = rig.run({"hand.x_dot": 1.0}, 6.0)
    out = outputs(rig.compiled, run.t, run.x, run.memory, run.mode)
    before = (run.t > 0.0) & (run.t < 0.449)
    assert run.events.time[0] == pytest.approx(0.45, abs=1e-7)  # 10 t = 1.5 + 3
    assert out.element[before, 1] == pytest.approx(2.0 * out.element[before, 0], rel=1e-5)
    total = out.element[before, :2].sum(axis=1)
    assert total == pytest.approx(10.0 * run.t[before], rel=1e-9)
    moves = run.mode[:, 0] != Mode.STICK
    assert np.all(moves == (run.mode[:, 1] != Mode.STICK))
    assert moves.any()


def test_three_faces_on_a_body_that_two_could_hold():
    """Dependent constraints that are no copies of each other: a body held by three faces abreast."""
    body = Body("body", 2.0, (1.0, 1.0, 1.5), (0.0, 0.0, 0.0), ("x", "yaw"))
    links = [Connection(f"foot_{k}", "track", "body", (0.0, y, 0.0)) for k, y in enumerate((-1.0, 0.2, 1.0))]
    feet = [face(link.name, limit=1.0 + k, static_ratio=1.2) for k, link in enumerate(links)]
    carrier = [spring("foot_2", 40.0), spring("foot_0", 15.0)]
    vehicle = Vehicle("abreast", (body,), tuple(links), (*feet, *carrier), (), 0.0)
    rig = Rig(vehicle, compile_vehicle(vehicle, {}, 1.0))
    for start in ({"body.x": 0.2}, {"body.yaw": 0.3}, {"body.x": 0.4, "body.yaw": -0.3}):
        run = rig.run(start, 10.0)
        assert run.complete
        assert energy_left(rig, run) < 1e-8
        assert np.sum(run.mode[-1] == Mode.STICK) >= 2  # the third may be at its limit, and is held by the others
        assert np.abs(run.x[-1, 2:]).max() < 1e-12


def energy_left(rig, run) -> float:
    """Largest part of the energy that neither moves, is stored nor heat, against what there was at the start."""
    mass = np.array([[b.mass if s.coordinate in "xyz" else b.inertia[2]] for s in rig.compiled.layout.state_info
                     for b in rig.vehicle.bodies if b.name == s.owner and s.name.endswith("_dot")])  # fmt: skip
    first = int(rig.compiled.layout.states.index(next(s for s in rig.compiled.layout.states if "_dot" in s)))
    kinetic = 0.5 * (run.x[:, first:] ** 2 @ mass)[:, 0]
    out = energies(rig.compiled, run.t, run.x, run.memory, run.mode)
    power = out.heat.sum(axis=1)
    steps = np.diff(run.t)
    middle = energies(
        rig.compiled, run.t[:-1] + 0.5 * steps, middle_of(run, out.rate, steps), run.memory[:-1], run.mode[:-1]
    )
    heat = np.concatenate(
        [[0.0], np.cumsum(steps * (power[:-1] + 4.0 * middle.heat.sum(axis=1) + power[1:]) / 6.0)]
    )
    total = kinetic + out.stored.sum(axis=1) + heat
    assert np.all(power >= 0.0)
    return float(np.abs(total - total[0]).max() / total[0])


def middle_of(run, rate, steps) -> np.ndarray:
    return np.ascontiguousarray(0.5 * (run.x[:-1] + run.x[1:]) + steps[:, None] * (rate[:-1] - rate[1:]) / 8.0)


def test_energy_of_three_blocks_in_a_row_is_never_created():
    rig = blocks(
        {"a": 3.0, "b": 1.0, "c": 2.0},
        {"ground": ("track", "a"), "ab": ("a", "b"), "bc": ("b", "c"), "wall": ("track", "c")},
        face("ground", limit=4.0, static_ratio=1.3), face("ab", limit=2.0, static_ratio=1.5),
        face("bc", limit=3.0),
        spring("ground", 60.0), spring("wall", 90.0),
    )  # fmt: skip
    run = rig.run({"a.x": 0.5, "b.x_dot": 2.0, "c.x": -0.3}, 20.0)
    assert run.events.time.size > 10
    assert energy_left(rig, run) < 1e-8
    assert np.all(run.mode[-1] == Mode.STICK)


def test_a_stuck_pair_does_not_drift_in_a_thousand_seconds():
    rig = blocks(
        {"a": 3.0, "b": 1.0}, {"ground": ("track", "a"), "between": ("a", "b"), "wall": ("track", "b")},
        spring("ground", 70.0), spring("wall", 50.0), face("between", limit=100.0),
    )  # fmt: skip
    start = {"a.x": 0.1, "b.x": 0.3, "a.x_dot": 1.0, "b.x_dot": 1.0}
    run = rig.run(start, 1000.0, rtol=1e-7, atol=1e-9, output_step=1.0)
    apart = rig.column(run, "b.x") - rig.column(run, "a.x")
    assert np.abs(apart - 0.2).max() < 1e-12
    assert run.stats.accepted > 10000
    assert np.abs(rig.column(run, "a.x_dot")).max() > 0.5  # it still swings
    assert np.array_equal(rig.column(run, "a.x_dot"), rig.column(run, "b.x_dot")) or (
        np.abs(rig.column(run, "a.x_dot") - rig.column(run, "b.x_dot")).max() < 1e-15
    )


def test_a_face_beside_a_rigid_stop_and_an_impact_that_shakes_it_loose():
    rig = blocks(
        {"a": 1.0, "b": 1.0}, {"ground": ("track", "a"), "between": ("a", "b")},
        face("ground", limit=1.0), Element("between.guide", "between", "x", Guide(0.1, 0.5)),
    )  # fmt: skip
    run = rig.run({"b.x_dot": 3.0}, 1.0)
    hit = 0.1 / 3.0
    a, b = rig.column(run, "a.x_dot"), rig.column(run, "b.x_dot")
    after = np.searchsorted(run.t, hit - 1e-9, side="right")
    while a[after] == 0.0:
        after += 1
    assert (run.t[after], a[after], b[after]) == pytest.approx((hit, 2.25, 0.75), abs=1e-9)
    assert Mode.SLIP_POS in modes(run, 0)
    assert run.complete


def test_guards_and_bad_input():
    rig = blocks({"block": MASS}, {"foot": ("track", "block")}, face("foot", limit=1.0))
    assert [(g.name, g.watch) for g in rig.compiled.layout.guard_info] == [
        ("foot.face.limit", Watch.FORCE), ("foot.face.end", Watch.RATE),
    ]  # fmt: skip
    for law, text in (
        ({"limit": 1.0, "static_ratio": 0.9}, "static_ratio: must not be below 1"),
        ({}, "limit: must be positive"),
        ({"limit": -1.0}, "limit: must be finite and not negative"),
        ({"friction": 0.2, "load_factor": 0.0}, "load_factor: must be finite and positive"),
    ):
        with pytest.raises(InputError, match=text):
            RigidFriction(**law)


def test_rest_is_any_place_the_static_limit_holds():
    rig = blocks(
        {"block": 1.0},
        {"foot": ("track", "block")},
        spring("foot", 1.0),
        face("foot", limit=1.0, static_ratio=1.1),
    )
    for x, stays in ((1.099, True), (-1.099, True), (1.101, False)):
        run = rig.run({"block.x": x}, 3.0)
        assert (run.x[-1, 0] == x) == stays
