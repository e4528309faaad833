"""Some cases one after the other."""

from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.fuzz import python_calls, stored
from tests.fuzz.cases import case
from tests.fuzz.judging import Finding, as_command, in_process, judged


def warm() -> None:
    """What the first of everything costs (kernels, tables) belongs to no case."""
    python_calls._good()
    stored.run_file()
    stored._journal()


def batch(seed: int, first: int, count: int, commands: bool = False) -> tuple[Counter[str], list[Finding]]:
    """Cases first, first + 1, ...: how many of each kind and how they ended, and what was found."""
    counts: Counter[str] = Counter()
    findings: list[Finding] = []
    with TemporaryDirectory() as folder:
        for number in range(first, first + count):
            place = Path(folder) / str(number)
            place.mkdir()
            one = case(seed, number, commands_only=commands)
            outcome = (as_command if commands else in_process)(one, place)
            counts[f"{one.kind}, code {outcome.code}"] += 1
            findings += [Finding(f"case {number}, {f.kind}", f.what, f.told) for f in judged(one, outcome)]
    return counts, findings
