"""`klingel demo` writes one page and says where; its JSON is the only thing on standard output."""

import json

import pytest
from typer.testing import CliRunner

from klingel.app.cli import app


@pytest.mark.slow
def test_demo_writes_a_page(tmp_path):
    result = CliRunner().invoke(app, ["demo", "--out", str(tmp_path / "shown"), "--json"])
    assert result.exit_code == 0
    document = json.loads(result.stdout)
    assert document["page"].endswith("index.html")
    names = [example["name"] for example in document["examples"]]
    assert {"impact-oscillator", "event-location", "guided-rod"} <= set(names)
    page = (tmp_path / "shown" / "index.html").read_text()
    assert all(f"<h2>{name}</h2>" in page for name in names)
    assert page.count("<img") >= 7
