"""What a run has settled to (rest, limit cycle, chaos): its lateral motion in the last third, see `motion_kinds`.

A run whose speed changes, whose track is not the same all along the part judged, or that was broken off or
derailed, is `transient` whatever it looks like.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from klingel.analysis.motion_kinds import Stretch, judge
from klingel.model.layout import Layout
from klingel.simulation.lateral_motion import lateral_motion
from klingel.simulation.run import DONE, Run

PART = 1 / 3  # of the run that is judged
TRANSIENT = "transient"


@dataclass(frozen=True)
class Settled:
    kind: str
    start: float  # of the part judged [s]
    amplitude: dict[str, float]  # half of peak to peak [m, rad]
    frequency: dict[str, float | None]  # [Hz]
    evidence: dict[str, Any]  # numbers that led to the kind

    def as_dict(self) -> dict:
        return {
            "kind": self.kind, "start": self.start, "amplitude": self.amplitude, "frequency": self.frequency,
            "evidence": self.evidence,
        }  # fmt: skip


def wheel_names(layout: Layout) -> list[str]:
    """Of all wheels, on profiles and conical."""
    return [*layout.wheels, *(f"{cone}.{side}" for cone in layout.cone_names for side in ("left", "right"))]


def settled(run: Run) -> Settled:
    """Kind, amplitudes and frequencies of the last third."""
    t, names = run.time, run.positions
    rows = t >= t[-1] - PART * (t[-1] - t[0]) if t.size else np.zeros(0, bool)
    if not rows.any():
        zeros = dict.fromkeys(names, 0.0)
        return Settled(TRANSIENT, 0.0, zeros, dict.fromkeys(names), {"rows": 0})
    x = np.column_stack([run.values(name)[rows] for name in names])
    v = np.column_stack([run.values(f"{name}_dot")[rows] for name in names])
    motion = judge(Stretch(t[rows], x, v, lateral_motion(run.states, run.wheelsets)))
    moving = run.options["acceleration"] != 0.0 or run.status != DONE or _track_changes(run, rows)
    kind = TRANSIENT if moving else motion.kind
    amplitude = motion.amplitude or dict.fromkeys(names, 0.0)
    return Settled(kind, float(t[rows][0]), amplitude, motion.frequency or dict.fromkeys(names), motion.evidence)


def _track_changes(run: Run, rows: np.ndarray) -> bool:
    """Whether a body met another curvature, cant or rail position during these rows."""
    marks = (
        ".curvature",
        ".cant",
        ".vertical_curvature",
        ".track_lateral",
        ".track_vertical",
        ".track_cross_level",
    )
    return any(np.ptp(run.values(name)[rows]) > 0.0 for name in run.variables if name.endswith(marks))
