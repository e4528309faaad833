"""The journal of a run is a run after every record, cut anywhere, and after a write that failed."""

import errno

import numpy as np
import pytest

from klingel._errors import InputError
from klingel.io import blocks
from klingel.io.chunks import ROWS
from klingel.io.run_journal import RunJournal, read_journal

PIECES = (10, ROWS, 3, 2 * ROWS + 5, 0, 40)


def rows(count, seed=0):
    chance = np.random.default_rng(seed)
    return {
        "time": (("time",), np.arange(count, dtype=float), {"units": "s"}),
        "a.mode": (
            ("time",),
            chance.integers(0, 3, count).astype(np.int8),
            {"flag_values": np.array([0, 1], np.int8)},
        ),
        "memory": (("time", "entry"), chance.normal(size=(count, 2)).astype(np.float32), {}),
        "event_time": (("event",), chance.normal(size=count // 2), {}),
        "checkpoint": (("checkpoint_byte",), chance.integers(0, 100, 7).astype(np.int8), {}),
    }


def columns():
    return {name: variable for name, variable in rows(0).items() if name != "checkpoint"}


def expected(pieces):
    parts = [rows(count, k) for k, count in enumerate(pieces)]
    found = {name: np.concatenate([part[name][1] for part in parts]) for name in columns()}
    return found | {"checkpoint": parts[-1]["checkpoint"][1]}


def check(path, pieces):
    variables, attributes, _ = read_journal(path)
    for name, values in expected(pieces).items():
        np.testing.assert_array_equal(variables[name][1], values, strict=True)
    assert attributes["piece"] == len(pieces) - 1


def test_every_record_is_a_run(tmp_path):
    path = tmp_path / "run.nc.journal"
    journal = RunJournal(columns(), {"piece": -1})
    journal.create(path)
    assert read_journal(path)[0]["time"][1].size == 0
    ends = []
    for k, count in enumerate(PIECES):
        journal.append(rows(count, k), {"piece": k})
        journal.write()
        check(path, PIECES[: k + 1])
        ends.append(path.stat().st_size)
    journal.close()
    content = path.read_bytes()
    for cut in np.random.default_rng(3).integers(ends[0], len(content), 30):
        path.write_bytes(content[:cut])
        check(path, PIECES[: sum(end <= cut for end in ends)])


def test_failed_write_is_made_up_for(tmp_path, monkeypatch):
    path, other = tmp_path / "run.nc.journal", tmp_path / "elsewhere.journal"
    journal = RunJournal(columns(), {})
    journal.create(path)
    journal.append(rows(PIECES[0], 0), {"piece": 0})
    journal.write()

    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    journal.append(rows(PIECES[1], 1), {"piece": 1})
    with monkeypatch.context() as patch:
        patch.setattr(blocks.Writer, "add", full)
        with pytest.raises(OSError, match="No space"):
            journal.write()
    check(path, PIECES[:1])
    journal.append(rows(PIECES[2], 2), {"piece": 2})
    journal.write()
    check(path, PIECES[:3])
    journal.create(other)
    check(other, PIECES[:3])
    journal.close()


def test_second_writer_is_refused(tmp_path):
    path = tmp_path / "run.nc.journal"
    first = RunJournal(columns(), {})
    first.create(path)
    with pytest.raises(InputError, match="in use by another process"):
        RunJournal(columns(), {}).create(path)
    first.close()
    RunJournal(columns(), {}).create(path)
