"""What every template of the registry must do, shown on each vehicle of the library that is made by it."""

import json
import tomllib

import pytest
from typer.testing import CliRunner

import klingel as kg
from klingel.app.cli import app
from klingel.io.vehicle.files import library, library_text, load_cases, load_vehicle, parse_vehicle
from klingel.io.vehicle.toml import to_toml
from klingel.model.standing.equilibrium import find_rest
from klingel.model.standing.statics import static_loads
from klingel.simulation.setup import put_on_track
from klingel.vehicles.registry import templates
from klingel.vehicles.values import template_values, value, values, with_value

SPEED = 20.0  # [m/s]


def made_by(name: str) -> set[str]:
    """Templates of a library file."""
    content = tomllib.loads(library_text(name))
    return {content.get("template"), *(part["kind"] for part in content.get("parts", ()))} - {None}


MADE = [name for name in library() if made_by(name)]
# one for each template, the one with most load cases
EXAMPLES = {
    kind: max((name for name in MADE if kind in made_by(name)), key=lambda name: len(load_cases(name)), default="")
    for kind in templates()
}


def command(*arguments: str) -> str:
    found = CliRunner().invoke(app, list(arguments))
    assert found.exit_code == 0, found.output
    return found.stdout


def test_every_template_has_a_vehicle_in_the_library():
    assert {kind for kind, name in EXAMPLES.items() if not name} == set()


@pytest.mark.parametrize("name", MADE)
def test_the_expansion_reads_back_and_every_value_has_a_source(name):
    vehicle = load_vehicle(name)
    again = parse_vehicle(to_toml(vehicle))
    assert (values(again), again.sources) == (values(vehicle), vehicle.sources)
    bare = [
        one
        for one in values(vehicle)
        if not any(one == told or one.startswith(f"{told}.") for told in vehicle.sources)
    ]
    assert bare == []


@pytest.mark.parametrize("name", MADE)
def test_every_parameter_is_set_by_name_or_refused_as_unused(name):
    """One that changes nothing, like the flange of cones on wheels with profiles, is not taken silently."""
    vehicle, refused, used = load_vehicle(name), [], 0
    for parameter, old in template_values(vehicle).items():
        if isinstance(old, str) or not 0.0 < abs(old) < 1e300:
            continue
        new = (1.01 if parameter.endswith("static_ratio") else 0.99) * old  # not below the kinetic limit
        try:
            changed = with_value(vehicle, parameter, new)
        except kg.InputError as error:
            refused.append((error.field == parameter, "not used by this vehicle" in error.allowed))
            continue
        used += 1
        assert value(changed, parameter) == pytest.approx(new) or parameter in values(vehicle)
        assert values(changed) != values(vehicle)
    assert set(refused) <= {(True, True)}
    assert used > 10


@pytest.mark.parametrize(("parameter", "new"), [("friction.static_ratio", 0.9), ("guide.restitution", 1.1)])
def test_a_parameter_that_a_law_refuses_is_named_in_full(parameter, new):
    with pytest.raises(kg.InputError, match=f"^{parameter}: must"):
        with_value(load_vehicle("true_trzepacz"), parameter, new)


@pytest.mark.parametrize("kind", EXAMPLES)
def test_load_cases_stand_and_links_carry_them(kind):
    """Springs that carry are found, and vertical contact forces are the weight, in every load case."""
    name = EXAMPLES[kind]
    for load in load_cases(name) or ["empty"]:
        vehicle = load_vehicle(name, load=load)
        told = json.loads(command("vehicles", name, "--load", load, "--json"))
        assert told["static_loads"].keys() >= static_loads(vehicle).found.keys()
        model = put_on_track(vehicle, kg.Track.straight(), SPEED)
        rest = find_rest(model)
        if not vehicle.wheelsets:  # cones carry a constant load
            continue
        run = kg.simulate(vehicle, kg.Track.straight(), SPEED, 0.01, rtol=1e-6, output_step=0.01)
        pressed = sum(float(run[f"{w.body}.{s}.Q"][0]) for w in vehicle.wheelsets for s in ("left", "right"))
        weight = vehicle.gravity * sum(body.mass for body in vehicle.bodies)
        assert pressed == pytest.approx(weight, rel=1e-6)
        assert rest.x.shape == (len(model.layout.states),)


@pytest.mark.parametrize("kind", EXAMPLES)
def test_every_template_is_set_swept_and_run_by_command(kind, tmp_path):
    name = EXAMPLES[kind]
    vehicle = load_vehicle(name)
    parameter = next(p for p in template_values(vehicle) if p.rpartition(".")[2] in ("wheelbase", "radius"))
    old = template_values(vehicle)[parameter]
    told = json.loads(command("vehicles", name, "--set", f"{parameter}={1.01 * old}m", "--json"))
    assert told["template"][parameter] == pytest.approx(1.01 * old)
    text = command("vehicles", name, "--set", f"{parameter}={1.01 * old}m", "--toml")
    assert values(parse_vehicle(text)) == values(with_value(vehicle, parameter, 1.01 * old))
    found = kg.sweep(
        vehicle, kg.Track.straight(), parameter=parameter, values=[old, 1.01 * old], speed=SPEED,
        transient=kg.FixedTransient(0.1, 1, piece=0.1, cap=0.2), workers=1, out=tmp_path / "sweep.nc",
    )  # fmt: skip
    assert sorted(found.parameter) == pytest.approx([old, 1.01 * old])
    assert kg.load_sweep(tmp_path / "sweep.nc").settings["parameter"] == parameter
