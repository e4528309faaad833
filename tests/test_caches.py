"""The cache of compiled kernels heals itself and does without a disk."""

import os
import subprocess
import sys

import pytest

PROGRAM = """
import logging
from klingel.numerics.linear.lu import factorise
import klingel._jit as jit, numpy as np
a, pivots = np.array([[4.0, 1.0], [1.0, 3.0]]), np.zeros(2, np.int64)
PREPARE
factorise(a, pivots)
print(repr(a.tolist()))
"""


def run(prepare="", **environment):
    """Compile one kernel, or find it in the cache."""
    return subprocess.run(
        [sys.executable, "-c", PROGRAM.replace("PREPARE", prepare)],
        capture_output=True,
        text=True,
        env=environment,
    )


def usual(folder):
    keep = ("PATH", "PYTHONPATH", "NUMBA_CPU_NAME", "NUMBA_CPU_FEATURES")
    return {name: os.environ[name] for name in keep if name in os.environ} | {"KLINGEL_CACHE_DIR": str(folder)}


def halved(content):
    return content[: len(content) // 2]


def flipped(content):
    """One bit in the middle: of machine code, it may still be carried out."""
    middle = len(content) // 2
    return content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :]


@pytest.mark.parametrize("ending", ["nbi", "nbc"])
@pytest.mark.parametrize("damage", [lambda _: b"", halved, flipped], ids=["empty", "halved", "flipped"])
def test_damaged_kernel_is_compiled_again(tmp_path, ending, damage):
    right = run(**usual(tmp_path))
    assert right.returncode == 0, right.stderr
    files = list(tmp_path.rglob(f"*.{ending}"))
    assert files
    for file in files:
        file.write_bytes(damage(file.read_bytes()))
    hit = "import atexit; atexit.register(lambda: print(sum(factorise.stats.cache_hits.values())))"
    again = run(prepare=hit, **usual(tmp_path))
    assert (again.returncode, again.stdout) == (0, right.stdout + "0\n"), again.stderr
    healed = run(prepare=hit, **usual(tmp_path))
    assert healed.stdout == right.stdout + "1\n"


def test_every_byte_of_a_kernel_file_is_checked(tmp_path):
    from klingel._kernel_files import DamagedError, check, digest

    file, content = tmp_path / "kernel.nbc", b"some code" * 7
    file.write_bytes(content + digest(content))
    check(str(file))
    whole = file.read_bytes()
    for place in range(len(whole)):
        file.write_bytes(whole[:place] + bytes([whole[place] ^ 4]) + whole[place + 1 :])
        with pytest.raises(DamagedError):
            check(str(file))


def test_full_disk_keeps_kernels_in_memory(tmp_path):
    """Writing fails, as on a full disk; one line says so."""
    full = (
        "from numba.core.caching import IndexDataCacheFile\n"
        "def fail(*a): raise OSError(28, 'No space left on device')\n"
        "IndexDataCacheFile._save_index = fail"
    )
    found = run(prepare=full, **usual(tmp_path))
    assert found.returncode == 0
    assert found.stderr.count("\n") == 1
    assert "stay in memory" in found.stderr
    assert "No space left on device" in found.stderr


def test_no_home_and_no_user(tmp_path):
    """As in a container with a bare user number: the temporary folder has the cache."""
    nobody = (
        "import pwd\n"
        "def fail(*a): raise KeyError('no such user')\n"
        "pwd.getpwuid = fail\n"
        "from pathlib import Path\n"
        "assert jit.cache_base() == Path(TMP) / 'klingel-cache'".replace("TMP", repr(str(tmp_path)))
    )
    environment = usual(tmp_path)
    del environment["KLINGEL_CACHE_DIR"]
    found = run(prepare=nobody, TMPDIR=str(tmp_path), **environment)
    assert found.returncode == 0, found.stderr
    assert list((tmp_path / "klingel-cache").rglob("*.nbc"))
