"""The page of a critical speed: verdict, picture, motions, procedures, evidence, and the command to repeat it."""

from pathlib import Path

from klingel.plots.style import encode
from klingel.plots.sweeps.critical import draw_critical
from klingel.reports.page import Picture, Section, Table
from klingel.reports.rest_remarks import rest_remarks
from klingel.reports.run import put_page
from klingel.simulation.critical.protocols import BRAKED, PROTOCOLS
from klingel.simulation.critical.result import CriticalSpeed

FILE = "critical.json"
HEADS = {"found": "Critical speed", "none": "No motion found", "refused": "No verdict"}
EXPLAINED = {
    PROTOCOLS[0]: "all wheelsets kicked by 5.5 mm and 3 mrad at ever higher speeds; first speed without decay",
    PROTOCOLS[
        1
    ]: f"from 170 km/h, braked by {BRAKED:g} m/s²; sum of guiding forces stays below 2.5 kN from here on",
    PROTOCOLS[2]: "down in steps of 1 m/s, 10 s each; last speed at which the motion has not ceased",
}


def write_critical(found: CriticalSpeed, folder: Path, command: str) -> Path:
    """Write `folder`/index.html and the result beside it."""
    reasons = {line["what"]: str(line["value"]) for line in found.evidence}
    linear = [
        (words, *(_speed(value) if value else (None, None)), reasons.get(f"no linear critical speed, {name}", ""))
        for name, words in (("stuck", "sliders stuck"), ("slipping", "sliders taken away"))
        for value in [found.linear[name]]
    ]
    picture = Picture("critical", encode(draw_critical(found)), "Every motion met; bands: lowest speeds.")
    sections = [
        Section(HEADS[found.verdict], f"{found.reason}.", pictures=[picture], tables=[motion_table(found)]),
        Section(
            "Linear critical speed",
            "Where vanishing motions stop dying away. With dry friction neither number is a bound of what moves.",
            tables=[Table(("case", "speed [m/s]", "frequency [Hz]", "why none"), linear)],
        ),
        Section(
            "Procedures of the field",
            "One number each, from one run or chain of runs; none of them says how certain it is.",
            tables=[
                Table(
                    ("procedure", "speed [m/s]", "what is done", "remark"),
                    [
                        (name, found.protocols.get(name), EXPLAINED[name], reasons.get(name, ""))
                        for name in PROTOCOLS
                    ],
                )
            ],
        ),
        *rest_section(found),
        Section(
            "Evidence",
            "Several starts at many speeds show where there are motions; each family is followed down to its "
            "lowest speed in four ways of computing. Low and high are their hull, low less the last step.",
            tables=[Table(("what", "value"), [(line["what"], line["value"]) for line in found.evidence])],
        ),
        Section("Repeat it", "The same version gives the same numbers.", command),
    ]
    page = put_page(folder, f"How fast may it run? {found.vehicle}", _summary(found), sections)
    found.save(folder / FILE)
    return page


def _speed(value: dict[str, float]) -> tuple[float, float]:
    return value["speed"], value["frequency"]


def _summary(found: CriticalSpeed) -> str:
    if found.verdict == "refused":
        return f"No verdict: {found.reason}."
    return f"{found.vehicle} {found.reason}." if found.verdict == "found" else f"{found.reason.capitalize()}."


def motion_table(found: CriticalSpeed) -> Table:
    """The lowest speed of each family."""
    rows = [
        (
            m.family, m.speed, 3.6 * m.speed, m.low, m.high, m.kind, 1e3 * m.amplitude, m.frequency,
            f"{m.found} of {m.asked}", "yes" if m.agrees else "no",
        )
        for m in found.motions
    ]  # fmt: skip
    head = (
        "family", "from [m/s]", "[km/h]", "low", "high", "kind", "amplitude [mm]", "frequency [Hz]", "descents",
        "agree",
    )  # fmt: skip
    return Table(head, rows, "Families of motion, from the slowest on")


def rest_section(found: CriticalSpeed) -> list[Section]:
    """How far dry friction can hold each coordinate from the middle."""
    if not found.rest_set:
        return []
    remarks = rest_remarks(found.rest_set, found.evidence)
    rows = [
        (name, 1e3 * low, 1e3 * high, "no" if remarks[name] else "yes", remarks[name])
        for name, (low, high) in found.rest_set.items()
    ]
    table = Table(("coordinate", "low [mm, mrad]", "high [mm, mrad]", "final", "remark"), rows)
    return [
        Section("Rest", "With dry friction rest is a set: it reaches so far in each coordinate.", tables=[table])
    ]
