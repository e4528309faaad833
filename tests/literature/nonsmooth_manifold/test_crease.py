"""Motion on creases: energy, lemmas 1 and 2, theorem 1, and jumps as limits of smoothings."""

from dataclasses import replace
from math import cos, exp, tan

import numpy as np
import pytest

from klingel._errors import InputError
from klingel.literature.nonsmooth_manifold.crease import (
    Crease,
    Mode,
    Sheet,
    sharp,
    smoothed,
    speed,
    start,
    surface,
    wedge,
)
from klingel.literature.nonsmooth_manifold.crossing import across, limit_ratio, speed_ratio, wedge_ratio
from klingel.literature.nonsmooth_manifold.geodesic import distance, shortest_path
from klingel.literature.nonsmooth_manifold.jump_laws import Law
from klingel.literature.nonsmooth_manifold.soft_maximum import Blend

MONOTONE = [Blend.SOFTABS, Blend.SPLINE, Blend.PENETRATION]
# hollow sheets that meet in an oblique, curved ridge: the contact force pushes all the way
BOWL = Crease(Sheet(-0.2, 0.1, 0.3, 0.05, 0.2), Sheet(0.4, -0.2, 0.2, 0.1, 0.3), end=0.6)


@pytest.mark.parametrize("mode", [Mode.FIRST, Mode.SECOND, Mode.SMOOTH])
def test_slopes_and_bending_agree_with_differences(mode):
    p = smoothed(BOWL, Blend.SOFTABS, 0.1).parameters
    x, y, vx, vy, step = 0.13, -0.2, 0.7, 0.4, 1e-5
    _, slope_x, slope_y, bend = surface(p, mode, x, y, vx, vy)
    ahead = surface(p, mode, x + step * vx, y + step * vy, vx, vy)
    behind = surface(p, mode, x - step * vx, y - step * vy, vx, vy)
    assert slope_x * vx + slope_y * vy == pytest.approx((ahead[0] - behind[0]) / (2 * step), abs=1e-9)
    rates = [s[1] * vx + s[2] * vy for s in (behind, ahead)]
    assert bend == pytest.approx((rates[1] - rates[0]) / (2 * step), abs=1e-8)


def test_energy_is_conserved_without_friction():
    bowl = replace(BOWL, gravity=9.81)
    run = across(smoothed(bowl, Blend.SOFTABS, 0.01), start(bowl, -0.6, 0.1, 6.0, 0.5))
    p = run.problem.parameters
    energy = [
        0.5 * speed(p, Mode.SMOOTH, x) ** 2 + 9.81 * surface(p, Mode.SMOOTH, x[0], x[1], 0.0, 0.0)[0]
        for x in run.x
    ]
    assert energy == pytest.approx(np.full(len(energy), energy[0]), rel=1e-8)


def test_start_has_the_speed_and_angle_asked_for():
    p = sharp(BOWL, Law.PLASTIC).parameters
    for beta in (-0.7, 0.0, 0.4):
        state = start(BOWL, -0.6, 0.1, 2.0, beta)
        assert speed(p, Mode.FIRST, state) == pytest.approx(2.0)
    side = start(BOWL, -0.6, 0.1, 2.0, np.pi / 2)
    forward = start(BOWL, -0.6, 0.1, 2.0, 0.0)
    _, sx, sy, _ = surface(p, Mode.FIRST, -0.6, 0.1, 0.0, 0.0)
    lifted = [np.array([s[2], s[3], sx * s[2] + sy * s[3]]) for s in (side, forward)]
    assert lifted[0] @ lifted[1] == pytest.approx(0.0, abs=1e-12)


def test_frictionless_motion_is_the_shortest_path():
    """Lemma 1; the chain of points is free of any equation of motion and of second order."""
    problem = smoothed(BOWL, Blend.SOFTABS, 0.05)
    run = across(problem, start(BOWL, -0.6, 0.1, 1.0, 0.5))
    errors = [
        distance(run, shortest_path(problem.parameters, Mode.SMOOTH, run.x[0, :2], run.x[-1, :2], n))
        for n in (50, 100, 200)
    ]
    assert errors[2] < 2e-6
    assert np.log2(errors[0] / errors[1]) == pytest.approx(2.0, abs=0.1)
    assert np.log2(errors[1] / errors[2]) == pytest.approx(2.0, abs=0.1)


def test_across_a_sharp_ridge_of_planes_the_path_unfolds_to_a_straight_line():
    """Lemma 1 in the limit: equal angles to the ridge on both sides, and the same speed."""
    tent = Crease(Sheet(-0.3, 0.2), Sheet(0.5, 0.1), end=0.6)
    run = across(sharp(tent, Law.REGULARISED), start(tent, -0.6, 0.1, 1.0, 0.4))
    ridge = np.array([0.1, 0.8])  # where 0.8 x - 0.1 y = 0
    ridge = np.array([*ridge, -0.3 * ridge[0] + 0.2 * ridge[1]])
    ridge /= np.linalg.norm(ridge)
    first, last = run.x[0], run.x[-1]
    v_first = np.array([first[2], first[3], -0.3 * first[2] + 0.2 * first[3]])
    v_last = np.array([last[2], last[3], 0.5 * last[2] + 0.1 * last[3]])
    assert np.linalg.norm(v_last) == pytest.approx(1.0, rel=1e-9)
    assert v_last @ ridge == pytest.approx(v_first @ ridge, rel=1e-9)


@pytest.mark.parametrize("end", [-0.2, 0.05, 0.6])
def test_friction_rescales_time_but_keeps_the_path(end):
    """Lemma 2: same end point, direction and length, later."""
    runs = []
    for mu in (0.0, 0.3):
        bowl = replace(BOWL, friction=mu, end=end)
        runs.append(across(smoothed(bowl, Blend.SOFTABS, 0.02), start(bowl, -0.6, 0.1, 1.0, 0.5)))
    smooth, rough = runs
    assert rough["y"][-1] == pytest.approx(smooth["y"][-1], abs=1e-9)
    assert rough["path"][-1] == pytest.approx(smooth["path"][-1], abs=1e-9)
    directions = [run["y_dot"][-1] / run["x_dot"][-1] for run in runs]
    assert directions[1] == pytest.approx(directions[0], abs=1e-8)
    assert rough.t[-1] > smooth.t[-1]


@pytest.mark.parametrize("blend", Blend)
@pytest.mark.parametrize("beta", [0.0, 0.8])
def test_speed_follows_from_the_turning_at_any_width(blend, beta):
    crease = wedge(-0.4, 0.5, friction=0.2, end=0.6)
    simulated, expected = wedge_ratio(crease, blend, 0.05, beta, -0.5)
    # the variation of the interpolating spline is sampled, to second order
    assert simulated == pytest.approx(expected, abs=3e-6 if blend == Blend.INTERPOLATING else 2e-8)


@pytest.mark.parametrize("blend", MONOTONE)
@pytest.mark.parametrize(
    ("mu", "before", "after"), [(0.1, 0.0, 0.6), (0.3, 0.0, 0.6), (0.5, -0.4, 0.5), (0.3, 0.1, 1.2)]
)
def test_limit_of_the_plane_test_curve(blend, mu, before, after):
    crease = wedge(before, after, friction=mu, end=0.5)
    alpha = after - before
    simulated, _ = wedge_ratio(crease, blend, 1e-5, 0.0, -0.5)
    assert simulated == pytest.approx(exp(-mu * alpha), abs=1e-5)
    plastic = across(sharp(crease, Law.PLASTIC), start(crease, -0.5, 0.0, 1.0, 0.0))
    assert speed_ratio(plastic) == pytest.approx(cos(alpha), abs=1e-10)
    assert abs(speed_ratio(plastic) - exp(-mu * alpha)) > 5e-3


def test_softabs_converges_at_first_order():
    crease = wedge(0.0, 0.6, friction=0.3, end=0.5)
    errors = [
        wedge_ratio(crease, Blend.SOFTABS, nu * tan(0.6), 0.0, -0.5)[0] - exp(-0.18) for nu in (1e-2, 1e-3, 1e-4)
    ]
    # the same blend of another program, over the same way: 0.83711, 0.835454, 0.8352886
    assert np.array(errors) + exp(-0.18) == pytest.approx([0.83711, 0.835454, 0.8352886], abs=5e-6)
    assert errors[0] / errors[1] == pytest.approx(10.0, rel=0.02)
    assert errors[1] / errors[2] == pytest.approx(10.0, rel=0.02)


@pytest.mark.parametrize("blend", MONOTONE)
@pytest.mark.parametrize("beta", [0.3, 0.8, 1.2])
def test_energy_after_an_oblique_crossing(blend, beta):
    """Theorem 1."""
    mu, alpha = 0.3, 0.6
    crease = wedge(0.0, alpha, friction=mu, end=0.5)
    simulated, _ = wedge_ratio(crease, blend, 1e-5, beta, -0.5)
    assert simulated**2 == pytest.approx(exp(-2 * mu * alpha * cos(beta)), abs=1e-5)
    jumped = across(sharp(crease, Law.REGULARISED), start(crease, -0.5, 0.0, 1.0, beta))
    assert speed_ratio(jumped) == pytest.approx(limit_ratio(mu, alpha, beta), rel=1e-9)


def test_interpolating_spline_has_another_limit():
    """Its overshoot does not vanish with nu, so friction sees more turning than alpha."""
    crease = wedge(0.0, 0.6, friction=0.3, end=0.5)
    ratios = [wedge_ratio(crease, Blend.INTERPOLATING, nu, 0.0, -0.5) for nu in (1e-3, 1e-4)]
    assert ratios[0][0] == pytest.approx(ratios[1][0], abs=1e-5)
    assert ratios[1][0] == pytest.approx(ratios[1][1], abs=1e-5)
    assert ratios[1][0] < 0.72 < 0.83 < limit_ratio(0.3, 0.6, 0.0)


@pytest.mark.parametrize("blend", [Blend.SPLINE, Blend.PENETRATION])
@pytest.mark.parametrize("mu", [0.0, 0.3])
def test_jump_is_the_limit_of_smoothed_motions(blend, mu):
    bowl = replace(BOWL, friction=mu)
    begin = start(bowl, -0.6, 0.1, 1.0, 0.5)
    jumped = across(sharp(bowl, Law.REGULARISED), begin)
    errors = [abs(across(smoothed(bowl, blend, nu), begin).x[-1] - jumped.x[-1]).max() for nu in (1e-3, 1e-4)]
    assert errors[1] < 2e-5
    assert errors[0] / errors[1] == pytest.approx(10.0, rel=0.05)


def test_plastic_motion_keeps_both_constraints_of_its_path():
    """Energy falls at the ridge only, by the part of the motion in the plane of the normals."""
    bowl = replace(BOWL, gravity=0.0)
    run = across(sharp(bowl, Law.PLASTIC), start(bowl, -0.6, 0.1, 1.0, 0.5))
    p = run.problem.parameters
    speeds = np.array([speed(p, run.mode[i, 0], run.x[i]) for i in range(run.t.size)])
    at = int(np.flatnonzero(np.diff(run.mode[:, 0]))[0])
    assert speeds[: at + 1] == pytest.approx(np.ones(at + 1), abs=1e-8)
    assert speeds[at + 1 :] == pytest.approx(np.full(speeds.size - at - 1, speeds[at + 1]), abs=1e-8)
    assert speeds[at + 1] < 0.95


@pytest.mark.parametrize(
    ("make", "field"),
    [
        (lambda: Crease(Sheet(), Sheet(1.0), friction=-0.1), "friction"),
        (lambda: Crease(Sheet(1.0), Sheet(1.0)), "second"),
        (lambda: wedge(0.5, 0.2), "angles"),
        (lambda: smoothed(BOWL, Blend.SPLINE, 0.0), "nu"),
        (lambda: sharp(BOWL, Law.POLAR_CONE, 1.5), "share"),
    ],
)
def test_bad_input_is_named(make, field):
    with pytest.raises(InputError, match=f"^{field}:"):
        make()
