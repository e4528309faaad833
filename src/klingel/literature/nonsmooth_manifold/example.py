"""Example `nonsmooth-manifold`: rigid wheel on rigid rail, its singular set, motion across it (Frischmuth 1995).

Three parts: the admissible manifold of an S1002 wheel on a UIC60 rail with its ridges, yaw-cuts and smoothings; a
point mass on creases, where the limits of the smoothed motion have closed forms (`nonsmooth_crossings`); and a
wheelset that hunts across the ridges, every crossing located and carried out by a jump law.

The paper prints the data of its wheelset run in neither text nor figure; ours are in this folder.
"""

from collections import Counter
from dataclasses import dataclass, fields
from math import isfinite
from pathlib import Path

import numpy as np

from klingel._errors import InputError
from klingel.contact.geometry.search import Status, build_side, touch
from klingel.literature.example import Check, ExampleResult
from klingel.literature.nonsmooth_manifold import pictures
from klingel.literature.nonsmooth_manifold.jump_laws import Law
from klingel.literature.nonsmooth_manifold.lift import attitude
from klingel.literature.nonsmooth_manifold.pictures_of_motion import crossing_figure, hunting_figure
from klingel.literature.nonsmooth_manifold.point_mass import Part, jump_limits, lemmas, theorem_1
from klingel.literature.nonsmooth_manifold.smoothing import penetrated, softened, splined
from klingel.literature.nonsmooth_manifold.wheel import Column, Section, WheelManifold, highest
from klingel.literature.nonsmooth_manifold.wheelset import Wheelset, describe, wheelset_problem
from klingel.literature.nonsmooth_manifold.wheelset_kernels import Column as WheelsetColumn
from klingel.numerics.integrate import integrate
from klingel.numerics.trajectory import Trajectory
from klingel.plots.style import save

YAWS = (0.0, 0.01, 0.02, 0.03)  # [rad]
SOFTABS_WIDTHS = (1e-5, 3e-6, 1e-6)  # nu [m]
KNOT_SPACINGS = (1e-3, 5e-4, 2e-4)  # [m]
VOLUMES = (1e-9, 1e-10, 1e-11)  # [m3]
CROSSING_TIME = 0.004  # before and after one crossing looked at closely [s]
CROSSING_WIDTHS = (1e-5, 1e-6, 1e-7, 1e-9)  # nu [m]; the last one stands for the limit
RTOL = 1e-8


@dataclass(frozen=True)
class Parameters(Wheelset):
    speed: float = 80.0  # V [m/s]
    duration: float = 0.6  # of the wheelset run [s]
    start: float = 0.003  # lateral shift at its start [m]
    jump_friction: float = 0.0  # mu of the regularised law of the wheelset [-]
    wheel_radius: float = 0.5  # of the single wheel, as in the paper [m]
    mu: float = 0.3  # friction of the point mass [-]
    alpha: float = 0.6  # its ridge angle [rad]
    beta: float = 0.8  # and its oblique crossing [rad]
    points: int = 161  # of the surface: three times as many shifts, half as many roll angles

    def __post_init__(self) -> None:
        super().__post_init__()
        for field, least, most in (("duration", 0.01, 60.0), ("start", -0.006, 0.006), ("jump_friction", 0.0, 2.0),
                                   ("wheel_radius", 0.2, 1.0), ("mu", 0.0, 2.0), ("alpha", 0.01, 1.4),
                                   ("beta", 0.0, 1.5), ("points", 11, 1001)):  # fmt: skip
            value = getattr(self, field)
            if not (isfinite(value) and least <= value <= most):
                raise InputError(field, value, f"must lie between {least:g} and {most:g}")

    def wheelset(self) -> Wheelset:
        return Wheelset(**{f.name: getattr(self, f.name) for f in fields(Wheelset)})


def manifold_part(parameters: Parameters) -> Part:
    """Surface, ridges, yaw-cuts and smoothings."""
    manifold = WheelManifold(parameters.wheel_radius, parameters.inclination, parameters.gauge)
    # many shifts, so that the ridges stay sharp in the picture
    shifts = np.linspace(-0.010, 0.0085, 3 * parameters.points)
    rolls = np.linspace(-0.012, 0.012, parameters.points // 2)
    heights = manifold.at(shifts, rolls)[:, :, Column.HEIGHT] - manifold.radius
    cuts = {yaw: manifold.ridges(np.linspace(-0.012, 0.012, 13), yaw) for yaw in YAWS}
    flat = cuts[0.0]
    fine = np.linspace(-0.004, 0.0075, 461)
    lines = {yaw: manifold.at(fine, [0.0], yaw)[0, :, Column.HEIGHT] for yaw in YAWS}
    quantities: dict[str, float] = {}
    for ridge in manifold.ridges([0.0]):
        name = f"{ridge.before.name}_{ridge.after.name}".lower()
        quantities[f"ridge_{name}_shift_mm"] = 1e3 * float(ridge.shift[0])
        quantities[f"ridge_{name}_turning_rad"] = float(ridge.turning[0])
    flange = next(ridge for ridge in manifold.ridges([0.0]) if ridge.after == Section.FLANGE)
    checks = [
        Check(
            "largest section = contact search, largest difference [m]", 0.0, _search_difference(manifold), 1e-12
        ),
        Check("angle of the flange [deg]", 70.0, float(np.degrees(flange.angle[0, 1])), 0.01),
    ]
    slopes, errors = _smoothings(manifold, fine)
    exact = manifold.at(fine, [0.0])[0, :, Column.SLOPE]
    figures = {
        "manifold-surface": pictures.surface_figure(shifts, rolls, heights, flat, manifold.radius),
        "yaw-cuts": pictures.yaw_cut_figure(cuts, fine, lines, 0.0),
        "double-contact": pictures.double_contact_figure(manifold, manifold.ridges([0.0]), 0),
        "smoothings": pictures.smoothing_figure(fine, exact, slopes),
    }
    return {**quantities, **errors}, checks, figures


def _search_difference(manifold: WheelManifold, count: int = 2000) -> float:
    """Largest difference of h from the minimum-distance search of the contact layer over random attitudes."""
    side, found = build_side(manifold.pair.wheel, manifold.pair.rail), np.empty((8, 3))
    rng = np.random.default_rng(1995)
    worst = 0.0
    for y, roll, yaw in rng.uniform(-1.0, 1.0, (count, 3)) * (0.012, 0.02, 0.03):
        # where a yawed flange touches the upright side of the rail the search finds no point
        if touch(side, y, roll, yaw, 0.0, found)[1] != Status.FOUND:
            continue
        _, point = highest(manifold.pair, manifold.sections, attitude(y, roll, yaw))
        worst = max(worst, abs(point.lift - float(found[0, 0])))
    return worst


def _smoothings(manifold: WheelManifold, shifts: np.ndarray) -> tuple[dict, dict[str, float]]:
    """Slopes of three families, and how far their heights lie from the manifold [µm]."""
    exact = manifold.at(shifts, [0.0])[0, :, Column.HEIGHT]
    families = {
        "softabs": {f"ν = {1e6 * nu:g} µm": softened(manifold, shifts, 0.0, nu) for nu in SOFTABS_WIDTHS},
        "spline": {f"knots {1e3 * nu:g} mm": splined(manifold, shifts, 0.0, nu) for nu in KNOT_SPACINGS},
        "penetration": {f"V = {1e9 * v:g} mm³": penetrated(manifold, shifts, 0.0, v) for v in VOLUMES},
    }
    widths = {"softabs": SOFTABS_WIDTHS, "spline": KNOT_SPACINGS, "penetration": VOLUMES}
    errors = {
        f"{name}_{width:g}_largest_distance_um": 1e6 * float(np.abs(rows[:, 0] - exact).max())
        for name, curves in families.items()
        for width, rows in zip(widths[name], curves.values(), strict=True)
    }
    return {
        name: {label: rows[:, 1] for label, rows in curves.items()} for name, curves in families.items()
    }, errors


def wheelset_part(parameters: Parameters) -> Part:
    """Hunting across the ridges with two jump laws; one crossing against smoothed motion."""
    wheelset, y = parameters.wheelset(), parameters.start
    runs = {}
    for law, number in ((Law.REGULARISED, parameters.jump_friction), (Law.PLASTIC, 0.0)):
        problem = wheelset_problem(wheelset, law, number, y=y)
        runs[law.name.lower()] = integrate(problem, [y, 0.0, 0.0, 0.0], parameters.duration, rtol=RTOL, atol=1e-11)
    rows = {name: describe(run) for name, run in runs.items()}
    quantities: dict[str, float] = {}
    for name, run in runs.items():
        crossed = Counter(
            f"{event.old}_{event.new}".lower() for event in run.events if event.guard.endswith("ridge")
        )
        quantities |= {f"{name}_crossings_{what}": float(count) for what, count in sorted(crossed.items())}
        quantities[f"{name}_largest_shift_mm"] = 1e3 * float(np.abs(run["y"]).max())
        quantities[f"{name}_simulated_time_s"] = run.stats.simulated_time
        quantities[f"{name}_steps"] = float(run.stats.accepted)
        quantities[f"{name}_energy_lost_in_jumps_J"] = -float(_jumps(run, rows[name]).sum())
    checks = []
    if parameters.jump_friction == 0.0:
        kept = float(np.abs(_jumps(runs["regularised"], rows["regularised"])).max(initial=0.0))
        checks.append(Check("regularised law keeps the kinetic energy at every jump [J]", 0.0, kept, 1e-9))
    figures = {"wheelset-hunting": hunting_figure(runs, rows)}
    close = _close_look(wheelset, runs["regularised"])
    if close:
        crossing, what = close
        sharp, limit = crossing["regularised jump"], list(crossing.values())[-1]
        distance = float(np.abs(limit.x[-1] - sharp.x[-1]).max())
        checks.append(Check("wheelset: smoothed motion minus jump, nu = 1 nm [m/s]", 0.0, distance, 1e-4))
        figures["wheelset-crossing"] = crossing_figure(crossing, what)
    return quantities, checks, figures


def _jumps(run: Trajectory, rows: np.ndarray) -> np.ndarray:
    """Changes of kinetic energy at the rows where a mode changes [J]."""
    changed = np.any(np.diff(run.mode, axis=0) != 0, axis=1)
    return np.diff(rows[:, WheelsetColumn.ENERGY])[changed]


def _close_look(wheelset: Wheelset, run: Trajectory) -> tuple[dict[str, Trajectory], str] | None:
    """The first crossing to a flange root, again from shortly before it, sharp and smoothed."""
    times = [event.time for event in run.events if event.new == "ROOT" and event.old == "INNER_TREAD"]
    if not times:
        return None
    row = int(np.searchsorted(run.t, times[0] - 0.5 * CROSSING_TIME)) - 1
    state = run.x[max(row, 0)]
    settings = {"regularised jump": {}, "plastic jump": {"law": Law.PLASTIC}}
    settings |= {f"smoothed, ν = {1e6 * nu:g} µm": {"nu": nu} for nu in CROSSING_WIDTHS}
    runs = {
        label: integrate(
            wheelset_problem(wheelset, y=float(state[0]), **options), state, CROSSING_TIME, rtol=RTOL, atol=1e-11
        )
        for label, options in settings.items()
    }
    return runs, "From the tread to the flange root"


def run(folder: Path, parameters: Parameters) -> ExampleResult:
    quantities: dict[str, float] = {}
    checks: list[Check] = []
    files: list[Path] = []
    for part in (
        manifold_part(parameters),
        jump_limits(parameters.mu, parameters.alpha),
        theorem_1(parameters.mu, parameters.alpha, parameters.beta),
        lemmas(parameters.mu),
        wheelset_part(parameters),
    ):
        quantities |= part[0]
        checks += part[1]
        files += [save(fig, folder / f"{name}.png") for name, fig in part[2].items()]
    return ExampleResult("nonsmooth-manifold", quantities, tuple(checks), tuple(files))
