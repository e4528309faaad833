"""Runs of the command line as processes that start at once, to be killed: children of one that has compiled all.

Started as a program, it reads one line of JSON per child (words of the command, pace of writing, a full folder)
and answers with its number, and after its end with how it ended. Between chunks of steps a child notes how far it
is and how long it has computed, in a file beside its messages: whatever ends it, that is known.
"""

import errno
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple


class Computed(NamedTuple):
    """What a child had done at the end of a chunk of steps."""

    reached: float  # simulated time [s]
    clock: float  # processor time of its thread, which no other process makes longer [s]


def notes_of(messages: Path) -> Path:
    return messages.with_name(f"{messages.name}.computed")


def computed(messages: Path) -> list[Computed]:
    """Notes of the last child with these messages, in order."""
    if not notes_of(messages).exists():
        return []
    whole = notes_of(messages).read_text().rpartition("\n")[0]
    return [Computed(*map(float, line.split())) for line in whole.splitlines()]


class Nursery:
    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        assert self._answer() == "ready"

    def _answer(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline().strip()

    def begin(
        self, words: list[str], messages: Path, pace: float = 0.1, full: tuple[Path, int] | None = None
    ) -> int:
        """The number of the child."""
        told = {
            "words": words, "messages": str(messages), "pace": pace, "full": full and [str(full[0]), full[1]],
        }  # fmt: skip
        notes_of(messages).unlink(missing_ok=True)
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(told) + "\n")
        self._process.stdin.flush()
        return int(self._answer())

    def end(self) -> int:
        """Exit code of the child, negative for a signal; waits for it."""
        return int(self._answer())

    def run(self, words: list[str], messages: Path, **options: Any) -> int:
        self.begin(words, messages, **options)
        return self.end()

    def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(30)


def without_room(folder: Path, size: int) -> None:
    """From now on files of a folder may have this many bytes together: a full disk without a mount."""
    from klingel.io import atomic, blocks

    add, write = blocks.Writer.add, atomic.write_bytes

    def check(path: Path, more: int) -> None:
        if path.absolute().parent == folder:
            used = sum(file.stat().st_size for file in folder.iterdir())
            if used + more > size:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))

    def full_add(self: blocks.Writer, record: bytes) -> None:
        check(self.path, len(record))
        add(self, record)

    def full_write(path: Path, content: bytes) -> None:
        check(path, len(content))
        write(path, content)

    from klingel.simulation import storing

    blocks.Writer.add = full_add
    blocks.write_bytes = storing.write_bytes = full_write


def _note_chunks(notes: Path) -> None:
    from klingel.simulation.recording import Pace

    handle = os.open(notes, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND)
    go_on = Pace.__call__

    def noted(self: Pace, report: Any) -> bool:
        os.write(handle, f"{report.t!r} {time.thread_time()!r}\n".encode())
        return go_on(self, report)

    Pace.__call__ = noted


def _child(told: dict[str, Any]) -> int:
    from klingel.app.cli import main
    from klingel.simulation import recording

    signal.signal(signal.SIGINT, signal.default_int_handler)  # background shells take it away
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)
    sys.stdout.flush()
    handle = os.open(told["messages"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(handle, 1)
    os.dup2(handle, 2)
    recording.PACE = told["pace"]
    _note_chunks(notes_of(Path(told["messages"])))
    if told["full"]:
        without_room(Path(told["full"][0]), told["full"][1])
    sys.argv = ["klingel", *told["words"]]
    try:
        main()
    except SystemExit as end:
        return int(end.code or 0)
    except BaseException:
        import traceback

        traceback.print_exc()
        return 99
    return 0


def _serve() -> None:
    import klingel as kg

    kg.simulate(kg.load_vehicle("hbbills311"), kg.Track.straight(), 45.0, 0.1, {"front_wheelset.y": 1e-3})
    print("ready", flush=True)
    for line in sys.stdin:
        told = json.loads(line)
        child = os.fork()
        if child == 0:
            code = _child(told)
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)
        print(child, flush=True)
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)


if __name__ == "__main__":
    _serve()
