"""Freight wagon on two Y25 bogies: its statics, its load-dependent faces, what a file must give."""

from math import tan

import numpy as np
import pytest

import klingel as kg
from klingel.elements.dead_band import Mode
from klingel.elements.elastic_friction import Mode as Slip
from klingel.io.toml_tables import FileError
from klingel.io.vehicle.files import library_text, load_vehicle, parse_vehicle
from klingel.model.standing.equilibrium import find_rest
from klingel.model.standing.statics import static_loads
from klingel.simulation.setup import put_on_track
from klingel.vehicles.values import value

CORNERS = [f"{b}_{a}_{s}" for b in ("leading", "trailing") for a in ("front", "rear") for s in ("left", "right")]


def test_it_says_that_it_is_no_literature_data():
    wagon = load_vehicle("y25_wagon")
    assert "development set" in wagon.meta["title"]
    assert any("development set" in source for source in wagon.sources.values())


def test_springs_carry_frame_and_half_the_body_less_the_side_bearers():
    found = static_loads(load_vehicle("y25_wagon")).found
    carried = 9.81 * (14e3 / 2 + 2050.0)
    for corner in CORNERS:
        assert found[f"{corner}.tare_z"] == pytest.approx(carried / 4, rel=1e-9)
    assert found["leading_pivot.spring_z"] == pytest.approx(9.81 * 7e3 - 2 * 12e3, rel=1e-9)


def test_lenoir_faces_follow_the_springs_of_their_own_box():
    """Two faces, one of two springs on an inclined link: T = 2 mu (F / 2) tan(angle)."""
    elements = {element.name: element for element in load_vehicle("y25_wagon").elements}
    for corner in CORNERS:
        face = elements[f"{corner}_pusher.face"]
        assert face.load == f"{corner}.z"
        assert face.directions == ("y", "z")
        assert face.law.friction * face.law.load_factor == pytest.approx(0.25 * tan(0.4363))
    assert elements["leading_pivot.turning"].load == "leading_pivot.z"
    assert elements["trailing_bearer_left.face"].load == "trailing_bearer_left.z"


@pytest.mark.parametrize(("load", "mode"), [("empty", Mode.FREE), ("loaded", Mode.UPPER)])
def test_load_springs_carry_when_the_wagon_is_loaded(load, mode):
    model = put_on_track(load_vehicle("y25_wagon", load=load), kg.Track.straight(), 25.0)
    rest = find_rest(model)
    modes = dict(zip(model.layout.modes, rest.mode, strict=True))
    assert {modes[f"{corner}.load"] for corner in CORNERS} == {mode}
    sunk = -rest.x[model.layout.state("carbody.z")]
    if load == "empty":
        assert abs(sunk) < 1e-3
    else:  # tare springs alone up to the gap, both beyond it; then the pivot with its bearers
        box, pivot = 66e3 * 9.81 / 8.0, 66e3 * 9.81 / 2.0
        expected = 0.02 + (box - 0.02 * 1e6) / 2.6e6 + pivot / (5e7 + 2 * 1e6)
        assert sunk == pytest.approx(expected, abs=5e-4)  # less what the contacts give


@pytest.mark.parametrize("load", ["empty", "loaded"])
def test_friction_follows_the_load_while_it_runs(load):
    """In every row a stuck face holds less than mu N tan(angle), a sliding one that, with N of its own springs."""
    kick = {"leading_front_wheelset.y": 4e-3, "trailing_front_wheelset.y": 4e-3}
    wagon, track = load_vehicle("y25_wagon", load=load), kg.Track.straight()
    run = kg.simulate(wagon, track, 30.0, 1.0, kick, rtol=1e-6, output_step=2e-3, precision="double")
    share, slid, loads = 0.25 * tan(0.4363), 0, []
    for corner in CORNERS:
        face = f"{corner}_pusher.face"
        pressed = run[f"{corner}.tare_z.force"].to_numpy() + run[f"{corner}.load.force"].to_numpy()
        friction = np.hypot(run[f"{face}.y.force"].to_numpy(), run[f"{face}.z.force"].to_numpy())
        slides = run[f"{face}.mode"].to_numpy() == Slip.SLIP
        limit = share * np.abs(pressed)
        assert np.all(friction <= limit * (1.0 + 1e-6) + 1e-3)
        assert friction[slides] == pytest.approx(limit[slides], rel=1e-6)
        slid += np.count_nonzero(slides)
        loads.append(float(np.abs(pressed).mean()))
    assert slid > 50
    carried = 9.81 * ((14e3 if load == "empty" else 80e3) / 8.0 + 2050.0 / 4.0)  # by each box
    assert np.mean(loads) == pytest.approx(carried, rel=0.02)


def test_parameters_are_reached_by_name():
    wagon = kg.with_value(load_vehicle("y25_wagon"), "leading.lenoir.angle", 0.3)
    assert value(wagon, "leading_front_left_pusher.face.load_factor") == pytest.approx(0.5 * np.tan(0.3))
    assert value(wagon, "trailing_front_left_pusher.face.load_factor") == pytest.approx(0.5 * np.tan(0.4363))


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        (
            'frame = {mass = "2050 kg", inertia',
            '# {mass = "2050 kg", inertia',
            "parts.leading.frame: must be given",
        ),
        ('"2050 kg"', '"-1 kg"', "parts.leading.frame.mass: must be positive"),
        ("[bodies.carbody]", "[bodies.body]", "parts.leading.carrier: must be track or a body of the vehicle"),
    ],
)
def test_a_template_without_its_frame_gets_one_line(old, new, line):
    with pytest.raises(FileError) as refused:
        parse_vehicle(library_text("y25_wagon").replace(old, new, 1), "mine.toml")
    assert str(refused.value).splitlines()[0].startswith(f"mine.toml: {line}")
