"""Orbits, and how far a branch has come, as plain words and numbers: what a journal keeps.

Numbers are written with all their digits, so that a branch gone on with is the one that would have been followed
without a break.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from klingel.analysis.orbits.family import Family
from klingel.analysis.orbits.orbit import Orbit
from klingel.analysis.orbits.segment import Segment
from klingel.analysis.orbits.shooting import Shooting


@dataclass(frozen=True)
class Progress:
    """Where the following of a branch stands after a point."""

    orbit: Orbit
    along: np.ndarray  # tangent, in units of the weights
    step: float  # of the next point
    largest: float  # size of an orbit so far

    def as_record(self) -> dict[str, Any]:
        return {
            "orbit": orbit_record(self.orbit), "along": self.along.tolist(), "step": self.step,
            "largest": self.largest,
        }  # fmt: skip

    @classmethod
    def from_record(cls, record: dict[str, Any], family: Family) -> "Progress":
        return cls(
            orbit_of(record["orbit"], family), np.array(record["along"], float), float(record["step"]),
            float(record["largest"]),
        )  # fmt: skip


def orbit_record(orbit: Orbit) -> dict[str, Any]:
    """All that makes an orbit but its family."""
    e = orbit.equations
    time, place, rates = e.reference
    return {
        "unknowns": orbit.unknowns.tolist(),
        "segments": [
            {"mode": s.mode.tolist(), "memory": s.memory.tolist(), "rounds": [list(r) for r in s.rounds]}
            for s in e.segments
        ],
        "pieces": list(e.pieces),
        "meshes": [mesh.tolist() for mesh in e.meshes],
        "scale": e.scale.tolist(),
        "time_scale": e.time_scale,
        "parameter_scale": e.parameter_scale,
        "rtol": e.rtol,
        "half": e.half,
        "reference": [time, place.tolist(), rates.tolist()],
        "held": _held(orbit),
        "turns": e.turns,
    }


def _held(orbit: Orbit) -> list[int]:
    """Entries of the memory that none of its events changes."""
    every = orbit.family.freed.at(orbit.parameter).memory_coordinates.tolist()
    return sorted(set(every) - set(orbit.family.at(orbit.parameter).memory_coordinates.tolist()))


def orbit_of(record: dict[str, Any], family: Family) -> Orbit:
    """The orbit of a record; ValueError, KeyError or TypeError where it is none."""
    family.freed.at(float(record["unknowns"][-1]))
    family = family.holding(int(k) for k in record["held"])
    segments = tuple(
        Segment(
            np.array(s["mode"], np.int8), np.array(s["memory"], float),
            tuple(tuple(int(g) for g in r) for r in s["rounds"]),
        )
        for s in record["segments"]
    )  # fmt: skip
    time, place, rates = record["reference"]
    equations = Shooting(
        family, segments, tuple(int(n) for n in record["pieces"]),
        tuple(np.array(mesh, float) for mesh in record["meshes"]), np.array(record["scale"], float),
        float(record["time_scale"]), float(record["parameter_scale"]), float(record["rtol"]), bool(record["half"]),
        (float(time), np.array(place, float), np.array(rates, float)), int(record["turns"]),
    )  # fmt: skip
    return Orbit(equations, np.array(record["unknowns"], float))
