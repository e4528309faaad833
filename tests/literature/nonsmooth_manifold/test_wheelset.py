"""The wheelset across ridges: statics, symmetry, energy, jumps as limits of smoothings, lasting double contact."""

from dataclasses import replace

import numpy as np
import pytest

from klingel._errors import InputError
from klingel.contact.geometry.placement import RailPair, WheelPair
from klingel.contact.geometry.wheelset_on_track import WheelsetOnTrack
from klingel.contact.profiles.s1002 import s1002
from klingel.contact.profiles.uic60 import uic60
from klingel.literature.nonsmooth_manifold.jump_laws import Law
from klingel.literature.nonsmooth_manifold.lift import attitude
from klingel.literature.nonsmooth_manifold.wheelset import Wheelset, describe, wheelset_problem
from klingel.literature.nonsmooth_manifold.wheelset_contact import Point, WheelMode, pair_mode
from klingel.literature.nonsmooth_manifold.wheelset_forces import P, creep, sliding
from klingel.literature.nonsmooth_manifold.wheelset_kernels import Column, describe_state
from klingel.numerics.integrate import integrate
from klingel.numerics.ode.workspace import Status

HUNTING = Wheelset(speed=80.0)
FRICTIONLESS = Wheelset(friction=1e-9)  # only gravity, springs and constraints
CROSSING = [0.0045, 0.002, 0.3, 0.0]  # runs over the ridge between inner tread and flange root


def one_row(problem, state):
    out = np.empty(len(Column))
    describe_state(problem.parameters, np.array(state, float), problem.memory, problem.mode, out)
    return out


def energy(wheelset, run):
    rows = describe(run)
    springs = wheelset.lateral_stiffness * run["y"] ** 2 + wheelset.yaw_stiffness * run["yaw"] ** 2
    height = rows[:, Column.HEIGHT] - rows[0, Column.HEIGHT]
    return rows[:, Column.ENERGY] + wheelset.axle_load * height + 0.5 * springs


@pytest.mark.parametrize("y", [-0.006, -0.003, 0.0, 0.002, 0.0055, 0.0063, 0.007])
def test_pose_agrees_with_the_contact_geometry(y):
    problem = wheelset_problem(HUNTING, y=y)
    geometry = WheelsetOnTrack(WheelPair(s1002(), radius=HUNTING.radius), RailPair(uic60(), inclination=1 / 40))
    row, contact = one_row(problem, [y, 0.0, 0.0, 0.0]), geometry.at([y])
    assert row[Column.ROLL] == pytest.approx(contact.roll[0], abs=1e-14)
    assert row[Column.HEIGHT] == pytest.approx(contact.height[0], abs=1e-14)


def test_wheels_carry_the_axle_load():
    row = one_row(wheelset_problem(HUNTING), [0.0, 0.0, 0.0, 0.0])
    assert row[[Column.LEFT_FORCE, Column.RIGHT_FORCE]] == pytest.approx([66.6e3, 66.6e3], rel=1e-12)


@pytest.mark.parametrize(
    "state", [(0.002, 0.003, 0.1, -0.2), (-0.0055, -0.01, 0.2, 0.1), (0.0066, 0.001, 0.02, 0.0)]
)
def test_contact_points_slide_along_the_rails(state):
    """The constraint keeps every contact point in its contact plane, spin and yaw included."""
    problem = wheelset_problem(HUNTING, y=state[0])
    row = one_row(problem, state)
    p = problem.parameters
    points = p[P.POINTS : P.ROWS].reshape(4, len(Point))
    q = attitude(state[0], row[Column.ROLL], state[1])
    v = np.array([state[2], row[Column.HEIGHT_DOT], row[Column.ROLL_DOT], state[3]])
    for point in points[::2]:
        side = point[Point.SIDE]
        place = point[Point.X], side * point[Point.Y], point[Point.Z], side * point[Point.SLOPE]
        assert sliding(p, q, v, *place)[2] == pytest.approx(0.0, abs=1e-12)


def test_creep_law():
    p = wheelset_problem(HUNTING).parameters
    along, across = creep(p, 1e-6, -2e-6, 66.6e3)
    assert along == pytest.approx(-HUNTING.creep_along * 1e-6 / 80.0, rel=1e-3)
    assert across == pytest.approx(HUNTING.creep_across * 2e-6 / 80.0, rel=1e-3)
    assert np.hypot(*creep(p, 3.0, 4.0, 66.6e3)) == pytest.approx(0.15 * 66.6e3)
    assert creep(p, 1.0, 1.0, -5.0) == (0.0, 0.0)


def test_mirrored_start_gives_the_mirrored_run():
    runs = [
        integrate(wheelset_problem(HUNTING, y=sign * 0.003), [sign * 0.003, sign * 0.001, 0.0, 0.0], 0.3)
        for sign in (1, -1)
    ]
    assert len(runs[0].events) == len(runs[1].events) > 10
    assert runs[0].x[-1] == pytest.approx(-runs[1].x[-1], abs=1e-11)
    names = [{(e.element.split()[0], e.old, e.new) for e in run.events} for run in runs]
    swapped = {"left": "right", "right": "left"}
    assert names[0] == {(swapped[side], old, new) for side, old, new in names[1]}


def test_energy_is_kept_by_the_regularised_law_and_lost_at_plastic_jumps_only():
    start = [0.0055, 0.002, 0.0, 0.0]
    elastic = integrate(wheelset_problem(FRICTIONLESS, y=0.0055), start, 0.5, rtol=1e-9, atol=1e-12)
    crossed = {(e.old, e.new) for e in elastic.events}
    assert {("ROOT", "INNER_TREAD"), ("INNER_TREAD", "ROOT"), ("INNER_TREAD", "OUTER_TREAD")} <= crossed
    assert np.ptp(energy(FRICTIONLESS, elastic)) < 3e-5  # of 40 J in motion
    plastic = integrate(wheelset_problem(FRICTIONLESS, Law.PLASTIC, y=0.0055), start, 0.5, rtol=1e-9, atol=1e-12)
    changes = np.diff(energy(FRICTIONLESS, plastic))
    jumps = np.any(np.diff(plastic.mode, axis=0) != 0, axis=1)
    assert changes[jumps].sum() < -1.0
    assert np.all(changes[jumps] <= 1e-9)
    assert abs(changes[~jumps]).sum() < 1e-4


def test_friction_on_the_configuration_space_takes_what_theorem_1_says():
    """One crossing with and without friction: T+ differs by exp(-2 mu alpha cos beta), the direction does not."""
    runs = [
        integrate(wheelset_problem(HUNTING, Law.REGULARISED, mu, y=0.0045), CROSSING, 0.002, rtol=1e-9, atol=1e-12)
        for mu in (0.0, 0.2, 0.4)
    ]
    ratios, directions = [], []
    for run in runs:
        at = int(np.flatnonzero(np.diff(run.mode[:, 0]))[0])
        rows = describe(run)[:, Column.ENERGY]
        ratios.append(rows[at + 1] / rows[at])
        directions.append(run["yaw_dot"][at + 1] / run["y_dot"][at + 1])
    assert ratios[0] == pytest.approx(1.0, abs=1e-12)
    assert ratios[1] < 0.95
    assert np.log(ratios[2]) == pytest.approx(2 * np.log(ratios[1]), rel=1e-9)
    assert directions[1:] == pytest.approx([directions[0]] * 2, rel=1e-9)


@pytest.mark.parametrize("law", [Law.REGULARISED, Law.PLASTIC])
def test_impulse_lies_in_the_polar_cone(law):
    """m dv = a n- + b n+ + c n_other with a, b >= 0; the plastic impulse acts on the new branch alone."""
    run = integrate(wheelset_problem(HUNTING, law, y=0.0045), CROSSING, 0.002, rtol=1e-9, atol=1e-12)
    at = int(np.flatnonzero(np.diff(run.mode[:, 0]))[0])
    p, normals, speeds = run.problem.parameters, [], []
    for i in (at, at + 1):
        out = np.empty(len(Column))
        describe_state(p, run.x[i], run.memory[i], run.mode[i], out)
        normals.append(p[P.ROWS : P.WORK].reshape(4, -1)[:2, :4].copy())
        speeds.append(np.array([run.x[i, 2], out[Column.HEIGHT_DOT], out[Column.ROLL_DOT], run.x[i, 3]]))
    mass = np.array([HUNTING.mass, HUNTING.mass, HUNTING.roll_inertia, HUNTING.yaw_inertia])
    columns = np.column_stack([normals[0][0], normals[1][0], normals[0][1]])
    (old, new, _), residual, _, _ = np.linalg.lstsq(columns, mass * (speeds[1] - speeds[0]), rcond=None)
    assert residual == pytest.approx([0.0], abs=1e-12)
    assert new > 1.0
    assert old > 1.0 if law == Law.REGULARISED else abs(old) < 1e-6


@pytest.mark.slow
def test_jump_is_the_limit_of_smoothed_motions():
    wheelset = Wheelset()

    def end(**options):
        run = integrate(wheelset_problem(wheelset, y=0.0045, **options), CROSSING, 0.004, rtol=1e-9, atol=1e-12)
        assert run.status == Status.DONE
        return run.x[-1]

    jumped, plastic = end(), end(law=Law.PLASTIC)
    errors = [np.abs(end(nu=nu) - jumped).max() for nu in (1e-8, 1e-9)]
    assert errors[1] < 1e-5
    assert errors[0] / errors[1] == pytest.approx(10.0, rel=0.1)
    assert np.abs(plastic - jumped).max() > 100 * errors[1]


@pytest.mark.slow
def test_bounces_across_a_ridge_end_in_double_contact():
    """Pressed by more than one section bears and less than the other, the wheelset comes to rest on both."""
    wheelset = replace(FRICTIONLESS, lateral_force=14e3, lateral_damping=5e4)
    run = integrate(wheelset_problem(wheelset, Law.PLASTIC, y=0.0045), [0.0045, 0.0, 0.0, 0.0], 0.5)
    assert run.mode[-1].tolist() == [WheelMode.ROOT_INNER, WheelMode.OUTER_TREAD]
    assert abs(run["y_dot"][-1]) < 1e-7
    last = describe(run)[-1]
    assert last[Column.LEFT_FORCE] + last[Column.RIGHT_FORCE] == pytest.approx(wheelset.axle_load, rel=1e-6)
    jump = WheelsetOnTrack(WheelPair(s1002(), radius=wheelset.radius), RailPair(uic60(), inclination=1 / 40))
    # the ridge as the contact geometry sees it: the contact point jumps there
    points = [jump.at([run["y"][-1] + d]).left.first.wheel_y[0] for d in (-1e-7, 1e-7)]
    assert points[0] - points[1] > 8e-3


@pytest.mark.slow
def test_hunting_runs_through_all_ridges():
    run = integrate(wheelset_problem(HUNTING, y=0.003), [0.003, 0.0, 0.0, 0.0], 0.5)
    assert run.status == Status.DONE
    assert {(e.old, e.new) for e in run.events} >= {
        ("OUTER_TREAD", "INNER_TREAD"),
        ("INNER_TREAD", "ROOT"),
        ("ROOT", "FLANGE"),
        ("FLANGE", "ROOT"),
    }
    assert 0.006 < np.abs(run["y"]).max() < 0.0068


def test_run_stops_when_a_wheel_lifts():
    run = integrate(wheelset_problem(replace(HUNTING, speed=100.0), y=0.003), [0.003, 0.0, 0.0, 0.0], 0.5)
    assert run.status == Status.STOPPED
    assert list(run.events)[-1].guard in ("left lifts", "right lifts")


def test_pairs_of_sections():
    for a in range(4):
        for b in range(4):
            if a != b:
                name = WheelMode(pair_mode(a, b)).name
                words = sorted((WheelMode(a).name.split("_")[0], WheelMode(b).name.split("_")[0]))
                assert sorted(name.split("_")) == words
    assert pair_mode(2, 2) == -1


@pytest.mark.parametrize(
    ("make", "field"),
    [
        (lambda: Wheelset(speed=0.0), "speed"),
        (lambda: Wheelset(lateral_damping=-1.0), "lateral_damping"),
        (lambda: Wheelset(inclination=0.2), "inclination"),
        (lambda: Wheelset(lateral_force=float("nan")), "lateral_force"),
        (lambda: wheelset_problem(HUNTING, nu=-1.0), "nu"),
        (lambda: wheelset_problem(HUNTING, Law.POLAR_CONE, 2.0), "number"),
        (lambda: wheelset_problem(HUNTING, y=0.1), "lateral shift"),
    ],
)
def test_bad_input_is_named(make, field):
    with pytest.raises(InputError, match=f"^{field}:"):
        make()
