"""A published number, the study that computes it, and what came out.

A claim is reproduced if the computed value lies within the published one (or the published range) plus and
minus the tolerance. The tolerance follows from the printed precision or from how well a figure can be read, and
says so; it never follows from the computed value.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Any, Literal

Range = tuple[float, float]
Status = Literal["reproduced", "differs", "not-run"]


@dataclass(frozen=True)
class Claim:
    id: str
    source: str
    quantity: str
    published: float | Range  # a range may be open: (60.0, inf)
    unit: str
    tolerance: float  # in `unit`
    reason: str  # of the tolerance
    note: str = ""

    @property
    def limits(self) -> Range:
        low, high = self.published if isinstance(self.published, tuple) else (self.published, self.published)
        return low - self.tolerance, high + self.tolerance

    def holds(self, value: float) -> bool:
        # an edge may be missed by the rounding of a decimal number, never by more
        low, high = self.limits
        slack = 1e-12 * max(abs(edge) for edge in (low, high, 0.0) if isfinite(edge))
        return low - slack <= value <= high + slack


@dataclass(frozen=True)
class Outcome:
    """A computed value with something to say about it; `value` None: it could not be computed, `note` says why."""

    value: float | None
    note: str = ""


Result = float | Outcome


@dataclass(frozen=True)
class Study:
    """Claims that one computation answers. `run(seed)` gives a result for each of them, by id."""

    name: str
    run: Callable[[int], Mapping[str, Result]]
    claims: tuple[Claim, ...]
    fast: bool  # belongs to the part that runs in the tests: some seconds at most


@dataclass(frozen=True)
class Finding:
    claim: Claim
    computed: float | None
    status: Status
    note: str = ""

    def as_dict(self) -> dict[str, Any]:
        """What `klingel reproduce --json` prints of it."""
        claim, published = self.claim, self.claim.published
        return {
            "id": claim.id,
            "source": claim.source,
            "quantity": claim.quantity,
            "published": [_finite(v) for v in published] if isinstance(published, tuple) else published,
            "computed": self.computed,
            "unit": claim.unit,
            "tolerance": claim.tolerance,
            "reason": claim.reason,
            "status": self.status,
            "note": self.note,
        }


def _finite(value: float) -> float | None:
    return value if isfinite(value) else None


def judge(claim: Claim, result: Result | None) -> Finding:
    """Compare what a study gave with what is published."""
    if result is None:
        return Finding(claim, None, "not-run", _joined(claim.note, "the study gave no value"))
    outcome = result if isinstance(result, Outcome) else Outcome(float(result))
    note = _joined(claim.note, outcome.note)
    if outcome.value is None or not isfinite(outcome.value):
        return Finding(claim, None, "not-run", note or "the computed value is not a number")
    value = float(outcome.value)
    return Finding(claim, value, "reproduced" if claim.holds(value) else "differs", note)


def not_run(claim: Claim, why: str) -> Finding:
    return Finding(claim, None, "not-run", _joined(claim.note, why))


def _joined(*notes: str) -> str:
    return "; ".join(note for note in notes if note)
