"""`klingel example hunting-solvers`: table 1 and figure 20 of True, Engsig-Karup and Bigoni (2013)."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import isfinite
from pathlib import Path

import numpy as np

from klingel._errors import InputError
from klingel.contact.table.contact_table import Conditions
from klingel.literature.example import Check, ExampleResult
from klingel.literature.nonsmooth_bogies import pictures
from klingel.literature.nonsmooth_bogies.solver_table import CHANGED_SIGN, PRINTED, Row, rows
from klingel.numerics.ode.tableaus import METHODS
from klingel.plots.style import save

STEEL = Conditions().shear_modulus  # of wheels and rails [Pa]
HEAD = (
    "| tolerance | solver | CPU time [s] | functions | Jacobians | accepted | rejected | simulated [s] | hunting |"
)


@dataclass(frozen=True)
class Parameters:
    speed: float = 120.0  # [m/s]; 40 m/s is the control without hunting
    duration: float = 20.0  # [s]
    rtol: float = 1e-6  # relative tolerance, which the table does not give
    long_car: bool = False  # eleven times the inertia of the carbody in pitch and yaw
    most_steps: int = 1_000_000  # after which a run is broken off

    def __post_init__(self) -> None:
        for name in ("speed", "duration", "rtol"):
            if not (isfinite(getattr(self, name)) and getattr(self, name) > 0.0):
                raise InputError(name, getattr(self, name), "must be finite and positive")


def run(folder: Path, parameters: Parameters) -> ExampleResult:
    """Six runs, a table, a picture."""
    p = parameters
    load = "long_car" if p.long_car else "empty"
    found = list(rows(p.speed, p.duration, (1e-4, 1e-5), p.rtol, load, p.most_steps))
    (folder / "table.md").write_text(table(found, p), encoding="utf-8")
    drawn = save(pictures.motions(found, p.speed), folder / "hunting-solvers.png")
    quantities = {}
    for row in found:
        name = f"{row.solver}_{row.tolerance:.0e}"
        quantities |= {
            f"{name}_cpu_s": row.cpu, f"{name}_function_evaluations": float(row.evaluations),
            f"{name}_accepted": float(row.accepted), f"{name}_rejected": float(row.rejected),
            f"{name}_amplitude_m": row.amplitude, f"{name}_simulated_s": row.simulated,
        }  # fmt: skip
    for tolerance in (1e-4, 1e-5):
        explicit, implicit = (next(r for r in found if (r.tolerance, r.solver) == (tolerance, s))
                              for s in ("erkf34", "esdirk34"))  # fmt: skip
        quantities[f"esdirk34_over_erkf34_cpu_{tolerance:.0e}"] = implicit.cpu / explicit.cpu
    return ExampleResult("hunting-solvers", quantities, checks(found), (folder / "table.md", drawn))


def checks(found: list[Row]) -> tuple[Check, ...]:
    """What must hold whatever the table says: both good methods agree, one error row is none."""
    fehlberg = METHODS["erkf34"].d
    other = fehlberg.copy()
    other[3] = -other[3]
    good = [row.amplitude for row in found if row.solver != CHANGED_SIGN]
    return (
        Check("erkf34: sum of the error row", 0.0, float(np.sum(fehlberg)), 1e-15),
        Check(
            "erkf34, sign changed: sum of the error row, 23104/163170", 23104 / 163170, float(np.sum(other)), 1e-15
        ),
        Check("amplitudes by both methods at both tolerances, spread [m]", 0.0, max(good) - min(good), 2e-5),
    )


def table(found: list[Row], p: Parameters) -> str:
    """The columns of the paper, its numbers in brackets."""
    lines = [
        f"{p.duration:g} s at {p.speed:g} m/s, relative tolerance {p.rtol:g}, carbody "
        f"{'5.6e6' if p.long_car else '5.0e5'} kg m2 in pitch and yaw, shear modulus {STEEL:.3g} Pa, "
        "start 1 mm of the first wheelset; (as printed)",
        "", HEAD, "|" + "---|" * 9,
    ]  # fmt: skip
    for row in found:
        printed = PRINTED.get((row.tolerance, row.solver)) if p.speed == 120.0 else None
        ours = (row.cpu, row.evaluations, row.jacobians, row.accepted, row.rejected)
        cells = [f"{a:.2f}" if isinstance(a, float) else f"{a}" for a in ours]
        if printed:
            cells = [f"{cell} ({b})" for cell, b in zip(cells, printed, strict=False)]
        hunting = ("yes" if row.hunts else "no") + (f" ({'yes' if printed[5] else 'no'})" if printed else "")
        if row.simulated < p.duration * (1.0 - 1e-9):
            hunting = "broken off"
        lines.append(
            f"| {row.tolerance:.0e} | {row.solver} | {' | '.join(cells)} | {row.simulated:.3g} | {hunting} |"
        )
    lines += ["", *_ratios(found, p.speed)]
    return "\n".join(lines) + "\n"


def _ratios(found: list[Row], speed: float) -> Iterator[str]:
    """CPU time of the implicit method over that of the explicit one, and as printed."""
    cpu = {(row.tolerance, row.solver): row.cpu for row in found}
    for tolerance in dict.fromkeys(row.tolerance for row in found):
        ratio = cpu[tolerance, "esdirk34"] / cpu[tolerance, "erkf34"]
        given = PRINTED[tolerance, "esdirk34"][0] / PRINTED[tolerance, "erkf34"][0]
        beside = f" ({given:.3g})" if speed == 120.0 else ""
        yield f"CPU time of esdirk34 over erkf34 at {tolerance:.0e}: {ratio:.3g}{beside}"
