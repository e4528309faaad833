"""The registry of work: a queue, one process for each run, what is known of each. Knows nothing of pages.

Pages read, jobs write: a page holds an id and asks here. Every change of a state is on disk before it is told.
"""

import json
import multiprocessing
import threading
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import asdict
from multiprocessing.connection import Connection
from typing import Any

import numpy as np

from klingel._errors import InputError
from klingel.app.web import fork_server, worker
from klingel.app.web.live import Live
from klingel.app.web.store import (
    ALIVE,
    DONE,
    FAILED,
    LOG,
    OPTIONS,
    PAUSED,
    QUEUED,
    RESULTS,
    RUN,
    RUNNING,
    STOPPED,
    SWEEP,
    Missing,
    Status,
    Store,
)
from klingel.io.atomic import write_text

PATIENCE = 15.0  # for a worker asked to stop, before it is killed [s]
WRITING = 1.0  # least time between two writings of a status that only goes on [s]


class Child:
    """A worker process, perhaps still without a task."""

    def __init__(self) -> None:
        ours, theirs = multiprocessing.Pipe()
        self.pipe: Connection = ours
        self.process = fork_server.started(worker.main, theirs)
        theirs.close()

    def kill(self) -> None:
        with suppress(OSError, ValueError):
            self.process.kill()

    def close(self) -> None:
        self.kill()
        self.process.join()
        self.pipe.close()
        self.process.close()


class Job:
    """One piece of work of this server."""

    def __init__(self, status: Status, options: dict[str, Any]):
        self.status, self.options = status, options
        self.begun = False  # it has a place among the workers, and soon a child
        self.child: Child | None = None
        self.live = Live()
        self.asked_to_stop = False


class Registry:
    """All work; `workers` at once, the others wait in the order they came."""

    def __init__(self, store: Store, workers: int = 1):
        self.store, self.workers = store, workers
        self.known = store.read_all()
        self.jobs: dict[str, Job] = {}
        self.revision = 0  # counts every change, so that a page knows when to look again
        self._lock = threading.RLock()
        self._queue: list[str] = []
        self._spare: Child | None = None
        self._preparing = False
        self._closed = False

    def prepare(self) -> None:
        """Start a worker ahead, so that the next run begins at once. Takes its time, and holds up nothing."""
        with self._lock:
            if self._spare is not None or self._preparing or self._closed:
                return
            self._preparing = True
        child = None
        try:
            child = Child()
        finally:
            with self._lock:
                self._preparing = False
                if not self._closed:
                    self._spare, child = child, None
        if child is not None:
            child.close()

    def statuses(self) -> list[Status]:
        """Newest first."""
        with self._lock:
            return sorted(self.known.values(), key=lambda s: s.created, reverse=True)

    def status(self, id: str) -> Status:
        if id not in self.known:
            raise Missing("run", id, "is not in the run folder")
        return self.known[id]

    def submit(
        self, kind: str, title: str, request: str, options: dict[str, Any] | None = None, files: Iterable[str] = ()
    ) -> Status:
        """New work at the end of the queue; it gets copies of the files that its request names."""
        status = self.store.create(kind, title, request, files)
        if options:
            write_text(self.store.place(status.id) / OPTIONS, json.dumps(options))
        with self._lock:
            self.known[status.id] = status
            self._enqueue(status, options or {})
        return status

    def go_on(self, id: str, duration: float | None = None) -> None:
        """With a run or sweep that was stopped, or a run that is to last longer."""
        status = self.status(id)
        wanted = (STOPPED, DONE) if status.kind == RUN and duration else (STOPPED,)
        if status.kind not in (RUN, SWEEP) or status.state not in wanted:
            raise InputError("run", status.state, "must have been stopped to go on, or get a longer duration")
        result = self.store.result(id, status.kind)
        kept = result.exists() or result.with_name(f"{result.name}.journal").exists()
        with self._lock:
            self._enqueue(status, {"continue": kept, "duration": duration, **self.options(id)})

    def adopt(self, status: Status) -> None:
        """Work of elsewhere, whose files are in their place."""
        with self._lock:
            self.store.write(status)
            self.known[status.id] = status
            self.revision += 1

    def options(self, id: str) -> dict[str, Any]:
        """What a sweep, a branch or claims were asked for besides their request."""
        path = self.store.place(id) / OPTIONS
        return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}

    def _enqueue(self, status: Status, options: dict[str, Any]) -> None:
        self.jobs[status.id] = Job(status, options)
        self._queue.append(status.id)
        self._change(status, state=QUEUED, message="waits for its turn", ended=None)
        self._start_next()

    def _start_next(self) -> None:
        with self._lock:
            busy = sum(job.begun for job in self.jobs.values())
            while self._queue and busy < self.workers and not self._closed:
                self._start(self.jobs[self._queue.pop(0)])
                busy += 1

    def _start(self, job: Job) -> None:
        status = job.status
        job.begun, job.child, self._spare = True, self._spare, None
        self._change(status, state=RUNNING, message="starting", started=time.time())
        threading.Thread(target=self._attend, args=(job,), daemon=True).start()

    def _attend(self, job: Job) -> None:
        """Hear what a worker says until it ends."""
        ending: dict[str, Any] = {"state": FAILED, "message": "its process ended suddenly"}
        try:
            child = self._child_of(job)
            ending = self._listen(job, child) or ending
            child.close()
        except OSError as error:
            ending["message"] = f"no process for it could be started: {error}"
        if job.asked_to_stop and ending["state"] == FAILED and "log" not in ending:
            ending = {"state": STOPPED, "message": "stopped; what was written before is kept"}
        with self._lock:
            job.begun, job.child = False, None
            self._finish(job, ending)
        self._start_next()
        self.prepare()

    def _child_of(self, job: Job) -> Child:
        """The one that was ready, or a new one, made without holding up others."""
        child = job.child or Child()
        with self._lock:
            job.child = child
            if self._closed or job.status.id not in self.known or job.asked_to_stop:
                child.kill()  # nobody waits for it any more
        return child

    def _listen(self, job: Job, child: Child) -> dict[str, Any] | None:
        """What it says in the end; nothing if it dies before."""
        status = job.status
        task = worker.Task(status.kind, str(self.store.folder / status.id), RESULTS[status.kind], job.options)
        with suppress(EOFError, OSError):
            child.pipe.send(task)
            while True:
                what, content = child.pipe.recv()
                if what == "end":
                    return content
                self._hear(job, what, content)
        return None

    def _hear(self, job: Job, what: str, content: dict[str, Any]) -> None:
        if what == "samples":
            job.live.add(content["columns"])
            self.revision += 1
        elif what in ("progress", "message"):
            self._change(job.status, **content)
        elif what in ("paused", "resumed") and job.status.state in (RUNNING, PAUSED):
            self._change(job.status, state=PAUSED if what == "paused" else RUNNING)

    def _finish(self, job: Job, ending: dict[str, Any]) -> None:
        log = ending.pop("log", "")
        if job.status.id not in self.known:
            return
        if log:
            with suppress(OSError, InputError):
                (self.store.place(job.status.id) / LOG).write_text(log, encoding="utf-8")
        self._change(job.status, **ending, ended=time.time())
        self.jobs.pop(job.status.id, None)

    def _change(self, status: Status, **changes: Any) -> None:
        with self._lock:
            important = changes.get("state", status.state) != status.state
            for name, value in changes.items():
                setattr(status, name, value)
            self.revision += 1
            now = time.monotonic()
            if important or now - getattr(status, "_written", 0.0) > WRITING:
                status._written = now  # type: ignore[attr-defined]
                with suppress(OSError, InputError):
                    self.store.write(status)

    def _ask(self, id: str, word: str) -> None:
        job = self.jobs.get(id)
        if job is not None and job.child is not None:
            with suppress(OSError, ValueError):
                job.child.pipe.send(word)

    def pause(self, id: str) -> None:
        self._ask(id, worker.PAUSE)

    def resume(self, id: str) -> None:
        self._ask(id, worker.RESUME)

    def stop(self, id: str) -> None:
        """End it between two steps; its process is killed if it does not listen. A result so far is kept."""
        with self._lock:
            job = self.jobs.get(id)
            if job is None:
                return
            if id in self._queue:
                self._queue.remove(id)
                self._finish(job, {"state": STOPPED, "message": "stopped before it began"})
                return
            job.asked_to_stop = True
        self._ask(id, worker.STOP)
        child = job.child
        if child is not None:
            killer = threading.Timer(PATIENCE, lambda: job.child is child and child.kill())
            killer.daemon = True
            killer.start()

    def remove(self, id: str) -> None:
        """The folder too; work that goes on is killed first."""
        with self._lock:
            status = self.status(id)
            job = self.jobs.pop(id, None)
            self.known.pop(id)
            if id in self._queue:
                self._queue.remove(id)
            if job is not None and job.child is not None:
                job.child.kill()
                job.child.process.join()
            self.store.remove(status.id)
            self.revision += 1

    def close(self) -> None:
        """No child stays behind."""
        with self._lock:
            self._closed = True
            children = [job.child for job in self.jobs.values() if job.child is not None]
            children += [self._spare] if self._spare is not None else []
            self._spare = None
        for child in children:
            child.kill()

    def as_dict(self, id: str) -> dict[str, Any]:
        return {**asdict(self.status(id)), "alive": self.status(id).state in ALIVE}

    def live(self, id: str) -> dict[str, np.ndarray]:
        job = self.jobs.get(id)
        return job.live.columns() if job is not None else {}
