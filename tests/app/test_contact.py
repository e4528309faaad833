"""`klingel contact`: JSON on standard output, one line and exit code 2 for bad input."""

import json

import numpy as np
import pytest
import typer
from typer.testing import CliRunner

from klingel._errors import InputError
from klingel.app.commands.contact import contact
from klingel.app.console import one_line_errors
from klingel.contact.profiles.s1002 import s1002
from klingel.io.contact import cache as contact_cache
from klingel.plots.wheel_rail import contact_table as pictures
from tests.worn_profiles import Wear, worn_points


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.setattr(contact_cache, "cache_folder", lambda: tmp_path / "cache")
    monkeypatch.chdir(tmp_path)
    app = typer.Typer(pretty_exceptions_enable=False)
    app.command()(one_line_errors(contact))
    return lambda *words: CliRunner().invoke(app, words)


def test_json_document(run, tmp_path):
    result = run("S1002", "UIC60", "--inclination", "1/20", "--amplitudes", "1mm,2.5mm", "--out", "here", "--json")
    assert result.exit_code == 0
    document = json.loads(result.stdout)
    assert set(document) == {
        "wheel", "rail", "inclination", "gauge", "jumps", "conicity", "conicity_with_roll",
        "harmonic_conicity", "rolling_radius_difference", "sections", "remarks", "files",
    }  # fmt: skip
    assert list(document["conicity"]) == ["0.001", "0.0025"]
    assert document["inclination"] == pytest.approx(1 / 20)
    assert 0.008 < document["conicity"]["0.001"] < 0.012
    assert all((tmp_path / name).is_file() for name in document["files"])


def test_summary_for_people(run):
    result = run("S1002", "UIC60", "--inclination", "1/20", "--amplitudes", "2mm")
    assert result.exit_code == 0
    assert "inclination 1/20" in result.stdout
    assert "0.0092" in result.stdout


def test_numbers_of_a_hollow_wheel_are_printed_before_pictures(run, tmp_path, monkeypatch):
    """Whatever happens to the pictures; where no motion has an amplitude a line says so."""
    np.savetxt(tmp_path / "hollow.txt", 1e3 * worn_points(Wear(hollow=0.0008)), fmt="%.5f")

    def fails(*_):
        raise InputError("picture", None, "cannot be drawn")

    monkeypatch.setattr(pictures, "contact_parameters", fails)
    words = ("--inclination", "1/20", "--residual", "1um", "--amplitudes", "1mm,2mm,3mm")
    result = run(str(tmp_path / "hollow.txt"), "UIC60", *words)
    assert result.exit_code != 0
    rows = [line.split() for line in result.stdout.splitlines()]
    assert ["2", "-", "-"] in [row[:3] for row in rows]
    assert [row[1] for row in rows if row[:1] in (["1"], ["3"])] == ["0.0632", "0.1066"]
    assert "harmonic conicity, -0.0294" in result.stdout
    assert "beside the middle" in result.stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["S1003", "UIC60"], "wheel: "),
        (["S1002", "UIC61"], "rail: "),
        (["S1002", "UIC60", "--amplitudes", "1 parsec"], "--amplitudes: "),
        (["S1002", "UIC60", "--inclination", "3"], "--inclination: "),
        (["S1002", "UIC60", "--inclination", "1/0"], "--inclination: "),
        (["S1002", "UIC60", "--step", "0"], "--step: "),
        (["S1002", "UIC60", "--reach", "-1"], "--reach: must be at least 0.0001 m"),
        (["S1002", "UIC60", "--overlap", "-1mm"], "--overlap: must be at least 0 m"),
        (["S1002", "UIC60", "--residual", "-1mm"], "--residual: must be at least 0 m"),
        (["S1002", "UIC60", "--flange-back", "-1"], "--flange-back: "),
        (["S1002", "UIC60", "--gauge", "1400mm"], "--gauge: "),
        (["S1002", "UIC60", "--yaw", "3"], "--yaw: "),
        (["S1002", "UIC60", "--wheel-right", "S1003"], "--wheel-right: "),
    ],
)
def test_bad_input_is_one_line_under_the_name_that_was_typed(run, words, message):
    result = run(*words)
    assert result.exit_code == 2
    assert result.stderr.count("\n") == 1
    assert result.stderr.startswith(f"klingel: {message}")


def test_a_table_that_ends_on_the_profiles_end_names_its_reach(run):
    result = run("S1002", "UIC60", "--yaw", "0.05")
    assert result.exit_code == 2
    assert result.stderr.splitlines()[-1].startswith("klingel: --reach: must keep the contact on the profiles")


def test_noise_of_a_measured_wheel_is_smoothed_on_demand(run, tmp_path):
    points = s1002().resampled(2e-4)
    points[:, 1] += np.random.default_rng(0).normal(0.0, 5e-6, len(points))
    (tmp_path / "worn.txt").write_text("\n".join(f"{1e3 * y:.4f} {1e3 * z:.4f}" for y, z in points))
    rough = run("worn.txt", "UIC60")
    assert rough.exit_code == 2
    assert "residual" in rough.stderr.splitlines()[-1]
    smooth = run("worn.txt", "UIC60", "--residual", "5um", "--amplitudes", "3mm", "--json")
    assert smooth.exit_code == 0
    assert json.loads(smooth.stdout)["conicity"]["0.003"] == pytest.approx(0.1741, abs=0.02)


def test_many_jumps_of_a_measured_wheel_hint_at_smoothing(run, tmp_path):
    points = s1002().resampled(5e-4)
    points[:, 1] += np.random.default_rng(3).normal(0.0, 8e-6, len(points))
    (tmp_path / "worn.txt").write_text("\n".join(f"{1e3 * y:.4f} {1e3 * z:.4f}" for y, z in points))
    rough = run("worn.txt", "UIC60", "--amplitudes", "3mm")
    assert rough.exit_code == 0
    assert "try --residual" in rough.stderr
    assert "try --residual" not in run("worn.txt", "UIC60", "--residual", "8um", "--amplitudes", "3mm").stderr


def test_loaded_contact_shows_its_load_transfer(run, tmp_path):
    result = run("S1002", "UIC60", "--loaded", "50kN", "--amplitudes", "3mm", "--json")
    names = [name.rsplit("/", 1)[-1] for name in json.loads(result.stdout)["files"]]
    assert "load-transfer.png" in names
