"""`klingel plot` and what `klingel run` has for pictures: files, JSON, and one line for bad input."""

import json

import pytest
from typer.testing import CliRunner

import klingel as kg
from klingel.app.cli import app
from klingel.io.track.toml import save_track
from klingel.plots.catalogue import KINDS
from tests.short_run import hunting_run, near_run


@pytest.fixture(scope="module")
def stored(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs")
    near_run().save(folder / "near.nc")
    return hunting_run().save(folder / "run.nc")


def plot(*arguments):
    return CliRunner().invoke(app, ["plot", *map(str, arguments)])


def test_kinds_are_listed():
    lines = plot().stdout.splitlines()
    assert [line.split()[0] for line in lines] == list(KINDS)
    assert [row["kind"] for row in json.loads(plot("--json").stdout)] == list(KINDS)


@pytest.mark.parametrize(("suffix", "mark"), [("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")])
def test_formats(stored, tmp_path, suffix, mark):
    out = tmp_path / f"phase.{suffix}"
    result = plot(stored, "--kind", "phase", "--quantity", "carbody.y", "--from", "0.5s", "--out", out, "--json")
    assert result.exit_code == 0, result.stderr
    assert json.loads(result.stdout) == {"kind": "phase", "files": [str(out)]}
    assert out.read_bytes().startswith(mark)


def test_file_is_named_after_run_and_kind(stored, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert plot(stored, "--kind", "shadowing", "--with", stored.with_name("near.nc")).exit_code == 0
    assert plot("hbbills311", "--kind", "suspension").exit_code == 0
    save_track(kg.Track.curve(radius=600.0, cant=0.1), tmp_path / "curve.toml")
    assert plot("curve.toml", "--kind", "track", "--quantity", "cant").exit_code == 0
    names = ["curve-track.png", "hbbills311-suspension.png", "run-shadowing.png"]
    assert sorted(path.name for path in tmp_path.glob("*.png")) == names


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["--kind", "latral"], "klingel: --kind: must be one of lateral"),
        (["--kind", "lateral", "--quantity", "front_weelset.y"], "klingel: --quantity: "),
        (["--kind", "lateral", "--from", "soon"], "klingel: --from: must be a number with an optional unit"),
        (["--kind", "lateral", "--from", "2", "--to", "1"], "klingel: --to: must lie beyond --from"),
        (["--kind", "lateral", "--along", "way"], "klingel: --along: must be one of time, speed, distance"),
        (["--kind", "lateral", "--out", "a.bmp"], "klingel: figure file: must end in .png, .svg, .pdf"),
        (["--kind", "separation"], "klingel: --with: must name one second run"),
        (
            ["--kind", "separation", "--with", "{run}", "--with", "{run}"],
            "klingel: --with: must name one second run",
        ),
        (["--kind", "attractors"], "klingel: file: must be a sweep stored by klingel"),
        (["--kind", "lateral", "--with", "{run}"], "klingel: --with: has no meaning for the kind lateral"),
        (["--kind", "track", "--quantity", "gauge"], "klingel: --quantity: must be one of curvature, cant"),
    ],
)
def test_bad_input_is_one_line_and_code_2(stored, arguments, line):
    result = plot(stored, *(word.format(run=stored) for word in arguments))
    assert result.exit_code == 2
    assert result.stderr.startswith(line)
    assert result.stderr.count("\n") == 1


def test_several_sweeps_and_runs_in_one_picture(stored, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    short = kg.FixedTransient(transient=0.1, maxima=1, cap=0.1)
    wagon, track = kg.load_vehicle("hbbills311"), kg.Track.straight()
    for name, fresh in (("chains", False), ("starts", True)):
        kg.sweep(wagon, track, [30.0, 31.0], fresh=fresh, transient=short, out=tmp_path / f"{name}.nc", workers=1)
    for kind in ("attractors", "bifurcation"):
        result = plot("chains.nc", "--with", "starts.nc", "--kind", kind, "--quantity", "carbody.y")
        assert result.exit_code == 0, result.stderr
    others = ["--with", stored.with_name("near.nc"), "--with", stored]
    assert plot(stored, *others, "--kind", "hysteresis", "--quantity", "front_left").exit_code == 0
    assert plot(stored, *others, "--kind", "compare").exit_code == 0
    names = ["chains-attractors.png", "chains-bifurcation.png", "run-compare.png", "run-hysteresis.png"]
    assert sorted(path.name for path in tmp_path.glob("*.png")) == names


def test_pictures_by_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, kind in (("S1002", "profile"), ("UIC60", "profile"), ("leaf_spring", "modes")):
        result = plot(name, "--kind", kind)
        assert result.exit_code == 0, result.stderr
    assert len(list(tmp_path.glob("*.png"))) == 3
    for name, kind, line in (
        ("S1003", "profile", "klingel: profile: must be a profile file or one of S1002"),
        ("spring", "modes", "klingel: element: must be one of dry_friction"),
        ("table.txt", "table", "klingel: "),
        ("S1002", "resonance", "klingel: vehicle: "),
    ):
        result = plot(name, "--kind", kind)
        assert result.exit_code == 2
        assert result.stderr.startswith(line)
        assert result.stderr.count("\n") == 1


def test_a_file_that_is_no_run(tmp_path):
    (tmp_path / "run.nc").write_text("nothing")
    result = plot(tmp_path / "run.nc", "--kind", "lateral")
    assert result.exit_code == 2
    assert result.stderr.count("\n") == 1


def test_a_file_that_is_nothing_we_draw(tmp_path):
    (tmp_path / "x.md").write_text("words")
    result = plot(tmp_path / "x.md")
    assert result.exit_code == 2
    assert result.stderr.count("\n") == 1


def test_a_run_goes_on_from_a_stored_one(stored, tmp_path):
    last = float(kg.load_run(stored)["front_wheelset.y"][-1])
    arguments = ["run", "hbbills311", "--speed", "45", "--duration", "0.1", "--start", str(stored)]
    result = CliRunner().invoke(app, [*arguments, "--out", str(tmp_path / "more.nc")])
    assert result.exit_code == 0, result.stderr
    assert float(kg.load_run(tmp_path / "more.nc")["front_wheelset.y"][0]) == pytest.approx(
        last, rel=1e-6
    )  # files are single precision
    result = CliRunner().invoke(app, [*arguments, "--kick", "carbody.y=1mm"])
    assert result.exit_code == 2
    assert "--start" in result.stderr


def test_a_vehicle_file_has_no_motion_to_draw(tmp_path):
    result = plot(tmp_path / "w.toml", "--kind", "lateral")
    assert result.exit_code == 2
    assert result.stderr.startswith(
        "klingel: file: must be a stored run, run.nc, for this kind; klingel run --out"
    )
