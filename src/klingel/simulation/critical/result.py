"""CriticalSpeed: what was found, in numbers and in words; stored as a JSON file."""

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from klingel._arguments import check_path
from klingel._errors import InputError
from klingel.io.atomic import write_text
from klingel.simulation.critical.verdict import LowestMotion
from klingel.simulation.run import DONE

STORED = "klingel critical speed"
UNITS = "SI: m/s, m, Hz; amplitudes are half of peak to peak"


@dataclass(frozen=True)
class CriticalSpeed:
    vehicle: str
    verdict: str  # found, none or refused
    reason: str  # one line
    linear: dict[str, dict[str, Any] | None]  # stuck and slipping: speed and frequency
    motions: tuple[LowestMotion, ...]  # the first one is the headline
    protocols: dict[str, float | None]  # [m/s]
    rest_set: dict[str, list[float]]  # extent of every coordinate
    evidence: tuple[dict[str, Any], ...]  # what, value
    status: str = DONE  # or interrupted
    # speed, width and where from, of every motion met, for the picture: [m/s], [m]
    points: tuple[tuple[float, float, str], ...] = ()
    settings: dict[str, Any] = field(default_factory=dict)
    sources: dict[str, str] = field(default_factory=dict)  # vehicle and track as texts, version

    @property
    def speed(self) -> float | None:
        """The headline [m/s]; None without one, or when the verdict is refused."""
        return self.motions[0].speed if self.verdict == "found" else None

    def as_dict(self, files: tuple[str, ...] | list[str] = ()) -> dict[str, Any]:
        """What `klingel critical --json` prints."""
        return {
            "vehicle": self.vehicle, "verdict": self.verdict, "reason": self.reason, "linear": self.linear,
            "motions": [motion.as_dict() for motion in self.motions], "protocols": self.protocols,
            "rest_set": self.rest_set, "evidence": list(self.evidence), "files": list(files),
        }  # fmt: skip

    def save(self, path: str | Path) -> Path:
        """Write all of it as a JSON file; it appears only when it is complete."""
        path = check_path("path", path)
        write_text(path, json.dumps({"kind": STORED, "units": UNITS, **asdict(self)}, indent=1) + "\n")
        return path


def load_critical_speed(path: str | Path) -> CriticalSpeed:
    """A critical speed from its file."""
    path = check_path("path", path)
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        if content.pop("kind") != STORED:
            raise KeyError
        content.pop("units", None)
        motions = tuple(LowestMotion(**motion) for motion in content.pop("motions"))
        points = tuple((float(v), float(w), str(s)) for v, w, s in content.pop("points"))
        return CriticalSpeed(
            **{**content, "motions": motions, "points": points, "evidence": tuple(content["evidence"])}
        )
    except FileNotFoundError:
        raise InputError("file", str(path), "must be a file that exists") from None
    except (KeyError, TypeError, ValueError, AttributeError, UnicodeDecodeError):
        raise InputError("file", str(path), "must be a critical speed stored by klingel") from None
