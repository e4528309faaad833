"""The rows of stored runs: both runs are made, the file is that of the duration asked for."""

from klingel.bench import writing


def test_rows_of_a_short_run():
    time, size = writing.rows(duration=20.0, pairs=2)
    assert time.ours > 0.0
    assert time.note.count(",") == 1
    assert time.aim == 1.05
    assert size.unit == "MB"
    whole = size.ours * writing.DURATION / 20.0
    assert 20.0 < whole < writing.LARGEST  # rows are most of a file already
    assert size.met
