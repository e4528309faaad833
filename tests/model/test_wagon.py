"""The two-axle wagon on the engine: what must hold whatever any thesis says."""

import numpy as np
import pytest

from klingel.elements.dead_band import Mode
from klingel.model import assembly
from klingel.model.output import Wheel, outputs
from klingel.model.problem import displaced, vehicle_problem
from klingel.model.standing.equilibrium import find_rest
from klingel.model.standing.settled_modes import port_deformation, port_rate
from klingel.model.system import Head
from klingel.numerics.integrate import integrate
from tests.model.wagon import compiled, run

G = 9.81
LATERAL = ("y", "roll", "yaw")  # change sign in the mirror


def mirror_signs(states):
    return np.array([-1.0 if name.split(".")[1].removesuffix("_dot") in LATERAL else 1.0 for name in states])


def mirrored_modes(model, mode):
    """Modes of the mirrored vehicle: left and right change places, lateral slips change sign (all stuck here)."""
    result = mode.copy()
    names = model.layout.modes
    for k, name in enumerate(names):
        other = name.replace("left", "#").replace("right", "left").replace("#", "right")
        result[names.index(other)] = mode[k]
    count = model.system.i[model.system.i[Head.WHEEL_AT] + 4] - 1
    for wheel in model.layout.wheels:  # states count from the other end
        result[names.index(wheel)] = count - result[names.index(wheel)]
    other_side = {int(Mode.FREE): Mode.FREE, int(Mode.LOWER): Mode.UPPER, int(Mode.UPPER): Mode.LOWER}
    for k, kind in enumerate(model.layout.mode_types):
        if kind is Mode and not names[k].split(".")[1].endswith("_x"):
            result[k] = other_side[int(result[k])]
    return result


def test_equilibrium_is_solved_and_carries_the_weight():
    model = compiled(30.0)
    rest = find_rest(model)
    assert rest.residual < 1e-9
    found = outputs(model, np.zeros(1), rest.x[None], rest.memory[None], rest.mode[None])
    assert found.wheel[0, :, Wheel.Q].sum() == pytest.approx((15176 + 2 * 1490) * G, rel=1e-10)


@pytest.mark.parametrize("seed", range(5))
def test_right_hand_side_is_mirror_symmetric(seed):
    model = compiled(35.0)
    rest = find_rest(model)
    rng = np.random.default_rng(seed)
    signs = mirror_signs(model.layout.states)
    scale = np.where([n.endswith("_dot") for n in model.layout.states], 1e-2, 1e-3)
    offsets = rng.normal(size=signs.size) * scale
    names = model.layout.states
    x, mode = displaced(model, rest, dict(zip(names, offsets, strict=True)))
    x_m, mode_m = displaced(model, rest, dict(zip(names, signs * offsets, strict=True)))
    assert np.array_equal(mode_m, mirrored_modes(model, mode))
    dx, dx_m = np.zeros_like(x), np.zeros_like(x)
    assembly.prepare(model.system, rest.memory, mode)
    assert assembly.rhs(0.0, x, rest.memory, mode, model.system, dx) == 0
    assembly.prepare(model.system, rest.memory, mode_m)
    assembly.rhs(0.0, x_m, rest.memory, mode_m, model.system, dx_m)
    np.testing.assert_allclose(dx_m, signs * dx, rtol=0, atol=1e-11 * np.abs(dx).max())


def test_quiet_run_stays_mirror_symmetric():
    kick = {"front_wheelset.y": 1e-3, "carbody.y": 1e-3}
    one = run(20.0, kick, 1.0, rtol=1e-7, atol=1e-9, output_step=0.01)
    other = run(20.0, {k: -v for k, v in kick.items()}, 1.0, rtol=1e-7, atol=1e-9, output_step=0.01)
    np.testing.assert_allclose(other["front_wheelset.y"], -one["front_wheelset.y"], atol=1e-10)
    np.testing.assert_allclose(other["carbody.roll"], -one["carbody.roll"], atol=1e-10)


def test_rest_stays_at_rest():
    out = run(30.0, {}, 1.0, rtol=1e-8, atol=1e-10)
    assert np.abs(out["carbody.z"] - out["carbody.z"][0]).max() < 1e-8
    assert np.abs(out["front_wheelset.y"]).max() < 1e-8


def test_explicit_and_implicit_methods_agree():
    """Before chaos sets in: 0.5 s of a 2 mm kick at 30 m/s, some forty events."""
    kick = {"front_wheelset.y": 2e-3}
    runs = [
        run(30.0, kick, 0.5, method=method, rtol=1e-8, atol=1e-10, output_step=0.05)
        for method in ("dopri54", "bs32", "esdirk34")
    ]
    for other in runs[1:]:
        np.testing.assert_allclose(other["front_wheelset.y"], runs[0]["front_wheelset.y"], atol=2e-7)
    assert runs[0].stats.events > 10


def test_tighter_tolerances_converge():
    kick = {"front_wheelset.y": 2e-3}
    ends = [run(25.0, kick, 1.0, rtol=tol, atol=1e-2 * tol).x[-1, 1] for tol in (1e-5, 1e-7, 1e-9, 1e-11)]
    errors = np.abs(np.array(ends[:-1]) - ends[-1])
    assert errors[0] < 5e-5
    assert errors[2] < 1e-2 * errors[0]


def test_hard_braking_hits_the_guides_at_their_clearance():
    """5 m/s2: the wheelsets run on until the axle boxes hit the stops; none goes through."""
    model = compiled(30.0, -5.0)
    rest = find_rest(model)
    problem = vehicle_problem(model, rest.memory, rest.mode)
    out = integrate(problem, rest.x, 2.0, rtol=1e-6, atol=1e-8)
    hits = [event for event in out.events if event.guard.endswith("guide_x.plus")]
    assert len(hits) >= 4
    assert not [event for event in out.events if event.guard.endswith("guide_x.minus")]
    ports = [
        model.layout.ports[f"{corner}.x"] for corner in ("front_left", "front_right", "rear_left", "rear_right")
    ]
    deformation = np.array([port_deformation(model.system, x, rest.memory, rest.mode)[ports] for x in out.x])
    assert deformation.max() == pytest.approx(0.0225, abs=1e-9)
    speeds = [out.x[np.flatnonzero(out.t == hits[0].time), out.problem.state_names.index("rear_wheelset.x_dot")]]
    assert speeds[0][-1] < 0.0 < speeds[0][0]  # before and after the impact


def test_impact_takes_energy_by_its_restitution():
    """Before and after every impact the closing speed of the corner is reversed and reduced by the restitution."""
    model = compiled(30.0, -5.0)
    rest = find_rest(model)
    out = integrate(vehicle_problem(model, rest.memory, rest.mode), rest.x, 0.2, rtol=1e-8, atol=1e-10)
    first = next(event for event in out.events if event.guard.endswith("guide_x.plus"))
    rows = np.flatnonzero(out.t == first.time)
    port = model.layout.ports["rear_left.x"]
    rates = [port_rate(model.system, out.x[k], rest.memory, rest.mode)[port] for k in (rows[0], rows[-1])]
    assert rates[1] == pytest.approx(-0.9 * rates[0], rel=1e-9)


def test_two_wheelsets_far_apart_need_no_more_code():
    """Another vehicle of other sizes uses the same compiled functions."""
    before = len(assembly.rhs.signatures)
    compiled(20.0, name="g69")
    compiled(20.0, name="kbps", links="SPP")
    assert len(assembly.rhs.signatures) == before == 1
