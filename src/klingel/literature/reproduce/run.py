"""Execution of studies: side by side over the cores, each study one job.

Results depend on the seed only, not on the number of workers. A study that fails marks its claims as not run, with
the reason; after Ctrl-C everything finished is kept. The longest studies begin first, results come in list order.
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

from klingel.literature.reproduce.claim import Finding, Result, Study, judge, not_run

INTERRUPTED = "interrupted"


@dataclass(frozen=True)
class Report:
    """What a study gave; `time` is None if it did not finish."""

    study: Study
    findings: tuple[Finding, ...]
    time: float | None  # [s]


@dataclass(frozen=True)
class Answer:
    """What comes back from a worker: results, or why there are none."""

    results: Mapping[str, Result] | None
    failure: str
    time: float | None  # [s]


def execute(study: Study, seed: int) -> Answer:
    started = perf_counter()
    try:
        results, failure = dict(study.run(seed)), ""
    except Exception as error:  # whatever a study stumbles over, the others go on
        results, failure = None, f"{type(error).__name__}: {error}".strip()
    return Answer(results, failure, perf_counter() - started)


def report(study: Study, answer: Answer) -> Report:
    if answer.results is None:
        return Report(study, tuple(not_run(claim, answer.failure) for claim in study.claims), answer.time)
    findings = tuple(judge(claim, answer.results.get(claim.id)) for claim in study.claims)
    return Report(study, findings, answer.time)


def run(
    studies: Sequence[Study],
    seed: int = 0,
    workers: int | None = None,
    on_study: Callable[[Report], None] | None = None,
) -> tuple[Report, ...]:
    """All reports, in the order of `studies`. `on_study` hears of each as it comes."""
    done: dict[str, Report] = {}

    def receive(study: Study, answer: Answer) -> None:
        done[study.name] = report(study, answer)
        if on_study is not None:
            on_study(done[study.name])

    ordered = sorted(studies, key=lambda study: study.fast)
    count = min(workers or os.cpu_count() or 1, len(ordered))
    try:
        if count <= 1:
            for study in ordered:
                receive(study, execute(study, seed))
        else:
            _in_workers(ordered, seed, count, receive)
    except KeyboardInterrupt:
        pass
    return tuple(done.get(study.name) or _unfinished(study) for study in studies)


def _unfinished(study: Study) -> Report:
    return Report(study, tuple(not_run(claim, INTERRUPTED) for claim in study.claims), None)


def _in_workers(studies: Sequence[Study], seed: int, count: int, receive: Callable[[Study, Answer], None]) -> None:
    with _process_pool(count) as pool:
        running: dict[Future, Study] = {pool.submit(execute, study, seed): study for study in studies}
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
