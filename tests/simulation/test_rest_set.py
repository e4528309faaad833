"""Rest as a set: closed form of a suspended body, extremes of a wagon that stay, and slip when pushed out."""

import numpy as np
import pytest

import klingel as kg
from klingel._errors import InputError
from klingel.io.vehicle.files import load_vehicle, parse_vehicle
from klingel.simulation.integration import Start, bare_run
from klingel.simulation.request.parts import Solving
from klingel.simulation.resting.rest_set import rest_set
from klingel.simulation.setup import put_on_track
from klingel.track.track import Track

SPEED = 6.0  # below the linear critical speeds of the wagon [m/s]
STAYS = 5e-6  # [m, rad]
HUNG = """
name = "hung"
[bodies.frame]
mass = "3000 kg"
inertia = ["2000 kg m2", "2000 kg m2", "2000 kg m2"]
position = ["0 m", "0 m", "1 m"]
free = ["y"]
[connections.side]
inner = "track"
outer = "frame"
point = ["0 m", "0 m", "1 m"]
[elements.side.spring]
law = "spring"
direction = "y"
stiffness = "200 kN/m"
"""
SLIDER = """
[elements.side.slider_{n}]
law = "dry_friction"
direction = "y"
stiffness = "{stiffness} N/m"
limit = "{limit} N"
"""


def hung(*limits: float):
    """A frame beside a wheelset that has nothing to do with it."""
    wheelset = load_vehicle("single_wheelset")
    text = HUNG + "".join(SLIDER.format(n=n, stiffness=9e5 + n, limit=limit) for n, limit in enumerate(limits))
    cone = wheelset.conical_wheelsets[0].cone
    fields = "".join(f"{name} = {value!r}\n" for name, value in vars(cone).items())
    body = wheelset.bodies[0]
    text += f"""
[bodies.roller]
mass = "1000 kg"
inertia = ["700 kg m2", "700 kg m2", "700 kg m2"]
position = ["5 m", "0 m", "{body.position[2]} m"]
free = ["y", "yaw"]
[connections.guide]
inner = "track"
outer = "roller"
point = ["5 m", "0 m", "{body.position[2]} m"]
[elements.guide.y]
law = "spring"
direction = "y"
stiffness = "3 MN/m"
[elements.guide.yaw]
law = "spring"
direction = "yaw"
stiffness = "3 MNm/rad"
[conical_wheelsets.roller]
{fields}"""
    return parse_vehicle(text, "hung.toml")


def test_one_slider():
    found = rest_set(hung(800.0))
    assert found["frame.y"] == (pytest.approx(-4e-3, rel=1e-6), pytest.approx(4e-3, rel=1e-6))
    assert found["roller.y"] == (pytest.approx(0.0, abs=1e-12), pytest.approx(0.0, abs=1e-12))


def test_two_sliders_in_parallel():
    found = rest_set(hung(800.0, 300.0), coordinates=["frame.y"])
    assert found["frame.y"] == (pytest.approx(-5.5e-3, rel=1e-6), pytest.approx(5.5e-3, rel=1e-6))
    assert found.left < 1e-8


def test_speed_does_not_matter():
    slow, fast = (rest_set(hung(800.0), speed=v, coordinates=["frame.y"])["frame.y"] for v in (2.0, 40.0))
    assert slow == pytest.approx(fast, rel=1e-9)


def run_from(wagon, state: Start, duration: float):
    compiled = put_on_track(wagon, Track.straight(), SPEED)
    return compiled, bare_run(compiled, state, duration, Solving("dopri54", 1e-6), 0.1)


@pytest.fixture(scope="module")
def wagon_sets():
    """Limits of all friction a thousandth less, and a thousandth more."""
    wagon = load_vehicle("hbbills311")
    return wagon, *(rest_set(wagon, speed=SPEED, limits=1.0 + part) for part in (-1e-3, 1e-3))


@pytest.mark.slow
def test_every_extreme_of_a_wagon_stays_when_drawn_in_and_slips_when_pushed_out(wagon_sets):
    wagon, inside, outside = wagon_sets
    assert len(inside.extent) == 15
    for name in inside.extent:
        for side in ("low", "high"):
            begin = getattr(inside, side)[name]
            compiled, run = run_from(wagon, begin, 20.0)
            positions = [compiled.layout.state(n) for n in inside.extent]
            assert np.abs(run.x[:, positions] - begin.x[positions]).max() < STAYS, (name, side)
            compiled, run = run_from(wagon, getattr(outside, side)[name], 0.5)
            friction = [k for k, mode in enumerate(compiled.layout.modes) if "slider" in mode or "leaf" in mode]
            slips = (run.mode[:, friction] != run.mode[0, friction]).any() or run.mode[0, friction].any()
            assert slips, (name, side)


@pytest.mark.slow
def test_most_extremes_are_final(wagon_sets):
    _, inside, _ = wagon_sets
    assert sum(end for pair in inside.final.values() for end in pair) >= 24  # of 30
    assert inside.left < 1e-7


@pytest.mark.slow
def test_a_mirrored_wagon_rests_as_far_to_both_sides():
    wagon = load_vehicle("hbbills311")
    found = rest_set(wagon, coordinates=["front_wheelset.y", "carbody.y"])
    for name, (low, high) in found.extent.items():
        assert low == pytest.approx(-high, rel=1e-3), name
    # beside its wheelsets the carbody rests where pendulum and bracket together pull as much as the slider holds
    laws = {e.name.rpartition(".")[2]: e.law for e in wagon.elements if e.name.startswith("front_left.link_y")}
    pendulum, slider, bracket = laws["pendulum"], laws["slider_1"], laws["bracket"]
    pulls = pendulum.stiffness + bracket.stiffness
    beside = (slider.limit + bracket.stiffness * bracket.gap_high) / pulls
    compiled = put_on_track(wagon, Track.straight(), SPEED)
    x = found.high["carbody.y"].x
    bodies = ("carbody", "front_wheelset", "rear_wheelset")
    carbody, front, rear = (x[compiled.layout.state(f"{body}.y")] for body in bodies)
    assert carbody - 0.5 * (front + rear) == pytest.approx(beside, rel=5e-3)


def test_refused():
    with pytest.raises(InputError, match="coordinates"):
        rest_set(hung(800.0), coordinates=["frame.x"])
    with pytest.raises(InputError, match="track"):
        rest_set(hung(800.0), kg.Track.curve(radius=500.0))
    with pytest.raises(InputError, match="limits"):
        rest_set(hung(800.0), limits=-1.0)
