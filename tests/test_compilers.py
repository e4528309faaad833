"""Kernels are compiled linked or by plain Numba: the switch, the automatic way back, and equal results."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from klingel import _compilers, _jit
from klingel._errors import InputError

ROOT = Path(__file__).resolve().parents[1]
KERNEL = """
from klingel._jit import WAY, cache_folder, kernel, ready
from numba import types

@kernel(inner=True)
def double(x):
    return 2.0 * x

@kernel
def halve(x):
    return 0.5 * x

@kernel(signature=types.float64(types.float64))
def both(x):
    return halve(double(x)) + double(1.0)

print(WAY.name, both(3), halve(4.0), len(ready(both).overloads), cache_folder("numerics").name)
"""
# parts that plain Numba no longer asks for once it is imported
WITHOUT_REGISTER = "from numba.core import compiler_machinery\ndel compiler_machinery.register_pass\n"
WITHOUT_A_PASS = "from numba.core import typed_passes\ndel typed_passes.NativeLowering\n"
OTHER_NUMBA = "import numba\nnumba.__version__ = '0.99.1'\n"


def _python(*arguments, linking=None):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)])}
    environment.pop(_compilers.VARIABLE, None)
    if linking is not None:
        environment[_compilers.VARIABLE] = linking
    return subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, env=environment, check=True
    )


@pytest.mark.parametrize(
    ("asked", "way"), [(None, "linked"), ("auto", "linked"), ("", "linked"), ("plain", "plain")]
)
def test_variable_decides(monkeypatch, caplog, asked, way):
    monkeypatch.delenv(_compilers.VARIABLE, raising=False)
    if asked is not None:
        monkeypatch.setenv(_compilers.VARIABLE, asked)
    monkeypatch.setattr(_compilers.numba, "__version__", f"{_compilers.TESTED}.9")
    assert _compilers.choose().name == way
    assert not caplog.records


def test_variable_must_be_one_of_three(monkeypatch):
    monkeypatch.setenv(_compilers.VARIABLE, "cake")
    with pytest.raises(InputError, match="KLINGEL_LINKING: must be auto, linked or plain, got 'cake'"):
        _compilers.choose()


@pytest.mark.parametrize("version", ["0.67.1", "0.69.0", "0.680.0", "1.0", "0.70.0dev0+12", "unknown"])
def test_other_numba_is_taken_plainly_unless_asked(monkeypatch, caplog, version):
    monkeypatch.delenv(_compilers.VARIABLE, raising=False)
    monkeypatch.setattr(_compilers.numba, "__version__", version)
    assert _compilers.choose().name == "plain"
    assert len(caplog.records) == 1
    assert version in caplog.text
    monkeypatch.setenv(_compilers.VARIABLE, "linked")
    assert _compilers.choose().name == "linked"
    assert len(caplog.records) == 1


@pytest.mark.parametrize(
    ("missing", "word"),
    [(WITHOUT_REGISTER, "register_pass"), (WITHOUT_A_PASS, "NativeLowering"), (OTHER_NUMBA, "0.99.1")],
    ids=["import", "attribute", "version"],
)
def test_missing_part_falls_back_with_one_line(missing, word):
    done = _python("-c", missing + KERNEL)
    assert done.stdout.split()[:4] == ["plain", "5.0", "2.0", "1"]
    (line,) = done.stderr.splitlines()
    assert line.startswith("klingel: kernels are compiled by plain Numba, which takes longer: ")
    assert word in line


def test_both_ways_have_caches_of_their_own():
    plain, linked = (_python("-c", KERNEL, linking=way) for way in ("plain", "linked"))
    assert not plain.stderr + linked.stderr
    one, other = plain.stdout.split(), linked.stdout.split()
    assert (one[0], other[0]) == ("plain", "linked")
    assert one[1:4] == other[1:4] == ["5.0", "2.0", "1"]
    assert one[4] != other[4]


@pytest.mark.slow
@pytest.mark.skipif(_jit.WAY.name != "linked", reason="there is only one way here")
def test_wagon_and_small_system_are_the_same_both_ways(tmp_path):
    """The small system to the bit.

    In the wagon the compiler may contract or reorder other sums when it sees other pieces of the code, so its
    right-hand side agrees to rounding; the run has the same events and stays within what that rounding grows to,
    some 1e-14 m in this half second.
    """
    found = []
    for way in ("plain", "linked"):
        _python("-m", "tests.both_ways", str(tmp_path / f"{way}.npz"), linking=way)
        found.append(np.load(tmp_path / f"{way}.npz"))
    plain, linked = found
    assert (str(plain["way"]), str(linked["way"])) == ("plain", "linked")
    assert np.array_equal(plain["small_t"], linked["small_t"])
    assert np.array_equal(plain["small_x"], linked["small_x"])
    assert np.abs(plain["rate"] - linked["rate"]).max() < 1e-13 * np.abs(linked["rate"]).max()
    assert linked["events"].size > 0
    assert np.array_equal(plain["events"], linked["events"])
    assert np.abs(plain["event_times"] - linked["event_times"]).max() < 1e-10
    assert np.abs(plain["x"] - linked["x"]).max() < 1e-12
