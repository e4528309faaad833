"""Two thousand changed inputs in this process, fifty as commands; `make fuzz` takes twenty thousand."""

import pytest

from tests.fuzz.batches import batch, warm

SEED = 14
CASES, BATCH = 2000, 100
COMMANDS, FEW = 50, 5


@pytest.fixture(scope="module", autouse=True)
def _warm():
    warm()


@pytest.mark.parametrize("first", range(0, CASES, BATCH))
def test_every_case_ends_in_a_result_or_in_one_line(first):
    counts, findings = batch(SEED, first, BATCH)
    assert sum(counts.values()) == BATCH
    assert findings == []


@pytest.mark.parametrize("first", range(CASES, CASES + COMMANDS, FEW))
def test_as_commands(first):
    counts, findings = batch(SEED, first, FEW, commands=True)
    assert sum(counts.values()) == FEW
    assert findings == []
