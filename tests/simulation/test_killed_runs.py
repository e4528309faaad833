"""Whatever ends the process of a run: its file is read, little is lost, and it goes on bit for bit."""

import itertools
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import xarray as xr

import klingel as kg
from klingel.io.run_journal import journal_of
from klingel.numerics.checkpoint import COUNTS
from klingel.numerics.ode.workspace import Count
from klingel.simulation import recording
from klingel.simulation.continue_run import checkpoint_of
from tests.simulation.nursery import Nursery, computed

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs processes that fork")
WORDS = ["run", "hbbills311", "--speed", "45", "--kick", "front_wheelset.y=5mm", "--duration", "100"]
DURATION = float(WORDS[-1])
SIGNALS = {
    "kill -9": [signal.SIGKILL],
    "hang up": [signal.SIGHUP],
    "terminate": [signal.SIGTERM],
    "Ctrl-C": [signal.SIGINT],
    "Ctrl-C twice": [signal.SIGINT, signal.SIGINT],
} if hasattr(signal, "SIGHUP") else {}  # fmt: skip
FULL = "full disk"
PACE = 0.1  # of writing in these runs [s]


@pytest.fixture(scope="module")
def nursery():
    if sys.platform == "win32":
        pytest.skip("needs processes that fork")
    found = Nursery()
    yield found
    found.close()


@pytest.fixture(scope="module")
def whole(nursery, tmp_path_factory):
    """The run nobody disturbs."""
    folder = tmp_path_factory.mktemp("whole")
    assert nursery.run([*WORDS, "--out", str(folder / "run.nc")], folder / "messages") == 0
    return kg.load_run(folder / "run.nc")


@pytest.fixture
def small_disk(tmp_path):
    """A folder on a disk of its own if one may be mounted, else None."""
    place = tmp_path / "disk"
    place.mkdir()
    able = sys.platform == "linux" and os.geteuid() == 0 and shutil.which("mount")
    size = "size=900k"
    mounted = (
        able
        and not subprocess.run(
            ["mount", "-t", "tmpfs", "-o", size, "tmpfs", str(place)], capture_output=True
        ).returncode
    )
    yield place, bool(mounted)
    if mounted:
        subprocess.run(["umount", str(place)], check=True)


def same(run, whole):
    """Bit for bit; of the counters of work one may differ: a solver set up anew may ask its guards again."""
    xr.testing.assert_identical(run.data.drop_vars("checkpoint"), whole.data.drop_vars("checkpoint"))
    mine, other = checkpoint_of(run), checkpoint_of(whole)
    asked = list(COUNTS).index(Count.GUARDS)
    mine["count"][asked] = other["count"][asked]
    for name, values in other.items():
        np.testing.assert_array_equal(mine[name], values, strict=True)
    assert without_clock(run) == without_clock(whole)
    assert (run.status, run.ended, run.request) == (whole.status, whole.ended, whole.request)


def without_clock(run):
    return replace(run.stats, wall_time=0.0, guard_evaluations=0)


def wait_for(child, messages, part):
    """Until the child has computed a part of the run, or has ended."""
    while part > 0.0 and (not (notes := computed(messages)) or notes[-1].reached < part * DURATION):
        try:
            os.kill(child, 0)
        except ProcessLookupError:
            return
        time.sleep(0.002)


def check_loss(kept, messages, way):
    """What had been computed is in the file, but for the pace of writing and two chunks of steps after a kill.

    In processor time, of which there is never more than time on the clock of the pace.
    """
    notes = computed(messages)
    stored = [note for note in notes if kept.time.size and note.reached <= kept.stats.simulated_time]
    if len(stored) == len(notes):
        return
    assert way == "kill -9"
    chunk = max((after.clock - before.clock for before, after in itertools.pairwise(notes)), default=0.0)
    lost = notes[-1].clock - (stored[-1] if stored else notes[0]).clock
    assert lost <= PACE + 2.0 * chunk
    assert recording.PACE + 2.0 * chunk < 5.0


def disturb(nursery, reference, folder, way, moment, later=0.0):
    """End a run `later` [s] than a part of it was computed; what is left goes on."""
    out, messages = folder / "run.nc", folder / "messages"
    child = nursery.begin([*WORDS, "--out", str(out)], messages, pace=PACE)
    wait_for(child, messages, moment)
    time.sleep(later)
    for number in SIGNALS[way]:
        try:
            os.kill(child, number)
        except ProcessLookupError:  # it had ended
            break
        time.sleep(0.02)
    code = nursery.end()
    assert "Traceback" not in messages.read_text()
    if not (out.exists() or journal_of(out).exists()):  # before the first step
        assert not computed(messages)
        return
    part = kg.load_run(out)
    check_loss(part, messages, way)
    if part.status != "done":  # else it was quicker
        assert code == (-signal.SIGKILL if way == "kill -9" else 130)
        assert (code == 130) == (out.exists() and not journal_of(out).exists())
        assert nursery.run(["run", "--continue", str(out)], messages, pace=PACE) == 0, messages.read_text()
    same(kg.load_run(out), reference)
    assert not journal_of(out).exists() or part.status == "done"


@pytest.mark.parametrize(("way", "moment"), list(zip(SIGNALS, (0.6, 0.3, 0.5, 0.7, 0.4), strict=False)))
def test_ended_run_goes_on(nursery, whole, tmp_path, way, moment):
    disturb(nursery, whole, tmp_path, way, moment)


def fill_up(nursery, whole, small_disk, folder):
    """A run whose place is full after some of its rows is kept in the temporary folder, whole."""
    place, mounted = small_disk
    out, messages = place / "run.nc", folder / "messages"
    options = {"pace": PACE} if mounted else {"pace": PACE, "full": (place, 900_000)}
    code = nursery.run([*WORDS, "--out", str(out)], messages, **options)
    told = messages.read_text()
    assert code == 3, told
    assert "No space left on device" in told
    assert "Traceback" not in told
    kept = next(
        Path(line.split(" is kept in ")[1].split(":")[0]) for line in told.splitlines() if "is kept" in line
    )
    try:
        same(kg.load_run(kept), whole)
        assert not journal_of(kept).exists()
    finally:
        kept.unlink()
    part = kg.load_run(out)  # what found room
    assert part.status in ("interrupted", "done")


def test_full_disk_loses_nothing(nursery, whole, small_disk, tmp_path):
    fill_up(nursery, whole, small_disk, tmp_path)


@pytest.mark.slow
def test_forty_moments(nursery, whole, tmp_path, small_disk):
    chance = random.Random(14)
    for k in range(38):
        folder = tmp_path / str(k)
        folder.mkdir()
        way, moment, later = list(SIGNALS)[k % len(SIGNALS)], chance.uniform(0.0, 1.0), chance.uniform(0.0, 0.1)
        disturb(nursery, whole, folder, way, moment, later)
        shutil.rmtree(folder)
    for k in range(2):
        folder = tmp_path / f"full {k}"
        folder.mkdir()
        fill_up(nursery, whole, small_disk, folder)
        for file in small_disk[0].iterdir():
            file.unlink()


def test_killed_while_going_on(nursery, whole, tmp_path):
    """Twice: what is there is not lost while the rest is computed."""
    out, messages = tmp_path / "run.nc", tmp_path / "messages"
    words = [*WORDS, "--out", str(out)]
    reached = 0.0
    for _ in range(2):
        child = nursery.begin(words, messages, pace=PACE)
        wait_for(child, messages, 0.3 + reached / DURATION)
        os.kill(child, signal.SIGKILL)
        nursery.end()
        now = kg.load_run(out).stats.simulated_time
        assert now >= reached
        reached, words = now, ["run", "--continue", str(out)]
    if kg.load_run(out).status != "done":
        assert nursery.run(words, messages, pace=PACE) == 0
    same(kg.load_run(out), whole)


def test_results_are_not_overwritten(nursery, tmp_path):
    out, messages = tmp_path / "run.nc", tmp_path / "messages"
    words = [*WORDS[:-1], "0.2", "--out", str(out)]
    assert nursery.run(words, messages) == 0
    before = out.read_bytes()
    assert nursery.run(words, messages) == 2
    assert messages.read_text().startswith("klingel: --out: exists")
    assert messages.read_text().count("\n") == 1
    assert out.read_bytes() == before
    assert nursery.run([*words, "--force"], messages) == 0
