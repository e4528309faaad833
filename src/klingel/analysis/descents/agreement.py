"""Whether numbers computed in several ways agree, and which of the ways moves them most."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median

RELATIVE = 0.02  # of the middle
ABSOLUTE = 0.5


@dataclass(frozen=True)
class Agreement:
    """Of values found in named ways, several in each; None where a way found nothing."""

    low: float
    high: float
    middle: float  # median
    found: int
    asked: int
    by_way: Mapping[str, tuple[float | None, ...]]

    @property
    def spread(self) -> float:
        return self.high - self.low

    @property
    def agrees(self) -> bool:
        """Unless a value is missing, or they differ by more than both bounds."""
        return self.found == self.asked and not (
            self.spread > RELATIVE * abs(self.middle) and self.spread > ABSOLUTE
        )

    def medians(self) -> dict[str, float | None]:
        return {name: _median(values) for name, values in self.by_way.items()}

    def culprit(self, base: str) -> str | None:
        """The way that is farthest from the base, or found less than it; None when all scatter alike."""
        medians = self.medians()
        lost = {name: sum(v is None for v in values) for name, values in self.by_way.items()}
        worst = max(lost, key=lambda name: lost[name])
        if lost[worst] > lost[base] and lost[worst] > len(self.by_way[worst]) // 2:
            return worst
        middle = medians[base]
        if middle is None:
            return base
        apart = {name: abs(value - middle) for name, value in medians.items() if value is not None}
        farthest = max(apart, key=lambda name: apart[name])
        return farthest if apart[farthest] > 0.5 * self.spread and apart[farthest] > 0.0 else None


def agreement(by_way: Mapping[str, Sequence[float | None]]) -> Agreement | None:
    """None when no way found anything."""
    known = sorted(value for values in by_way.values() for value in values if value is not None)
    if not known:
        return None
    asked = sum(len(values) for values in by_way.values())
    ways = {name: tuple(values) for name, values in by_way.items()}
    return Agreement(known[0], known[-1], float(median(known)), len(known), asked, ways)


def _median(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return float(median(known)) if known else None
