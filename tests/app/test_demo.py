"""`klingel demo` writes one page and says where; its JSON is the only thing on standard output."""

import json

from typer.testing import CliRunner

import klingel as kg
from klingel.app.cli import app


def test_demo_writes_a_page(tmp_path):
    result = CliRunner().invoke(app, ["demo", "--out", str(tmp_path / "shown"), "--json"])
    assert result.exit_code == 0
    document = json.loads(result.stdout)
    assert document["page"].endswith("index.html")
    assert document["status"] == "done"
    assert 1e-3 < document["settled"]["amplitude"]["front_wheelset.y"] < 10e-3  # it hunts
    page = (tmp_path / "shown" / "index.html").read_text()
    assert page.count("<img") == 3
    assert "klingel plot" in page  # what to try next
    assert kg.load_run(tmp_path / "shown" / "run.nc").options["speed"] == 45.0
