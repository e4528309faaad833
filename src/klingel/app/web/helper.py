"""A warm process that answers questions which need compiled code, one after the other.

The server itself compiles and draws nothing. A question that takes too long ends the process, and the next one
gets a new one.
"""

import asyncio
import multiprocessing
import threading
import traceback
from collections.abc import Callable, Mapping
from contextlib import suppress
from importlib import import_module
from multiprocessing.connection import Connection
from typing import Any

from klingel._errors import InputError
from klingel.app.web import worker

PATIENCE = 60.0  # for one answer [s]
FIRST = 240.0  # for the first one, which may have to compile [s]


class HelperError(RuntimeError):
    """Something went wrong in the process that is no bad input."""


class Helper:
    """`module` has the functions, in a table FUNCTIONS."""

    def __init__(self, module: str, niceness: int = 0):
        self.module, self.niceness = module, niceness
        self._lock = threading.Lock()
        self._process: Any = None
        self._pipe: Connection | None = None
        self._warm = False

    @property
    def free(self) -> bool:
        """Whether it has answered before, and is busy with no question: the next one is answered soon."""
        return self._warm and self._process is not None and not self._lock.locked()

    def start(self) -> None:
        """Ahead of the first question."""
        with self._lock:
            self._begin()

    def _begin(self) -> None:
        if self._process is not None and self._process.is_alive():
            return
        self._end()
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=answer, args=(theirs, self.module, self.niceness), daemon=True)
        self._process.start()
        self._warm = False
        theirs.close()

    def _end(self) -> None:
        if self._process is not None:
            with suppress(OSError, ValueError):
                self._process.kill()
                self._process.join()
                self._process.close()
        if self._pipe is not None:
            self._pipe.close()
        self._process = self._pipe = None

    def ask(self, name: str, *given: Any, timeout: float = PATIENCE) -> Any:
        """The answer of a function, by its name; bad input is raised as it was there."""
        with self._lock:
            self._begin()
            assert self._pipe is not None
            try:
                self._pipe.send((name, given))
                if not self._pipe.poll(timeout if self._warm else max(timeout, FIRST)):
                    self._end()
                    raise InputError(name, None, f"took longer than {timeout:g} s and was given up")
                verdict, content = self._pipe.recv()
            except (EOFError, OSError):
                self._end()
                raise HelperError(f"the process that answers {name} ended suddenly") from None
            self._warm = True
        if verdict == "bad":
            raise InputError(*content)
        if verdict == "error":
            raise HelperError(content)
        return content

    async def call(self, name: str, *given: Any, timeout: float = PATIENCE) -> Any:
        """As `ask`, while the server goes on with other things."""
        return await asyncio.to_thread(lambda: self.ask(name, *given, timeout=timeout))

    def close(self) -> None:
        if self._lock.acquire(timeout=1.0):
            self._end()
            self._lock.release()
        elif self._process is not None:
            self._process.kill()


def answer(pipe: Connection, module: str, niceness: int) -> None:
    """In the process: one question after the other until the parent has gone."""
    worker.watch_parent()
    worker.quiet(niceness)
    functions: Mapping[str, Callable[..., Any]] = import_module(module).FUNCTIONS
    while True:
        try:
            name, given = pipe.recv()
        except (EOFError, OSError):
            return
        try:
            reply: tuple[str, Any] = ("ok", functions[name](*given))
        except InputError as error:
            reply = ("bad", (error.field, _plain(error.given), error.allowed))
        except Exception as error:
            reply = ("error", f"{type(error).__name__}: {error}\n{traceback.format_exc()}")
        pipe.send(reply)


def _plain(given: Any) -> Any:
    return given if isinstance(given, str | int | float | None) else str(given)[:200]
