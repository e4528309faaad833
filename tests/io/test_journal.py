"""A journal gives back every whole record, whatever happens to its end."""

import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from klingel._errors import InputError
from klingel.io import journal

RECORDS = [{"index": k, "value": k / 3.0, "list": [0.1, float("inf"), None]} for k in range(5)]


def written(path):
    journal.create(path, {"what": "test"})
    with journal.appending(path) as writer:
        for record in RECORDS:
            writer.add(record)
    return path


def test_round_trip_is_exact(tmp_path):
    assert journal.read(written(tmp_path / "j")) == ({"what": "test"}, RECORDS)


@settings(max_examples=50, deadline=None)
@given(cut=st.integers(0, 400))
def test_cut_anywhere_loses_no_record_before_it(tmp_path_factory, cut):
    path = written(tmp_path_factory.mktemp("cut") / "j")
    content = path.read_bytes()
    kept = max(len(content) - cut, content.index(b"\n") + 1)
    path.write_bytes(content[:kept])
    whole = content[: kept + 1].count(b"\n") - 1  # a record is whole without its line end
    assert journal.read(path)[1] == RECORDS[:whole]
    with journal.appending(path) as writer:
        writer.add("more")
    assert journal.read(path)[1] == [*RECORDS[:whole], "more"]


def test_damaged_record_is_passed_over(tmp_path):
    path = written(tmp_path / "j")
    lines = path.read_bytes().splitlines(keepends=True)
    lines[2] = lines[2].replace(b"index", b"imdex")
    path.write_bytes(b"".join(lines))
    assert journal.read(path)[1] == [RECORDS[0], *RECORDS[2:]]


def test_damaged_header_and_missing_file_are_refused(tmp_path):
    path = tmp_path / "j"
    path.write_bytes(b"nonsense")
    with pytest.raises(InputError, match="first line is damaged"):
        journal.read(path)
    with pytest.raises(InputError, match="must exist"):
        journal.read(tmp_path / "none")


@pytest.mark.skipif(journal.fcntl is None, reason="needs POSIX locks")
def test_one_writer_at_a_time(tmp_path):
    path = written(tmp_path / "j")
    code = f"""
from pathlib import Path
from klingel.io import journal
with journal.appending(Path({str(path)!r})):
    pass
"""
    with journal.appending(path):
        second = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "must not be in use by another process" in second.stderr
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
