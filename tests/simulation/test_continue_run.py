"""A run goes on from its file bit for bit."""

import json
from dataclasses import replace

import numpy as np
import pytest
import xarray as xr
from typer.testing import CliRunner

import klingel as kg
from klingel._errors import InputError
from klingel.app.cli import app
from klingel.numerics.checkpoint import COUNTS
from klingel.numerics.ode.workspace import Count
from klingel.simulation.continue_run import checkpoint_of

KICK = {"front_wheelset.y": 5e-3, "front_wheelset.yaw": 1e-3}
DURATION = 40.0  # some sixty thousand steps: two interruptions [s]


def run(**options):
    wagon = kg.load_vehicle("hbbills311")
    return kg.simulate(wagon, kg.Track.straight(), 45.0, DURATION, KICK, output_step=0.05, **options)


def without_asking(stats):
    """A vehicle set up anew asks its guards at other steps where nothing happens; the clock differs too."""
    return replace(stats, wall_time=0.0, guard_evaluations=0)


def same_solver(one, other):
    """To the bit, but for how often guards were asked."""
    assert one.keys() == other.keys()
    asked = COUNTS.index(Count.GUARDS)
    for name in one:
        a, b = (np.delete(c[name], asked) if name == "count" else c[name] for c in (one, other))
        np.testing.assert_array_equal(a, b, err_msg=name)


@pytest.mark.slow
def test_interrupted_run_goes_on_bit_for_bit(tmp_path):
    """Through files, twice; speed changes, so the clock must go on as well."""
    whole = run(acceleration=-0.2)
    part = run(acceleration=-0.2, on_chunk=lambda _: True)
    interruptions = 0
    while part.status == "interrupted":
        interruptions += 1
        stored = kg.load_run(part.save(tmp_path / f"{interruptions}.nc"))
        part = kg.continue_run(stored, on_chunk=lambda _: True)
    assert interruptions >= 2
    xr.testing.assert_identical(part.data.drop_vars("checkpoint"), whole.data.drop_vars("checkpoint"))
    same_solver(checkpoint_of(part), checkpoint_of(whole))
    assert without_asking(part.stats) == without_asking(whole.stats)
    assert (part.status, part.ended, part.options) == (whole.status, whole.ended, whole.options)


@pytest.mark.slow
def test_command_goes_on_and_replaces_its_file(tmp_path):
    path = run(on_chunk=lambda _: True).save(tmp_path / "part.nc")
    before = kg.load_run(path)
    result = CliRunner().invoke(app, ["run", "--continue", str(path), "--json"])
    assert result.exit_code == 0, result.stderr
    document = json.loads(result.stdout)
    assert document["status"] == "done"
    assert document["files"] == [str(path)]
    after = kg.load_run(path)
    assert after.time[-1] == DURATION
    np.testing.assert_array_equal(after["carbody.y"][: before.time.size], before["carbody.y"])


def test_prolonged_run_agrees_to_tolerance():
    wagon, track = kg.load_vehicle("hbbills311"), kg.Track.straight()
    first = kg.simulate(wagon, track, 20.0, 0.3, {"front_wheelset.y": 2e-3})
    longer = kg.continue_run(first, duration=0.6)
    whole = kg.simulate(wagon, track, 20.0, 0.6, {"front_wheelset.y": 2e-3})
    np.testing.assert_allclose(longer["front_wheelset.y"], whole["front_wheelset.y"], atol=2e-6)
    assert longer.options["duration"] == 0.6
    with pytest.raises(kg.InputError, match="duration: must be longer than what is there"):
        kg.continue_run(longer)


def test_derailed_run_does_not_go_on():
    kick = {"front_wheelset.y": 9.99e-3, "front_wheelset.y_dot": 10.0}
    lost = kg.simulate(kg.load_vehicle("hbbills311"), kg.Track.straight(), 30.0, 1.0, kick, placing="bare")
    with pytest.raises(kg.InputError, match="run: must have been interrupted"):
        kg.continue_run(lost, duration=2.0)


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["--continue", "none.nc"], "klingel: file: must exist, got 'none.nc'"),
        (["hbbills311", "--continue", "none.nc"], "klingel: VEHICLE: must not be given with --continue"),
        (["--continue", "none.nc", "--rtol", "1e-8"], "klingel: --rtol: must not be given with --continue"),
        (["hbbills311"], "klingel: --speed: must be given"),
        (["--speed", "20"], "klingel: VEHICLE: must be given"),
    ],
)
def test_bad_words_are_one_line(words, line):
    result = CliRunner().invoke(app, ["run", *words])
    assert result.exit_code == 2
    assert result.stderr.startswith(line)
    assert result.stderr.count("\n") == 1


def test_a_damaged_state_of_the_solver_is_one_line():
    run = kg.simulate(kg.load_vehicle("hbbills311"), kg.Track.straight(), 20.0, 0.02, {"front_wheelset.y": 1e-3})
    dims, values, *rest = run.variables["checkpoint"]
    damaged = values.copy()
    damaged[60:] = 7
    run.variables["checkpoint"] = (dims, damaged, *rest)
    with pytest.raises(InputError, match="must hold the state of the solver, in this one it is damaged"):
        kg.continue_run(run, 0.03)


def test_an_unknown_packing_of_the_solver_is_one_line():
    run = kg.simulate(kg.load_vehicle("hbbills311"), kg.Track.straight(), 20.0, 0.02, {"front_wheelset.y": 1e-3})
    dims, values, *rest = run.variables["checkpoint"]
    packed = bytearray(values.tobytes())
    for mark, at in ((b"PK\x03\x04", 8), (b"PK\x01\x02", 10)):  # where a ZIP archive names its method
        where = packed.find(mark) + at
        packed[where : where + 2] = b"\x63\x00"
    run.variables["checkpoint"] = (dims, np.frombuffer(bytes(packed), values.dtype), *rest)
    with pytest.raises(InputError, match="must hold the state of the solver, in this one it is damaged"):
        kg.continue_run(run, 0.03)


def test_a_vehicle_that_lost_an_element_is_one_line(tmp_path):
    run = kg.simulate(kg.load_vehicle("hbbills311"), kg.Track.straight(), 20.0, 0.02, {"front_wheelset.y": 1e-3})
    run.sources["vehicle"] = run.sources["vehicle"].replace(
        "front_left.link_x.slider_1", "front_left.link_x.other"
    )
    with pytest.raises(InputError, match=r"got .front_left\.link_x\.slider_1"):
        kg.continue_run(run, 0.03, out=tmp_path / "on.nc")
    assert not list(tmp_path.iterdir())  # refused before a file is begun
