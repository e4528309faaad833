"""Pictures of motion across ridges: limits of smoothings, jump laws, paths on a crease, the wheelset."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from klingel.literature.nonsmooth_manifold.wheelset_kernels import Column
from klingel.numerics.trajectory import Trajectory
from klingel.plots.style import COLOURMAP, COLOURS, CYCLE, MARKERS, figure, legend

MM = 1e3


def limit_figure(
    errors: Mapping[str, tuple[NDArray, NDArray]], friction: float, alpha: float, own: Mapping[str, NDArray]
) -> Figure:
    """Left: distance of v+/v- from exp(-mu alpha) over nu. Right: the jump laws over alpha (`own`: simulated)."""
    fig, (left, right) = figure(1, 2, width_cm=18.0, height_cm=8.0)
    for (label, (nu, error)), line, marker in zip(errors.items(), CYCLE, MARKERS, strict=False):
        left.loglog(nu * MM, np.maximum(error, 1e-12), **line, marker=marker, markersize=4, label=label)
    left.axhline(1e-4, color="0.5", linewidth=0.8)
    left.set(
        xlabel="smoothing parameter $\\nu$ [mm]", ylabel="$|v^+/v^- - e^{-\\mu\\alpha}|$ [–]", ylim=(5e-13, 3.0)
    )
    left.set_title(f"Plane test curve, $\\mu$ = {friction:g}, $\\alpha$ = {alpha:g} rad")
    legend(left, loc="center right", bbox_to_anchor=(1.0, 0.46), fontsize=7.0)
    angle = np.linspace(0.0, 1.4, 141)
    right.fill_between(angle, np.cos(angle), 1.0, color="0.9", label="polar cone, no energy gained")
    right.plot(angle, np.cos(angle), **CYCLE[1], label="plastic, $\\cos\\alpha$")
    for mu, line in zip((0.0, 0.15, 0.3, 0.5), (CYCLE[0], CYCLE[2], CYCLE[3], CYCLE[4]), strict=True):
        right.plot(angle, np.exp(-mu * angle), **line, label=f"regularised, $\\mu$ = {mu:g}")
    for (label, points), marker in zip(own.items(), MARKERS, strict=False):
        right.plot(points[0], points[1], marker, color=COLOURS[0], markersize=4, linestyle="none", label=label)
    right.set(xlabel="angle of the ridge $\\alpha$ [rad]", ylabel="$v^+/v^-$ [–]", ylim=(0.0, 1.05))
    right.set_title("Jump laws")
    legend(right, loc="lower left", fontsize=7.0)
    return fig


def theorem_figure(alpha: float, beta: NDArray, simulated: Mapping[float, NDArray]) -> Figure:
    """T+/T- over the angle of an oblique crossing; lines are theorem 1, points simulated on narrow smoothings."""
    fig, ax = figure(width_cm=12.0, height_cm=7.5)
    fine = np.linspace(0.0, 1.5, 151)
    for (mu, values), line, marker in zip(simulated.items(), CYCLE, MARKERS, strict=False):
        ax.plot(fine, np.exp(-2 * mu * alpha * np.cos(fine)), **line, label=f"$\\mu$ = {mu:g}")
        ax.plot(beta, values, marker, color=line["color"], markersize=5, linestyle="none")
    ax.set(xlabel="angle $\\beta$ between path and plane of the curve [rad]", ylabel="$T^+/T^-$ [–]")
    ax.set_title(f"Oblique crossing of a ridge, $\\alpha$ = {alpha:g} rad")
    legend(ax, loc="upper left")
    return fig


def path_figure(
    grid: tuple[NDArray, NDArray, NDArray], runs: Mapping[str, Trajectory], chain: NDArray, ridge: NDArray
) -> Figure:
    """Lemma 1 and 2: paths on a creased surface with level lines; and the time they take."""
    fig, (left, right) = figure(1, 2, width_cm=18.0, height_cm=8.0)
    x, y, z = grid
    levels = left.contourf(x, y, z, levels=14, cmap=COLOURMAP, alpha=0.6)
    fig.colorbar(levels, ax=left, label="height [m]")
    left.plot(ridge[0], ridge[1], color="white", linewidth=2.0, linestyle="-", label="ridge")
    for (label, run), line in zip(runs.items(), CYCLE, strict=False):
        left.plot(run["x"], run["y"], **line, label=label)
        right.plot(run["path"], run.t, **line, label=label)
    left.plot(
        chain[::10, 0], chain[::10, 1], "o", markerfacecolor="none", color=COLOURS[2], markersize=5,
        linestyle="none", label="shortest path",
    )  # fmt: skip
    left.set(xlabel="x [m]", ylabel="y [m]", xlim=(x.min(), x.max()), ylim=(y.min(), y.max()))
    left.set_title("One path with and without friction")
    legend(left, loc="upper left")
    right.set(xlabel="length of the path [m]", ylabel="time [s]")
    right.set_title("Friction rescales time")
    legend(right, loc="upper left")
    return fig


def _marks(run: Trajectory, names: Sequence[str]) -> NDArray:
    """Instants at which one of the named modes is entered or left."""
    return np.array([event.time for event in run.events if event.old in names or event.new in names])


def hunting_figure(runs: Mapping[str, Trajectory], rows: Mapping[str, NDArray]) -> Figure:
    """Lateral motion, speed and wheel forces of the hunting wheelset, ridges crossed, and the orbit."""
    fig, axes = figure(2, 2, width_cm=18.0, height_cm=13.0)
    (shift, orbit), (rate, force) = axes
    for (label, run), line in zip(runs.items(), CYCLE, strict=False):
        shift.plot(run.t, run["y"] * MM, **line, linewidth=1.0, label=label)
        rate.plot(run.t, run["y_dot"], **line, linewidth=1.0, label=label)
        orbit.plot(run["y"] * MM, run["yaw"] * MM, **line, linewidth=0.9, label=label)
    first = next(iter(runs))
    run = runs[first]
    for (what, names), marker in zip(
        {"tread": ("OUTER_TREAD",), "flange root": ("ROOT",), "flange": ("FLANGE",)}.items(), MARKERS, strict=False
    ):
        times = _marks(run, names)
        times = times[[not (what == "flange root" and t in _marks(run, ("FLANGE",))) for t in times]]
        shift.plot(
            times, np.interp(times, run.t, run["y"]) * MM, marker, color=COLOURS[2], markersize=3.5,
            linestyle="none", label=f"ridge: {what}",
        )  # fmt: skip
    force.plot(run.t, rows[first][:, Column.LEFT_FORCE] / 1e3, **CYCLE[0], linewidth=1.0, label="left wheel")
    force.plot(run.t, rows[first][:, Column.RIGHT_FORCE] / 1e3, **CYCLE[1], linewidth=1.0, label="right wheel")
    shift.set(xlabel="time [s]", ylabel="lateral shift [mm]", ylim=(-7.5, 12.5))
    rate.set(xlabel="time [s]", ylabel="lateral speed [m/s]", ylim=(-0.45, 0.35))
    orbit.set(xlabel="lateral shift [mm]", ylabel="yaw [mrad]")
    force.set(xlabel="time [s]", ylabel="vertical contact force [kN]", ylim=(0.0, 130.0))
    force.set_title(f"Forces, {first} law")
    shift.set_title("Hunting wheelset; marks: ridges crossed")
    rate.set_title("Lateral speed jumps at the ridges")
    orbit.set_title("Orbit")
    legend(shift, loc="upper right", ncols=2, fontsize=7.0)
    legend(rate, loc="lower left", ncols=2)
    legend(force, loc="upper left", ncols=2)
    return fig


def crossing_figure(runs: Mapping[str, Trajectory], what: str) -> Figure:
    """One crossing, sharp and smoothed: lateral and yaw speed."""
    fig, (left, right) = figure(1, 2, width_cm=18.0, height_cm=7.5)
    for (label, run), line in zip(runs.items(), CYCLE, strict=False):
        left.plot(run.t * MM, run["y_dot"], **line, linewidth=1.2, label=label)
        right.plot(run.t * MM, run["yaw_dot"] * MM, **line, linewidth=1.2, label=label)
    left.set(xlabel="time [ms]", ylabel="lateral speed [m/s]")
    right.set(xlabel="time [ms]", ylabel="yaw speed [mrad/s]")
    left.set_title(what)
    right.set_title("Creep in the smoothed zone vanishes with ν")
    legend(left, loc="lower left", fontsize=7.0)
    return fig
