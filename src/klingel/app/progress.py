"""Progress of a run on standard error: a bar, shown only on a terminal and only after two seconds."""

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import Any

PATIENCE = 2.0  # before a bar appears [s]


@contextmanager
def progress_bar(title: str) -> Iterator[Any]:
    """Gives the `on_chunk` of a run."""
    from rich.console import Console
    from rich.progress import Progress

    started = perf_counter()
    bar = Progress(console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty())
    task = bar.add_task(title, total=1.0)
    shown = False

    def on_chunk(report: Any) -> None:
        nonlocal shown
        if not shown and perf_counter() - started > PATIENCE:
            bar.start()
            shown = True
        bar.update(task, completed=report.t / report.t_end)

    try:
        yield on_chunk
    finally:
        if shown:
            bar.stop()


@contextmanager
def kill_as_interrupt() -> Iterator[None]:
    """A polite kill, or a closed terminal, ends a run as Ctrl-C does: what was computed is kept."""

    def interrupt(*_: Any) -> None:
        raise KeyboardInterrupt

    before = {}
    try:
        for name in ("SIGTERM", "SIGHUP"):
            number = getattr(signal, name, None)  # Windows has no SIGHUP
            if number is not None and signal.getsignal(number) != signal.SIG_IGN:
                before[number] = signal.signal(number, interrupt)
    except ValueError:  # not in the main thread: nothing to arrange
        pass
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
