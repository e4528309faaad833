"""The table of the documentation, made from a run: totals by kind, what differs, every claim, every study."""

from collections.abc import Sequence
from math import isfinite, isinf

from klingel.literature.reproduce.case import SEEDS, TIGHTER
from klingel.literature.reproduce.claim import KINDS, Claim, Finding, Kind, Status, Verdict
from klingel.literature.reproduce.run import Report

COUNTED: tuple[Kind, ...] = KINDS[:-1]
STATUSES: tuple[Status, ...] = ("reproduced", "differs", "not-run")
TOTALS_HEAD = "| kind | claims | {0} | AUTO full: {0} |\n|---|---|---|---|---|---|---|---|".format(
    " | ".join(STATUSES)
)
HEAD = (
    "| id | kind | source | quantity | published | computed | status | AUTO full | error of rtol | wrong "
    "parameter | note |\n|---|---|---|---|---|---|---|---|---|---|---|"
)
STUDIES_HEAD = "| study | claims | rtol | largest error it causes | time [s] |\n|---|---|---|---|---|"


def published(claim: Claim) -> str:
    """As printed: `38 +- 0.5 m/s`, `1.2 to 1.4 Hz`, `above 60 m/s`."""
    spread = f" ± {claim.tolerance:g}" if claim.tolerance else ""
    if not isinstance(claim.published, tuple):
        text = f"{claim.published:.10g}"
    elif isinf(claim.published[1]):
        text = f"above {claim.published[0]:.10g}"
    elif isinf(claim.published[0]):
        text = f"below {claim.published[1]:.10g}"
    else:
        text = f"{claim.published[0]:.10g} to {claim.published[1]:.10g}"
    return f"{text}{spread} {claim.unit}".strip()


def computed(claim: Claim, verdict: Verdict) -> str:
    """`38 m/s`; of several seeds `38 m/s (37 to 38.5, 5 of 5)`: median, spread, and how many hold."""
    if verdict.computed is None:
        return ""
    text = f"{verdict.computed:.7g} {claim.unit}".strip()
    if not verdict.seeds:
        return text
    known = [value for value in verdict.seeds if isfinite(value)]
    spread = f"{min(known):.4g} to {max(known):.4g}"
    return f"{text} ({spread}, {verdict.passed(claim)} of {len(verdict.seeds)})"


def render(reports: Sequence[Report], seed: int) -> str:
    """Totals, what differs, table of claims, table of studies."""
    findings = [finding for report in reports for finding in report.findings]
    rows = [_row(finding) for finding in findings]
    studies = [_study(report) for report in reports]
    total = sum(r.time or 0.0 for r in reports)
    studies.append(f"| all, one after the other | {len(findings)} | | | {total:.1f} |")
    wagons = [f for report in reports if _simulates_a_wagon(report) for f in report.findings]
    parts = [*_totals(findings, wagons, seed), "", *_different(findings), HEAD, *rows, "", STUDIES_HEAD, *studies]
    return "\n".join(parts)


def _simulates_a_wagon(report: Report) -> bool:
    return report.study.name.startswith("wagon-") and report.study.rtol is not None


def totals(findings: Sequence[Finding]) -> dict[Kind, dict[str, int]]:
    """Claims by kind and status, as printed and in the full reading of AUTO where that was computed."""
    found: dict[Kind, dict[str, int]] = {}
    for kind in KINDS:
        mine = [finding for finding in findings if finding.kind == kind]
        found[kind] = {status: sum(f.status == status for f in mine) for status in STATUSES}
        found[kind] |= {f"full {s}": sum((f.full or f.verdict).status == s for f in mine) for s in STATUSES}
    return found


def _totals(findings: Sequence[Finding], wagons: Sequence[Finding], seed: int) -> list[str]:
    known = totals(findings)["identity"]
    words = (
        f"Seed {seed}; irregular motions {SEEDS} seeds each, of which four must hold. {sum(known.values()) // 2} "
        f"identities, {known['reproduced']} of them reproduced, are shown and not counted."
    )
    return [words, "", TOTALS_HEAD, *_total_rows(findings), *_total_rows(wagons, "wagons simulated: ")]


def _total_rows(findings: Sequence[Finding], name: str = "") -> list[str]:
    known = totals(findings)
    rows = []
    for kind in COUNTED:
        counts = [str(n) for n in known[kind].values()]
        rows.append(f"| {name}{kind} | {sum(f.kind == kind for f in findings)} | " + " | ".join(counts) + " |")
    sums = [sum(known[kind][word] for kind in COUNTED) for word in known["number"]]
    counted = sum(finding.kind != "identity" for finding in findings)
    return [*rows, f"| {name}all | {counted} | " + " | ".join(str(n) for n in sums) + " |"]


def _different(findings: Sequence[Finding]) -> list[str]:
    """What differs, in words before the table."""
    lines = [
        f"- `{f.claim.id}` ({f.kind}): {f.claim.quantity}; published {published(f.claim)}, "
        f"computed {computed(f.claim, f.verdict)}{_in_full(f)}." + (f" Note: {f.note}." if f.note else "")
        for f in findings
        if f.status == "differs"
    ]
    return ["What differs:", "", *lines, ""] if lines else []


def _in_full(finding: Finding) -> str:
    if finding.full is None:
        return ""
    return f"; AUTO full {computed(finding.claim, finding.full)}, {finding.full.status}"


def _row(finding: Finding) -> str:
    claim = finding.claim
    note = "; ".join(
        text for text in (f"tolerance: {claim.reason}" if claim.tolerance else claim.reason, finding.note) if text
    )
    full = "" if finding.full is None else f"{computed(claim, finding.full)}: {finding.full.status}"
    cells = (
        claim.id, finding.kind, claim.source, claim.quantity, published(claim), computed(claim, finding.verdict),
        finding.status, full, _number(finding.error), _wrong(finding), note,
    )  # fmt: skip
    return "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"


def _wrong(finding: Finding) -> str:
    if finding.claim.wrong is None:
        return ""
    if finding.wrong is None:
        return str(finding.claim.wrong)
    value = finding.wrong.computed
    return f"{finding.claim.wrong}: {'' if value is None else f'{value:.4g}, '}{finding.wrong.status}"


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.1e}"


def _study(report: Report) -> str:
    study = report.study
    if study.rtol is None:
        tolerance, error = "", "none, or told in the note"
    else:
        tolerance = f"{study.rtol:g}"
        error = _largest_error(report) if study.regular else "irregular: see the spread of the seeds"
    return f"| {study.name} | {len(report.findings)} | {tolerance} | {error} | {_time(report)} |"


def _largest_error(report: Report) -> str:
    """Relative to the value or to the bounds it is held against, of the claim that changes most."""
    known = [(f.error / _size(f), f) for f in report.findings if f.error is not None and _size(f) > 0.0]
    if not known:
        return ""
    most, finding = max(known, key=lambda pair: pair[0])
    return f"{most:.1e} of `{finding.claim.id}` (rtol/{TIGHTER:g})"


def _size(finding: Finding) -> float:
    """Of the value and its bounds: an error next to a value near zero says nothing."""
    bounds = [abs(bound) for bound in finding.claim.limits if isfinite(bound)]
    return max([abs(finding.computed or 0.0), *bounds])


def _time(report: Report) -> str:
    return "" if report.time is None else f"{report.time:.1f}"
