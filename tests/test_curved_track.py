"""A wagon through curves, over crests and irregular rails: balances of forces that hold whatever the motion is.

Means over a long window of a bounded motion have no accelerations left, so the rails carry what gravity and
the curve ask for, hunting or not.
"""

from functools import cache

import numpy as np
import pytest

import klingel as kg
from klingel.track.alignment import Alignment, Stage
from klingel.track.irregularity import Samples, Shift
from klingel.track.track import Frame

G, CARBODY, WHEELSET, SPIN_INERTIA = 9.81, 15176.0, 1490.0, 90.0
MASS = CARBODY + 2 * WHEELSET
SIDES = ("front_wheelset", "rear_wheelset")


@cache
def wagon():
    return kg.load_vehicle("hbbills311", links="PTP", load="empty")


@cache
def long_curve(speed, radius=1000.0, frame=Frame.TILTED):
    track = kg.Track.curve(radius, cant=0.150, transition=100.0, length=np.inf, lead_in=20.0, frame=frame)
    return kg.simulate(wagon(), track, speed, 140.0 / speed + 10.0, output_step=0.002)


def mean(values, run, window=8.0):
    rows = run.time > run.time[-1] - window
    return float(np.mean(np.asarray(values)[rows]))


def rails(run, kind, window=8.0):
    return {w: mean(run[f"{w}.{kind}"], run, window) for w in run.names["wheels"]}


def accelerations(speed, curvature=1e-3, tilt=-0.1):
    """What the rails must give per mass, in the track plane and perpendicular to it [m/s2]."""
    across = speed**2 * curvature
    return (
        across * np.cos(tilt) + G * np.sin(tilt),
        G * np.cos(tilt) - across * np.sin(tilt),
    )


@pytest.mark.slow
@pytest.mark.parametrize("speed", [20.0, 30.0, 38.0])
def test_rails_carry_weight_and_curve(speed):
    """Sums of Y and Q; moment about the centre of the track, in which the gyroscopic couple is some per cent."""
    run = long_curve(speed)
    assert run.status == "done"
    across, up = accelerations(speed)
    assert sum(rails(run, "Y").values()) == pytest.approx(MASS * across, abs=2e-3 * MASS * G)
    assert sum(rails(run, "Q").values()) == pytest.approx(MASS * up, rel=1e-4)
    moment = sum(mean(run[f"{w}.Q"] * _contact_y(run, w), run) for w in run.names["wheels"])
    chord = 5.0**2 / 2e3  # the frame of the carbody lies this far outside the line between the wheelsets
    lever = _lever(run, "carbody", CARBODY, 32675.0, 1.57, chord, across, up)
    lever += sum(_lever(run, side, WHEELSET, 988.0, 0.46, 0.0, across, up) for side in SIDES)
    gyroscopic = 2 * SPIN_INERTIA * speed / 0.46 * speed * 1e-3
    # the two ends of a link stand apart by its deformation, so its forces leave a couple; the length of a pendulum
    # would take it up, which the model, like its source, does not have
    links = sum(_couple(run, f"{end}_{side}") for end in ("front", "rear") for side in ("left", "right"))
    # left out: contact points some millimetres below the rail tops, times Y
    assert moment == pytest.approx(lever - gyroscopic - links, abs=0.1 * gyroscopic)


def _lever(run, body, mass, inertia, height, outside, across, up):
    """Moment about the track that the rails must give for one body, what is left of its accelerations included."""
    lateral, vertical = across + run[f"{body}.y_ddot"], up + run[f"{body}.z_ddot"]
    moment = mass * (vertical * (run[f"{body}.y"] - outside) - (height + run[f"{body}.z"]) * lateral)
    return mean(moment + inertia * run[f"{body}.roll_ddot"], run)


def _couple(run, corner):
    across = run[f"{corner}.link_y.force"] + run[f"{corner}.guide_y.force"]
    couple = run[f"{corner}.link_y.deformation"] * run[f"{corner}.leaf.force"]
    return mean(couple - run[f"{corner}.leaf.deformation"] * across, run)


def _contact_y(run, wheel):
    """Where the load acts, weighted over the two contacts of an overlap."""
    load, moment = 0.0, 0.0
    for contact in (wheel, f"{wheel}.second"):
        angle = run[f"{contact}.contact_angle"]
        part = run[f"{contact}.normal_force"] * np.cos(angle) + run[f"{contact}.creep_y"] * np.sin(angle)
        load = load + part.fillna(0.0)
        moment = moment + (part * run[f"{contact}.rail_y"]).fillna(0.0)
    return moment / np.maximum(load, 1.0)


@pytest.mark.slow
def test_cant_balances_the_curve_at_the_balance_speed():
    """31.3 m/s for 1000 m and 150 mm: the suspension does not feel the curve."""
    track = kg.Track.curve(1000.0, cant=0.150)
    speed = track.balance_speed(300.0)
    assert speed == pytest.approx(31.3, abs=0.05)
    assert abs(accelerations(speed)[0]) < 4e-3  # the cube of the cant angle
    balanced, slow = long_curve(31.32), long_curve(20.0)
    assert abs(mean(balanced["carbody.roll"], balanced)) < 1e-3
    assert mean(slow["carbody.roll"], slow) < -2e-3  # leans to the inside of the curve
    lean = _lean(balanced), _lean(slow)
    assert abs(lean[0]) < 0.15 * abs(lean[1])
    # the carbody cuts the curve by the chord of the wheelsets, less what they are shifted outwards
    inside = mean(balanced["carbody.y"], balanced) - 0.5 * sum(mean(balanced[f"{s}.y"], balanced) for s in SIDES)
    assert inside == pytest.approx(12.5e-3, abs=2e-3)


def _lean(run):
    """Difference of the compressions of left and right leaf springs [m]."""
    left, right = (
        sum(mean(run[f"{end}_{side}.leaf.compression"], run) for end in ("front", "rear")) / 2
        for side in ("left", "right")
    )
    return left - right


@pytest.mark.slow
def test_untilted_frame_carries_the_same_forces_in_space():
    """Horizontal and vertical sums; here the links carry all of the lateral force."""
    run = long_curve(25.0, frame=Frame.UNTILTED)
    assert sum(rails(run, "Y").values()) == pytest.approx(MASS * 25.0**2 / 1e3, rel=2e-2)
    assert sum(rails(run, "Q").values()) == pytest.approx(MASS * G, rel=1e-3)
    assert mean(run["front_wheelset.roll"], run) == pytest.approx(-0.1, abs=5e-3)


def test_crest_and_dip_change_the_load():
    """V^2 / R per mass, lighter over a crest."""
    for sign in (1.0, -1.0):
        bend = sign / 2000.0
        stages = (
            Stage(20.0, vertical_curvature=(0.0, bend)),
            Stage(80.0, vertical_curvature=(bend, bend)),
            Stage(1.0),
        )
        track = kg.Track(Alignment(stages, start=10.0))
        run = kg.simulate(wagon(), track, 20.0, 4.9, output_step=0.002)
        rows = (run["distance"] > 60.0) & (run["distance"] < 100.0)
        load = sum(run[f"{w}.Q"] for w in run.names["wheels"])[rows].mean()
        slope = bend * (run["distance"][rows] - 20.0)
        assert float(load) == pytest.approx(MASS * (G * float(np.cos(slope).mean()) - 400.0 * bend), rel=3e-3)


def test_left_and_right_curves_mirror():
    left, right = (
        kg.simulate(wagon(), kg.Track.curve(r, cant=0.150, lead_in=10.0), 20.0, 0.8, rtol=1e-8, atol=1e-10)
        for r in (1000.0, -1000.0)
    )
    assert np.abs(left["carbody.roll"]).max() > 1e-4
    for name in ("front_wheelset.y", "carbody.roll", "carbody.y"):
        np.testing.assert_allclose(right[name], -left[name], rtol=0, atol=1e-9)
    np.testing.assert_allclose(right["carbody.z"], left["carbody.z"], rtol=0, atol=1e-9)


def test_corners_are_known_instants():
    run = kg.simulate(
        wagon(), kg.Track.curve(1000.0, cant=0.150, transition=20.0, length=10.0, lead_in=10.0), 20.0, 4.0
    )
    found = run.corners
    assert list(found["enters"][found["body"] == "carbody"]) == ["transition", "curve", "transition", "straight"]
    np.testing.assert_allclose(found["time"][found["body"] == "carbody"], [0.5, 1.5, 2.0, 3.0])
    assert found["time"].is_monotonic_increasing
    assert float(run["front_wheelset.cant"].max()) == pytest.approx(0.150, abs=1e-3)
    assert float(run["rear_wheelset.curvature"].max()) == pytest.approx(1e-3, rel=1e-2)


def test_a_run_goes_on_inside_the_curve():
    track = kg.Track.curve(1000.0, cant=0.150, transition=20.0, lead_in=10.0)
    whole = kg.simulate(wagon(), track, 20.0, 1.2)
    first = kg.simulate(wagon(), track, 20.0, 0.9)
    second = kg.simulate(wagon(), track, 20.0, 0.3, first)
    assert second.options["distance"] == pytest.approx(18.0)
    np.testing.assert_allclose(second["front_wheelset.y"], whole["front_wheelset.y"][90:], rtol=0, atol=5e-6)


def test_wagon_follows_a_lateral_shift_of_the_track():
    """Figure 5.43: 8 mm to the side after 20 m, and the wagon runs on in the middle of the shifted track."""
    run = kg.simulate(wagon(), kg.Track.straight(irregularity=(Shift(0.008, at=20.0),)), 10.0, 10.0)
    for body in SIDES:
        assert np.abs(run[f"{body}.y"][run["distance"] < 14.0]).max() < 1e-9
        assert mean(run[f"{body}.y"], run, 2.0) == pytest.approx(8e-3, abs=1e-3)
        assert float(run[f"{body}.track_lateral"][-1]) == pytest.approx(8e-3)
    assert mean(run["carbody.y"], run, 2.0) == pytest.approx(8e-3, abs=3e-3)


def test_long_waves_are_followed():
    """Every channel a slow wave: wheelsets go with the rails, at the rate of the rails."""
    s = np.arange(0.0, 401.0, 2.0)
    wave = 5e-3 * np.sin(2 * np.pi * s / 200.0) ** 2
    rough = Samples(2.0, 20.0, tuple(wave), tuple(wave), tuple(wave))
    run = kg.simulate(wagon(), kg.Track.straight(irregularity=(rough,)), 10.0, 30.0)
    for body in SIDES:
        vertical = run[f"{body}.z"] - run[f"{body}.track_vertical"]
        assert np.abs(vertical - vertical[0]).max() < 1e-4
        roll = run[f"{body}.roll"] + run[f"{body}.track_cross_level"] / 1.5
        assert np.abs(roll).max() < 2e-4
        # the rails roll about the centre of the track, which moves the centre of the wheelset
        across = run[f"{body}.y"] - run[f"{body}.track_lateral"] - 0.46 * run[f"{body}.track_cross_level"] / 1.5
        assert np.abs(across).max() < 1e-3
    assert float(run["front_wheelset.track_lateral"].max()) > 4e-3


@pytest.mark.slow
@pytest.mark.parametrize("rtol", [1e-4, 1e-5, 1e-6])
def test_hard_braking_through_a_curve(rtol):
    """Axle boxes hit and press their guides while the frames turn against each other; none goes through."""
    track = kg.Track.curve(600.0, cant=0.100, transition=30.0, length=20.0, lead_in=10.0)
    run = kg.simulate(wagon(), track, 30.0, 4.0, acceleration=-5.0, rtol=rtol)
    assert run.status == "done"
    gaps = [
        run[f"{corner}.guide_x.deformation"] for corner in ("front_left", "front_right", "rear_left", "rear_right")
    ]
    assert max(float(gap.max()) for gap in gaps) == pytest.approx(0.0225, abs=1e-6)
    assert (run.events["new"] == "RESTING").any()
    assert run.stats.accepted < 40_000  # sliders across a contact that rests neither stick nor slip at every step


@cache
def from_within(speed):
    """The same endless curve as `long_curve`, entered in its middle."""
    track = kg.Track.curve(1000.0, cant=0.150, transition=100.0, length=np.inf, lead_in=20.0)
    return kg.simulate(wagon(), track, speed, 10.0, output_step=0.002, distance=200.0)


def test_a_start_in_a_curve_is_quasi_static():
    """At the balance speed nothing moves at first, and the rails carry weight and curve from the first row on."""
    run = from_within(31.32)
    first = {name: float(run[f"{name}_ddot"][0]) for name in ("carbody.y", "carbody.roll", "front_wheelset.y")}
    assert max(map(abs, first.values())) < 1e-6
    across, up = accelerations(31.32)
    assert sum(float(run[f"{w}.Q"][0]) for w in run.names["wheels"]) == pytest.approx(MASS * up, rel=1e-5)
    assert sum(float(run[f"{w}.Y"][0]) for w in run.names["wheels"]) == pytest.approx(
        MASS * across, abs=1e-3 * MASS * G
    )


@pytest.mark.slow
@pytest.mark.parametrize("speed", [20.0, 31.32])
def test_started_inside_a_curve_or_coming_from_straight_track(speed):
    """The start is a rest position, and stays one; the run from straight track moves about it.

    Friction makes rest positions a set and lets single wheels carry some per cent more or less; both rails
    together, and what remains of the sway with a millimetre to both sides, must agree.
    """
    inside, through = from_within(speed), long_curve(speed)
    assert inside.status == "done"
    assert float(inside["front_wheelset.curvature"][0]) == pytest.approx(1e-3)
    loads, expected = rails(inside, "Q", 4.0), rails(through, "Q", 4.0)
    for side in ("left", "right"):
        both = [f"{wheelset}.{side}" for wheelset in SIDES]
        assert sum(loads[w] for w in both) == pytest.approx(sum(expected[w] for w in both), rel=0.01)
    for name in ("carbody.y", "front_wheelset.y", "rear_wheelset.y", "carbody.roll"):
        still, moving = inside[name].to_numpy(), through[name].to_numpy()[through.time > through.time[-1] - 4.0]
        assert np.ptp(still) < 1e-6
        assert moving.min() - 1e-3 < still[-1] < moving.max() + 1e-3


@pytest.mark.parametrize("distance", [15.0, 70.0, 121.0])
@pytest.mark.parametrize("frame", list(Frame))
def test_a_start_in_a_transition_is_gentle(distance, frame):
    """Half in the transition, inside it, half in the arc: no wheel is unloaded by a badly placed start."""
    track = kg.Track.curve(1000.0, cant=0.150, transition=100.0, lead_in=20.0, frame=frame)
    run = kg.simulate(wagon(), track, 25.0, 0.3, output_step=0.002, distance=distance)
    assert run.status == "done"
    for wheel in run.names["wheels"]:
        assert float(run[f"{wheel}.Q"].min()) > 0.5 * MASS * G / 4
