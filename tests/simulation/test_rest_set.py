"""Rest as a set: closed form of a suspended body, extremes of a wagon that stay, and slip when pushed out."""

import json

import numpy as np
import pytest

import klingel as kg
from klingel._errors import InputError
from klingel.io.vehicle.files import load_vehicle, parse_vehicle
from klingel.model.linearise import linearise
from klingel.model.standing.equilibrium import Rest
from klingel.simulation.integration import Start, bare_run
from klingel.simulation.linear_critical_speed import least_damped_of
from klingel.simulation.request.parts import Solving
from klingel.simulation.resting.parts import Part
from klingel.simulation.resting.rest_set import StoredRestSet, rest_set
from klingel.simulation.setup import put_on_track
from klingel.track.track import Track

GRAVITY = 9.81  # [m/s2]
SPEED = 3.0  # [m/s]
FASTER = 6.0  # below the linear critical speeds of rest in the middle, not of all rest beside it [m/s]
STAYS, SAME = 5e-5, 1e-9  # [m, rad]
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
    sliders = (SLIDER.format(n=n, stiffness=9e5 + n, limit=limit) for n, limit in enumerate(limits))
    return beside_a_wheelset(HUNG + "".join(sliders))


def beside_a_wheelset(text: str):
    """A frame beside a wheelset that has nothing to do with it."""
    wheelset = load_vehicle("single_wheelset")
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


def run_from(wagon, state: Start, duration: float, speed: float = SPEED):
    compiled = put_on_track(wagon, Track.straight(), speed)
    return compiled, bare_run(compiled, state, duration, Solving("dopri54", 1e-6), 0.1)


@pytest.fixture(scope="module")
def wagon_sets():
    """Limits of all sliders a thousandth less, and a thousandth more."""
    wagon = load_vehicle("hbbills311")
    return wagon, *(rest_set(wagon, speed=SPEED, limits=1.0 + p, leaf_friction=False) for p in (-1e-3, 1e-3))


@pytest.mark.slow
def test_extremes_of_a_wagon_stay_when_drawn_in_and_slip_when_pushed_out(wagon_sets):
    """Both of every coordinate."""
    wagon, inside, outside = wagon_sets
    assert len(inside.extent) == 15
    for name in inside.extent:
        for place, side in enumerate(("low", "high")):
            begin = getattr(inside, side)[name]
            compiled, run = run_from(wagon, begin, 20.0)
            positions = [compiled.layout.state(n) for n in inside.extent]
            moved = np.abs(run.x[:, positions] - begin.x[positions]).max()
            assert moved < STAYS, (name, side)
            if abs(outside[name][place] - inside[name][place]) < SAME:
                continue  # an extreme that contact decides, not friction
            compiled, run = run_from(wagon, getattr(outside, side)[name], 0.5)
            sliders = [k for k, mode in enumerate(compiled.layout.modes) if "slider" in mode]
            slips = (run.mode[:, sliders] != run.mode[0, sliders]).any() or run.mode[0, sliders].any()
            assert slips, (name, side)


@pytest.mark.slow
def test_extremes_that_leave_at_a_higher_speed_are_unstable_there(wagon_sets):
    """The set does not depend on the speed, its stable part does: each extreme has eigenvalues of its own.

    At 6 m/s rest in the middle is stable. Beside it some extremes are not, and only those leave: an oscillation
    near 1.9 Hz that begins at rounding and grows as the eigenvalue says, until sliders slip.
    """
    wagon, inside, _ = wagon_sets
    names = ("front_wheelset.yaw", "rear_wheelset.y", "rear_wheelset.roll", "rear_wheelset.yaw", "carbody.y")
    growing = 0
    for name in names:
        for state in (inside.low[name], inside.high[name]):
            compiled, run = run_from(wagon, state, 20.0, FASTER)
            rest = Rest(state.x, state.memory, state.mode, 0.0)
            value, growth = least_damped_of(linearise(compiled, rest).vibrations())
            positions = [compiled.layout.state(n) for n in inside.extent]
            moved = np.abs(run.x[:, positions] - state.x[positions]).max(axis=1)
            if growth < 0.1:  # e^2 in 20 s
                assert moved.max() < STAYS, name
                continue
            growing += 1
            assert 1.5 < abs(value.imag) / (2.0 * np.pi) < 2.1, name
            grown = 2.0 * np.pi / abs(value.imag)  # one period: from top to top
            tops = [moved[(run.t >= t) & (run.t < t + grown)].max() for t in np.arange(0.0, 20.0 - grown, grown)]
            small = np.flatnonzero((np.array(tops) > 1e-7) & (np.array(tops) < 5e-6))
            rates = np.diff(np.log(np.array(tops)[small])) / grown
            assert rates.size == 0 or np.median(rates) < 1.3 * value.real, name
    assert growing >= 4


@pytest.mark.slow
def test_growth_beside_an_extreme_is_that_of_its_eigenvalue(wagon_sets):
    """A start beside it in the direction of the growing oscillation, against exp(A t)."""
    wagon, inside, _ = wagon_sets
    state = inside.high["front_wheelset.yaw"]
    compiled = put_on_track(wagon, Track.straight(), FASTER)
    found = linearise(compiled, Rest(state.x, state.memory, state.mode, 0.0))
    values, shapes, _ = found.vibrations()
    k = int(np.argmax(values.real))
    shape = shapes[:, k] / np.abs(shapes[: found.positions, k]).max()
    begin = Start(state.x + 2e-7 * np.real(shape), state.memory, state.mode)
    _, run = run_from(wagon, begin, 2.0, FASTER)
    expected = 2e-7 * np.real(shape * np.exp(values[k] * run.t[-1]))
    at = compiled.layout.state("front_wheelset.y")
    assert values[k].real == pytest.approx(0.875, rel=0.05)
    size = 2e-7 * np.exp(values[k].real * run.t[-1])
    assert run.x[-1][at] - state.x[at] == pytest.approx(expected[at], abs=0.05 * size)


@pytest.mark.slow
def test_most_extremes_are_final(wagon_sets):
    _, inside, _ = wagon_sets
    assert sum(end for pair in inside.final.values() for end in pair) >= 27  # of 30
    assert inside.left < 1e-7


@pytest.mark.slow
def test_a_mirrored_wagon_rests_as_far_to_both_sides():
    wagon = load_vehicle("hbbills311")
    found = rest_set(wagon, coordinates=["front_wheelset.y", "carbody.y"], leaf_friction=False)
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


FACES = """
name = "leaning"
[bodies.frame]
mass = "3000 kg"
inertia = ["2000 kg m2", "2000 kg m2", "2000 kg m2"]
position = ["0 m", "0 m", "1 m"]
free = ["y", "z"]
[connections.side]
inner = "frame"
outer = "track"
point = ["0 m", "0 m", "1 m"]
[elements.side.y]
law = "spring"
direction = "y"
stiffness = "200 kN/m"
[elements.side.z]
law = "spring"
direction = "z"
stiffness = "1 MN/m"
[elements.side.face]
law = "{law}"
direction = "y"
{stiffness}
limit = "100 N"
friction = 0.05
static_ratio = 1.2
load = "side.z"
"""


@pytest.mark.parametrize("law", ["elastic_friction", "rigid_friction"])
def test_a_face_whose_limit_follows_its_load(law):
    """A frame on a spring that presses a face with its weight: k y = static_ratio (T + mu N)."""
    stiffness = 'stiffness = "5 MN/m"' if law == "elastic_friction" else ""
    found = rest_set(beside_a_wheelset(FACES.format(law=law, stiffness=stiffness)), coordinates=["frame.y"])
    most = 1.2 * (100.0 + 0.05 * 3000.0 * GRAVITY) / 2e5
    assert found["frame.y"] == (pytest.approx(-most, rel=1e-4), pytest.approx(most, rel=1e-4))
    assert found.final["frame.y"] == (True, True)


def test_leaf_springs_between_their_envelopes():
    """The carbody rests from where the upper envelope carries it to where the lower one does."""
    wagon = load_vehicle("hbbills311")
    low, high = rest_set(wagon, coordinates=["carbody.z"])["carbody.z"]
    law = next(e.law for e in wagon.elements if e.name == "front_left.leaf")
    weight = GRAVITY * next(b.mass for b in wagon.bodies if b.name == "carbody") / 4.0

    def compression(carried: float) -> float:
        """Of the line c_h z, and c_z (z - z*) above the second leaf."""
        corner = law.stiffness * law.second_leaf
        if carried <= corner:
            return carried / law.stiffness
        return law.second_leaf + (carried - corner) / law.stiffness_second

    least = compression((weight - law.residual) / (1.0 + law.friction))
    most = compression((weight + law.residual) / (1.0 - law.friction))
    assert high - low == pytest.approx(most - least, rel=2e-3)


def test_stored_and_read_again(tmp_path):
    found = rest_set(hung(800.0), coordinates=["frame.y"])
    again = kg.load_rest_set(found.save(tmp_path / "rest.json"))
    assert again["frame.y"] == found["frame.y"]
    assert again.final == found.final
    assert again.left == found.left
    (tmp_path / "other.json").write_text("{}")
    with pytest.raises(InputError, match="rest set"):
        kg.load_rest_set(tmp_path / "other.json")


def test_parts_and_ends_that_nothing_holds_are_stored(tmp_path):
    """As null: JSON knows no infinity."""
    part = Part({"front.y": (-np.inf, 2e-3)})
    given = StoredRestSet(
        vehicle="any",
        extent={"frame.y": (-np.inf, np.inf)},
        final={"frame.y": (True, True)},
        left=0.0,
        parts=(part,),
    )
    path = given.save(tmp_path / "rest.json")
    text = path.read_text(encoding="utf-8")
    assert "Infinity" not in text
    assert json.loads(text)["parts"] == [{"front.y": [None, 2e-3]}]
    again = kg.load_rest_set(path)
    assert again == given
    other = StoredRestSet(vehicle="any", extent={"frame.z": (0.0, 1e-3)}, final={}, left=1e-9)
    assert set(again.with_(other).extent) == {"frame.y", "frame.z"}


def test_cones_have_one_part():
    assert rest_set(hung(800.0), coordinates=["frame.y"], parts=True).parts == ()


def test_refused():
    with pytest.raises(InputError, match="coordinates"):
        rest_set(hung(800.0), coordinates=["frame.x"])
    with pytest.raises(InputError, match="track"):
        rest_set(hung(800.0), kg.Track.curve(radius=500.0))
    with pytest.raises(InputError, match="limits"):
        rest_set(hung(800.0), limits=-1.0)
