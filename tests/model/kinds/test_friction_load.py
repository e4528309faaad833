"""Friction whose limit follows a normal load, elastic and rigid: Lenoir statics, loops, pivot, side bearer."""

from math import pi, radians, tan

import numpy as np
import pytest

from klingel.elements.dead_band import DeadBand
from klingel.elements.elastic_friction import ElasticFriction, Mode
from klingel.elements.rigid_friction import RigidFriction
from klingel.elements.series_damper import SeriesDamper
from klingel.elements.spring import Spring
from klingel.model.builder import compile_vehicle
from klingel.model.description import Body, Connection, Element, Vehicle
from klingel.model.output import energies, outputs
from klingel.model.problem import vehicle_problem
from klingel.model.standing.equilibrium import find_rest
from klingel.model.standing.holding import holding_limits
from klingel.numerics.integrate import integrate
from tests.model.kinds.moving_ground import HEAVY, TIGHT, Rig, blocks

K, MU, GAMMA, FACES = 500.0, 0.25, radians(25.0), 2.0
SHARE = FACES * MU * tan(GAMMA)  # friction per force of the spring, both faces of a Lenoir damper
CONTACT = 2e5  # stiffness of an elastic face


def lenoir(law, *more: Element, preload=100.0, amplitude=0.1, omega=1.0) -> Rig:
    """A heavy box moved up and down: a spring, and a face that it loads through the link."""
    return blocks(
        {"box": HEAVY},
        {"spring": ("track", "box"), "face": ("track", "box"), "drive": ("track", "box")},
        Element("spring.tare", "spring", "z", Spring(K, 0.0, preload)),
        Element("face.pusher", "face", "z", law, load="spring.z"),
        Element("drive.spring", "drive", "z", Spring(HEAVY * omega**2, 0.0, 0.0)),
        *more, free=("z",),
    )  # fmt: skip


def area(u: np.ndarray, force: np.ndarray) -> float:
    return abs(float(np.sum(0.5 * (force[1:] + force[:-1]) * np.diff(u))))


def test_lenoir_statics_and_loop_area_elastic():
    """N = F tan(gamma): on loading the friction is share (F0 + k u), on unloading minus that."""
    rig = lenoir(ElasticFriction(CONTACT, friction=FACES * MU, load_factor=tan(GAMMA)))
    run = rig.run({"box.z": 0.1}, 4.0 * pi, output_step=pi / 2000.0)
    out = outputs(rig.compiled, run.t, run.x, run.memory, run.mode)
    u, friction = rig.column(run, "box.z"), out.element[:, 1]
    load = 100.0 + K * u
    v = np.gradient(u, run.t)
    slides = run.mode[:, 0] == Mode.SLIP
    assert friction[slides & (v > 1e-3)] == pytest.approx(SHARE * load[slides & (v > 1e-3)], rel=1e-9)
    assert friction[slides & (v < -1e-3)] == pytest.approx(-SHARE * load[slides & (v < -1e-3)], rel=1e-9)
    # closed loop between -A and A, with the corners that the contact stiffness cuts: anchors at the turning points
    top, bottom = SHARE * 150.0, SHARE * 50.0
    high, low = (
        2.0 * top / (CONTACT + SHARE * K),
        2.0 * bottom / (CONTACT - SHARE * K),
    )  # travel until it slides back
    whole = 2.0 * SHARE * (100.0 * 0.2)  # of the rigid loop, 2 share F0 2A
    expected = whole - high * (2.0 * SHARE * 150.0) / 2.0 - low * (2.0 * SHARE * 50.0) / 2.0
    last = run.t >= 2.0 * pi - 1e-9
    assert area(u[last], friction[last]) == pytest.approx(expected, rel=2e-6)


def test_lenoir_loop_area_rigid():
    rig = lenoir(RigidFriction(friction=FACES * MU, load_factor=tan(GAMMA)))
    run = rig.run({"box.z": 0.1}, 4.0 * pi, output_step=pi / 2000.0)
    out = outputs(rig.compiled, run.t, run.x, run.memory, run.mode)
    last = run.t >= 2.0 * pi - 1e-9
    u, friction = rig.column(run, "box.z")[last], out.element[last, 1]
    assert area(u, friction) == pytest.approx(
        2.0 * SHARE * 100.0 * 0.2, rel=1e-3
    )  # rows cut the corners of the jump
    v = rig.column(run, "box.z_dot")[last]
    moves = np.abs(v) > 1e-3
    assert friction[moves] == pytest.approx(np.sign(v[moves]) * SHARE * (100.0 + K * u[moves]), rel=1e-9)
    assert pytest.approx(0.117, abs=1e-3) == SHARE / FACES  # mu tan(gamma), one of two springs linked


@pytest.mark.parametrize("pressing", ["damped", "series"])
def test_loads_of_dampers_are_differentiated(pressing):
    """Slip ends where the anchor stops, with a load that depends on rates; energy balances only if it does."""
    extra = {
        "damped": Element("spring.damper", "spring", "z", Spring(0.0, 30.0, 0.0)),
        "series": Element("spring.series", "spring", "z", SeriesDamper(400.0, 40.0)),
    }[pressing]
    law = ElasticFriction(2e3, friction=FACES * MU, load_factor=tan(GAMMA))
    rig = blocks(
        {"box": 2.0}, {"spring": ("track", "box"), "face": ("track", "box")},
        Element("spring.tare", "spring", "z", Spring(K, 0.0, 0.0)), extra,
        Element("spring.weight", "spring", "z", Spring(0.0, 0.0, 0.0)),
        Element("face.pusher", "face", "z", law, load="spring.z"), free=("z",),
    )  # fmt: skip
    run = rig.run({"box.z": 0.3}, 2.0)
    out = energies(rig.compiled, run.t, run.x, run.memory, run.mode)
    face = rig.compiled.layout.slots["face.pusher"]
    assert {Mode.SLIP, Mode.STICK} <= set(run.events.new.tolist())
    assert np.all(out.heat[:, face] >= 0.0)
    kinetic = 0.5 * 2.0 * rig.column(run, "box.z_dot") ** 2
    total = kinetic + out.stored.sum(axis=1)
    steps = np.diff(run.t)
    power = out.heat.sum(axis=1)
    heat = np.concatenate([[0.0], np.cumsum(0.5 * steps * (power[1:] + power[:-1]))])
    assert total + heat == pytest.approx(np.full(run.t.size, total[0]), rel=2e-3)  # trapezoids between the steps
    assert np.all(np.diff(total) < 1e-9)


def test_a_pivot_holds_a_moment_of_mu_n_r_and_gives_way_beyond():
    """Body of 1 t on a pivot: N = m g through the spring z, moment limit 0.2 N 0.15 m."""
    body = Body("body", 1000.0, (1e3, 1e3, 1500.0), (0.0, 0.0, 1.0), ("z", "yaw"))
    bolster = Body("bolster", HEAVY, (HEAVY, HEAVY, HEAVY), (0.0, 0.0, 1.0), ("yaw",))
    link = Connection("pivot", "body", "bolster", (0.0, 0.0, 1.0))
    limit = 0.2 * 1000.0 * 9.81 * 0.15
    for law in (
        RigidFriction(friction=0.2, load_factor=0.15),
        ElasticFriction(1e7, friction=0.2, load_factor=0.15),
    ):
        parts = (
            Element("pivot.carrier", "pivot", "z", Spring(1e6)),
            Element("pivot.yaw", "pivot", "yaw", law, load="pivot.z"),
        )
        vehicle = Vehicle("pivot", (body, bolster), (link,), parts, (), 9.81)
        compiled = compile_vehicle(vehicle, {}, 1.0)
        rest = find_rest(compiled)
        assert rest.residual < 1e-9
        held = {h.port: h for h in holding_limits(vehicle, compiled, rest.x, rest.memory, rest.mode)}["pivot.yaw"]
        assert (held.low, held.high) == pytest.approx((-limit, limit), rel=1e-9)
        x = rest.x.copy()
        x[compiled.layout.state("bolster.yaw_dot")] = 0.5
        mode = rest.mode.copy()
        if isinstance(law, RigidFriction):
            mode[0] = 1 if mode[0] == 0 else mode[0]
        run = integrate(vehicle_problem(compiled, rest.memory, mode), x, 3.5, **TIGHT)
        # accelerated by the limit until it turns with the bolster, which takes 1500 0.5 / limit
        when = 1500.0 * 0.5 / limit
        yaw = run.x[:, compiled.layout.state("body.yaw_dot")]
        early = (run.t > 0.01) & (run.t < 0.9 * when)
        assert yaw[early] == pytest.approx(run.t[early] * limit / 1500.0, rel=2e-2)
        assert yaw[-1] == pytest.approx(0.5, rel=1e-2)


def test_a_side_bearer_that_lifts_off_rubs_no_more():
    """Load by a spring with a gap: without contact no friction, and none while it would pull."""
    for law in (RigidFriction(friction=0.3), ElasticFriction(1e6, friction=0.3)):
        rig = blocks(
            {"body": 10.0}, {"bearer": ("track", "body")},
            Element("bearer.spring", "bearer", "z", DeadBand(-np.inf, 0.01, 1e4)),
            Element("bearer.hang", "bearer", "z", Spring(200.0, 0.0, 0.0)),
            Element("bearer.face", "bearer", "x", law, load="bearer.z"), free=("x", "z"),
        )  # fmt: skip
        run = rig.run({"body.x_dot": 5.0, "body.z": 0.05}, 3.0, output_step=0.001)
        out = outputs(rig.compiled, run.t, run.x, run.memory, run.mode)
        z = rig.column(run, "body.z")
        load = np.maximum(200.0 * z + 1e4 * np.maximum(z - 0.01, 0.0), 0.0)
        friction = out.element[:, rig.compiled.layout.slots["bearer.face"]]
        assert np.any(load == 0.0)
        assert np.all(np.abs(friction) <= 0.3 * load * (1.0 + 1e-6) + 1e-4)
        assert np.abs(friction[load == 0.0]).max() < 1e-9


@pytest.mark.parametrize("rtol", [1e-9, 1e-5])
def test_a_stuck_face_whose_load_falls_by_its_damper_alone_gives_way_in_time(rtol):
    """N = F0 - d A omega sin(omega t): the limit meets the force of the face where the closed form says."""
    force, stiff, share, damping = 30.0, 1e4, 0.5, 1e3
    law = ElasticFriction(stiff, friction=share)

    def box(amplitude: float):
        rig = blocks(
            {"box": HEAVY}, {"press": ("track", "box"), "face": ("track", "box"), "drive": ("track", "box")},
            Element("press.damper", "press", "z", Spring(0.0, damping, 100.0)),
            Element("face.face", "face", "x", law, load="press.z"),
            Element("drive.spring", "drive", "z", Spring(HEAVY, 0.0, 0.0)), free=("x", "z"),
        )  # fmt: skip
        start = {"box.x": force / stiff, "box.z": amplitude, "face.face.anchor_x": 0.0}
        return rig.run(start, 2.0 * pi, rtol=rtol, atol=rtol)

    run = box(0.1)
    gives_way = run.events.time[run.events.new == Mode.SLIP][0]
    assert gives_way == pytest.approx(np.arcsin((100.0 - force / share) / (damping * 0.1)), abs=10.0 * rtol)
    held = box(0.01)  # stays within the limit: no guard is asked but at the start
    assert len(held.events.time) == 0
    assert held.stats.guard_evaluations <= 4 < held.stats.accepted
