"""`klingel demo` writes one page and says where; its JSON is the only thing on standard output."""

import json

import numpy as np
import pytest
from typer.testing import CliRunner

import klingel as kg
from klingel.app.cli import app
from klingel.reports.hunting import END, LOOPS


def test_demo_writes_a_page(tmp_path):
    result = CliRunner().invoke(app, ["demo", "--out", str(tmp_path / "shown"), "--json"])
    assert result.exit_code == 0
    document = json.loads(result.stdout)
    assert document["page"].endswith("index.html")
    assert document["status"] == "done"
    assert 1e-3 < document["settled"]["amplitude"]["front_wheelset.y"] < 10e-3  # it hunts
    page = (tmp_path / "shown" / "index.html").read_text()
    assert page.count("<img") == 5
    for section in ("Vehicle", "Forces between wheel and rail", "Hysteresis of the suspension"):
        assert section in page
    assert "klingel plot" in page  # what to try next
    run = kg.load_run(tmp_path / "shown" / "run.nc")
    assert run.options["speed"] == 18.0
    assert_friction_works_when_settled(run)


def assert_friction_works_when_settled(run):
    """In the part that is shown the motion repeats itself, and the loop of a link has an area in every cycle."""
    begin, end = float(run.time[-1]) - END, float(run.time[-1])
    events = run.events[(run.events["time"] > begin) & run.events["element"].str.contains("slider")]
    assert len(events) >= 12  # four changes per cycle and slider, three cycles
    part = run.time >= begin
    u, force = (run[f"{LOOPS[0]}.{word}"].to_numpy()[part] for word in ("deformation", "force"))
    heat = -np.sum(0.5 * (force[1:] + force[:-1]) * np.diff(u))
    assert heat > 20.0  # [J]
    y = run["front_wheelset.y"].to_numpy()
    late, before = (np.ptp(y[(run.time > end - k - 2.0) & (run.time <= end - k)]) for k in (0.0, 2.0))
    assert late == pytest.approx(before, rel=0.02)
