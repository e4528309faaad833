"""Points of a sweep computed one after the other, or in other processes, chains in parallel.

A task is one point of a chain, so that its result is stored as soon as it is there and nothing but a point is lost
when everything ends suddenly. The case goes along packed; a worker unpacks it once. Workers end when their parent
does, whatever ended it.
"""

import hashlib
import multiprocessing
import os
import pickle
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from multiprocessing import connection
from typing import Any

from klingel.simulation.sweep.case import Point
from klingel.simulation.sweep.point import Record, Stand, compute

KEPT_CASES = 4  # unpacked in a worker
Receive = Callable[[Record], None]

_stands: dict[str, Stand] = {}  # of this process, by digest of their case
_stop: Any = None  # event set when the sweep is interrupted


def compute_packed(digest: str, content: bytes, point: Point, before: Record | None) -> Record:
    """One point in a worker, which unpacks a case only once."""
    if digest not in _stands:
        while len(_stands) >= KEPT_CASES:
            _stands.pop(next(iter(_stands)))
        _stands[digest] = Stand(pickle.loads(content))
    return compute(_stands[digest], point, before, _stop.is_set if _stop is not None else None)


def _begin_worker(stop: Any) -> None:
    global _stop
    _stop = stop
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's business
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()


def _end_with(sentinel: Any) -> None:
    connection.wait([sentinel])
    os._exit(1)


def leave_if_starting() -> None:
    """End a worker that runs its parent's script once more because nothing guards the call: the parent says so."""
    if getattr(multiprocessing.current_process(), "_inheriting", False):
        os._exit(1)


@contextmanager
def process_pool(workers: int) -> Iterator[Executor]:
    """Workers of this machine. Forked where that is safe, because compiled code is then there at once."""
    forks = sys.platform == "linux" and threading.active_count() == 1
    context = multiprocessing.get_context("fork" if forks else "spawn")
    stop = context.Event()
    pool = ProcessPoolExecutor(workers, mp_context=context, initializer=_begin_worker, initargs=(stop,))
    try:
        yield pool
    except BaseException:
        stop.set()
        pool.shutdown(wait=True, cancel_futures=True)
        raise
    pool.shutdown()


def in_this_process(stand: Stand, chains: list[list[Point]], known: dict[int, Record], receive: Receive) -> None:
    """All points that are not known yet, chain after chain."""
    for chain in chains:
        before: Record | None = None
        for point in chain:
            record = known.get(point.index)
            if record is None:
                record = compute(stand, point, before)
                receive(record)
            before = record


def in_workers(
    executor: Executor,
    stand: Stand,
    chains: list[list[Point]],
    known: dict[int, Record],
    receive: Receive,
    begun: Callable[[], None],
) -> None:
    """All points that are not known yet; chains side by side. `begun` may start threads: workers are there."""
    content = pickle.dumps(stand.case)
    digest = hashlib.sha256(content).hexdigest()
    _stands[digest] = stand  # forked workers begin with it
    running: dict[Future, tuple[list[Point], int]] = {}

    def go_on(chain: list[Point], k: int, before: Record | None) -> None:
        while k < len(chain) and chain[k].index in known:
            before = known[chain[k].index]
            k += 1
        if k < len(chain):
            carried = {"kind": before["kind"], "end": before["end"]} if before else None
            running[executor.submit(compute_packed, digest, content, chain[k], carried)] = (chain, k)

    for chain in chains:
        go_on(chain, 0, None)
    try:
        begun()
        while running:
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                chain, k = running.pop(future)
                record = future.result()
                receive(record)
                go_on(chain, k + 1, record)
    finally:
        for future in running:
            future.cancel()
