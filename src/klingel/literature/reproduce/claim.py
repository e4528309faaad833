"""A published number, the study that computes it, and what came out.

=========  ============================================================================================
kind       what is published
=========  ============================================================================================
number     a number, to its printed precision
range      two bounds, or one that is printed
direction  a comparison, a sign or a word
identity   follows from the inputs alone, or no wrong parameter makes it fail: shown, not counted
=========  ============================================================================================

A claim is reproduced if the computed value lies within the published one (or the published range) plus and
minus the tolerance. The tolerance follows from the printed precision or from how well a figure can be read, and
says so; it never follows from the computed value. Of a claim on irregular motion every seed is judged by itself,
and four of five must hold.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import isfinite
from statistics import median
from typing import Any, Literal

from klingel.literature.reproduce.case import ENOUGH, Case, Wrong

Range = tuple[float, float]
Status = Literal["reproduced", "differs", "not-run"]
Kind = Literal["number", "range", "direction", "identity"]
KINDS: tuple[Kind, ...] = ("number", "range", "direction", "identity")
TESTED: tuple[Kind, ...] = ("number", "range")  # kinds that name a wrong parameter


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
    given_kind: Kind | None = None  # where it does not follow from what is published
    wrong: Wrong | None = None  # a parameter that makes the claim fail

    @property
    def kind(self) -> Kind:
        """A number; a range with two bounds; an open one is a direction."""
        if self.given_kind is not None:
            return self.given_kind
        if not isinstance(self.published, tuple):
            return "number"
        return "range" if all(isfinite(bound) for bound in self.published) else "direction"

    @property
    def limits(self) -> Range:
        low, high = self.published if isinstance(self.published, tuple) else (self.published, self.published)
        return low - self.tolerance, high + self.tolerance

    def holds(self, value: float) -> bool:
        # an edge may be missed by the rounding of a decimal number, never by more
        low, high = self.limits
        slack = 1e-12 * max(abs(edge) for edge in (low, high, 0.0) if isfinite(edge))
        return low - slack <= value <= high + slack


def identities(claims: Sequence[Claim], *ids: str) -> tuple[Claim, ...]:
    """The claims, those named as identities."""
    return tuple(replace(c, given_kind="identity") if not ids or c.id in ids else c for c in claims)


def failing(claims: Sequence[Claim], name: str, factor: float, *ids: str) -> tuple[Claim, ...]:
    """The claims; those named (all, if none) fail with the parameter `name` times `factor`."""
    return tuple(replace(c, wrong=Wrong(name, factor)) if not ids or c.id in ids else c for c in claims)


@dataclass(frozen=True)
class Outcome:
    """A computed value with something to say about it; `value` None: it could not be computed, `note` says why."""

    value: float | None
    note: str = ""
    seeds: tuple[float, ...] = ()  # values of single seeds, NaN where there is none; `value` is their median


def of_seeds(values: Sequence[float], note: str = "") -> Outcome:
    """Of irregular motion: a value for each seed."""
    known = [float(v) for v in values if isfinite(v)]
    return Outcome(median(known) if known else None, note, tuple(float(v) for v in values))


Result = float | Outcome


@dataclass(frozen=True)
class Study:
    """Claims that one computation answers. `run(case)` gives a result for each of them, by id."""

    name: str
    run: Callable[[Case], Mapping[str, Result]]
    claims: tuple[Claim, ...]
    fast: bool  # belongs to the part that runs in the tests: some seconds at most
    leaf_springs: bool = False  # of a vehicle: computed in both readings of AUTO
    rtol: float | None = None  # of the integration, None where nothing is integrated
    regular: bool = True  # motions whose error a tighter tolerance shows; irregular ones differ anyway


@dataclass(frozen=True)
class Verdict:
    computed: float | None
    status: Status
    note: str = ""
    seeds: tuple[float, ...] = ()

    def passed(self, claim: Claim) -> int:
        return sum(claim.holds(value) for value in self.seeds)

    def as_dict(self, claim: Claim) -> dict[str, Any]:
        found: dict[str, Any] = {"computed": self.computed, "status": self.status}
        if self.seeds:
            found["seeds"] = [_finite(value) for value in self.seeds]
            found["passed"] = self.passed(claim)
        return found


@dataclass(frozen=True)
class Finding:
    """What came out for a claim: as printed, in the full reading of AUTO, tighter, with a wrong parameter."""

    claim: Claim
    verdict: Verdict
    full: Verdict | None = None
    tight: Verdict | None = None
    wrong: Verdict | None = None

    @property
    def computed(self) -> float | None:
        return self.verdict.computed

    @property
    def status(self) -> Status:
        return self.verdict.status

    @property
    def note(self) -> str:
        return self.verdict.note

    @property
    def kind(self) -> Kind:
        """Of the claim; a claim that holds with its wrong parameter, too, is an identity."""
        blind = self.wrong is not None and self.wrong.status == self.status == "reproduced"
        return "identity" if blind and self.claim.kind in TESTED else self.claim.kind

    @property
    def error(self) -> float | None:
        """That the tolerance of the integration causes."""
        if self.tight is None or self.tight.computed is None or self.computed is None:
            return None
        return abs(self.tight.computed - self.computed)

    def as_dict(self) -> dict[str, Any]:
        """What `klingel reproduce --json` prints of it."""
        claim, published = self.claim, self.claim.published
        found = {
            "id": claim.id,
            "kind": self.kind,
            "source": claim.source,
            "quantity": claim.quantity,
            "published": [_finite(v) for v in published] if isinstance(published, tuple) else published,
            "unit": claim.unit,
            "tolerance": claim.tolerance,
            "reason": claim.reason,
            "note": self.note,
            **self.verdict.as_dict(claim),
        }
        if self.full is not None:
            found["full"] = self.full.as_dict(claim)
        if self.tight is not None:
            found["error"] = self.error
        if claim.wrong is not None:
            found["wrong"] = {"parameter": str(claim.wrong)}
            found["wrong"] |= self.wrong.as_dict(claim) if self.wrong is not None else {"status": "not-run"}
        return found


def _finite(value: float) -> float | None:
    return value if isfinite(value) else None


def judge(claim: Claim, result: Result | None) -> Verdict:
    """Compare what a study gave with what is published."""
    if result is None:
        return not_run(claim, "the study gave no value")
    outcome = result if isinstance(result, Outcome) else Outcome(float(result))
    note = _joined(claim.note, outcome.note)
    if outcome.value is None or not isfinite(outcome.value):
        return Verdict(None, "not-run", note or "the computed value is not a number", outcome.seeds)
    value = float(outcome.value)
    if outcome.seeds:
        holds = sum(claim.holds(one) for one in outcome.seeds) >= ENOUGH * len(outcome.seeds)
    else:
        holds = claim.holds(value)
    return Verdict(value, "reproduced" if holds else "differs", note, outcome.seeds)


def not_run(claim: Claim, why: str) -> Verdict:
    return Verdict(None, "not-run", _joined(claim.note, why))


def _joined(*notes: str) -> str:
    return "; ".join(note for note in notes if note)
