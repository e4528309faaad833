"""Progress on standard error, on a terminal only: a bar with the time gone by."""

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import Any

PATIENCE = 2.0  # before the bar of a run appears [s]


@contextmanager
def progress_bar(title: str) -> Iterator[Any]:
    """Gives the `on_chunk` of a run; most runs end before a bar would appear."""
    from rich.progress import TaskProgressColumn, TimeRemainingColumn

    started = perf_counter()
    bar = _bar(TaskProgressColumn(), TimeRemainingColumn())
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
def point_bar(title: str) -> Iterator[Any]:
    """Gives the `on_point` of a sweep; the bar appears when work begins, as points may take long."""
    from rich.progress import TextColumn

    bar = _bar(TextColumn("point {task.fields[now]} of {task.total}"))
    task = bar.add_task(title, total=None, now=1)

    def on_point(done: int, total: int) -> None:
        bar.update(task, completed=done, total=total, now=min(done + 1, total))
        bar.start()  # not before: its thread must not be there when workers are forked

    try:
        yield on_point
    finally:
        bar.stop()


def _bar(*columns: Any) -> Any:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        *columns,
        TimeElapsedColumn(),
        console=Console(stderr=True),
        transient=True,
        disable=not sys.stderr.isatty(),
    )


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
