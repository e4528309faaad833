"""The table of the documentation, made from a run: written between two marks of a page, and read back."""

from collections.abc import Sequence
from math import isinf

from klingel.literature.reproduce.claim import Claim, Finding
from klingel.literature.reproduce.run import Report

BEGIN = "<!-- begin of table: klingel reproduce --markdown -->"
END = "<!-- end of table -->"
HEAD = "| id | source | quantity | published | computed | status | note |\n|---|---|---|---|---|---|---|"
TIMES_HEAD = "| study | claims | time [s] |\n|---|---|---|"
STATUS_COLUMN = 6


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


def computed(finding: Finding) -> str:
    return "" if finding.computed is None else f"{finding.computed:.7g} {finding.claim.unit}".strip()


def render(reports: Sequence[Report], seed: int) -> str:
    """Summary, table of claims, table of times."""
    findings = [finding for report in reports for finding in report.findings]
    counts = {word: sum(f.status == word for f in findings) for word in ("reproduced", "differs", "not-run")}
    summary = (
        f"{len(findings)} claims, seed {seed}: " + ", ".join(f"{n} {word}" for word, n in counts.items()) + "."
    )
    rows = [_row(finding) for finding in findings]
    times = [f"| {r.study.name} | {len(r.findings)} | {_time(r)} |" for r in reports]
    total = sum(r.time or 0.0 for r in reports)
    times.append(f"| all, one after the other | {len(findings)} | {total:.1f} |")
    parts = [summary, "", *_different(findings), HEAD, *rows, "", TIMES_HEAD, *times]
    return "\n".join(parts)


def _different(findings: Sequence[Finding]) -> list[str]:
    """What differs, in words before the table."""
    lines = [
        f"- `{f.claim.id}`: {f.claim.quantity}; published {published(f.claim)}, computed {computed(f)}."
        + (f" Note: {f.note}." if f.note else "")
        for f in findings
        if f.status == "differs"
    ]
    return ["What differs:", "", *lines, ""] if lines else []


def _row(finding: Finding) -> str:
    claim = finding.claim
    note = "; ".join(
        text for text in (f"tolerance: {claim.reason}" if claim.tolerance else claim.reason, finding.note) if text
    )
    cells = (claim.id, claim.source, claim.quantity, published(claim), computed(finding), finding.status, note)
    return "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"


def _time(report: Report) -> str:
    return "" if report.time is None else f"{report.time:.1f}"


def placed(page: str, table: str) -> str:
    """`page` with the table between its marks, or after its end if there are none."""
    if BEGIN in page and END in page:
        before, after = page.split(BEGIN, 1)[0], page.split(END, 1)[1]
        return f"{before}{BEGIN}\n{table}\n{END}{after}"
    return f"{page}{BEGIN}\n{table}\n{END}\n"


def statuses(page: str) -> dict[str, str]:
    """Status by claim id, as a page says."""
    found: dict[str, str] = {}
    for line in page.splitlines():
        cells = [cell.strip() for cell in line.replace("\\|", "").split("|")]
        if len(cells) > STATUS_COLUMN + 1 and cells[STATUS_COLUMN] in ("reproduced", "differs", "not-run"):
            found[cells[1]] = cells[STATUS_COLUMN]
    return found
