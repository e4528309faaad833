"""The rows of stored runs: both runs are made, and the file measured."""

from klingel.bench import writing


def test_rows_of_a_short_run():
    time, size = writing.rows(duration=20.0, pairs=2)
    assert time.ours > 0.0
    assert time.note.count(",") == 1
    assert time.aim == 1.05
    assert size.unit == "MB"
    assert 0.1 < size.ours < 0.1 * writing.LARGEST
    assert size.met
