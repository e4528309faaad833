"""A case is carried out and judged: no traceback, no hang, every message one line that can be read."""

import contextlib
import io
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from unittest.mock import patch

import klingel as kg
from tests.fuzz.cases import Case, put

LONGEST = 300  # of a line on standard error [characters]
LIMIT = 5.0  # processor time of a case, on a machine as fast as REFERENCE says [s]
REFERENCE = 0.06  # of `_some_work` [s]
CODES = (0, 1, 2, 130)


@dataclass(frozen=True)
class Finding:
    kind: str  # of the case
    what: str  # traceback, hang or message
    told: str


@dataclass(frozen=True)
class Outcome:
    code: int
    lines: list[str]  # on standard error
    seconds: float  # of processor time
    error: BaseException | None = None


class Hang(BaseException):
    """Not to be caught by what is tested."""


def _some_work() -> int:
    return sum(k * k % 7 for k in range(1_000_000))


@cache
def limit() -> float:
    """Processor time that counts as a hang on this machine."""
    started = time.process_time()
    _some_work()
    return LIMIT * max(1.0, (time.process_time() - started) / REFERENCE)


@contextlib.contextmanager
def _alarm(seconds: float) -> Iterator[None]:
    def ring(*_: object) -> None:
        raise Hang

    before = signal.signal(signal.SIGPROF, ring)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        signal.signal(signal.SIGPROF, before)


def in_process(case: Case, folder: Path) -> Outcome:
    """The command, or the call, in this process and in the folder."""
    put(case, folder)
    out, err = io.StringIO(), io.StringIO()
    code, error = 0, None
    started = time.process_time()
    with contextlib.chdir(folder), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            with _alarm(4.0 * limit()):
                code = _call(case) if case.call is not None else _command(case.words)
        except BaseException as raised:  # all of it is judged
            error = raised
    return Outcome(code, err.getvalue().splitlines(), time.process_time() - started, error)


def _command(words: list[str]) -> int:
    from klingel.app.cli import main

    with patch.object(sys, "argv", ["klingel", *words]):
        try:
            main()
        except SystemExit as ended:
            return ended.code if isinstance(ended.code, int) else 0
    return 0


def _call(case: Case) -> int:
    assert case.call is not None
    try:
        case.call()
    except kg.InputError as error:
        print(f"klingel: {error}", file=sys.stderr)
        return 2
    except (kg.IntegrationError, ArithmeticError) as error:  # documented: what was asked for cannot be done
        print(f"klingel: {error}", file=sys.stderr)
        return 1
    return 0


def as_command(case: Case, folder: Path) -> Outcome:
    """In a process of its own, as people start it."""
    put(case, folder)
    words = [word.replace("\0", "") for word in case.words]  # no shell hands over a NUL
    encoded = [os.fsencode(word) if "\ud800" not in word else b"\xff" for word in words]
    command: list[bytes | str] = [sys.executable, "-m", "klingel", *encoded]
    package = str(Path(kg.__file__).parents[1])  # what is tested here, not what happens to be installed
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([package, os.environ.get("PYTHONPATH", "")])}
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, timeout=60.0 * limit(), check=False
    )
    return Outcome(done.returncode, done.stderr.decode(errors="replace").splitlines(), 0.0)


def judged(case: Case, outcome: Outcome) -> list[Finding]:
    name = getattr(case.call, "__name__", "") or " ".join(word[:60] for word in case.words)
    found = []
    if isinstance(outcome.error, Hang) or outcome.seconds > limit():
        found.append(Finding(case.kind, "hang", f"{name}: {outcome.seconds:.1f} s"))
    elif outcome.error is not None:
        told = f"{type(outcome.error).__name__}: {str(outcome.error)[:200]}"
        found.append(Finding(case.kind, "traceback", f"{name}: {told} at {_place(outcome.error)}"))
    elif outcome.code not in CODES or any(line.startswith("Traceback") for line in outcome.lines):
        found.append(Finding(case.kind, "traceback", f"{name}: code {outcome.code}: {outcome.lines[-1:]}"))
    return found + [Finding(case.kind, "message", f"{name}: {why}") for why in _bad_lines(case, outcome)]


def _bad_lines(case: Case, outcome: Outcome) -> Iterator[str]:
    for line in outcome.lines:
        if len(line) >= LONGEST:
            yield f"{len(line)} characters: {line[:80]}"
        elif not all(c.isprintable() for c in line):
            yield f"control characters in {line[:80]!r}"
    told = [line for line in outcome.lines if line.startswith("klingel: ")]
    lists_problems = case.words[:1] == ["validate"]
    if outcome.code == 2 and outcome.error is None and not lists_problems and len(told) != 1:
        yield f"{len(told)} lines say what is wrong: {outcome.lines[:3]}"


def _place(error: BaseException) -> str:
    """Last line within the package."""
    found, place = error.__traceback__, ""
    while found is not None:
        code = found.tb_frame.f_code
        if f"{os.sep}klingel{os.sep}" in code.co_filename:
            place = f"{Path(code.co_filename).name}:{found.tb_lineno}"
        found = found.tb_next
    return place
