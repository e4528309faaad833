"""How far down a motion can be followed: a parameter is lowered step by step, each value held for a while.

A motion that is lost is taken up again at the last value that kept it, with half the step, until the step is as
fine as wanted: a motion that a step threw off gets another chance, one that has ended has not. Then the lowest
value is confirmed by a long hold; where the motion dies in it, the value above is asked, and so on.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from klingel.analysis.descents.motion_sizes import Rank


@dataclass(frozen=True)
class Held:
    """What a motion is at the end of a hold at one value."""

    value: float
    rank: Rank
    width: float  # half of peak to peak of the widest leading coordinate
    state: Any


@dataclass(frozen=True)
class Steps:
    first: float
    finest: float  # of a step that is still tried
    last: float  # value below which nothing is followed


GROWN = 8
Hold = Callable[[float, Any], Held]


def descend(hold: Hold, begin: Held, least: Rank, steps: Steps) -> list[Held]:
    """Everything that kept at least this rank on the way down, `begin` first.

    A motion that has grown out of the rank for good, GROWN values in a row, is followed no farther.
    """
    kept, step = [begin], steps.first
    while step >= steps.finest * (1.0 - 1e-9):
        value = kept[-1].value - step
        if value < steps.last:
            step *= 0.5
            continue
        found = hold(value, kept[-1].state)
        if found.rank >= least:
            kept.append(found)
            if len(kept) >= GROWN and all(held.rank > least for held in kept[-GROWN:]):
                break
        else:
            step *= 0.5
    return kept


def confirmed(hold_long: Hold, kept: Sequence[Held], rank: Rank) -> Held | None:
    """The lowest of the values at which the motion has exactly this rank and keeps it through a long hold.

    Values are asked from below, further and further apart while they fail, then between the last two.
    """
    asked = [held for held in reversed(kept) if held.rank == rank]  # the lowest first
    failed, at, apart = -1, 0, 1
    found = None
    while at < len(asked):
        found = _lasting(hold_long, asked[at], rank)
        if found is not None:
            break
        failed, at, apart = at, at + apart, 2 * apart
        if failed < len(asked) - 1:
            at = min(at, len(asked) - 1)
    while found is not None and at - failed > 1:
        middle = (at + failed) // 2
        below = _lasting(hold_long, asked[middle], rank)
        if below is None:
            failed = middle
        else:
            found, at = below, middle
    return found


def _lasting(hold_long: Hold, held: Held, rank: Rank) -> Held | None:
    found = hold_long(held.value, held.state)
    return found if found.rank == rank else None
