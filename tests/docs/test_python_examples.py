"""Every public name has an example in `examples/python/`, and all of them run."""

import runpy

import pytest

import klingel as kg
from tests.docs.blocks import ROOT

EXAMPLES = {path.stem: path for path in sorted((ROOT / "examples" / "python").glob("*.py"))}
SLOW = ("continue_orbit", "load_branch")


def test_there_is_one_for_every_public_name():
    assert set(EXAMPLES) == set(kg.__all__)


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow if name in SLOW else ()) for name in EXAMPLES]
)
def test_example_runs_and_uses_what_it_is_about(name, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    text = EXAMPLES[name].read_text(encoding="utf-8")
    made = {"Run": "kg.simulate", "Sweep": "kg.sweep", "Trajectory": "kg.integrate"}  # classes that are given back
    assert made.get(name, f"kg.{name}") in text
    runpy.run_path(str(EXAMPLES[name]), run_name="__main__")
    assert capsys.readouterr().out
