"""Studies side by side: same results for any number of workers; failures and Ctrl-C lose nothing else."""

import os
import random
import signal
import subprocess
import sys
import time
from dataclasses import replace

import pytest

from klingel._errors import InputError
from klingel.literature.reproduce import store
from klingel.literature.reproduce.case import FULL, Wrong
from klingel.literature.reproduce.catalogue import choose
from klingel.literature.reproduce.claim import Claim, Study
from klingel.literature.reproduce.run import AS_PRINTED, INTERRUPTED, Extent, cases, run


def claim(name):
    return Claim(name, "nowhere", "number", 0.5, "", 0.5, "any fraction")


def drawn(case):
    generator = random.Random(case.seed)
    return {"first": generator.random(), "second": generator.random()}


def fails(_):
    raise ValueError("no root in the bracket")


def dies(_):
    os._exit(3)


def sleeps(_):
    time.sleep(60.0)
    return {}


DRAWN = Study("drawn", drawn, (claim("first"), claim("second")), fast=True)
FAILS = Study("fails", fails, (claim("third"),), fast=True)
SLEEPS = Study("sleeps", sleeps, (claim("fourth"),), fast=False)


def values(reports):
    return {f.claim.id: (f.computed, f.status, f.note) for report in reports for f in report.findings}


def test_results_depend_on_the_seed_not_on_the_workers():
    alone = values(run((DRAWN, FAILS), seed=7, workers=1))
    together = values(run((DRAWN, FAILS), seed=7, workers=2))
    assert alone == together
    assert list(alone) == ["first", "second", "third"]
    assert values(run((DRAWN, FAILS), seed=8, workers=1))["first"] != alone["first"]


def test_a_failing_study_says_why_and_the_others_go_on():
    found = values(run((FAILS, DRAWN), workers=1))
    assert found["third"] == (None, "not-run", "ValueError: no root in the bracket")
    assert found["first"][1] == "reproduced"


def test_a_dying_process_is_reported():
    reports = run((Study("dies", dies, (claim("fifth"),), fast=False), DRAWN), workers=2)
    assert values(reports)["fifth"][1:] == ("not-run", "its process ended suddenly")
    assert reports[0].time is None  # so that no page is made of it


@pytest.mark.parametrize("workers", [1, 2])
def test_an_interrupt_keeps_what_is_finished(workers):
    def interrupt(_):
        raise KeyboardInterrupt

    slow_last = Study("sleeps", sleeps, (claim("fourth"),), fast=True)
    started = time.monotonic()
    reports = run((DRAWN, slow_last), workers=workers, on_study=interrupt)
    assert time.monotonic() - started < 30.0  # the sleeping study was given up
    found = values(reports)
    assert found["first"][1] == "reproduced"
    assert found["fourth"] == (None, "not-run", INTERRUPTED)
    assert reports[1].time is None


SCRIPT = """
import signal, sys, time
signal.signal(signal.SIGINT, signal.default_int_handler)  # jobs in the background ignore it
from klingel.literature.reproduce.claim import Claim, Study
from klingel.literature.reproduce.run import run
def quick(case): return {"a": 1.0}
def slow(case):
    time.sleep(60.0)
    return {"b": 1.0}
c = lambda name: Claim(name, "", "", 1.0, "", 0.0, "")
def heard(report): print("done", report.study.name, flush=True)
studies = (Study("quick", quick, (c("a"),), False), Study("slow", slow, (c("b"),), False))
found = run(studies, workers=2, on_study=heard)
print([f.status for report in found for f in report.findings], flush=True)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="a script on standard input needs forked workers")
def test_ctrl_c_from_the_terminal():
    process = subprocess.Popen(
        [sys.executable, "-c", SCRIPT], stdout=subprocess.PIPE, text=True, start_new_session=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "done quick\n"
    os.killpg(process.pid, signal.SIGINT)
    rest, _ = process.communicate(timeout=30)
    assert rest == "['reproduced', 'not-run']\n"


def shown(case):
    """What a computation is told."""
    return {"first": 1.0 if case.reading == FULL else 0.5, "second": case.number("mass", 0.5) / case.tighter}


def test_a_thorough_run_computes_every_case_of_a_study():
    claims = (claim("first"), replace(claim("second"), wrong=Wrong("mass", 4.0)))
    study = Study("shown", shown, claims, fast=True, leaf_springs=True, rtol=1e-4)
    (found,) = run((study,), workers=1, extent=Extent(True, True, True))
    first, second = found.findings
    assert (first.computed, first.full.computed, first.wrong) == (0.5, 1.0, None)
    assert second.error == pytest.approx(0.45)
    assert (second.wrong.computed, second.wrong.status) == (2.0, "differs")
    assert list(cases(replace(study, leaf_springs=False, regular=False), 0, Extent(True, True))) == [AS_PRINTED]
    assert len(cases(study, 0, Extent())) == 1


def test_only_claims_that_hold_are_mutated():
    claims = (replace(claim("first"), published=7.0, wrong=Wrong("mass", 4.0)), claim("second"))
    (found,) = run((Study("shown", shown, claims, fast=True),), workers=1, extent=Extent(mutations=True))
    assert [finding.status for finding in found.findings] == ["differs", "reproduced"]
    assert found.findings[0].wrong is None


def test_a_resumed_run_takes_what_was_kept(tmp_path, monkeypatch):
    monkeypatch.setattr(store, "cache_base", lambda: tmp_path)
    fresh, kept = (values(run((DRAWN, FAILS), seed=3, workers=1, answer_of=store.resumed)) for _ in range(2))
    assert fresh == kept
    (file,) = (tmp_path / "reproduce").iterdir()  # nothing is kept of the study that failed
    file.write_text(file.read_text().replace('"value": ', '"value": 100'))
    changed = values(run((DRAWN, FAILS), seed=3, workers=1, answer_of=store.resumed))
    assert changed["first"] != fresh["first"]
    assert values(run((DRAWN,), seed=4, workers=1, answer_of=store.resumed))["first"] != changed["first"]


def test_choice_by_id_by_study_and_by_speed():
    studies = (DRAWN, FAILS, SLEEPS)
    assert [c.id for s in choose(studies, ["second", "fails"]) for c in s.claims] == ["second", "third"]
    assert [s.name for s in choose(studies, only_fast=True)] == ["drawn", "fails"]
    assert choose(studies) == studies
    with pytest.raises(InputError, match="unknown"):
        choose(studies, ["unknown"])
