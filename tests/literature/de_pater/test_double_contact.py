"""Second contact on a massless elastic rail: events, mirror, the rigid limit, the collision."""

from dataclasses import replace

import numpy as np
import pytest

from klingel._errors import InputError
from klingel.literature.de_pater import runs as study
from klingel.literature.de_pater.history import history
from klingel.literature.de_pater.hybrid_system import de_pater_problem, start
from klingel.literature.de_pater.layout import Second
from klingel.literature.de_pater.parameters import DePaterWheelset
from klingel.literature.de_pater.rigid import flange_mass, restitution, rigid_double_contact
from klingel.numerics.integrate import integrate

W = DePaterWheelset()
PUSHED = replace(W, push=55e3, push_start=2.0, push_ramp=15.0, push_hold=60.0)
FAST = replace(W, speed=60.0)


def run(w, x, distance, **options):
    settings = {"rtol": 1e-8, "atol": 1e-12, "output_step": 0.02, **options}
    return integrate(de_pater_problem(w), x, distance, **settings)


def test_through_double_contact_and_back():
    found = run(PUSHED, start(), 110.0)
    names = [event.guard for event in found.events if "right" in event.guard]
    assert names[0] == "right flange touches"
    assert names[-1] == "right flange leaves"
    assert set(found.mode[-1]) == {Second.FREE}
    h = history(found)
    pressed = found.mode[:, 0] == Second.PRESSED
    assert (h["n3"][pressed] >= -1e-6).all()
    assert not h["n3"][~pressed].any()
    # the massless rail passes on what it takes: spring and damper
    p = slice(*np.flatnonzero(pressed)[[5, -5]])
    lateral = h["n3"][p] * np.sin(W.flange_angle - h["roll"][p]) + h["ty3"][p] * np.cos(
        W.flange_angle - h["roll"][p]
    )
    rail = W.rail_stiffness * h["right_rail"][p] + W.rail_damping * W.speed * np.gradient(
        h["right_rail"][p], h.s[p]
    )
    assert lateral == pytest.approx(rail, abs=0.02 * lateral.max())


def test_mirrored_start_gives_the_mirrored_run():
    x = start(v=5e-3, psi=3e-3, v_prime=1e-3)
    one, two = run(FAST, x, 12.0), run(FAST, x * np.array([1, 1, -1, -1] * 2), 12.0)
    assert len(one.events) >= 4
    assert two.events.time == pytest.approx(one.events.time, rel=1e-9)
    assert [e.guard.replace("right", "left") for e in one.events if "right" in e.guard] == [
        e.guard for e in two.events if "left" in e.guard
    ]
    assert two["v"] == pytest.approx(-one["v"], abs=1e-10)


def test_a_rail_let_go_returns_and_may_be_caught():
    """Free, it relaxes with the time constant d/k; pressed, it is where the flange is."""
    found = run(FAST, start(v=5e-3, psi=3e-3), 3.0, output_step=0.005)
    h = history(found)
    leave = found.events.of("right flange leaves")[0]
    after = (h.s > leave) & (h.s < leave + 0.2)
    rail = h["right_rail"][after]
    rate = -W.rail_stiffness / (W.rail_damping * FAST.speed)
    assert np.diff(np.log(rail)) == pytest.approx(rate * 0.005, rel=1e-6)
    assert (found["v"][after][1:] < found["v"][after][:-1]).all()


def test_no_flange_no_events():
    found = run(replace(FAST, rail_stiffness=0.0), start(v=1e-3), 60.0)
    assert len(found.events) == 0
    assert np.abs(found["v"]).max() > 3e-3


def test_unloaded_tread_ends_the_run():
    found = run(replace(W, push=250e3, push_ramp=5.0), start(), 60.0)
    assert "tread unloaded" in found.ended
    assert found.t[-1] < 60.0


def test_rigid_double_contact_is_in_equilibrium():
    rigid = rigid_double_contact(PUSHED)
    # a wheelset that nothing drives needs no traction; the vertical forces carry the load
    assert rigid.u == pytest.approx(0.0, abs=1e-9)
    assert rigid.n1 > rigid.n2 > 0.0
    with pytest.raises(InputError, match="push"):
        rigid_double_contact(replace(PUSHED, push=1e3))


def test_force_of_double_contact_converges_as_the_rail_stiffens():
    found = study.stiffening(PUSHED, 4.0 ** np.arange(2, 5), "dopri54")
    errors = np.abs(found.force - found.limit) / found.limit
    assert errors[-1] < 1e-3
    assert found.order == pytest.approx(1.0, abs=0.1)


def test_collision_tends_to_the_closed_form():
    """Without friction: rebound and impulse of a mass on a Kelvin-Voigt spring; the force grows like the root."""
    found = study.collisions(W, 4.0 ** np.arange(3, 6), "dopri54")
    assert found.extrapolated(found.smooth_rebound) == pytest.approx(found.limit, abs=1e-3)
    assert found.extrapolated(found.smooth_impulse) == pytest.approx(1.0 + found.limit, abs=3e-3)
    assert found.growth == pytest.approx(0.5, abs=0.05)


def test_undamped_collision_is_elastic():
    w = replace(W, rail_damping=0.0, friction=study.NO_FRICTION)
    rebounds = np.array([study.collide(w.stiffened(f), "dopri54")[0] for f in 4.0 ** np.arange(2, 5)])
    assert restitution(0.0) == 1.0
    assert rebounds == pytest.approx(1.0, abs=1e-3)


@pytest.mark.parametrize("ratio", [0.05, 0.2, 0.5, 0.69])
def test_restitution_of_a_mass_on_a_damped_spring(ratio):
    """m x'' + 2 D x' + x = 0 from x = 0, x' = 1 until the force 2 D x' + x vanishes, integrated here."""
    from scipy.integrate import solve_ivp

    def released(t, y):
        return y[0] + 2 * ratio * y[1] if t > 1e-3 else 1.0

    released.terminal = True

    def motion(t, y):
        return [y[1], -y[0] - 2 * ratio * y[1]]

    found = solve_ivp(motion, (0, 10), [0.0, 1.0], events=released, rtol=1e-11, atol=1e-13)
    assert restitution(ratio) == pytest.approx(-found.y[1, -1], rel=1e-8)


def test_what_the_flange_feels():
    assert W.mass < flange_mass(W) < 1.1 * W.mass


@pytest.mark.parametrize("ratio", [-0.1, 0.8])
def test_no_closed_form_for_strong_damping(ratio):
    with pytest.raises(InputError, match="damping ratio"):
        restitution(ratio)


@pytest.mark.parametrize(
    ("field", "value"),
    [("mass", 0.0), ("wheel_hollow", 0.2), ("flange_angle", 1.6), ("forces", "guess"), ("inertia_terms", "third"),
     ("push", np.inf), ("contact_angle", 0.4), ("flange_clearance", 0.05)],
)  # fmt: skip
def test_impossible_wheelsets_are_refused(field, value):
    with pytest.raises(InputError, match=f"^{field}: must"):
        DePaterWheelset(**{field: value})


def test_studies_refuse_what_they_cannot_show():
    with pytest.raises(InputError, match="push: must not unload a tread"):
        study.steady_force(replace(PUSHED, push=250e3), "dopri54")
    with pytest.raises(InputError, match="rail_stiffness: must let the flange touch and leave"):
        study.collide(W.stiffened(4.0**8), "dopri54")
