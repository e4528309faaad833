"""What pages are made of: values with units, contact, commands that ask for the same run, comparisons."""

import json
import pickle
import shlex
from dataclasses import replace

import numpy as np
import pytest
from typer.main import get_command
from typer.testing import CliRunner

import klingel as kg
from klingel.app.cli import app
from klingel.app.web.answers import compare, contact, equivalent, previews, sweeps
from klingel.io.units import read_quantity
from klingel.io.vehicle.files import library
from klingel.io.vehicle.parameters import in_unit, parameters, selections
from tests.app.web.own_vehicles import ARTICULATED, THREE_AXLES
from tests.app.web.requests import SHORT
from tests.short_run import hunting_run, near_run

FULL = {
    "vehicle": {
        "name": "hbbills311", "options": {"links": "SPP", "load": "loaded"}, "changes": {"carbody.mass": "16 t"},
    },
    "track": {"inclination": "1/30"},
    "speed": "65 km/h",
    "duration": "2 min",
    "acceleration": "-0.1 m/s2",
    "start": {"initial": {"front_wheelset.y": "5 mm", "carbody.yaw": "-1 mrad"}, "placing": "dragged"},
    "solving": {"rtol": 1e-5, "method": "dopri54", "locate": "all"},
    "outputs": {"output_step": "20 ms", "quantities": ["usual", "*.rail_y"]},
}  # fmt: skip


@pytest.mark.parametrize("tables", [SHORT, FULL], ids=["short", "full"])
def test_command_asks_for_the_same(tables):
    words = shlex.split(equivalent.command(tables))
    assert words[:2] == ["klingel", "run"]
    end = words.index("--out")
    done = CliRunner().invoke(app, [*words[1:end], "--print-request"])
    assert done.exit_code == 0, done.output
    found, expected = kg.RunRequest.from_toml(done.output), kg.RunRequest.from_dict(tables)
    assert found.read_vehicle() == expected.read_vehicle()
    assert found.changed(vehicle=expected.vehicle) == expected


def test_python_asks_for_the_same(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    found = {}

    def simulate(vehicle, track, out, **options):
        found["request"] = kg.RunRequest.of(vehicle, track=track, **options)

    monkeypatch.setattr(kg, "simulate", simulate)
    exec(equivalent.python(SHORT), {})
    expected = kg.RunRequest.from_dict(SHORT)
    for name in ("speed", "duration", "start"):
        assert getattr(found["request"], name) == getattr(expected, name)
    assert found["request"].read_vehicle() == expected.read_vehicle()
    assert "request.toml" in equivalent.python(FULL)


CHANGED = {"name": "hbbills311", "options": {"links": "SPP"}, "changes": {"carbody.mass": "16 t"}}


@pytest.mark.parametrize(
    "choice", [CHANGED, {"name": "y25_wagon"}, {"name": "hbbills311", "options": {"load": "loaded"}}]
)
def test_doors_of_a_vehicle(choice):
    """Python gives the vehicle of the page; the command describes it."""
    command, python = equivalent.vehicle(choice)
    names = {}
    exec(python, names)
    assert names["wagon"] == kg.RunRequest.from_dict({**SHORT, "vehicle": choice, "start": {}}).read_vehicle()
    done = CliRunner().invoke(app, shlex.split(command)[1:])
    assert done.exit_code == 0, done.output


def test_doors_of_contact():
    command, python = equivalent.contact("S1002", "UIC60", "1/40", 1.435, 0.46, 1.36)
    done = CliRunner().invoke(app, [*shlex.split(command)[1:], "--json"])
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    assert (told["wheel"], told["rail"], told["gauge"]) == ("S1002", "UIC60", pytest.approx(1.435))
    compile(python, "page", "exec")


@pytest.mark.parametrize(
    "doors",
    [
        equivalent.sweep({"speeds": [24.0, 22.0], "direction": "down"}),
        equivalent.branch({"first": 70.0, "last": 60.0}, {"vehicle": {"name": "cooperrider"}, "speed": "70 m/s"}),
        equivalent.branch({"first": 70.0, "last": 60.0}, {"vehicle": {"description": "name = 'x'"}}),
    ],
)
def test_doors_of_diagrams_are_understood(doors):
    command, python = doors
    compile(python, "page", "exec")
    if command:
        words = shlex.split(command)
        get_command(app).commands[words[1]].make_context(words[1], words[2:])  # type: ignore[attr-defined]
    else:
        assert "continue_orbit" in python


def test_what_options_cannot_say_goes_by_file():
    curve = {**SHORT, "track": {"stage": [{"length": "10 m", "radius": "500 m"}]}}
    assert "--request request.toml" in equivalent.command(curve)
    assert "--request request.toml" in equivalent.command({**SHORT, "vehicle": {"description": "name = 'x'"}})


@pytest.mark.parametrize("tables", [SHORT, FULL], ids=["short", "full"])
def test_again_is_the_same_request(tables):
    first = kg.RunRequest.from_dict(tables)
    again = previews.again(first.to_toml())
    second = kg.RunRequest.from_dict(again)
    assert second.read_vehicle() == first.read_vehicle()
    assert second.speed == pytest.approx(first.speed, rel=1e-14)
    assert second.start.initial == pytest.approx(first.start.initial, rel=1e-14)
    assert (second.solving, second.outputs) == (first.solving, first.outputs)
    assert second.read_track().inclination == pytest.approx(first.read_track().inclination, rel=1e-11)


@pytest.mark.parametrize("name", library())
def test_every_value_of_a_form_reads_back(name):
    """Number and unit shown are those of the vehicle, and typing them again changes nothing."""
    vehicle = kg.load_vehicle(name)
    found = parameters(vehicle)
    assert len(found) > 20
    for one in found:
        if not isinstance(one.value, str):
            text = " ".join(in_unit(one.value, one.dimension))
            assert read_quantity(text, one.dimension) == pytest.approx(one.value, rel=1e-14), one.name


def test_selections_are_those_of_the_template():
    found = {one.keyword: one for one in selections(kg.load_vehicle("hbbills311", links="SPP", load="loaded"))}
    assert found["links"].chosen == "SPP"
    assert found["load"].chosen == "loaded"
    assert "loaded_high" in found["load"].words
    for word in found["links"].words:
        assert kg.load_vehicle("hbbills311", links=word)
    assert selections(kg.load_vehicle("cooperrider")) == []


@pytest.mark.parametrize("name", library())
def test_page_of_any_vehicle(name, tmp_path):
    view = previews.vehicle({"name": name}, str(tmp_path))
    assert view["wheelsets"]
    assert view["drawing"]["wheels"]
    assert not any(one["changed"] for one in view["parameters"])
    for loop in view["loops"]:
        assert all(np.isfinite(curve["y"]).all() for curve in loop["curves"])


def test_changed_values_are_marked(tmp_path):
    view = previews.vehicle({"name": "hbbills311", "changes": {"carbody.mass": "16 t"}}, str(tmp_path))
    (changed,) = [one for one in view["parameters"] if one["changed"]]
    assert (changed["name"], changed["text"], changed["before"]) == ("carbody.mass", "16000", "15176 kg")
    with pytest.raises(kg.InputError, match=r"carbody\.mass"):
        previews.change({"name": "hbbills311"}, "carbody.mass", "-1 kg", str(tmp_path))
    with pytest.raises(kg.InputError, match="mass"):
        previews.change({"name": "hbbills311"}, "carbody.mass", "3 mm", str(tmp_path))


@pytest.mark.parametrize("text", [THREE_AXLES, ARTICULATED], ids=["three axles", "articulated"])
def test_page_of_a_vehicle_joined_from_parts(text, tmp_path):
    """Parameters of parts are in its form, each reads back, and only what was changed is marked."""
    choice, uploads = {"description": text}, str(tmp_path)
    view = previews.vehicle(choice, uploads)
    part = "front" if text is THREE_AXLES else "shared"
    names = {one["name"]: one for one in view["parameters"]}
    assert {f"{part}.at", f"{part}.radius", f"{part}.primary.stiffness.x"} <= set(names)
    for name in list(names)[:40]:
        whole = (
            names[name]["text"] if names[name]["word"] else f"{names[name]['text']} {names[name]['unit']}".strip()
        )
        previews.change(choice, name, whole, uploads)
    changed = previews.vehicle({**choice, "changes": {f"{part}.at": "0.5 m"}}, uploads)
    assert [one["name"] for one in changed["parameters"] if one["changed"]] == [f"{part}.at"]
    assert changed["drawing"]["wheels"] != view["drawing"]["wheels"]


def test_contact_is_that_of_the_table():
    found = contact.contact("S1002", "UIC60", 1 / 40, 1.435, 0.46, 1.36)
    shift, difference = np.array(found["shift"]), np.array(found["difference"])
    np.testing.assert_allclose(difference, -difference[::-1], atol=1e-5)
    assert np.interp(3.0, shift, difference) > 0.0
    jumps = [jump["shift"] for jump in found["jumps"]]
    np.testing.assert_allclose(jumps, -np.array(jumps)[::-1], atol=1e-6)
    k = found["conicity"]["amplitude"].index(3.0)
    table = kg.contact_table(wheel="S1002", rail="UIC60", inclination=1 / 40)
    assert found["conicity"]["conicity"][k] == pytest.approx(
        kg.equivalent_conicity(table, amplitude=0.003), rel=0.02
    )
    # where they touch, the placed wheel and the rail have the same point
    for side, sign in (("left", 1.0), ("right", -1.0)):
        rail = found["profiles"][side]["rail"]
        order = np.argsort(rail[0])
        heights = np.interp(found[side]["y"], np.array(rail[0])[order], np.array(rail[1])[order])
        np.testing.assert_allclose(heights, found[side]["z"], atol=0.05)
        assert sign * found[side]["y"][200] > 700.0


def test_quick_plots_name_what_is_in_the_run(tmp_path):
    found = previews.panels(str(hunting_run().save(tmp_path / "run.nc")))
    assert list(found)[:2] == ["lateral", "longitudinal suspension"]
    assert ["front_wheelset.y", "rear_wheelset.y"] in found["lateral"]
    assert ["front_left.leaf.deformation", "front_left.leaf.force"] in found["loops"]
    assert all(name in hunting_run().data for rows in found.values() for row in rows for name in row)


def test_what_differs(tmp_path):
    paths = [str(run.save(tmp_path / f"{k}.nc")) for k, run in enumerate((hunting_run(), near_run()))]
    found = compare.differences(*paths)
    assert [row["name"] for row in found["inputs"]] == ["start front_wheelset.y"]
    assert all(found["inputs"][0][key].endswith(" mm") for key in ("first", "second"))
    assert any(row["name"].startswith("amplitude of") for row in found["outputs"])
    assert compare.differences(paths[0], paths[0])["inputs"] == []


def test_uploaded_files(tmp_path):
    from klingel.io.vehicle.files import library_text

    assert previews.uploaded(library_text("kbps"), "mine.toml", str(tmp_path))["name"] == "kbps"
    assert previews.uploaded('[[stage]]\nlength = "10 m"\n', "track.toml", str(tmp_path))["kind"] == "track"
    broken = {
        "not valid TOML": "name = ",
        "q": library_text("kbps") + "\nq = 1\n",
        "library or an uploaded": library_text("kbps").replace('"S1002"', '"/etc/passwd"'),
    }
    for told, text in broken.items():
        with pytest.raises(kg.InputError, match=told):
            previews.uploaded(text, "mine.toml", str(tmp_path))


def test_uploaded_runs(tmp_path):
    good = hunting_run().save(tmp_path / "good.nc")
    assert previews.stored(str(good), str(tmp_path))["status"] == hunting_run().status
    sources = {**hunting_run().sources}
    sources["vehicle"] = sources["vehicle"].replace('"S1002"', '"/etc/passwd"')
    bad = replace(hunting_run(), sources=sources).save(tmp_path / "bad.nc")
    with pytest.raises(kg.InputError, match="library or an uploaded"):
        previews.stored(str(bad), str(tmp_path))


class Touch:
    """Writes a file when it is unpickled."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return open, (str(self.path), "w")


@pytest.mark.parametrize("question", [previews.stored, previews.stored_branch])
def test_no_pickle_is_loaded(tmp_path, question):
    """Neither whole nor inside an array of objects."""
    marker = tmp_path / "touched"
    plain, array = tmp_path / "plain.nc", tmp_path / "array.nc"
    plain.write_bytes(pickle.dumps(Touch(marker)))
    with array.open("wb") as file:
        np.save(file, np.array([Touch(marker)], dtype=object), allow_pickle=True)
    for path in (plain, array):
        with pytest.raises(kg.InputError):
            question(str(path), str(tmp_path))
    assert not marker.exists()
    pickle.loads(plain.read_bytes()).close()  # the trap itself works
    assert marker.exists()


def test_names_are_text():
    assert previews.plain_name('x" onload="alert(1)<b>') == "x onloadalert1b"


def test_claims_have_what_filters_need():
    found = previews.claims()
    assert len(found) > 100
    assert all(one["source"] and one["kind"] and one["status"] == "not-run" for one in found)


@pytest.mark.parametrize("way", [{}, {"locate": "ignore"}, {"locate": "smooth", "smooth_length": 2e-5}])
def test_a_point_of_a_sweep_goes_on_with_events_treated_as_there(tmp_path, way):
    asked = kg.RunRequest("cooperrider", speed=75.0, duration=0.5, solving={"rtol": 1e-6, **way})
    rule = kg.FixedTransient(0.1, 1, piece=0.1, cap=0.2)
    kg.sweep(asked, speeds=[75.0], transient=rule, workers=1, out=tmp_path / "sweep.nc")
    again = kg.RunRequest.from_dict(sweeps.request_of(tmp_path / "sweep.nc", 0, 0.05))
    assert again.solving.locate == way.get("locate", "auto")
    assert kg.simulate(again).time[-1] == pytest.approx(0.05)
