"""Friction in a plane, rigid and elastic: shaken plate, stopping, no axes, viscous-like across a slide, limits."""

from math import acos, cos, hypot, sin, sqrt

import numpy as np
import pytest
from scipy.linalg import expm

from klingel.elements import elastic_friction, rigid_friction
from klingel.elements.elastic_friction import ElasticFriction
from klingel.elements.rigid_friction import RigidFriction
from klingel.elements.spring import Spring
from klingel.model.description import Element
from klingel.model.output import energies
from tests.model.kinds.moving_ground import HEAVY, blocks

MASS, LIMIT, STIFF = 2.0, 3.0, 1e5
PLANE = {"rigid": RigidFriction(limit=LIMIT), "elastic": ElasticFriction(STIFF, limit=LIMIT)}


def springs(link: str, stiffness: float, damping=0.0) -> tuple[Element, ...]:
    return tuple(Element(f"{link}.{d}", link, d, Spring(stiffness, damping, 0.0)) for d in "xy")


def on_ground(law, stiffness=0.0, damping=0.0):
    face = Element("foot.face", "foot", "x", law, ("y",))
    return blocks(
        {"block": MASS}, {"foot": ("track", "block")}, face, *springs("foot", stiffness, damping), free=("x", "y")
    )


@pytest.mark.parametrize("radius", [0.4, 0.15])
def test_block_on_a_plate_shaken_in_a_circle(radius):
    """The sliding block moves on a circle r = T / m w^2; on the plate on one of sqrt(R^2 - r^2)."""
    omega = 3.0
    own = LIMIT / MASS / omega**2  # 1/6 m
    rig = blocks(
        {"block": MASS, "plate": HEAVY}, {"foot": ("plate", "block"), "base": ("track", "plate")},
        Element("foot.face", "foot", "x", PLANE["rigid"], ("y",)), *springs("base", HEAVY * omega**2),
        free=("x", "y"),
    )  # fmt: skip
    phase = acos(min(own / radius, 1.0))
    start = {
        "plate.x": radius * cos(phase), "plate.y": radius * sin(phase),
        "plate.x_dot": -omega * radius * sin(phase), "plate.y_dot": omega * radius * cos(phase),
    }  # fmt: skip
    if own < radius:
        start |= {"block.x": own, "block.y_dot": omega * own}
    else:  # carried along
        start |= {"block.x_dot": start["plate.x_dot"], "block.y_dot": start["plate.y_dot"]}
    run = rig.run(start, 10.0)
    x, y = (rig.column(run, f"block.{d}") - rig.column(run, f"plate.{d}") for d in "xy")
    if own < radius:
        assert np.hypot(x, y) == pytest.approx(np.full(run.t.size, sqrt(radius**2 - own**2)), abs=1e-9)
        assert np.all(run.mode == rigid_friction.Mode.SLIP)
    else:
        assert np.all(run.mode == rigid_friction.Mode.STICK)
        assert np.abs(np.hypot(x, y) - radius).max() < 1e-12


def test_the_circle_attracts_a_block_that_begins_at_rest():
    omega, radius = 3.0, 0.4
    rig = blocks(
        {"block": MASS, "plate": HEAVY}, {"foot": ("plate", "block"), "base": ("track", "plate")},
        Element("foot.face", "foot", "x", PLANE["rigid"], ("y",)), *springs("base", HEAVY * omega**2),
        free=("x", "y"),
    )  # fmt: skip
    run = rig.run({"plate.x": radius, "plate.y_dot": omega * radius}, 60.0, rtol=1e-9, atol=1e-11)
    x, y = (rig.column(run, f"block.{d}_dot") - rig.column(run, f"plate.{d}_dot") for d in "xy")
    expected = omega * sqrt(radius**2 - (LIMIT / MASS / omega**2) ** 2)
    assert hypot(x[-1], y[-1]) == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("name", PLANE)
def test_a_sliding_block_stops_in_its_direction(name):
    rig = on_ground(PLANE[name])
    run = rig.run({"block.x_dot": 0.6, "block.y_dot": -0.8}, 1.0)
    when, far = MASS / LIMIT, 0.5 * MASS / LIMIT
    stop = run.events.time[np.flatnonzero(run.events.new == 0)[0]]
    x, y = rig.column(run, "block.x"), rig.column(run, "block.y")
    if name == "rigid":
        assert stop == pytest.approx(when, abs=2e-6)  # resting_speed over the deceleration
        assert (x[-1], y[-1]) == pytest.approx((0.6 * far, -0.8 * far), abs=1e-9)
        assert np.all(run.x[-1, 2:] == 0.0)
    else:  # the spring is wound up first
        assert stop == pytest.approx(when, rel=2e-2)
        assert (x[-1], y[-1]) == pytest.approx((0.6 * far, -0.8 * far), abs=2.0 * LIMIT / STIFF)


@pytest.mark.parametrize("name", PLANE)
@pytest.mark.parametrize("ratio", [1.0, 1.4])
def test_nothing_depends_on_the_axes(name, ratio):
    law = {
        "rigid": RigidFriction(limit=LIMIT, static_ratio=ratio),
        "elastic": ElasticFriction(2e3, limit=LIMIT, static_ratio=ratio),
    }[name]
    rig = on_ground(law, 40.0)
    ends = []
    for angle in (0.0, 0.7, 2.1):
        c, s = cos(angle), sin(angle)
        place, rate = (0.5, 0.0), (0.3, 1.5)
        start = {
            "block.x": c * place[0] - s * place[1], "block.y": s * place[0] + c * place[1],
            "block.x_dot": c * rate[0] - s * rate[1], "block.y_dot": s * rate[0] + c * rate[1],
        }  # fmt: skip
        if name == "elastic":
            start |= {"foot.face.anchor_x": start["block.x"], "foot.face.anchor_y": start["block.y"]}
        run = rig.run(start, 3.0)
        x, y = run.x[-1, 0], run.x[-1, 1]
        ends.append((c * x + s * y, c * y - s * x))
        assert run.events.time.size > 0
    assert ends[1:] == [pytest.approx(ends[0], abs=1e-7)] * 2


def test_rigid_friction_is_viscous_like_across_a_slide():
    """While the plate slides with V along y, a small rate across decays by exp(-T t / m V)."""
    speed = 0.5
    rig = blocks(
        {"block": MASS, "plate": HEAVY}, {"foot": ("plate", "block"), "hold": ("track", "block")},
        Element("foot.face", "foot", "x", PLANE["rigid"], ("y",)),
        Element("hold.y", "hold", "y", Spring(1e6, 0.0, LIMIT)), free=("x", "y"),
    )  # fmt: skip
    run = rig.run({"plate.y_dot": speed, "block.x_dot": 1e-4 * speed}, 1.0, output_step=0.05)
    expected = 1e-4 * speed * np.exp(-LIMIT * run.t / (MASS * speed))
    assert rig.column(run, "block.x_dot") == pytest.approx(expected, rel=1e-6)


def test_elastic_friction_is_a_damper_with_a_spring_across_a_slide():
    """Linearised about a slide with V: a spring k in series with a damper T / V."""
    speed, stiff = 0.5, 600.0
    rig = blocks(
        {"block": MASS, "plate": HEAVY}, {"foot": ("plate", "block"), "hold": ("track", "block")},
        Element("foot.face", "foot", "x", ElasticFriction(stiff, limit=LIMIT), ("y",)),
        Element("hold.y", "hold", "y", Spring(1e6, 0.0, LIMIT)), free=("x", "y"),
    )  # fmt: skip
    start = {"plate.y_dot": speed, "block.x_dot": 1e-6, "foot.face.anchor_y": LIMIT / stiff * (1.0 + 1e-9)}
    run = rig.run(start, 1.0, output_step=0.02)
    assert np.all(run.mode[1:] == elastic_friction.Mode.SLIP)
    c = LIMIT / speed
    a = np.array([[0.0, 1.0, 0.0], [-stiff / MASS, 0.0, stiff / MASS], [stiff / c, 0.0, -stiff / c]])
    expected = np.array([expm(a * t) @ [0.0, 1e-6, 0.0] for t in run.t])
    assert rig.column(run, "block.x_dot") == pytest.approx(expected[:, 1], abs=1e-12)
    assert rig.column(run, "block.x") == pytest.approx(expected[:, 0], abs=1e-13)


def test_elastic_tends_to_rigid_positions_with_1_over_k_rates_with_1_over_its_root():
    """Where a block stops and what it does then: T/k too far, and ringing with (T - F) / sqrt(k m)."""
    start = {"block.x": 0.3, "block.y": 0.4}
    rest = on_ground(PLANE["rigid"], 20.0).run(start, 4.0).x[-1]
    errors = []
    for stiff in (1e4, 1e6):
        rig = on_ground(ElasticFriction(stiff, limit=LIMIT), 20.0)
        run = rig.run(start | {"foot.face.anchor_x": 0.3, "foot.face.anchor_y": 0.4}, 4.0)
        late = run.t > 3.5
        place = np.hypot(*(run.x[late, k] - rest[k] for k in (0, 1))).max()
        errors.append((place, np.hypot(run.x[late, 2], run.x[late, 3]).max()))
    (place, rate), (near, slow) = errors
    assert place / near == pytest.approx(100.0, rel=0.2)
    assert rate / slow == pytest.approx(10.0, rel=0.1)
    damped = on_ground(ElasticFriction(1e4, limit=LIMIT), 20.0, damping=10.0)
    run = damped.run(start | {"foot.face.anchor_x": 0.3, "foot.face.anchor_y": 0.4}, 12.0)
    assert np.abs(run.x[-1, 2:4]).max() < 1e-9  # with a damper beside it the ringing ends


@pytest.mark.parametrize("name", PLANE)
def test_energy_is_never_created(name):
    law = {
        "rigid": RigidFriction(limit=LIMIT, static_ratio=1.3),
        "elastic": ElasticFriction(2e3, limit=LIMIT, static_ratio=1.3),
    }[name]
    rig = on_ground(law, 60.0)
    rng = np.random.default_rng(1)
    for _ in range(4):
        a, b, v, w = rng.normal(size=4)
        start = {"block.x": 0.5 * a, "block.y": 0.5 * b, "block.x_dot": 2.0 * v, "block.y_dot": 2.0 * w}
        if name == "elastic":
            start |= {"foot.face.anchor_x": 0.5 * a, "foot.face.anchor_y": 0.5 * b}
        run = rig.run(start, 5.0, rtol=1e-9, atol=1e-11)
        out = energies(rig.compiled, run.t, run.x, run.memory, run.mode)
        total = 0.5 * MASS * (run.x[:, 2] ** 2 + run.x[:, 3] ** 2) + out.stored.sum(axis=1)
        assert np.all(np.diff(total) < 1e-9 * total[0])
        assert np.all(out.heat >= 0.0)
        assert total[-1] < total[0]
