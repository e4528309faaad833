"""Points of a branch while it is followed, in memory and in a journal beside its file: a kill loses none of them.

A branch has parts: the first one, and those that leave it where it is switched. Records of the journal:

=================================  ===============================================================================
record                             what
=================================  ===============================================================================
`{"part", "begun": {...}}`         a part begins; where it leaves another one, and special points known at once
`{"part", "point", "progress",     one orbit; all that is needed to go on from it; special points between it and
"special"}`                        the one before, with their orbits
`{"part", "ended", "special"}`     a part has ended; a sentence
=================================  ===============================================================================
"""

from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from klingel._errors import InputError
from klingel.analysis.orbits.family import Family
from klingel.analysis.orbits.orbit import Orbit
from klingel.analysis.orbits.special_points import Special
from klingel.analysis.orbits.stored import Progress, orbit_of, orbit_record
from klingel.io import journal
from klingel.model.layout import Layout
from klingel.simulation.orbits.result import VehicleBranch, load_branch, record

SETTINGS = ("parameter", "first", "last", "speed", "vehicle", "track", "name", "switch", "points")


@dataclass
class Part:
    """One curve of orbits."""

    origin: dict[str, Any] = field(default_factory=dict)  # type and parameter of the point where it leaves another
    generation: int = 0  # how many times another branch was switched to
    points: list[dict[str, Any]] = field(default_factory=list)
    orbits: list[Orbit] = field(default_factory=list)
    special: list[Special] = field(default_factory=list)
    known: list[dict[str, Any]] = field(default_factory=list)  # special points without an orbit
    progress: Progress | None = None
    ended: str = ""


def journal_of(path: str | Path) -> Path:
    path = Path(path)
    return path.with_name(f"{path.name}.journal")


class Keeper:
    def __init__(self, family: Family, layout: Layout, settings: dict[str, Any], out, resume: bool):
        self.family, self.layout, self.settings = family, layout, settings
        self.out = Path(out) if out is not None else None
        self.parts: list[Part] = []
        self.finished: VehicleBranch | None = None
        self._writer: journal.Writer | None = None
        self._open_files = ExitStack()
        if resume and self.out is None:
            raise InputError("resume", resume, "must come with the file to go on with (out)")
        if self.out is not None:
            self._open(self.out, resume)

    def _open(self, out: Path, resume: bool) -> None:
        kept = journal_of(out)
        if kept.exists():
            if not resume:
                raise InputError("out", str(out), f"has an unfinished branch: resume it, or remove {kept.name}")
            stored, records = journal.read(kept)
            self._refuse_changes(stored, kept)
            self._take(records, kept)
        elif resume and out.exists():
            done = load_branch(out)
            self._refuse_changes(done.settings, out)
            self.finished = done
        else:
            journal.create(kept, self.settings)

    def _refuse_changes(self, stored: Any, path: Path) -> None:
        changed = [
            key for key in SETTINGS if not isinstance(stored, dict) or stored.get(key) != self.settings[key]
        ]
        if changed:
            raise InputError("resume", str(path), f"was begun with other settings ({', '.join(changed)})")

    def _take(self, records: list[dict[str, Any]], path: Path) -> None:
        try:
            for told in records:
                if "begun" in told:
                    begun = told["begun"]
                    del self.parts[told["part"] :]  # one that was killed before its first point
                    self.parts.append(Part(begun["origin"], begun["generation"], known=begun["known"]))
                    continue
                part = self.parts[told["part"]]
                part.special += [_special_of(s, self.family) for s in told["special"]]
                if "ended" in told:
                    part.ended = told["ended"]
                    continue
                part.points.append(told["point"])
                part.progress = Progress.from_record(told["progress"], self.family)
                part.orbits.append(part.progress.orbit)
            if self.parts and not self.parts[-1].points and not self.parts[-1].ended:
                self.parts.pop()
        except (KeyError, IndexError, TypeError, ValueError):
            raise InputError(
                "resume", str(path), "must be the journal of a branch; its records are damaged"
            ) from None

    def __enter__(self) -> "Keeper":
        if self.out is not None and self.finished is None:
            self._writer = self._open_files.enter_context(journal.appending(journal_of(self.out)))
        return self

    def __exit__(self, *_: object) -> None:
        self._open_files.close()

    def begin(self, origin: dict[str, Any], generation: int, known: list[dict[str, Any]]) -> Part:
        self.parts.append(Part(origin, generation, known=known))
        self._add({"begun": {"origin": origin, "generation": generation, "known": known}})
        return self.parts[-1]

    def keep(self, progress: Progress, special: list[Special]) -> None:
        part = self.parts[-1]
        told = record(progress.orbit, self.layout)
        part.points.append(told)
        self._add({"point": told, "progress": progress.as_record(), "special": [_record_of(s) for s in special]})

    def end(self, ended: str, special: list[Special]) -> None:
        self.parts[-1].ended = ended
        self._add({"ended": ended, "special": [_record_of(s) for s in special]})

    def _add(self, told: dict[str, Any]) -> None:
        if self._writer is not None:
            self._writer.add({"part": len(self.parts) - 1, **told})

    def done(self) -> None:
        """Nothing is left to go on with."""
        if self.out is not None:
            journal_of(self.out).unlink(missing_ok=True)


def _record_of(special: Special) -> dict[str, Any]:
    along = None if special.along is None else special.along.tolist()
    return {
        "kind": special.kind, "parameter": special.parameter, "detail": special.detail, "along": along,
        "orbit": orbit_record(special.orbit),
    }  # fmt: skip


def _special_of(told: dict[str, Any], family: Family) -> Special:
    along = None if told["along"] is None else np.array(told["along"], float)
    return Special(told["kind"], told["parameter"], orbit_of(told["orbit"], family), told["detail"], along)
