"""Friction faces in a wagon on rails: files, energy balance, rest, linear motion in the mode of rest."""

import numpy as np
import pytest

import klingel as kg
from klingel.io.vehicle.files import parse_vehicle
from klingel.io.vehicle.toml import to_toml

WAGON = kg.load_vehicle("hbbills311")
CORNERS = [c.name for c in WAGON.connections]

LOADED = 'direction = ["x", "y"]\nload = "{corner}.z"\nfriction = 0.05\n'
FACES = {
    "rigid": f'law = "rigid_friction"\n{LOADED}static_ratio = 1.3',
    "elastic": f'law = "elastic_friction"\n{LOADED}stiffness = "5 MN/m"',
    "one direction": 'law = "rigid_friction"\ndirection = "y"\nlimit = "3 kN"',
}


def text_with(face: str) -> str:
    tables = [f"[elements.{corner}.face]\n{face.format(corner=corner)}\n" for corner in CORNERS]
    return to_toml(WAGON).replace("[sources]", "\n".join([*tables, "[sources]"]))


def with_faces(name: str):
    return parse_vehicle(text_with(FACES[name]))


@pytest.mark.parametrize("name", FACES)
def test_files_are_read_and_written(name):
    wagon = with_faces(name)
    assert sum(e.name.endswith(".face") for e in wagon.elements) == 4
    assert to_toml(parse_vehicle(to_toml(wagon))) == to_toml(wagon)


@pytest.mark.parametrize(
    ("face", "line"),
    [
        (
            'law = "rigid_friction"\ndirection = "y"\nfriction = 0.3',
            "front_left.face.load: must name the connection and direction that presses on it",
        ),
        (
            'law = "rigid_friction"\ndirection = "y"\nlimit = "1 kN"\nstatic_ratio = 0.8',
            "front_left.face.static_ratio: must not be below 1: the static limit is at least the kinetic one",
        ),
        ('law = "elastic_friction"\ndirection = "y"\nlimit = "1 kN"', "front_left.face.stiffness: must be given"),
        (
            'law = "table_spring"\ndirection = "z"\npoints = "1 kN"',
            "front_left.face.points: must be a list of pairs",
        ),
        (
            'law = "table_spring"\ndirection = "z"\npoints = [["0 mm", "0 kN"], ["0 mm", "1 kN"]]',
            "front_left.face.points: must have rising deformations",
        ),
    ],
)
def test_bad_faces_get_one_line(face, line):
    with pytest.raises(kg.InputError) as told:
        parse_vehicle(text_with(face))
    assert line in str(told.value).splitlines()[0]


@pytest.mark.parametrize("name", FACES)
def test_energy_of_a_wagon_with_faces_balances(name):
    wagon = with_faces(name)
    initial = {"front_wheelset.y": 0.004, "carbody.roll": 0.01}
    choices = {"output_step": None, "rtol": 1e-7, "atol": 1e-9}
    run = kg.simulate(wagon, kg.Track.straight(), speed=25.0, duration=1.0, initial=initial, **choices)
    assert run.complete
    assert run.events["element"].str.endswith(".face").sum() >= 4
    assert kg.energy_balance(run).relative < 1e-5


def test_stuck_faces_keep_a_wagon_where_it_was_put():
    """A body set aside within the static limit of its faces stays there; without them it swings back."""
    wagon = parse_vehicle(text_with('law = "rigid_friction"\ndirection = "y"\nlimit = "60 kN"'))
    start = {"carbody.y": 0.004}
    runs = [
        kg.simulate(v, kg.Track.straight(), speed=10.0, duration=2.0, initial=start, placing="bare")
        for v in (wagon, WAGON)
    ]
    apart = [np.ptp((run["carbody.y"] - run["front_wheelset.y"]).to_numpy()) for run in runs]
    assert apart[0] < 0.2 * apart[1]
