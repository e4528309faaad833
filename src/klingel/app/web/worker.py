"""What runs in a child process: one simulation, sweep or set of claims. Imports no web package.

A worker may be started ahead: it imports and loads compiled code, then waits for its task, so that a run begins
at once. It tells its parent how far it is at most five times per second, listens between two chunks of steps,
and never outlives its parent.
"""

import multiprocessing
import os
import subprocess
import sys
import threading
import traceback
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from multiprocessing.connection import Connection
from pathlib import Path
from time import perf_counter, sleep
from typing import Any

PACE = 0.2  # between two messages [s]
NICENESS = 10
STOP, PAUSE, RESUME = "stop", "pause", "resume"
COMPILING = "compiling for the first time on this machine, about a minute"
COMPILE = "from klingel.simulation.compile_ahead import compile_engine; compile_engine()"


@dataclass(frozen=True)
class Task:
    kind: str
    folder: str
    result: str  # name of the file
    options: dict[str, Any]


def watch_parent() -> None:
    """End with the parent, however that ends."""
    parent = multiprocessing.parent_process()
    if parent is not None:

        def leave() -> None:
            parent.join()
            os._exit(1)

        threading.Thread(target=leave, daemon=True).start()


def quiet(niceness: int) -> None:
    """Perhaps with lower priority than the server; Ctrl-C is the parent's business."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if niceness:
        yield_to_others(niceness)


def yield_to_others(niceness: int = NICENESS) -> None:
    """Pages answer first."""
    with suppress(OSError, AttributeError):
        os.nice(niceness)


def main(pipe: Connection) -> None:
    """Get ready, take a task, do it, say how it ended."""
    watch_parent()
    quiet(niceness=0)
    link = Link(pipe)
    try:
        load(link)
        link.tell("ready")
        task = link.task()
        from klingel.app.web.work import WORK

        link.tell("end", **WORK[task.kind](task, link))
    except EOFError:
        return
    except BaseException as error:
        from klingel._errors import InputError

        words = str(error) if isinstance(error, InputError) else f"{type(error).__name__}: {error}"
        log = "" if isinstance(error, InputError) else traceback.format_exc()
        with suppress(OSError):
            link.tell("end", state="failed", message=words, log=log)


def load(link: "Link") -> None:
    """Everything a run needs, from the cache on disk; compiled in two processes where it is not there."""
    from klingel.simulation.compile_ahead import is_first

    began = perf_counter()
    first = is_first()
    if first:
        link.tell("message", message=COMPILING)
        subprocess.run([sys.executable, "-c", COMPILE], check=False, stdout=subprocess.DEVNULL)
    yield_to_others()  # not before: someone waits for the first run of all
    load_from_cache()
    if first:
        link.tell("message", compiled=perf_counter() - began)


@cache  # a copy of a process that has it all has it too
def load_from_cache() -> None:
    """Import and load compiled code."""
    import h5netcdf  # noqa: F401, of the result
    import xarray  # noqa: F401

    import klingel.app.web.work  # noqa: F401
    from klingel.simulation.compile_ahead import compile_first_part, compile_second_part

    compile_first_part()
    compile_second_part()


class Link:
    """The end of the pipe that the worker has."""

    def __init__(self, pipe: Connection):
        self.pipe, self.last, self.stopped = pipe, 0.0, False

    def task(self) -> Task:
        """What is to be done; a word to stop may have been faster."""
        while not isinstance(found := self.pipe.recv(), Task):
            self.stopped = self.stopped or found == STOP
        return found

    def tell(self, what: str, **content: Any) -> None:
        self.pipe.send((what, content))

    def progress(self, **content: Any) -> None:
        """At most five times per second."""
        if perf_counter() - self.last > PACE:
            self.last = perf_counter()
            self.tell("progress", **content)

    def wants_to_stop(self) -> bool:
        """What the parent asked for since; a pause lasts as long as it lasts."""
        paused = False
        while not self.stopped and (paused or self.pipe.poll()):
            if paused and not self.pipe.poll(PACE):
                continue
            word = self.pipe.recv()
            paused = word == PAUSE if word in (PAUSE, RESUME) else paused
            self.stopped = self.stopped or word == STOP
            self.tell("paused" if paused else "resumed")
        return self.stopped


def wait_for_stop(link: Link) -> None:
    """For work without chunks: a thread that interrupts the main one as Ctrl-C would."""
    import _thread
    import signal

    signal.signal(signal.SIGINT, signal.default_int_handler)

    def listen() -> None:
        with suppress(EOFError, OSError):
            while not link.wants_to_stop():
                sleep(PACE)
        _thread.interrupt_main()

    threading.Thread(target=listen, daemon=True).start()


def file_of(task: Task) -> Path:
    return Path(task.folder) / task.result
