"""What the example `de-pater` tells of the wheelset in motion: quantities, checks, figures.

No parameter is printed in the paper. Those that matter most are repeated among the quantities as `chosen_…`.
"""

from dataclasses import dataclass, fields, replace
from math import pi, sin
from pathlib import Path

import numpy as np

from klingel._errors import InputError
from klingel.contact.creep.fastsim import normalised
from klingel.literature.de_pater import pictures
from klingel.literature.de_pater import runs as study
from klingel.literature.de_pater.creep_table import lookup
from klingel.literature.de_pater.history import History
from klingel.literature.de_pater.layout import P
from klingel.literature.de_pater.linear import creep_in_centre, hunting_mode, symmetric_matrix
from klingel.literature.de_pater.parameters import DePaterWheelset
from klingel.literature.de_pater.rigid import rigid_double_contact
from klingel.literature.de_pater.runs import Collisions, SmallMotion, Stiffening
from klingel.literature.example import Check, ExampleResult
from klingel.numerics.ode.tableaus import METHODS
from klingel.plots.style import save

CHOSEN = {
    "mass": "kg", "load": "N", "stiffness_x": "N_m", "stiffness_y": "N_m", "stiffness_z": "N_m",
    "contact_angle": "rad", "rail_crown": "m", "wheel_hollow": "m", "friction": "1", "rail_stiffness": "N_m",
    "rail_damping": "Ns_m", "flange_clearance": "m", "push": "N",
}  # fmt: skip
STEADY_FACTORS = 4.0 ** np.arange(4)  # stiffness of the rail over the chosen one
HIT_FACTORS = 4.0 ** np.arange(6)
STIFFER = 16.0  # the rail of the enlarged picture
SHOWN = 60.0  # of the hunting run [m]


@dataclass(frozen=True)
class MotionParameters(DePaterWheelset):
    push: float = 55e3  # below the 57 kN that Prud'homme's formula 10 kN + G/3 allows a track [N]
    push_start: float = 5.0  # [m]
    push_ramp: float = 20.0  # [m]
    push_hold: float = 100.0  # [m]
    below: float = 0.8  # speeds of the small motions over the critical one
    above: float = 1.2
    hunting_distance: float = 200.0  # [m]
    method: str = "dopri54"  # of the integration; his is rkf23

    def __post_init__(self):
        super().__post_init__()
        if self.method not in METHODS:
            raise InputError("method", self.method, f"must be one of {', '.join(METHODS)}")
        if not 0.0 < self.below < 1.0 < self.above < 3.0:
            raise InputError("below, above", (self.below, self.above), "must lie below and above 1")
        if not SHOWN <= self.hunting_distance <= 1e4:
            raise InputError("hunting_distance", self.hunting_distance, f"must be from {SHOWN:g} to 10000 m")

    def wheelset(self) -> DePaterWheelset:
        return DePaterWheelset(**{f.name: getattr(self, f.name) for f in fields(DePaterWheelset)})


def motion(folder: Path, parameters: MotionParameters) -> ExampleResult:
    """Small motion, his methods and ours, hunting; with a flange also double contact and its limit."""
    pushed = parameters.wheelset()
    free = replace(pushed, push=0.0)
    critical = study.critical(free)
    small = {
        name: study.small_motion(replace(free, speed=factor * critical), parameters.method)
        for name, factor in (("below", parameters.below), ("above", parameters.above))
    }
    quantities = {
        **{f"chosen_{name}_{unit}": float(getattr(pushed, name)) for name, unit in CHOSEN.items()},
        **_linear_quantities(free, critical, small),
    }
    checks = [*_linear_checks(free, small), *_load_check(free)]
    files = _draw_linear(folder, free, critical, small)
    method_quantities, method_checks = _methods(free)
    quantities |= method_quantities
    checks += method_checks
    if pushed.rail_stiffness > 0.0:
        more = _with_flange(folder, parameters, pushed, critical)
        quantities |= dict(more.quantities)
        checks += more.checks
        files += more.files
    return ExampleResult("de-pater", quantities, tuple(checks), tuple(files))


def _linear_quantities(w: DePaterWheelset, critical: float, small: dict[str, SmallMotion]) -> dict[str, float]:
    law = creep_in_centre(w)
    zeta, chi = w.reduced(1e-3, sin(w.contact_angle) / w.radius, law.load)
    found = {
        "critical_speed_m_s": critical,
        "axis_ratio_tread": w.axis_ratio(),
        "axis_ratio_flange": w.axis_ratio(True),
        "reduced_creep_of_0_001": zeta,
        "reduced_spin_in_centre": chi,
        "creep_coefficient_x_N": law.k_x,
        "creep_coefficient_y_N": law.k_y,
    }
    for name, motion_ in small.items():
        found |= {
            f"{name}_speed_m_s": motion_.wheelset.speed,
            f"{name}_growth_1_m": motion_.mode.real,
            f"{name}_wavelength_m": 2.0 * pi / motion_.mode.imag,
            f"{name}_difference_of_linear_motion": motion_.difference,
        }
    return found


def _linear_checks(w: DePaterWheelset, small: dict[str, SmallMotion]) -> list[Check]:
    found = [Check("linearisation against differences of the nonlinear equations", 0.0,
                   study.linearisation_error(w), 1e-6)]  # fmt: skip
    for name, m in small.items():
        size = abs(m.mode)
        found += [
            Check(f"{name} critical: linear and nonlinear motion of 0.1 mm", 0.0, m.difference, 0.01),
            Check(f"{name} critical: growth of a tiny motion [1/m]", m.mode.real, m.measured.real, 1e-6 * size),
            Check(
                f"{name} critical: frequency of a tiny motion [rad/m]", m.mode.imag, m.measured.imag, 1e-6 * size
            ),
        ]
    return found


def _load_check(w: DePaterWheelset) -> list[Check]:
    """At rest in the centre the vertical parts of all contact forces add up to the load."""
    h = study.history(study.travel(w, study.start(), 1.0, 1.0, "dopri54", 1e-9))
    angle = w.contact_angle
    total = np.cos(angle) * (h["n1"] + h["n2"]) + np.sin(angle) * (h["ty2"] - h["ty1"])
    return [Check("normal forces balance the load [N]", w.load, float(total[-1]), 1e-9 * w.load)]


def _methods(w: DePaterWheelset) -> tuple[dict[str, float], list[Check]]:
    m = study.compare_methods(w, 20.0)
    complete, first_order = study.power_defect(w, 20.0)
    quantities = {
        "rkf23_steps": float(m.his_steps),
        "dopri54_steps": float(m.our_steps),
        "force_rounds_previous_step": m.his_rounds,
        "force_rounds_secant": m.our_rounds,
        "power_defect_without_second_order": first_order,
    }
    return quantities, [
        Check("RKF23 and force iteration (7-4) against ours, difference over amplitude", 0.0, m.difference, 1e-6),
        Check("power balance with all inertia terms, defect over largest power", 0.0, complete, 1e-12),
    ]


def _with_flange(folder: Path, p: MotionParameters, pushed: DePaterWheelset, critical: float) -> ExampleResult:
    free = replace(pushed, push=0.0)
    fast = replace(free, speed=p.above * critical)
    hunting, hunted = study.hunt(fast, p.hunting_distance, p.method)
    through, held = study.push_through(pushed, p.method)
    _, stiffer = study.push_through(pushed.stiffened(STIFFER), p.method)
    rigid = rigid_double_contact(pushed)
    steady = study.stiffening(pushed, STEADY_FACTORS, p.method)
    hits = study.collisions(free, HIT_FACTORS, p.method)
    last = hunted.s >= hunted.s[-1] - SHOWN
    quantities = {
        "hunting_amplitude_m": float(np.abs(hunted["v"][last]).max()),
        "hunting_flange_events": float(len(hunting.events)),
        "hunting_largest_flange_force_N": float(max(hunted["n3"].max(), hunted["n4"].max())),
        "hunting_largest_traction_N": float(np.abs(hunted["traction"]).max()),
        "push_flange_events": float(len(through.events)),
        "push_largest_flange_force_N": float(held["n3"].max()),
        "push_largest_traction_N": float(np.abs(held["traction"]).max()),
        "rigid_flange_force_N": rigid.n3,
        "rigid_right_tread_force_N": rigid.n1,
        "rigid_left_tread_force_N": rigid.n2,
        "rigid_yaw_rad": rigid.psi,
        "steady_flange_force_N": float(steady.force[0]),
        "steady_flange_force_stiffest_N": float(steady.force[-1]),
        "steady_order_in_stiffness": steady.order,
        "collision_rebound_extrapolated": hits.extrapolated(hits.rebound),
        "collision_force_exponent": hits.growth,
    }
    runs = {"hunting": hunted, "push": held, "stiffer": stiffer}
    files = _draw_flange(folder, p, runs, through.events.time, steady, hits)
    return ExampleResult("de-pater", quantities, _flange_checks(held, steady, hits), files)


def _flange_checks(held: History, steady: Stiffening, hits: Collisions) -> tuple[Check, ...]:
    limit = steady.limit
    return (
        Check("double contact: flange force, stiffest rail [N]", limit, float(steady.force[-1]), 5e-3 * limit),
        Check("double contact: order in the stiffness of the rail", 1.0, steady.order, 0.1),
        Check("double contact ends: flange force after the push [N]", 0.0, float(held["n3"][-1]), 0.0),
        Check("collision without friction: rebound as the rail stiffens", hits.limit,
              hits.extrapolated(hits.smooth_rebound), 5e-3),
        Check("collision without friction: impulse as the rail stiffens", 1.0 + hits.limit,
              hits.extrapolated(hits.smooth_impulse), 5e-3),
        Check("collision: exponent of the largest force", 0.5, hits.growth, 0.05),
    )  # fmt: skip


def _draw_linear(folder: Path, w: DePaterWheelset, critical: float, small: dict[str, SmallMotion]) -> list[Path]:
    speeds = np.linspace(0.1 * critical, 2.0 * critical, 60)
    at = [replace(w, speed=float(v)) for v in speeds]
    lateral = np.array([hunting_mode(one) for one in at])
    symmetric = []
    for one in at:
        values = np.linalg.eigvals(symmetric_matrix(one))
        symmetric.append(values[np.argmax(values.imag)])
    motions = [
        (f"{m.wheelset.speed:.1f} m/s, {name} the critical speed", m.s, m.linear, m.nonlinear)
        for name, m in small.items()
    ]
    return [
        save(pictures.stability_figure(speeds, lateral, np.array(symmetric), critical), folder / "stability.png"),
        save(pictures.small_motion_figure(motions), folder / "small-motion.png"),
        save(_creep_figure(w), folder / "creep-law.png"),
    ]


def _creep_figure(w: DePaterWheelset):
    """The table of the tread in three directions, without spin and with much."""
    p, tau = w.flat(), np.linspace(0.0, 4.0, 97)
    k = 3.0 * pi / 16.0
    curves = []
    for spin in (0.0, 1.0):
        for degrees, component in ((0, 0), (90, 1), (-90, 1)):
            if spin == 0.0 and degrees < 0:
                continue
            c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
            table = np.array([lookup(p, P.TABLE, t * c, t * s, spin)[component] for t in tau])
            direct = np.array([
                normalised(k * t * c, k * t * s, 2.0 * spin / w.axis_ratio(), 2.0 * spin, 40, 40)[component]
                for t in tau
            ])  # fmt: skip
            name = ("$f_x$", "$f_y$")[component]
            curves.append((f"{name}, α = {degrees}°, $τ_s$ = {spin:g}", table, direct))
    return pictures.creep_figure(
        tau, curves, f"Creep law of the tread, a/b = {w.axis_ratio():.3f}; points: FASTSIM"
    )


def _draw_flange(
    folder: Path,
    p: MotionParameters,
    runs: dict[str, History],
    events: np.ndarray,
    steady: Stiffening,
    hits: Collisions,
) -> tuple[Path, ...]:
    title = f"Hunting at {p.above:g} times the critical speed"
    rebounds = {"friction": hits.rebound, "no friction": hits.smooth_rebound}
    error = np.abs(steady.force - steady.limit) / steady.limit
    drawn = {
        "hunting": pictures.hunting_figure(runs["hunting"], p.flange_clearance, title, SHOWN),
        "double-contact": pictures.push_figure(
            runs["push"],
            p.flange_clearance,
            events,
            f"Side push of {1e-3 * p.push:g} kN at {p.speed:g} m/s",
            (f"{STIFFER:g} times stiffer", runs["stiffer"]),
        ),
        "stiffening": pictures.stiffening_figure(
            steady.stiffness, error, hits.stiffness, rebounds, hits.limit, hits.largest
        ),
    }
    return tuple(save(fig, folder / f"{name}.png") for name, fig in drawn.items())
