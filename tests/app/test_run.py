"""`klingel run`: one document on standard output; bad input is one line and exit code 2."""

import json

import pytest
import xarray as xr
from typer.testing import CliRunner

import klingel as kg
from klingel.app.cli import app


def run(*arguments: str):
    return CliRunner().invoke(app, ["run", *arguments])


def test_document(tmp_path):
    out = tmp_path / "run.nc"
    kick = ["--kick", "front_wheelset.y=3mm", "--set", "carbody.mass=16t", "--slider", "*.link_y=2mm"]
    result = run("hbbills311", "--speed", "108km/h", "--duration", "1", *kick, "--out", str(out), "--json")
    assert result.exit_code == 0, result.stderr
    document = json.loads(result.stdout)
    assert document["speed"] == 30.0
    assert document["status"] == "done"
    assert document["stats"]["simulated_time"] == 1.0
    assert document["settled"]["kind"] in ("unsettled", "irregular", "periodic")
    assert document["extremes"]["front_wheelset.y"][1] == pytest.approx(3e-3, abs=1e-6)
    assert document["files"] == [str(out)]
    stored = kg.load_run(out)
    assert next(b.mass for b in stored.vehicle.bodies if b.name == "carbody") == 16e3


def test_words_for_people():
    result = run("g69", "--speed", "20", "--duration", "0.5")
    assert result.exit_code == 0
    assert result.stdout.startswith("g69 at 20 m/s (72 km/h): reached the end time 0.5 s\n")
    assert "last third: rest" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["hbbills311", "--speed", "0"], "klingel: --speed: must be a positive speed in m/s, got 0.0"),
        (["hbbils311", "--speed", "20"], "klingel: vehicle: did you mean hbbills311?"),
        (["hbbills311", "--speed", "fast"], 'klingel: --speed: must be a speed like "1.5 m/s"'),
        (["hbbills311", "--speed", "45kg"], "klingel: --speed: must be a speed in m/s"),
        (["hbbills311", "--speed", "45", "--duration", "5m"], "klingel: --duration: must be a time in s"),
        (
            ["hbbills311", "--speed", "45", "--kick", "carbody.yaw=5mm"],
            "klingel: --kick carbody.yaw: must be an angle",
        ),
        (["hbbills311"], "klingel: --speed: must be given, like 45 or 160km/h\n"),
        (["hbbills311", "--speed", "45", "--out", "."], "klingel: --out: must be a file"),
        (
            ["hbbills311", "--speed", "45", "--track", "a.toml", "--inclination", "1/20"],
            "klingel: --inclination: must not be given with --track",
        ),
        (
            ["hbbills311", "--speed", "45", "--kick", "front_wheelset.y=500mm"],
            "klingel: --kick: must leave every wheel on its rail",
        ),
        (
            ["hbbills311", "--speed", "45", "--kick", "frontwheelset.y=5mm"],
            "klingel: --kick: did you mean front_",
        ),
        (["--continue", "a.nc", "--links", "SPP"], "klingel: --links: must not be given with --continue"),
        (["hbbills311", "--continue", "a.nc"], "klingel: VEHICLE: must not be given with --continue"),
        (["hbbills311", "--speed", "20", "--kick", "front_wheelset.y"], "klingel: --kick: must be name=value"),
        (["hbbills311", "--speed", "20", "--kick", "axle.y=1mm"], "klingel: --kick: must be one of"),
        (
            ["hbbills311", "--speed", "20", "--slider", "*.leaf=1mm"],
            "klingel: --slider: must be a slider or pattern",
        ),
        (["hbbills311", "--speed", "20", "--leaves", "bent"], "klingel: --leaves: must be one of rest, loading"),
        (["hbbills311", "--speed", "20", "--out", "no/such/folder/a.nc"], "klingel: --out: must be in a folder"),
        (
            ["hbbills311", "--speed", "20", "--inclination", "1/20", "--track", "curve.toml"],
            "klingel: --inclination: must not be given with --track",
        ),
        (["hbbills311", "--speed", "20", "--inclination", "1/2"], "klingel: --inclination: must lie between"),
    ],
)
def test_bad_input_is_one_line_and_code_2(arguments, line):
    result = run(*arguments)
    assert result.exit_code == 2
    assert result.stderr.startswith(line)
    assert result.stderr.count("\n") == 1
    assert result.stdout == ""


def test_wheelless_vehicles_are_refused(tmp_path):
    text = CliRunner().invoke(app, ["vehicles", "hbbills311", "--toml"]).stdout
    parts = text.split("[wheelsets.")
    tail = parts[-1][parts[-1].index("\n[") :]
    (tmp_path / "mine.toml").write_text(parts[0] + tail)
    result = run(str(tmp_path / "mine.toml"), "--speed", "20")
    assert result.exit_code == 2
    assert result.stderr.count("\n") == 1
    assert "wheel" in result.stderr


def test_requests_are_printed_and_read(tmp_path):
    """What is printed runs as what was typed; options go before the file."""
    typed = ["g69", "--speed", "72km/h", "--duration", "0.2", "--links", "SPP", "--set", "carbody.mass=11t"]
    typed += [
        "--kick",
        "front_wheelset.y=3mm",
        "--slider",
        "*.link_y=1mm",
        "--leaves",
        "loading",
        "--rtol",
        "1e-5",
    ]
    printed = run(*typed, "--inclination", "1/20", "--print-request")
    assert printed.exit_code == 0, printed.stderr
    file = tmp_path / "request.toml"
    file.write_text(printed.stdout)
    paths = [tmp_path / "typed.nc", tmp_path / "read.nc"]
    assert run(*typed, "--inclination", "1/20", "--out", str(paths[0])).exit_code == 0
    assert run("--request", str(file), "--out", str(paths[1])).exit_code == 0
    one, other = (kg.load_run(path) for path in paths)
    xr.testing.assert_identical(one.data, other.data)
    assert one.request == other.request
    more = ["--speed", "15", "--kick", "front_wheelset.y=1mm", "--links", "MP", "--set", "link_friction=0.2"]
    changed = run("--request", str(file), *more, "--inclination", "1/30", "--print-request")
    found = kg.RunRequest.from_toml(changed.stdout)
    assert (found.speed, found.start.initial) == (15.0, {"front_wheelset.y": 1e-3})
    assert found.vehicle.options == {"links": "MP"}
    assert found.vehicle.changes == {"carbody.mass": "11t", "link_friction": "0.2"}
    assert (found.read_track().inclination, found.solving.rtol) == (1 / 30, 1e-5)
    assert (
        kg.RunRequest.from_toml(run("--request", str(file), "kbps", "--print-request").stdout).vehicle.name
        == "kbps"
    )


G69 = 'vehicle = "g69"\nspeed = 20\nduration = 1\n'


@pytest.mark.parametrize(
    ("text", "more", "line"),
    [
        (G69.replace("20", '"fast"'), [], "klingel: request.toml: speed: must be a speed like"),
        (G69.replace("g69", "g69x"), [], "klingel: vehicle: did you mean g69"),
        (G69, ["--speed", "0"], "klingel: --speed: must be a positive speed"),
        (
            f'{G69}track = "curve.toml"',
            ["--inclination", "1/20"],
            "klingel: --inclination: must not be given with a track file",
        ),
        (f'{G69}start.run = "no.nc"', [], "klingel: file: must exist"),
    ],
)
def test_bad_requests_are_one_line_and_code_2(tmp_path, text, more, line):
    (tmp_path / "request.toml").write_text(text)
    result = run("--request", str(tmp_path / "request.toml"), *more)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(line)
    assert result.stderr.count("\n") == 1


def test_how_events_are_treated_is_an_option():
    bogie = ["cooperrider", "--speed", "75", "--duration", "0.2", "--kick", "leading_front_wheelset.y=12mm"]
    events = {
        way: json.loads(run(*bogie, "--locate", way, *more, "--json").stdout)["stats"]["events"]
        for way, more in (("all", []), ("ignore", []), ("smooth", ["--smooth-length", "20um"]))
    }
    assert events["all"] > 0
    assert (events["ignore"], events["smooth"]) == (0, 0)
    printed = run(*bogie, "--locate", "smooth", "--smooth-length", "20um", "--print-request")
    solving = kg.RunRequest.from_toml(printed.stdout).solving
    assert (solving.locate, solving.smooth_length) == ("smooth", pytest.approx(2e-5))


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["--locate", "smoth"], "--locate: must be one of auto, all, needed, ignore, smooth"),
        (["--locate", "smooth"], "smooth_length: must be given where locate is smooth"),
        (["--locate", "smooth", "--smooth-length", "1kg"], "--smooth-length: must be a length"),
        (["--smooth-speed", "1mm/s"], "--smooth-speed: must be left out: locate is auto"),
    ],
)
def test_bad_ways_to_treat_events_get_one_line(words, line):
    refused = run("cooperrider", "--speed", "75", *words)
    assert refused.exit_code == 2
    assert refused.stderr.splitlines()[-1].startswith(f"klingel: {line}")
