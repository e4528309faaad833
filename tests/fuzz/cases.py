"""Cases of the fuzzer: the number of a case and the seed decide everything in it.

A case is a command of `klingel` with the files it reads, or a call of a public function. Good input costs little
time, so that what is slow is the fault of the change: runs of some milliseconds, sweeps of two points.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.fuzz import python_calls, stored
from tests.fuzz.mutations import mutated, mutated_bytes, mutated_words
from tests.fuzz.samples import COMMANDS, PROFILES, REQUEST, TRACKS, vehicle_files

RUN = ["run", "--", "--speed", "20", "--duration", "0.03", "--output-step", "10ms"]


@dataclass(frozen=True)
class Case:
    kind: str
    words: list[str] = field(default_factory=list)  # of the command line, without the program
    files: dict[str, bytes] = field(default_factory=dict)  # name -> content, in the folder the case runs in
    call: Callable[[], Any] | None = None  # instead of a command


def case(seed: int, number: int, commands_only: bool = False) -> Case:
    rng = random.Random(f"{seed} {number}")
    kinds, weights = zip(*KINDS.items(), strict=True)
    while True:
        found = rng.choices(kinds, weights)[0](rng)
        if found.call is None or not commands_only:
            return found


def _vehicle(rng: random.Random) -> Case:
    text = rng.choice(vehicle_files())
    runs = rng.random() < 0.15
    words = ["run", "mine.toml", *RUN[2:]] if runs else ["validate", "mine.toml", *rng.choice(([], ["--json"]))]
    return Case("vehicle file", words, {"mine.toml": mutated(text, rng)})


def _track(rng: random.Random) -> Case:
    runs = rng.random() < 0.15
    words = ["run", "hbbills311", "--track", "curve.toml", *RUN[2:]] if runs else ["validate", "curve.toml"]
    return Case("track file", words, {"curve.toml": mutated(rng.choice(TRACKS), rng)})


def _profile(rng: random.Random) -> Case:
    name = rng.choice(list(PROFILES))
    return Case("profile file", ["validate", name], {name: mutated(PROFILES[name], rng)})


def _request(rng: random.Random) -> Case:
    words = ["run", "--request", "asked.toml", *rng.choice(([], ["--print-request"]))]
    return Case("request file", words, {"asked.toml": mutated(REQUEST, rng)})


def _options(rng: random.Random) -> Case:
    words = rng.choice(COMMANDS).split()
    files = {"run.nc": stored.run_file()} if "run.nc" in words else {}
    return Case("options", mutated_words(words, rng), files)


def _run_file(rng: random.Random) -> Case:
    """Damaged bytes, or content that makes no sense below a digest that fits."""
    whole = stored.run_file()
    content = mutated_bytes(whole, rng) if rng.random() < 0.4 else stored.changed_run(rng)
    words = rng.choice(
        (
            ["run", "--continue", "run.nc", "--duration", "0.05", "--out", "more.nc"],
            ["run", "hbbills311", "--start", "run.nc", *RUN[2:]],
            ["plot", "run.nc", "--kind", "none"],
        )
    )
    return Case("run file", words, {"run.nc": content})


def _journal(rng: random.Random) -> Case:
    files = {"sweep.nc.journal": stored.changed_journal(rng)}
    if rng.random() < 0.5:
        return Case("journal", [*stored.SWEEP, "--resume"], files)
    return Case("journal", files=files, call=stored.read_back)


def _python(rng: random.Random) -> Case:
    return Case("python call", call=python_calls.call(rng))


KINDS: dict[Callable[[random.Random], Case], float] = {
    _vehicle: 34,
    _track: 16,
    _profile: 14,
    _request: 8,
    _options: 10,
    _run_file: 5,
    _journal: 4,
    _python: 9,
}


def put(found: Case, folder: Path) -> None:
    for name, content in found.files.items():
        (folder / name).write_bytes(content)
