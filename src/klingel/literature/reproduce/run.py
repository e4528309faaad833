"""Execution of studies: side by side over the cores, each computation of a study one job.

A study is computed as printed; a thorough run adds the other reading of AUTO, a tighter tolerance and the wrong
parameters its claims name. Results depend on the seed only, not on the number of workers. A study that fails marks
its claims as not run, with the reason; after Ctrl-C everything finished is kept. The longest studies begin first,
results come in list order.
"""

import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import connection
from time import perf_counter
from typing import Any

from klingel.literature.reproduce.case import FULL, TIGHTER, Case
from klingel.literature.reproduce.claim import TESTED, Claim, Finding, Result, Study, Verdict, judge, not_run

INTERRUPTED = "interrupted"
AS_PRINTED, OTHER_READING, TIGHT = "as printed", "full", "tighter"  # a wrong parameter has its own name


@dataclass(frozen=True)
class Report:
    """What a study gave; `time` is None if it did not finish."""

    study: Study
    findings: tuple[Finding, ...]
    time: float | None  # of all its computations [s]


@dataclass(frozen=True)
class Answer:
    """What comes back from a worker: results, or why there are none."""

    results: Mapping[str, Result] | None
    failure: str
    time: float | None  # [s]


@dataclass(frozen=True)
class Extent:
    """What is computed besides the printed case."""

    readings: bool = False
    tolerances: bool = False
    mutations: bool = False


def cases(study: Study, seed: int, extent: Extent) -> dict[str, Case]:
    """The computations of a study that do not depend on what comes out, by name."""
    found = {AS_PRINTED: Case(seed)}
    if extent.readings and study.leaf_springs:
        found[OTHER_READING] = Case(seed, FULL)
    if extent.tolerances and study.rtol is not None and study.regular:
        found[TIGHT] = Case(seed, tighter=TIGHTER)
    return found


def wrong_cases(study: Study, seed: int, answers: Mapping[str, Answer]) -> dict[str, Case]:
    """With the wrong parameters of claims that hold as printed: the others need none to fail."""
    held = [finding.claim for finding in report(study, answers).findings if finding.status == "reproduced"]
    wrong = {claim.wrong for claim in held if claim.wrong is not None and claim.kind in TESTED}
    return {str(one): Case(seed, wrong=one) for one in sorted(wrong, key=str)}


def execute(study: Study, case: Case) -> Answer:
    started = perf_counter()
    try:
        results, failure = dict(study.run(case)), ""
    except Exception as error:  # whatever a study stumbles over, the others go on
        results, failure = None, f"{type(error).__name__}: {error}".strip()
    return Answer(results, failure, perf_counter() - started)


def report(study: Study, answers: Mapping[str, Answer]) -> Report:
    times = [answer.time for answer in answers.values()]
    known = [time for time in times if time is not None]
    time = sum(known) if len(known) == len(times) else None
    return Report(study, tuple(_finding(claim, answers) for claim in study.claims), time)


def _finding(claim: Claim, answers: Mapping[str, Answer]) -> Finding:
    def verdict(name: str) -> Verdict | None:
        answer = answers.get(name)
        if answer is None:
            return None
        if answer.results is None:
            return not_run(claim, answer.failure)
        return judge(claim, answer.results.get(claim.id))

    printed = verdict(AS_PRINTED) or not_run(claim, INTERRUPTED)
    wrong = verdict(str(claim.wrong)) if claim.wrong is not None else None
    return Finding(claim, printed, verdict(OTHER_READING), verdict(TIGHT), wrong)


def run(
    studies: Sequence[Study],
    seed: int = 0,
    workers: int | None = None,
    on_study: Callable[[Report], None] | None = None,
    extent: Extent | None = None,
    answer_of: Callable[[Study, Case], Answer] = execute,
) -> tuple[Report, ...]:
    """All reports, in the order of `studies`. `on_study` hears of each as it comes, before its mutations."""
    extent = extent or Extent()
    wanted = {study.name: cases(study, seed, extent) for study in studies}
    answers: dict[str, dict[str, Answer]] = {study.name: {} for study in studies}
    ordered = sorted(studies, key=lambda study: study.fast)

    def receive(job: Job, answer: Answer) -> None:
        name = job.study.name
        answers[name][job.name] = answer
        if on_study is not None and len(answers[name]) == len(cases(job.study, seed, extent)):
            on_study(report(job.study, answers[name]))

    def compute() -> None:
        jobs = [
            Job(study, name, case)
            for study in ordered
            for name, case in wanted[study.name].items()
            if name not in answers[study.name]
        ]
        count = min(workers or os.cpu_count() or 1, len(jobs))
        if count > 1:
            _in_workers(jobs, count, receive, answer_of)
            return
        for job in jobs:
            receive(job, answer_of(job.study, job.case))

    try:
        compute()
        if extent.mutations:
            for study in studies:
                wanted[study.name] |= wrong_cases(study, seed, answers[study.name])
            compute()
    except KeyboardInterrupt:
        pass
    return tuple(_complete(study, answers[study.name], wanted[study.name]) for study in studies)


def _complete(study: Study, answers: Mapping[str, Answer], wanted: Mapping[str, Case]) -> Report:
    missing = {name: Answer(None, INTERRUPTED, None) for name in wanted if name not in answers}
    return report(study, {**answers, **missing})


@dataclass(frozen=True)
class Job:
    study: Study
    name: str
    case: Case


def _in_workers(
    jobs: Sequence[Job],
    count: int,
    receive: Callable[[Job, Answer], None],
    answer_of: Callable[[Study, Case], Answer],
) -> None:
    with _process_pool(count) as pool:
        running: dict[Future, Job] = {pool.submit(answer_of, job.study, job.case): job for job in jobs}
        for future in as_completed(running):
            try:
                answer = future.result()
            except BrokenProcessPool:
                answer = Answer(None, "its process ended suddenly", None)
            receive(running[future], answer)


@contextmanager
def _process_pool(count: int) -> Iterator[Executor]:
    """Workers that end at once when they are no longer wanted, or when their parent has gone."""
    forks = sys.platform == "linux" and threading.active_count() == 1
    context = multiprocessing.get_context("fork" if forks else "spawn")
    told, tell = context.Pipe(duplex=False)
    pool = ProcessPoolExecutor(count, mp_context=context, initializer=_begin_worker, initargs=(told,))
    try:
        yield pool
    except BaseException:
        tell.send(INTERRUPTED)
        pool.shutdown(wait=True, cancel_futures=True)
        raise
    pool.shutdown()


def _begin_worker(told: Any) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's business
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    parent = multiprocessing.parent_process()
    reasons = [told] if parent is None else [told, parent.sentinel]
    threading.Thread(target=_end_with, args=(reasons,), daemon=True).start()


def _end_with(reasons: list[Any]) -> None:
    connection.wait(reasons)
    os._exit(1)
