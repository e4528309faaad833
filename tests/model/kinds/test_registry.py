"""Every kind of element has its file with the same hooks, and nobody asks a law what it is."""

import re
from pathlib import Path

import pytest

import klingel
from klingel.model.kinds.registry import Family, Kind, module

REQUIRED = ("ABOUT", "COUNT", "ROWS", "AT", "put", "report", "energy")
SOURCE = Path(klingel.__file__).parent


@pytest.mark.parametrize("kind", Kind)
def test_kind_has_the_hooks(kind):
    file = module(kind)
    assert [name for name in REQUIRED if not hasattr(file, name)] == []
    assert file.ABOUT.law.__module__ == f"klingel.elements.{kind.word}"
    if file.ABOUT.events:
        assert hasattr(file, "cross") or hasattr(file, "guards")
    if hasattr(file, "guards"):
        assert hasattr(file, "watched")


@pytest.mark.parametrize("kind", [kind for kind in Kind if module(kind).ABOUT.family == Family.SPRING])
def test_springs_can_be_drawn(kind):
    """Without `along` the picture of the suspension would show no force."""
    assert hasattr(module(kind), "along")


def test_nobody_asks_a_law_what_it_is():
    pattern = re.compile(r"isinstance\([^)]*\blaw")
    found = [path.name for path in SOURCE.rglob("*.py") if pattern.search(path.read_text(encoding="utf-8"))]
    assert found == []
