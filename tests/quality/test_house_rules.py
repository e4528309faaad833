"""Rules of the house that a machine can check."""

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

SOURCE = Path(__file__).resolve().parents[2] / "src" / "klingel"
FILES = sorted(SOURCE.rglob("*.py"))


ROOT = SOURCE.parents[1]
PAGES = [p for p in (*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")) if p.name != "CHANGELOG.md"]


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_files_named_in_the_docs_exist(page):
    text = page.read_text(encoding="utf-8")
    new = [Path(name).stem for name in re.findall(r"New file `([^`]+)`", text)]  # which the page tells to write
    named = [n for n in re.findall(r"`((?:[\w-]+/)+[\w-]+\.py)`", text) if not any(stem in n for stem in new)]
    assert [name for name in named if not any((base / name).exists() for base in (ROOT, SOURCE))] == []


def test_folders_can_be_listed():
    """A folder with more than 25 modules no longer shows what is in it."""
    assert [d for d in SOURCE.rglob("*") if d.is_dir() and len(list(d.glob("*.py"))) > 26] == []


def test_every_folder_says_what_it_holds():
    assert [f for f in SOURCE.rglob("__init__.py") if not f.read_text().startswith('"""')] == []


def test_help_starts_without_numba_and_numpy():
    code = "import sys; from klingel.app import cli; print('numba' in sys.modules, 'numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]


@pytest.mark.parametrize(
    "module", ["klingel.simulation.simulate", "klingel.app.commands.run", "klingel.reports.page"]
)
def test_heavy_packages_wait_until_they_are_used(module):
    """A second of waiting before bad input is told: xarray brings pandas, and both are for results only."""
    code = (
        f"import sys, {module}; print(*sorted({{'jinja2', 'matplotlib', 'pandas', 'xarray'}} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_only_one_place_compiles():
    offenders = [
        f.name for f in FILES if f.name != "_jit.py" and re.search(r"\bn?jit\(|@(numba\.)?n?jit", f.read_text())
    ]
    assert offenders == []


@pytest.mark.parametrize("layer", ["numerics", "analysis"])
def test_general_parts_know_no_trains(layer):
    words = re.compile(
        r"\b(wheel|wheelset|rail|wagon|vehicle|carbody|bogie|axle|train|lateral|yaw|pitch|roll)s?\b", re.IGNORECASE
    )
    offenders = [(f.name, words.findall(f.read_text())) for f in (SOURCE / layer).rglob("*.py")]
    assert [o for o in offenders if o[1]] == []


@pytest.mark.parametrize("layer", ["numerics", "contact", "elements", "track", "model", "analysis", "vehicles"])
def test_below_io_nothing_touches_a_file_or_prints(layer):
    marks = r"\bopen\(|\bprint\(|pathlib|\.(read|write)_(text|bytes)\(|np\.(load|save)\w*\(|matplotlib"
    files = sorted((SOURCE / layer).rglob("*.py"))
    assert files
    assert [f.name for f in files if re.search(marks, f.read_text())] == []


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.relative_to(SOURCE).as_posix())
def test_files_stay_small_or_say_why(path):
    text = path.read_text(encoding="utf-8")
    lines = len(text.splitlines())
    assert lines <= 500
    assert lines <= 300 or "Longer than other files:" in text


def test_kernels_cannot_allocate():
    """Kernels are compiled without the memory runtime, so an allocation is a compile error."""
    from numba.core.errors import NumbaError

    from klingel._jit import kernel

    def makes_an_array(n):
        return np.zeros(n).sum()

    with pytest.raises(NumbaError):
        kernel(makes_an_array)(3)
    assert kernel(makes_an_array, allocates=True)(3) == 0.0
