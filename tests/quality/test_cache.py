"""Kernels come from the disk cache in a second process, and a change of the sources throws them away."""

import os
import subprocess
import sys

import pytest

COUNT_COMPILATIONS = """
from numba.core import event

class Listener(event.Listener):
    started = 0
    def on_start(self, happening):
        Listener.started += 1
    def on_end(self, happening):
        pass

event.register("numba:compile", Listener())
from klingel.numerics.integrate import integrate
from klingel.literature.impact_oscillator.system import impact_oscillator
run = integrate(impact_oscillator(), [0.0, 0.0], 1.0, method="auto")
print(Listener.started, repr(run.x[-1].tolist()))
"""


def _run(code: str, cache) -> str:
    environment = {**os.environ, "KLINGEL_CACHE_DIR": str(cache)}
    environment.pop("NUMBA_DISABLE_JIT", None)
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True
    )
    return done.stdout.strip()


@pytest.mark.slow
def test_second_process_compiles_nothing(tmp_path):
    first, result = _run(COUNT_COMPILATIONS, tmp_path).split(" ", 1)
    second, again = _run(COUNT_COMPILATIONS, tmp_path).split(" ", 1)
    assert int(first) > 0
    assert int(second) == 0
    assert result == again


def test_digest_covers_own_layer_and_those_below(tmp_path, monkeypatch):
    """An edit of numerics moves the cache of elements too; an edit of elements leaves numerics alone."""
    from klingel import _jit

    def folders():
        _jit.layer_hash.cache_clear()
        _jit.cache_folder.cache_clear()
        return {layer: _jit.cache_folder(layer) for layer in ("numerics", "elements")}

    package = tmp_path / "klingel"
    for layer in _jit.LAYERS:
        (package / layer).mkdir(parents=True)
        (package / layer / "law.py").write_text("x = 2")
    monkeypatch.setattr(_jit, "_PACKAGE", package)
    try:
        before = folders()
        (package / "elements" / "law.py").write_text("x = 5")
        upper = folders()
        assert upper["numerics"] == before["numerics"]
        assert upper["elements"] != before["elements"]
        (package / "numerics" / "law.py").write_text("x = 5")
        lower = folders()
        assert lower["numerics"] != before["numerics"]
        assert lower["elements"] != upper["elements"]
    finally:
        monkeypatch.undo()
        _jit.layer_hash.cache_clear()
        _jit.cache_folder.cache_clear()
