"""Pictures of the admissible manifold of a wheel on a rail: surface, yaw-cuts, double contact, smoothings."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from klingel.contact.profiles.curve import sample
from klingel.literature.nonsmooth_manifold.wheel import Ridge, Section, WheelManifold
from klingel.plots.style import COLOURMAP, COLOURS, CYCLE, MARKERS, figure, legend

SHIFT = "lateral shift $s_2$ [mm]"
ROLL = "roll $\\varphi$ [mrad]"
MM = 1e3
NAMES = {
    Section.FLANGE: "flange",
    Section.ROOT: "flange root",
    Section.INNER_TREAD: "inner tread",
    Section.OUTER_TREAD: "outer tread",
}


def ridge_name(ridge: Ridge) -> str:
    return f"{NAMES[ridge.before]} | {NAMES[ridge.after]}"


def _up_to(shifts: NDArray, heights: NDArray, top: float) -> tuple[NDArray, NDArray]:
    """Every row stretched from the first shift to where it reaches `top`: a grid with a smooth rim."""
    share = np.linspace(0.0, 1.0, shifts.size)
    ends = [np.interp(top, row, shifts) if row[-1] > top else shifts[-1] for row in heights]
    x = shifts[0] + np.outer(np.array(ends) - shifts[0], share)
    return x, np.array([np.interp(a, shifts, row) for a, row in zip(x, heights, strict=True)])


def surface_figure(
    shifts: NDArray, rolls: NDArray, heights: NDArray, ridges: Sequence[Ridge], radius: float, top: float = 1.5e-3
) -> Figure:
    """s3 - r0 over shift and roll, shape (rolls, shifts) [m], cut off at `top`, with its ridges."""
    fig, ax = figure(width_cm=16.0, height_cm=12.0, projection="3d")
    ax.computed_zorder = False  # ridges lie in the surface: draw them after it
    x, z = _up_to(shifts, heights, top)
    y = np.repeat(rolls[:, None], shifts.size, axis=1)
    ax.plot_surface(x * MM, y * MM, z * MM, cmap=COLOURMAP, rcount=160, ccount=160, linewidth=0, antialiased=False)
    for ridge, colour, dash in zip(ridges, ("white", COLOURS[6], COLOURS[2]), ("-", "--", "-."), strict=False):
        height = ridge.height - radius
        inside = (height <= top) & (ridge.shift >= shifts[0]) & (ridge.shift <= shifts[-1])
        ax.plot(
            ridge.shift[inside] * MM, ridge.roll[inside] * MM, height[inside] * MM,
            color=colour, linestyle=dash, linewidth=2.0, label=ridge_name(ridge), zorder=10,
        )  # fmt: skip
    ax.set(xlabel=SHIFT, ylabel=ROLL, zlim=(z.min() * MM, top * MM))
    ax.set_zlabel("$s_3 - r_0$ [mm]")
    ax.set_title("Admissible manifold of an S1002 wheel on a UIC60 rail, no yaw")
    ax.view_init(elev=38.0, azim=-128.0)
    ax.set_box_aspect((1.3, 1.1, 0.7), zoom=0.92)
    legend(ax, loc="upper left", facecolor="0.75")
    return fig


def yaw_cut_figure(
    cuts: Mapping[float, Sequence[Ridge]], shifts: NDArray, heights: Mapping[float, NDArray], roll: float
) -> Figure:
    """Ridges in the plane of shift and roll for several yaw angles; how far yaw lifts the wheel at one roll."""
    fig, (left, right) = figure(1, 2, width_cm=18.0, height_cm=8.5)
    for (yaw, ridges), line in zip(cuts.items(), CYCLE, strict=False):
        for k, ridge in enumerate(ridges):
            label = f"$\\psi$ = {yaw * MM:.0f} mrad" if k == 0 else None
            left.plot(ridge.shift * MM, ridge.roll * MM, **line, label=label)
    for ridge, name, offset in zip(next(iter(cuts.values())), "ABC", ((6, 2), (-14, -8), (8, 2)), strict=False):
        middle = len(ridge.roll) // 2
        place = ridge.shift[middle] * MM, ridge.roll[middle] * MM
        left.annotate(name, place, textcoords="offset points", xytext=offset)
    left.set(xlabel=SHIFT, ylabel=ROLL)
    left.set_title("Singular set: A tread, B flange root, C flange")
    legend(left, loc="lower left")
    flat = heights[0.0]
    for (yaw, h), line in zip(heights.items(), CYCLE, strict=False):
        if yaw != 0.0:
            right.plot(shifts * MM, (h - flat) * 1e6, **line, label=f"$\\psi$ = {yaw * MM:.0f} mrad")
    right.set(xlabel=SHIFT, ylabel="$h(s_2, \\varphi, \\psi) - h(s_2, \\varphi, 0)$ [µm]")
    right.set_yscale("symlog", linthresh=10.0)
    right.set_title(f"Yaw lifts the wheel, roll {roll * MM:.0f} mrad")
    legend(right, loc="upper left")
    return fig


def double_contact_figure(manifold: WheelManifold, ridges: Sequence[Ridge], index: int) -> Figure:
    """Wheel and rail at the roll number `index` of every ridge, touching in two points."""
    fig, axes = figure(len(ridges), 1, width_cm=16.0, height_cm=4.6 * len(ridges), sharex=True)
    rail = _curve(manifold.pair.rail)
    for ax, ridge in zip(np.atleast_1d(axes), ridges, strict=True):
        wheel = _curve(manifold.pair.wheel)
        c, s = np.cos(ridge.roll[index]), np.sin(ridge.roll[index])
        y = wheel[0] * c + wheel[1] * s + ridge.shift[index]
        z = wheel[0] * s - wheel[1] * c + ridge.height[index]
        ax.plot(y * MM, z * MM, color=COLOURS[1], linestyle="-", label="wheel")
        ax.fill_between(rail[0] * MM, rail[1] * MM, -40.0, color="0.85")
        ax.plot(rail[0] * MM, rail[1] * MM, color=COLOURS[0], linestyle="-", label="rail")
        for k, marker in enumerate(MARKERS[:2]):
            place = np.argmin(np.abs(wheel[0] - ridge.wheel_y[index, k]))
            angle = np.degrees(ridge.angle[index, k])
            ax.plot(
                y[place] * MM, z[place] * MM, marker, color=COLOURS[2], markersize=6, linestyle="none",
                label=f"contact angle {angle:.1f}°",
            )  # fmt: skip
        ax.set(ylabel="height [mm]", xlim=(-50.0, 45.0), ylim=(-22.0, 9.0), aspect="equal")
        ax.set_title(f"{ridge_name(ridge)}: $s_2$ = {ridge.shift[index] * MM:.3f} mm")
        legend(ax, loc="lower center", fontsize=7.0)
    np.atleast_1d(axes)[-1].set_xlabel("lateral position on the track, outwards [mm]")
    return fig


def _curve(pieces: NDArray) -> NDArray:
    t = np.linspace(0.0, len(pieces) - 1e-9, 400 * len(pieces))
    rows = np.empty((t.size, 6))
    sample(pieces, t, rows)
    return rows[:, :2].T


def smoothing_figure(shifts: NDArray, exact: NDArray, families: Mapping[str, Mapping[str, NDArray]]) -> Figure:
    """Slope of the contact plane over the shift: exact, and of three families of smoothings."""
    fig, axes = figure(2, len(families), width_cm=18.0, height_cm=11.0)
    windows = ((-2.0, 2.0, 0.015, 0.08), (4.2, 6.2, 0.10, 0.42))
    for k, (low, high, bottom, top) in enumerate(windows):
        row = axes[k]
        for ax, (title, curves) in zip(row, families.items(), strict=True):
            ax.plot(shifts * MM, exact, color="0.6", linewidth=3.0, linestyle="-", label="sharp")
            for (label, slope), line in zip(curves.items(), CYCLE, strict=False):
                ax.plot(shifts * MM, slope, **line, linewidth=1.2, label=label)
            ax.set(xlim=(low, high), ylim=(bottom, top), xlabel=SHIFT)
            ax.set_title(title)
            if k == 0:
                legend(ax, loc="upper left", fontsize=6.5, handlelength=1.6)
        row[0].set_ylabel("$\\partial h/\\partial s_2$ [–]")
    return fig
