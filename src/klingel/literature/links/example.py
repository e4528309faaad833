"""`klingel example link-hysteresis`: Hoffmann (2006), section 2.3.3.

Loops of the five published parameter sets, the technical pendulum swaying freely (figures 2.52, 2.53), and the
identification of k, k_i and T_0i from a record of a test rig (figures 2.62-2.70), by default the synthetic one
shipped with the package. Not published and chosen here: release, sensor arm, amplitude of the loops.
"""

from dataclasses import dataclass
from math import nan, pi, sqrt
from pathlib import Path

import numpy as np

from klingel._errors import InputError
from klingel.elements.dry_friction import Mode
from klingel.elements.link_sets import CLEARANCE, LINK_SETS, LinkLaw, link_law
from klingel.literature.example import Check, ExampleResult
from klingel.literature.links.identification_example import identify_record
from klingel.literature.links.link import (
    loop_energy,
    restoring,
    shaken_link,
    shaken_path,
    slider_forces,
    swaying_mass,
)
from klingel.literature.links.pictures import Loop, draw_link_sets, draw_pendulum, draw_sway
from klingel.numerics.integrate import integrate
from klingel.numerics.trajectory import Trajectory
from klingel.plots.style import save

SAMPLES = 2000  # per cycle of a loop, enough for sharp corners


@dataclass(frozen=True)
class Parameters:
    amplitude: float = 0.020  # of the loops [m]
    links: str = "PTP"  # set of the swaying pendulum
    sway_direction: str = "x"  # x along the track, as measured; y across it
    sway_start: float = 0.050  # release of the pendulum [m]
    sway_duration: float = 15.0  # [s]
    arm: float = 0.18  # b, from the joint to the displacement sensor [m]
    gravity: float = 9.81  # [m/s2]
    data: str = ""  # CSV record to identify; empty: the shipped synthetic one
    direction: str = "y"  # of the record; y has the suspension bracket
    bracket_gap: float = CLEARANCE  # y_0 [m]
    sliders: int = 0  # number to identify; 0: found
    delay: float = nan  # of the accelerometer [s]; found unless given


def run(folder: Path, parameters: Parameters) -> ExampleResult:
    p = parameters
    law = link_law(p.links, p.sway_direction).without_bracket()
    for field in ("arm", "gravity", "bracket_gap"):
        if not getattr(p, field) > 0.0:
            raise InputError(field, getattr(p, field), "must be positive")
    loops, checks = _loops(p)
    swayed = integrate(swaying_mass(law, p.sway_start, gravity=p.gravity), [p.sway_start, 0.0], p.sway_duration,
                       rtol=1e-10, atol=1e-13)  # fmt: skip
    checks += [_heat(p, law, swayed), *_rolling(p, law)]
    quantities, found_checks, found_files = identify_record(
        folder, p.data, p.direction, p.sliders, p.delay, p.bracket_gap, p.gravity
    )
    quantities = _sway_quantities(law, swayed) | quantities
    u = swayed["displacement"]
    reach = min(limit / stiffness for stiffness, limit in law.sliders)
    pendulum = link_law("PTP", "y").without_bracket()
    figures = {
        "link_sets": draw_link_sets(loops),
        "technical_pendulum": draw_pendulum(pendulum, *_loop(pendulum, p.amplitude, from_rest=True)[:2]),
        "free_sway": draw_sway(swayed.t, u, restoring(u, swayed.memory), p.arm, reach),
    }
    files = [save(fig, folder / f"{name}.png") for name, fig in figures.items()]
    return ExampleResult("link-hysteresis", quantities, (*checks, *found_checks), (*files, *found_files))


def _loop(law: LinkLaw, amplitude: float, from_rest: bool = False) -> tuple[np.ndarray, np.ndarray, float]:
    """Displacement and force of the closed loop (or of everything from rest), and the energy lost per cycle."""
    out = integrate(
        shaken_link(law, amplitude), [0.0], 2.25, rtol=1e-11, atol=1e-14, redo_events=True, output_step=1 / SAMPLES
    )
    u = shaken_path(out.t, amplitude)
    shown = slice(0 if from_rest else -SAMPLES - 1, None)
    force = restoring(u, out.memory)
    return u[shown], force[shown], float(out["work"][-1] - out["work"][-SAMPLES - 1])


def _loops(p: Parameters) -> tuple[dict[str, dict[str, Loop]], list[Check]]:
    loops: dict[str, dict[str, Loop]] = {}
    checks = []
    for name, directions in LINK_SETS.items():
        loops[name] = {}
        for direction, law in directions.items():
            u, force, lost = _loop(law, p.amplitude)
            loops[name][direction] = (u, force)
            expected = loop_energy(law, p.amplitude)
            what = f"{name} {direction}: energy lost per cycle over load [m]"
            checks.append(Check(what, expected, lost, 1e-9 * law.rolling_stiffness * p.amplitude**2))
    return loops, checks


def _energy(p: Parameters, law: LinkLaw, out: Trajectory, row: int) -> float:
    """Kinetic and elastic energy over load [m]."""
    u, v = out["displacement"], out["speed"]
    forces = slider_forces(law, u, out.memory, out.mode)[row]
    springs = sum(f * f / k for f, (k, _) in zip(forces, law.sliders, strict=True))
    return float(0.5 * (v[row] ** 2 / p.gravity + law.stiffness * u[row] ** 2 + springs))


def _heat(p: Parameters, law: LinkLaw, out: Trajectory) -> Check:
    """Energy gone against friction force times slipped distance; rows lie at every event, so the sum is exact."""
    moved = np.abs(np.diff(out["displacement"]))
    heat = 0.0
    for i, (_, limit) in enumerate(law.sliders, 1):
        slipping = (out.mode[:-1, i] != Mode.STICK) & (out.mode[1:, i] == out.mode[:-1, i])
        entered = (out.mode[:-1, i] != Mode.STICK) & (out.mode[1:, i] != out.mode[:-1, i])
        heat += limit * float(np.sum(moved[slipping | entered]))
    gone = _energy(p, law, out, 0) - _energy(p, law, out, -1)
    return Check(
        "free sway: energy lost over load [m] against friction times slip", heat, gone, 1e-8 * heat + 1e-12
    )


def _rolling(p: Parameters, law: LinkLaw) -> list[Check]:
    """Below the first break-out: no event, no loss, the frequency of all springs together."""
    start = 0.9 * min(limit / stiffness for stiffness, limit in law.sliders)
    out = integrate(
        swaying_mass(law, start, gravity=p.gravity), [start, 0.0], 10.0, rtol=1e-10, atol=1e-14, output_step=1e-3
    )
    speed, t = out["speed"], out.t
    up = np.flatnonzero((speed[:-1] < 0) & (speed[1:] >= 0))
    at = t[up] - speed[up] * (t[up + 1] - t[up]) / (speed[up + 1] - speed[up])
    expected = sqrt(p.gravity * law.rolling_stiffness) / (2 * pi)
    loss = 1 - _energy(p, law, out, -1) / _energy(p, law, out, 0)
    return [
        Check("rolling: frequency [Hz]", expected, (len(at) - 1) / (at[-1] - at[0]), 1e-5 * expected),
        Check("rolling: energy lost in 10 s, relative", 0.0, loss, 1e-7),
        Check("rolling: events", 0.0, float(out.stats.events), 0.0),
    ]


def _sway_quantities(law: LinkLaw, out: Trajectory) -> dict[str, float]:
    late = out.t > 0.9 * out.t[-1]
    return {
        "sway_rest_amplitude_m": float(np.max(np.abs(out["displacement"][late]))),
        "sway_rolling_limit_m": min(limit / stiffness for stiffness, limit in law.sliders),
        "sway_events": float(out.stats.events),
    }
