"""A request says the same as the arguments of `simulate`; bad input is one line that names its field."""

import pickle
from functools import cache

import pytest
import xarray as xr

import klingel as kg
from klingel.io.vehicle.options import with_settings
from klingel.io.vehicle.toml import to_toml
from klingel.simulation.request.parts import Solving, StoredState, TrackChoice, VehicleChoice

KICK = {"front_wheelset.y": 4e-3, "rear_wheelset.yaw": 1e-3}
OTHER = {"links": "SPP", "load": "empty"}
TRACK = kg.Track.straight(inclination=1 / 30)
SHORT = kg.FixedTransient(transient=0.2, maxima=1, piece=0.25, cap=0.25)


def request(**changes):
    return kg.RunRequest.of(
        **{"vehicle": "hbbills311", "speed": 30.0, "duration": 0.3, "initial": KICK, **changes}
    )


@cache
def run():
    return kg.simulate(request(rtol=1e-5))


def assert_same(one, other):
    """Bit for bit, the solver at the end included."""
    xr.testing.assert_identical(one.data, other.data)
    assert (one.status, one.ended, one.options) == (other.status, other.ended, other.options)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"rtol": 1e-5, "method": "dopri54", "output_step": None},
        {"acceleration": -2.0, "sliders": {"*.link_y": 1e-3}, "leaves": "loading"},
        {"atol": 1e-7, "distance": 20.0, "max_steps": 50_000},
    ],
)
def test_both_forms_are_the_same_run(options):
    wagon = kg.load_vehicle("hbbills311", **OTHER)
    asked = request(vehicle=VehicleChoice("hbbills311", OTHER), track=TRACK, **options)
    assert_same(kg.simulate(asked), kg.simulate(wagon, TRACK, 30.0, 0.3, KICK, **options))


def test_changes_of_the_vehicle_are_those_of_the_command_line():
    changes = {"carbody.mass": "16 t", "link_friction": 0.2, "leaf_model": "linear"}
    wagon = VehicleChoice("hbbills311", {"height": "2.1 m"}, changes).vehicle
    assert next(body.mass for body in wagon.bodies if body.name == "carbody") == 16e3
    assert wagon.meta["leaf_model"] == "linear"
    words = ["carbody.mass=16t", "link_friction=0.2", "leaf_model=linear"]
    assert to_toml(wagon) == to_toml(with_settings(kg.load_vehicle("hbbills311", height=2.1), words))


def test_a_curve_repeats_bit_for_bit():
    """Curvatures are stored as radii."""
    track = kg.Track.curve(650.0, cant=0.1, lead_in=3.0)
    first = kg.simulate(request(track=track, speed=20.0, initial={}))
    assert_same(kg.simulate(first.request), first)


def test_a_run_repeats_from_its_file(tmp_path):
    stored = kg.load_run(run().save(tmp_path / "run.nc"))
    assert stored.request == run().request
    assert_same(kg.simulate(stored.request), run())
    assert '"name": "hbbills311"' in stored.sources["request"]  # as it was asked for


def test_a_run_from_another_run_repeats_without_it(tmp_path):
    path = run().save(tmp_path / "before.nc")
    on = kg.simulate(request(initial=str(path), speed=28.0))
    path.unlink()
    assert_same(on, kg.simulate(request(initial=run(), speed=28.0)))
    again = kg.load_run(on.save(tmp_path / "on.nc"))
    assert again.options["initial"] == "last row of another run, reached the end time 0.3 s"
    assert_same(kg.simulate(again.request), on)


def test_options_given_go_before_the_request():
    longer = kg.simulate(request(), duration=0.4, output_step=0.1)
    assert longer.time.tolist() == pytest.approx([0.0, 0.1, 0.2, 0.3, 0.4])
    changed = request().changed(speed=31.0, rtol=1e-4, leaves="loading")
    assert (changed.speed, changed.solving.rtol, changed.start.leaves) == (31.0, 1e-4, "loading")
    assert changed.start.initial == KICK
    assert kg.simulate(request(output_step=0.1), output_step=None).options["output_step"] is None


def test_a_prolonged_run_asks_for_all_of_it():
    longer = kg.continue_run(run(), duration=0.5)
    assert longer.request == run().request.changed(duration=0.5)


def test_sweeps_are_made_from_requests(tmp_path):
    wagon = kg.load_vehicle("hbbills311", **OTHER)
    asked = request(vehicle=VehicleChoice("hbbills311", OTHER), track=TRACK, rtol=1e-5)
    options = {"transient": SHORT, "workers": 1}
    one = kg.sweep(asked, speeds=[30.0, 31.0], **options)
    other = kg.sweep(wagon, TRACK, [30.0, 31.0], starts=KICK, rtol=1e-5, **options)
    xr.testing.assert_identical(one.data, other.data)
    assert one.settings == other.settings
    one = kg.sweep(asked, parameter="links", values=["PTP", "MP"], **options)
    other = kg.sweep(
        wagon, TRACK, parameter="links", values=["PTP", "MP"], speed=30.0, starts=KICK, rtol=1e-5, **options
    )
    xr.testing.assert_identical(one.data, other.data)
    with pytest.raises(kg.InputError, match="acceleration: must be 0"):
        kg.sweep(asked.changed(acceleration=0.1), speeds=[30.0])
    with pytest.raises(kg.InputError, match="leaves: must be rest"):
        kg.sweep(asked.changed(leaves="loading"), speeds=[30.0])
    with pytest.raises(kg.InputError, match="initial: must be offsets"):
        kg.sweep(asked.changed(initial=run()), speeds=[30.0])


def test_requests_travel_to_workers():
    asked = request(vehicle=kg.load_vehicle("g69"), atol=[1e-6] * 3)
    assert pickle.loads(pickle.dumps(asked)) == asked
    assert len({asked, request(), request()}) == 2


STATE = {"states": ("a",), "modes": (), "x": (0.0,), "memory": (), "mode": (), "distance": None, "told": ""}


@pytest.mark.parametrize(
    ("changes", "line"),
    [
        ({"vehicle": 3}, "vehicle: must be a vehicle"),
        ({"vehicle": ""}, "vehicle.name: must be a vehicle of the library or a file"),
        ({"track": 1435}, "track: must be a track"),
        ({"track": ""}, "track: must be a track file"),
        ({"speed": 0.0}, "speed: must be a positive speed in m/s, got 0.0"),
        ({"speed": "45"}, "speed: must be a number, in m/s, got '45'"),
        ({"duration": float("inf")}, "duration: must be a positive time in s"),
        ({"acceleration": -200.0}, "acceleration: must be more than -100 m/s2"),
        ({"distance": float("nan")}, "distance: must be finite"),
        ({"distance": "far"}, "distance: must be a number"),
        ({"initial": {"front_wheelset.y": "5mm"}}, "initial.front_wheelset.y: must be a number"),
        ({"initial": {"front_wheelset.y": float("nan")}}, "initial.front_wheelset.y: must be finite"),
        ({"initial": 5e-3}, "initial: must be a table"),
        ({"initial": ""}, "start.run: must be the file of a run"),
        ({"sliders": {"*.link_y": True}}, r"sliders.\*.link_y: must be a number, in m"),
        ({"leaves": "bent"}, "leaves: must be one of rest, loading, unloading, got 'bent'"),
        ({"method": "euler"}, "method: must be one of"),
        ({"method": 3}, "method: must be the name of a method"),
        ({"rtol": -1.0}, "rtol: must be at least 1e-15"),
        ({"rtol": "tight"}, "rtol: must be a number"),
        ({"atol": "tight"}, "atol: must be a positive number, or one per state"),
        ({"atol": [1e-6, -1.0]}, "atol: must be a positive number, or one per state"),
        ({"max_steps": 0}, "max_steps: must be a whole number, at least 1"),
        ({"output_step": 0.0}, "output_step: must be a positive time"),
        ({"output_step": "10ms"}, "output_step: must be a number, in s"),
        ({"outputs": 3}, "outputs: must be a table of output_step"),
        ({"start": {}}, "start: must not be given together with initial of it"),
        ({"solving": {"tolerance": 1.0}}, "solving.tolerance: is not a known key; known here: method, rtol"),
        ({"ouptut_step": 0.1}, "ouptut_step: is not a known key; did you mean output_step"),
    ],
)
def test_bad_input_is_one_line(changes, line):
    with pytest.raises(kg.InputError, match=f"^{line}"):
        request(**changes)


@pytest.mark.parametrize(
    ("make", "line"),
    [
        (
            lambda: VehicleChoice("g69", {"linsk": "PTP"}),
            "vehicle.options.linsk: is not a known key; did you mean",
        ),
        (lambda: VehicleChoice("g69", {"links": 3}), "vehicle.options.links: must be a word"),
        (lambda: VehicleChoice("g69", {"height": "2 kg"}), "vehicle.options.height: must be a length"),
        (lambda: VehicleChoice("g69", 3), "vehicle.options: must be a table"),  # type: ignore[arg-type]
        (
            lambda: VehicleChoice("g69", {}, {"carbody.mass": None}),
            "vehicle.changes.carbody.mass: must be a",
        ),
        (lambda: VehicleChoice("g69", {}, {"carbody.mass": "5mm"}).vehicle, "carbody.mass: must be a mass"),
        (lambda: VehicleChoice("g69x").vehicle, "vehicle: did you mean g69"),
        (lambda: TrackChoice("none.toml").track, "file: must exist"),
        (
            lambda: StoredState(**{**STATE, "x": (0.0, 1.0)}),
            "start.state.x: must have one entry for each",
        ),
        (lambda: StoredState(**{**STATE, "x": ("fast",)}), "start.state.x: must be a list of float"),
        (lambda: StoredState(**{**STATE, "distance": "far"}), "start.state.distance: must be a number"),
        (lambda: kg.simulate(request(initial=StoredState(**STATE))), "initial: must be a run of a vehicle with"),
        (lambda: kg.simulate(request(initial="none.nc")), "file: must exist"),
        (lambda: kg.simulate(kg.load_vehicle("g69"), kg.Track.straight(), 20.0), "duration: must be given"),
        (lambda: kg.sweep(kg.load_vehicle("g69"), speeds=[20.0]), "track: must be given"),
    ],
)
def test_bad_parts_are_one_line(make, line):
    with pytest.raises(kg.InputError, match=f"^{line}"):
        make()


def test_defaults_stand_in_one_place():
    assert request().solving == Solving()
    assert request().outputs.output_step == 0.01
