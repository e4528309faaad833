"""A failed write leaves the old file and no crumbs."""

import pytest

from klingel.io.atomic import write_text


def test_replaces_the_whole_file(tmp_path):
    path = tmp_path / "a.txt"
    write_text(path, "old")
    write_text(path, "new")
    assert path.read_text() == "new"
    assert list(tmp_path.iterdir()) == [path]


def test_failure_keeps_the_old_file(tmp_path):
    path = tmp_path / "a.txt"
    write_text(path, "old")
    with pytest.raises(UnicodeEncodeError):
        write_text(path, "half \ud800")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_written_files_follow_the_umask(tmp_path):
    import os

    path = tmp_path / "result.txt"
    write_text(path, "x")
    mask = os.umask(0)
    os.umask(mask)
    assert path.stat().st_mode & 0o777 == 0o666 & ~mask
