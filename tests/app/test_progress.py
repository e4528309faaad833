"""The bar of a sweep is there as soon as work begins, and says which point and for how long."""

import io
import re
import sys
import threading

import klingel as kg
from klingel.analysis.transients import FixedTransient
from klingel.app.progress import point_bar


class Terminal(io.StringIO):
    def isatty(self):
        return True


def shown(terminal):
    """All that was drawn, without colours."""
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", terminal.getvalue())


def test_bar_appears_before_the_first_point_is_done(monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with point_bar("sweeping") as on_point:
        assert shown(terminal) == ""
        on_point(0, 41)
        assert "point 1 of 41 0:00:00" in shown(terminal)
        on_point(41, 41)
    assert "point 41 of 41" in shown(terminal)
    assert "None" not in shown(terminal)


def test_nothing_is_drawn_into_a_file(monkeypatch):
    file = io.StringIO()
    monkeypatch.setattr(sys, "stderr", file)
    with point_bar("sweeping") as on_point:
        on_point(0, 2)
    assert file.getvalue().strip() == ""


def test_sweeps_tell_when_they_begin():
    """And from then on threads may be started: workers have been forked."""
    seen = []
    kg.sweep(
        kg.load_vehicle("hbbills311"),
        kg.Track.straight(),
        [20.0, 21.0],
        direction="both",
        transient=FixedTransient(0.1, 1, cap=0.1),
        workers=2,
        on_point=lambda *told: seen.append((*told, threading.active_count())),
    )
    assert [told[:2] for told in seen] == [(n, 4) for n in range(5)]
    assert seen[0][2] > 1  # the one that looks after the workers
