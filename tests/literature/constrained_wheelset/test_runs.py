"""Runs of both forms: residuals, agreement, printed stability, events, energy, linear motion."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from scipy.integrate import simpson
from scipy.linalg import expm

from klingel._errors import InputError
from klingel.literature.constrained_wheelset.augmented import augmented_problem
from klingel.literature.constrained_wheelset.balance import Balance
from klingel.literature.constrained_wheelset.constraints import X
from klingel.literature.constrained_wheelset.history import history, independent
from klingel.literature.constrained_wheelset.reduced import reduced_problem
from klingel.literature.constrained_wheelset.stability import jacobian
from klingel.literature.constrained_wheelset.start import full_state, rest, start
from klingel.numerics.integrate import integrate
from klingel.numerics.problem import HybridProblem
from tests.literature.constrained_wheelset.cases import PRINTED, STEEP, SUSPENDED, UNSUSPENDED, external

DURATION = {"unsuspended": 4.0, "suspended": 2.0, "steep": 2.0}
SHIFT = {"unsuspended": 6e-3, "suspended": 6e-3, "steep": 2e-3}  # the first touches its flange within the run


@cache
def runs(name, rtol):
    """Trajectories of the reduced and of the augmented form."""
    w = PRINTED[name]
    x = start(w, y=SHIFT[name])
    options = {"rtol": rtol, "atol": 1e-2 * rtol, "output_step": 5e-3 if rtol < 1e-5 else None}
    return (
        integrate(reduced_problem(w), x, DURATION[name], **options),
        integrate(augmented_problem(w), full_state(w, x), DURATION[name], **options),
    )


@pytest.mark.parametrize("rtol", [1e-4, 1e-6, 1e-9])
@pytest.mark.parametrize("name", PRINTED)
def test_constraint_residual_stays_below_1e_10(name, rtol):
    """At every step whatever the tolerance, and on an output grid between the steps from 1e-6 downwards."""
    h = history(PRINTED[name], runs(name, rtol)[1])
    assert h["position"].max() < 1e-10
    assert h["velocity"].max() < 1e-10


def test_drift_events_are_what_keeps_it_there():
    """The same run with the guard's limit far away drifts beyond, a hundred times."""
    w = replace(STEEP, drift_limit=1.0)
    run = integrate(augmented_problem(w), full_state(w, start(w, y=SHIFT["steep"])), 2.0, rtol=1e-4, atol=1e-6)
    assert history(w, run)["velocity"].max() > 1e-8
    guarded = runs("steep", 1e-4)[1]
    assert guarded.events.of("velocity drift").size + guarded.events.of("position drift").size > 10


@pytest.mark.parametrize("rtol", [1e-6, 1e-8, 1e-10])
@pytest.mark.parametrize("name", PRINTED)
def test_two_forms_agree(name, rtol):
    """Within 50 tolerances of the amplitudes: the errors of two runs of some thousand steps."""
    a, b = (independent(history(PRINTED[name], run)) for run in runs(name, rtol))
    size = np.abs(a - a.mean(axis=0)).max(axis=0)
    size[-1] = PRINTED[name].speed / PRINTED[name].nominal_radius  # the spin itself, beta is its perturbation
    assert np.max(np.abs(a - b) / size) < 50 * rtol


@pytest.mark.parametrize("name", PRINTED)
def test_reconstruction_of_the_reduced_form(name):
    h = history(PRINTED[name], runs(name, 1e-6)[0])
    assert h["position"].max() < 1e-15
    assert h["velocity"].max() < 1e-15


@pytest.mark.parametrize("name", PRINTED)
@pytest.mark.parametrize("form", [0, 1])
def test_contact_angles_are_conicity_plus_and_minus_roll(name, form):
    """Printed: delta + phi = s21 and delta - phi = -s32, both about delta."""
    w = PRINTED[name]
    h = history(w, runs(name, 1e-6)[form])
    # a residual of 1e-10 m of the orientation constraint is an angle of 1e-10/R
    np.testing.assert_allclose(w.conicity + h["roll"], h["s21"], rtol=0, atol=1e-10 / w.rail_radius)
    np.testing.assert_allclose(w.conicity - h["roll"], -h["s32"], rtol=0, atol=1e-10 / w.rail_radius)
    assert np.abs(h["s21"] - w.conicity).max() < 1e-3


def peaks(run, since):
    return np.abs(run["y"][run.t >= since]).max()


def test_unsuspended_grows_until_the_flange_limits_it():
    w = UNSUSPENDED
    run = integrate(reduced_problem(w), start(w, y=1e-3), 14.0, rtol=1e-8, atol=1e-10, output_step=5e-3)
    assert run.events.of("flange, y rises")[0] > 5.0
    early, late = peaks(run, 11.0), peaks(run, 13.0)
    assert w.flange_clearance < late < w.flange_clearance + 1e-3
    assert late == pytest.approx(early, rel=1e-3)


def test_suspended_comes_to_rest_at_100_m_s():
    run = integrate(reduced_problem(SUSPENDED), start(SUSPENDED, y=5e-3), 6.0, rtol=1e-8, atol=1e-10)
    assert peaks(run, 5.0) < 1e-6


def test_steeper_cone_is_unstable_at_100_m_s():
    for shift in (1e-5, 8e-3):
        run = integrate(
            reduced_problem(STEEP), start(STEEP, y=shift), 8.0, rtol=1e-8, atol=1e-10, output_step=1e-3
        )
        assert len(run.events) == 0
        # saturating creep forces limit the motion within the clearance, from both sides to the same orbit
        assert peaks(run, 7.0) == pytest.approx(4.461e-3, rel=1e-3)


@pytest.mark.parametrize("name", PRINTED)
def test_small_motion_is_the_linear_one(name):
    """Relative deviation from exp(J t) x below 1e-6 for a start of a nanometre: the law is smooth there."""
    w, t = PRINTED[name], 0.5
    centre, x = rest(w), start(w, y=1e-9)
    run = integrate(reduced_problem(w), x, t, rtol=1e-12, atol=1e-18)
    exact = expm(t * jacobian(w)) @ (x - centre)
    assert np.abs(run.x[-1] - centre - exact)[:4].max() < 3e-6 * np.abs(exact).max()


def test_flange_events_lie_on_the_flange():
    w = UNSUSPENDED
    run = integrate(reduced_problem(w), start(w, y=9e-3), 3.0, rtol=1e-9, atol=1e-11)
    assert len(run.events) >= 6
    rows = np.searchsorted(run.t, run.events.time)
    np.testing.assert_allclose(np.abs(run["y"][rows]), w.flange_clearance, rtol=0, atol=1e-12)
    names = [(e.old, e.new) for e in run.events]
    assert names[:4] == [("FREE", "LOWER"), ("LOWER", "FREE"), ("FREE", "UPPER"), ("UPPER", "FREE")]


def test_work_of_the_forces_is_the_change_of_kinetic_energy():
    w = STEEP
    run = integrate(
        augmented_problem(w), full_state(w, start(w, y=3e-3)), 0.4, rtol=1e-10, atol=1e-12, output_step=2e-4
    )
    h = history(w, run)
    x = h.state
    spin = w.speed / w.nominal_radius + x[:, X.SPIN]
    rates = np.column_stack([x[:, [X.Y_DOT, X.Z_DOT, X.ROLL_DOT, X.YAW_DOT]], spin])
    energy = 0.5 * rates**2 @ [w.mass, w.mass, w.inertia_roll, w.inertia_yaw, w.inertia_spin]
    wrenches = [external(w, row, Balance(*forces[:6], True)) for row, forces in zip(x, h.forces, strict=True)]
    power = [rate @ [f[1], f[2], m[0], m[2], m[1]] for rate, (f, m) in zip(rates, wrenches, strict=True)]
    done = simpson(power, x=run.t)
    moving = np.ptp(energy)
    assert moving > 1.0
    assert done == pytest.approx(energy[-1] - energy[0], abs=1e-7 * moving)


def test_vertical_forces_carry_the_weight_on_average():
    """Over whole periods of the limit cycle; the mean of m z'' vanishes."""
    w = STEEP
    run = integrate(reduced_problem(w), start(w, y=4.4e-3), 8.0, rtol=1e-9, atol=1e-11, output_step=1e-4)
    h = history(w, run)
    y = h["y"]
    ups = np.flatnonzero((y[:-1] < 0) & (y[1:] >= 0) & (run.t[1:] > 4.0))
    part = slice(ups[0], ups[-1])
    left, right = h["roll"] + w.conicity, h["roll"] - w.conicity
    lift = h["n_left"] * np.cos(left) + h["ty_left"] * np.sin(left)
    lift += h["n_right"] * np.cos(right) + h["ty_right"] * np.sin(right)
    # cutting the periods at grid points leaves at most one grid step of 45 periods
    assert lift[part].mean() == pytest.approx(w.mass * w.gravity, rel=1e-5)


def test_pulling_rail_is_an_event():
    """Unsuspended at 60 m/s the flange impact unloads the other wheel; the constraint then pulls, and says so."""
    w = replace(UNSUSPENDED, speed=60.0)
    run = integrate(reduced_problem(w), start(w, y=3e-3), 1.5, rtol=1e-8, atol=1e-10)
    h = history(w, run)
    pulled = run.mode[:, 1:] == 1
    assert pulled.any()
    normal = np.column_stack([h["n_left"], h["n_right"]])
    assert normal[pulled].max() <= 1e-5
    assert normal[~pulled].min() >= -1e-5
    times = np.concatenate([run.events.of("left normal force"), run.events.of("right normal force")])
    rows = np.searchsorted(run.t, times)
    assert np.abs(normal[rows]).min(axis=1).max() < 1e-3


def test_unknown_quantity_is_refused():
    with pytest.raises(InputError, match="quantity: must be one of y, z, roll"):
        history(STEEP, runs("steep", 1e-6)[0])["pitch"]


def test_problems_say_what_their_modes_mean():
    for problem in (reduced_problem(STEEP), augmented_problem(STEEP)):
        assert isinstance(problem, HybridProblem)
        assert len(problem.guard_names) == len(problem.guard_owner) == len(problem.guard_tolerance)
        assert problem.mode_names == ("flange", "left wheel", "right wheel")
