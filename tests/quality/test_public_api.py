"""The public names exist, load lazily, and nothing else leaks out."""

import subprocess
import sys

import pytest

import klingel as kg


@pytest.mark.parametrize("name", kg.__all__)
def test_public_name_resolves(name):
    assert getattr(kg, name) is not None
    assert set(kg._HOMES) == set(kg.__all__)


def test_unknown_name():
    with pytest.raises(AttributeError, match="no attribute 'simulatte'"):
        _ = kg.simulatte  # type: ignore[attr-defined]


def test_import_is_light():
    code = "import sys, klingel; print(any(m in sys.modules for m in ('numba', 'numpy', 'scipy')))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
