"""`python -m tests.fuzz --cases 20000 --seed 1`: many cases; code 1 if there are findings."""

import argparse
import sys
from collections import Counter
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context

from tests.fuzz.batches import batch, warm
from tests.fuzz.judging import Finding

BATCH = 100
EVERY = 1000  # cases, a line says how far it is


def main() -> int:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--cases", type=int, default=20_000)
    asked.add_argument("--first", type=int, default=0)
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--workers", type=int, default=2)
    given = asked.parse_args()
    counts: Counter[str] = Counter()
    findings: list[Finding] = []
    firsts = range(given.first, given.first + given.cases, BATCH)
    with ProcessPoolExecutor(given.workers, mp_context=get_context("spawn"), initializer=warm) as pool:
        try:
            for some, found in pool.map(partial(batch, given.seed, count=BATCH), firsts):
                counts += some
                findings += found
                for finding in found:
                    print(f"{finding.what:10s} {finding.kind}: {finding.told}", flush=True)
                if sum(counts.values()) % EVERY == 0:
                    print(f"{sum(counts.values()):7d} of {given.cases} cases", flush=True)
        except BrokenExecutor:
            first = given.first + sum(counts.values())
            findings.append(Finding("", "crash", f"a process died among the cases from {first} on"))
            print(f"{findings[-1].what:10s} {findings[-1].told}", flush=True)
    for kind, count in sorted(counts.items()):
        print(f"{count:7d} {kind}")
    print(f"{sum(counts.values()):7d} cases, {len(findings)} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
