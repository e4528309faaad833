"""`klingel example three-ways`: corners and impacts located, ignored or smoothed, at one tolerance."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from pathlib import Path

import numpy as np

from klingel._errors import InputError
from klingel.io.vehicle.files import load_vehicle
from klingel.literature.example import Check, ExampleResult
from klingel.literature.nonsmooth_bogies import pictures
from klingel.literature.nonsmooth_bogies.ways import IGNORE, LOCATE, SMOOTH, Row, Setting, rows
from klingel.plots.style import save

HEAD = (
    "| way | solver | functions | accepted | rejected | events | CPU time [s] | error [mm, mrad] "
    "| amplitude | motion |"
)
CREEP_SPEED, CREEP_START = 20.0, 1e-3  # [m/s], [m]: less than the friction can hold
STICK = "true stick"
CREEP_WIDTHS = (1e-4, 1e-3)  # [m/s]
SPREAD = 1e-3  # of the amplitude, between ways of one solver that tell the same motion


@dataclass(frozen=True)
class Parameters:
    rtol: float = 1e-6  # of all runs but the exact one
    width: float = 20e-6  # over which corners are rounded [m]
    bogie_speed: float = 75.0  # of the Cooperrider bogie, which hunts on its flanges [m/s]
    axle_speed: float = 50.0  # of the axle with guides [m/s]
    duration: float = 10.0  # [s]

    def __post_init__(self) -> None:
        for name in ("rtol", "width", "bogie_speed", "axle_speed", "duration"):
            if not (isfinite(getattr(self, name)) and getattr(self, name) > 0.0):
                raise InputError(name, getattr(self, name), "must be finite and positive")


def bogie(p: Parameters) -> Setting:
    name = "leading_front_wheelset.y"
    return Setting(load_vehicle("cooperrider"), p.bogie_speed, p.duration, {name: 0.012}, name, p.width)


def axle(p: Parameters) -> Setting:
    kick = {"wheelset.y": 5e-3}
    return Setting(load_vehicle("true_trzepacz"), p.axle_speed, p.duration, kick, "wheelset.yaw", p.width)


def run(folder: Path, parameters: Parameters) -> ExampleResult:
    """Two vehicles: corners of a flange, and a rigid guide that is struck."""
    p = parameters
    found = {"bogie": list(rows(bogie(p), p.rtol)), "axle": list(rows(axle(p), p.rtol))}
    (folder / "table.md").write_text(table(found, p), encoding="utf-8")
    drawn = save(pictures.three_ways(found["bogie"], found["axle"]), folder / "three-ways.png")
    time, left = rest_and_creep(p)
    title = f"Single-axle bogie with dry friction at {CREEP_SPEED:g} m/s, left 1 mm aside"
    creeps = save(pictures.rest_and_creep(time, left, title), folder / "rest-and-creep.png")
    quantities = {}
    for name, some in found.items():
        for row in some[1:]:
            if np.isfinite(row.error):
                key = f"{name}_{row.way}_{row.solver}"
                quantities |= {f"{key}_error": row.error, f"{key}_functions": float(row.evaluations),
                               f"{key}_cpu_s": row.cpu, f"{key}_amplitude": row.amplitude}  # fmt: skip
    stays = Check("true stick: y after 5 s [m]", CREEP_START, float(left[STICK][-1]), 1e-12)
    return ExampleResult(
        "three-ways", quantities, (*checks(found["bogie"]), stays), (folder / "table.md", drawn, creeps)
    )


def rest_and_creep(p: Parameters) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Time and lateral position of the bogie with dry friction: true stick, then the jump rounded over speeds."""
    import klingel as kg

    name, ways = "wheelset.y", {STICK: {}}
    for width in CREEP_WIDTHS:
        ways[f"rounded over {1e3 * width:g} mm/s"] = {"locate": "smooth", "smooth_speed": width}
    vehicle, track, runs = load_vehicle("true_asmund_yaw"), kg.Track.straight(), {}
    for label, way in ways.items():
        options = {"rtol": p.rtol, "method": "esdirk34", "quantities": (name,), **way}
        runs[label] = kg.simulate(vehicle, track, CREEP_SPEED, 5.0, {name: CREEP_START}, **options)
    return next(iter(runs.values())).time, {label: run[name].to_numpy() for label, run in runs.items()}


def checks(found: Sequence[Row]) -> tuple[Check, ...]:
    """The flange corner located, ignored and smoothed is the same motion by every solver."""
    exact = found[0].amplitude
    made = []
    for way in (LOCATE, IGNORE, SMOOTH):
        # not a number where a solver ended, which `np.max` passes on
        off = float(np.max([abs(row.amplitude - exact) for row in found[1:] if row.way == way]))
        made.append(
            Check(f"flange, {way}: amplitude by any solver against the exact one [m]", 0.0, off, SPREAD * exact)
        )
    return tuple(made)


def table(found: dict[str, list[Row]], p: Parameters) -> str:
    titles = {"bogie": f"Cooperrider bogie at {p.bogie_speed:g} m/s: corners of the flange",
              "axle": f"Axle with guides at {p.axle_speed:g} m/s: dry friction and rigid impacts"}  # fmt: skip
    lines = [f"All at rtol = {p.rtol:g}; corners rounded over {1e6 * p.width:g} um where they are.", ""]
    for name, some in found.items():
        lines += [titles[name], "", HEAD, "|" + "---|" * 10]
        for row in some:
            if not np.isfinite(row.amplitude):
                lines.append(f"| {row.way} | {row.solver} |" + " |" * 7 + f" {row.told} |")
                continue
            counts = " | ".join(str(n) for n in (row.evaluations, row.accepted, row.rejected, row.events))
            lines.append(
                f"| {row.way} | {row.solver} | {counts} | {row.cpu:.3f} | {1e3 * row.error:.2e} | "
                f"{1e3 * row.amplitude:.4f} | {row.told} |"
            )
        lines.append("")
    return "\n".join(lines)
