"""`klingel sweep`: one document on standard output; bad input is one line and exit code 2."""

import json
import sys
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import pytest
from typer.testing import CliRunner

import klingel as kg
from klingel.app.cli import app
from klingel.io.units import parse_values

SHORT = ["--transient", "0.1s", "--maxima", "1", "--cap", "100ms"]


def sweep(*arguments: str):
    return CliRunner().invoke(app, ["sweep", *arguments])


def test_document(tmp_path):
    out = tmp_path / "sweep.nc"
    result = sweep(
        "hbbills311", "--speeds", "31:30:-0.5", *SHORT, "--out", str(out), "--json", "--set", "carbody.mass=16t"
    )
    assert result.exit_code == 0, result.stderr
    document = json.loads(result.stdout)
    assert document["parameter"] == [31.0, 30.5, 30.0]
    assert document["direction"] == "down"
    assert len(document["kind"]) == len(document["maxima"]["front_wheelset.y"]) == 3
    assert document["evidence"][0]["window"] > 0.0
    assert document["files"] == [str(out)]
    stored = kg.load_sweep(out)
    assert stored.kinds == document["kind"]
    assert "16000" in stored.settings["vehicle"]


def test_words_for_people_and_upward_ranges():
    result = sweep("g69", "--speeds", "20,21", *SHORT)
    assert result.exit_code == 0, result.stderr
    lines = result.stdout.splitlines()
    assert lines[0].split()[:4] == ["speed", "[m/s]", "way", "kind"]
    assert lines[1].split()[:2] == ["20", "up"]


def test_any_value_with_its_unit():
    result = sweep(
        "hbbills311",
        "--parameter",
        "carbody.mass",
        "--values",
        "15t:16t:1t",
        "--speed",
        "108km/h",
        *SHORT,
        "--json",
    )
    assert result.exit_code == 0, result.stderr
    assert json.loads(result.stdout)["parameter"] == [15e3, 16e3]


def test_words_in_the_order_given():
    arguments = ["hbbills311", "--parameter", "links", "--values", "SPP, PTP", "--speed", "30", *SHORT]
    result = sweep(*arguments, "--json")
    assert result.exit_code == 0, result.stderr
    document = json.loads(result.stdout)
    assert document["parameter"] == ["SPP", "PTP"]
    assert document["direction"] == "fresh"
    lines = sweep(*arguments).stdout.splitlines()
    assert [line.split()[:2] for line in lines[1:3]] == [["SPP", "fresh"], ["PTP", "fresh"]]


def test_thesis_recipe_is_twenty_and_twenty():
    from klingel.app.commands.sweep import _rule

    assert _rule("thesis", None, None, None) == kg.FixedTransient(transient=20.0, maxima=20)
    assert _rule("settled", None, None, "30s") == kg.UntilSettled(cap=30.0)


def test_dask_is_asked_for_its_executor(monkeypatch):
    """Without the extra one line; with it the executor of the cluster, here one of threads."""

    class Client:
        def __init__(self, address, timeout):
            if not address.startswith("tcp://"):
                raise OSError("no such address")

        def __enter__(self):
            return self

        def __exit__(self, *_):
            pass

        def get_executor(self):
            return ThreadPoolExecutor(1)

    arguments = ["hbbills311", "--speeds", "30", *SHORT, "--dask"]
    monkeypatch.setitem(sys.modules, "distributed", None)
    refused = sweep(*arguments, "tcp://here:1")
    assert refused.exit_code == 2
    assert "klingel[dask]" in refused.stderr
    monkeypatch.setitem(sys.modules, "distributed", SimpleNamespace(Client=Client))
    assert sweep(*arguments, "tcp://here:1").exit_code == 0
    assert "must be the address of a scheduler" in sweep(*arguments, "nowhere").stderr


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["hbbills311"], "klingel: --speeds: must be given"),
        (["hbbills311", "--speeds", "30:40"], "klingel: --speeds: must be first:last:step"),
        (["hbbills311", "--speeds", "30:40:-1"], "klingel: --speeds: must lead from first to last"),
        (["hbbills311", "--speeds", "30:40:0"], "klingel: --speeds: must be first:last:step"),
        (["hbbills311", "--speeds", "fast"], "klingel: --speeds: must be a speed"),
        (["hbbills311", "--speeds", "30", "--recipe", "cake"], "klingel: --recipe: must be settled or thesis"),
        (["hbbills311", "--speeds", "30", "--direction", "left"], "klingel: --direction: must be down, up"),
        (["hbbills311", "--speeds", "30", "--resume"], "klingel: --resume: must come with the file"),
        (["hbbills311", "--speeds", "30", "--out", "no/such/a.nc"], "klingel: --out: must be in a folder"),
        (["hbbills311", "--parameter", "gauge", "--values", "1.4"], "klingel: speed: must be given when gauge"),
        (
            ["hbbills311", "--parameter", "link", "--values", "PTP"],
            "klingel: link: is no value of this vehicle; did",
        ),
        (
            ["hbbills311", "--parameter", "links", "--values", "PTQ", "--speed", "9"],
            "klingel: links: did you mean",
        ),
        (
            ["hbbills311", "--parameter", "load", "--values", "full", "--speed", "9"],
            "klingel: load: must be one of",
        ),
        (
            ["hbbills311", "--parameter", "carbody.mass", "--values", "1mm"],
            "klingel: carbody.mass: must be a mass",
        ),
        (["g69", "--parameter", "load", "--values", "empty"], "klingel: speed: must be given when load"),
    ],
)
def test_bad_input_is_one_line_and_code_2(arguments, line):
    result = sweep(*arguments)
    assert result.exit_code == 2
    assert result.stderr.startswith(line)
    assert result.stderr.count("\n") == 1
    assert result.stdout == ""


def test_ranges_include_both_ends():
    assert parse_values("50:5:-0.2")[:2] == [50.0, 49.8]
    assert parse_values("50:5:-0.2")[-1] == 5.0
    assert len(parse_values("30:60:0.2")) == 151
    assert parse_values("36km/h,72km/h") == pytest.approx([10.0, 20.0])


def test_requests_are_swept(tmp_path):
    """Vehicle, start and tolerance from the file, the rest as typed."""
    file = tmp_path / "request.toml"
    file.write_text(
        'vehicle = "g69"\nspeed = 20\nduration = 1\nsolving.rtol = 1e-4\n'
        'start.initial = {"front_wheelset.y" = "3 mm"}\n'
    )
    results = [
        sweep("--request", str(file), "--speeds", "20,21", *SHORT, "--json"),
        sweep("g69", "--kick", "front_wheelset.y=3mm", "--rtol", "1e-4", "--speeds", "20,21", *SHORT, "--json"),
    ]
    one, other = (json.loads(result.stdout) for result in results)
    assert one == other
    assert sweep("--speeds", "20,21").stderr.startswith("klingel: VEHICLE: must be given, or --request FILE")
