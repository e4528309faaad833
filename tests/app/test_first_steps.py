"""What a new user types first: help, version, a picture without a kind, tables that say their units."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

import klingel as kg
from klingel.app.cli import app
from klingel.app.command_line import program
from klingel.io.track.toml import save_track
from klingel.io.vehicle.files import library_text
from tests.short_run import hunting_run

SWEEP = ["sweep", "hbbills311", "--transient", "0.01", "--maxima", "1", "--cap", "0.02", "--workers", "1"]


def call(*words):
    return CliRunner().invoke(app, [str(word) for word in words])


def test_version_and_short_help():
    assert call("--version").stdout == f"klingel {kg.__version__}\n"
    assert "sweep" in call("-h").stdout
    assert "--speed" in call("run", "-h").stdout


def test_tables_have_units_in_their_head_and_speeds_as_typed():
    head, first, *_ = call(*SWEEP, "--speeds", "72km/h,75.6km/h").stdout.splitlines()
    assert head.split()[:3] == ["speed", "[m/s]", "[km/h]"]
    assert "front_wheelset.y [mm]" in head
    assert first.split()[:2] == ["20", "72"]
    head, first, *_ = call(*SWEEP, "--speeds", "20,21").stdout.splitlines()
    assert "km/h" not in head
    head, *_ = call(
        *SWEEP, "--parameter", "carbody.mass", "--values", "14t,15t", "--speed", "20"
    ).stdout.splitlines()
    assert head.split()[:2] == ["carbody.mass", "[kg]"]


@pytest.mark.parametrize(
    ("file", "kind"),
    [
        ("g69", "vehicle"),
        ("mine.toml", "vehicle"),
        ("curve.toml", "track"),
        ("S1002", "profile"),
        ("dry_friction", "modes"),
        ("run.nc", "lateral"),
        ("sweep.nc", "bifurcation"),
    ],
)
def test_a_picture_without_a_kind(file, kind, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    if file == "mine.toml":
        Path(file).write_text(call("vehicles", "g69", "--template").stdout)
    if file == "curve.toml":
        save_track(kg.Track.curve(radius=600.0, cant=0.1), Path(file))
    if file == "run.nc":
        hunting_run().save(Path(file))
    if file == "sweep.nc":
        assert call(*SWEEP, "--speeds", "20,21", "--out", file).exit_code == 0
    result = call("plot", file)
    assert result.exit_code == 0, result.stderr
    assert result.stderr.splitlines()[0].startswith(f"kind {kind}, as none was given")
    assert Path(f"{Path(file).stem}-{kind}.png").read_bytes().startswith(b"\x89PNG")


def test_a_picture_without_a_kind_of_nothing_known(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert call("plot", "none.nc").stderr == "klingel: file: must exist, got 'none.nc'\n"
    (tmp_path / "none.nc").write_bytes(b"something else")
    assert call("plot", "none.nc").exit_code == 2


def test_unlikely_friction_of_every_corner_is_named(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    usual = "wheel_friction = 0.3"
    (tmp_path / "odd.toml").write_text(library_text("hbbills311").replace(usual, f"{usual}\nlink_friction = 7", 1))
    told = call("validate", "odd.toml")
    rows = [row for row in told.stderr.splitlines() if "warning: link_friction." in row]
    assert len(rows) == 4
    assert rows[0].endswith("link_friction.front_left: is usually 0.001 to 1.5, got 7")


@pytest.mark.parametrize("command", [("vehicles",), ("run", "--speed", "20", "--duration", "0.01"), ("plot",)])
@pytest.mark.parametrize(
    ("usual", "given", "line"),
    [
        ('height = "1.57 m"', 'height = "1500 m"', "warning: carbody.height: is usually 1e-06 to 8 m, got 1500 m"),
        ('mass = "15176 kg"', 'mass = "15 t"', None),
        (
            'guide_gap_x = "22.5 mm"',
            'guide_gap_x = "22.5 m"',
            "warning: guide_gap_x: is usually 1e-06 to 0.5 m, got 22.5 m",
        ),
        ('mass = "15176 kg"', "mass = 15.2", "warning: carbody.mass: is usually 300 to 500000 kg, got 15.2 kg"),
    ],
)
def test_unlikely_values_are_named_wherever_a_vehicle_is_read(command, usual, given, line, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = library_text("hbbills311")
    assert usual in text
    (tmp_path / "odd.toml").write_text(text.replace(usual, given))
    told = call(command[0], "odd.toml", *command[1:])
    assert [row for row in told.stderr.splitlines() if row.startswith("warning: ")] == ([line] if line else [])


def test_a_run_says_its_speed_as_it_was_typed():
    short = ("hbbills311", "--duration", "0.1")
    first, *rest = call("run", *short, "--speed", "72km/h").stdout.splitlines()
    assert first == "hbbills311 at 72 km/h (20 m/s): reached the end time 0.1 s"
    heads = [line.split() for line in rest if "amplitude" in line]
    assert heads == [["amplitude", unit, "frequency", "[Hz]"] for unit in ("[mm]", "[mrad]")]
    assert call("run", *short, "--speed", "20").stdout.startswith("hbbills311 at 20 m/s (72 km/h): ")


def test_program_is_named_so_that_the_command_works(tmp_path, monkeypatch):
    own = tmp_path / "bin" / "klingel"
    own.parent.mkdir()
    own.write_text("#!/bin/sh\n")
    own.chmod(0o755)
    monkeypatch.setattr("sys.argv", [str(own)])
    monkeypatch.setenv("PATH", "/nowhere")
    assert program() == str(own)
    monkeypatch.setenv("PATH", str(own.parent))
    assert program() == "klingel"
    monkeypatch.setattr("sys.argv", ["__main__.py"])
    monkeypatch.setenv("PATH", "/nowhere")
    assert program() == f"{sys.executable} -m klingel"


def test_a_run_shows_itself_in_a_few_lines():
    run = hunting_run()
    assert len(repr(run)) < 600
    assert run.vehicle.name in repr(run)
    assert "km/h" in repr(run)
    html = run._repr_html_()
    assert html.startswith("<table>")
    assert len(html) < 1500


def test_rows_of_every_step_have_a_spectrum_and_a_report(tmp_path):
    from klingel.plots.runs.spectrum import spectrum
    from klingel.reports.run import write_report

    wagon, track, kick = kg.load_vehicle("hbbills311"), kg.Track.straight(), {"front_wheelset.y": 0.005}
    every = kg.simulate(wagon, track, 45.0, 4.0, kick, output_step=None)
    grid = kg.simulate(wagon, track, 45.0, 4.0, kick, output_step=0.005)
    strongest = [spectrum(run, "front_wheelset.y").strongest() for run in (every, grid)]
    assert strongest[0] == pytest.approx(strongest[1], rel=0.05)
    page = write_report(every, tmp_path, "klingel run ...").read_text()
    assert "every step" in page
    assert "Power spectra" in page


def test_a_value_is_changed_from_python():
    wagon = kg.with_value(kg.load_vehicle("hbbills311"), "carbody.mass", 16000.0)
    assert next(body.mass for body in wagon.bodies if body.name == "carbody") == 16000.0


def test_sweep_without_a_main_guard_says_what_to_do(tmp_path):
    """Workers are spawned, not forked, when another thread runs; each of them runs the script again."""
    script = tmp_path / "study.py"
    script.write_text(
        "import threading, time\nimport klingel as kg\n"
        "threading.Thread(target=time.sleep, args=(600,), daemon=True).start()\n"
        "rule = kg.FixedTransient(0.01, 1, cap=0.02)\n"
        "wagon, track = kg.load_vehicle('hbbills311'), kg.Track.straight()\n"
        "kg.sweep(wagon, track, [20.0, 21.0], 'both', transient=rule, workers=2)\n"
    )
    package = str(Path(kg.__file__).parents[1])
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([package, os.environ.get("PYTHONPATH", "")])}
    command = [sys.executable, str(script)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    last = done.stderr.splitlines()[-1]
    assert "workers: none of the worker processes came up" in last
    assert "if __name__ == '__main__':" in last


@pytest.mark.parametrize(
    ("words", "kinds"),
    [((), {"irregular"}), (("--inclination", "1/20"), {"off-centre rest", "rest"})],
)
def test_first_page_says_what_comes_out(words, kinds):
    """`docs/index.md`: the wagon hunts at 45 m/s, and comes to rest on rails inclined 1/20."""
    run = call("run", "hbbills311", "--speed", "45", "--duration", "20", "--kick", "front_wheelset.y=5mm", *words)
    assert any(f"last third: {kind}\n" in run.stdout for kind in kinds)


def test_readme_counts_the_kinds_of_pictures():
    from klingel.plots.catalogue import KINDS

    assert len(KINDS) == 25
    assert "twenty-five kinds of pictures" in (Path(__file__).parents[2] / "README.md").read_text()


@pytest.mark.parametrize(
    ("word", "hint"), [("km/h", ": a unit follows its number without a blank, as in 80km/h"), ("two", "")]
)
def test_a_unit_apart_from_its_number(word, hint):
    words = [sys.executable, "-m", "klingel", "run", "hbbills311", "--speed", "80", word]
    done = subprocess.run(words, capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr == f"klingel: Got unexpected extra argument(s) ({word}){hint}; see klingel run --help\n"
