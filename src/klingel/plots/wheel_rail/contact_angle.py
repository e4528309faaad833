"""Contact angle of the wheels of a run, beside the lateral motion that causes it.

Above the lateral motion of a wheelset, left of it the contact angles its wheels met at each position. Below the
angles over time (or speed): its jumps are those of the contact point. Where two contacts carry together, the
second is marked by a grey dot. Hoffmann (2006), figures 5.44 to 5.47.
"""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from klingel._errors import InputError
from klingel.plots.abscissa import LABELS, Along, Window, abscissa, inside, set_limits, usual
from klingel.plots.quantity import Names, label, pick, shown, wheelsets
from klingel.plots.style import COLOURS, DASHES, MARKERS, TEXT_SIZE, dress, figure, legend_above
from klingel.simulation.run import Run

ANGLE = "contact angle [deg]"


def draw_contact(
    run: Run, window: Window | None = None, quantities: Names = (), along: Along | None = None
) -> Figure:
    """Two rows of panels per wheelset; a choice of quantities keeps some wheelsets."""
    bodies = pick(wheels_with_angles(run), quantities, run)
    along = along or usual(run)
    height = 10.5 if len(bodies) <= 2 else 8.5
    fig, axes = figure(
        2 * len(bodies), 2, width_cm=17.0, height_cm=height * len(bodies) + 0.5, squeeze=False, width_ratios=(1, 3)
    )  # fmt: skip
    part = inside(run, window)
    x = abscissa(run, along)[part]
    for k, body in enumerate(bodies):
        beside, motion = axes[2 * k]
        beside.sharey(motion)
        draw_met_angles(beside, run, body, part)
        motion.plot(x, shown(run, f"{body}.y")[part], "-", color="black", linewidth=0.9)
        motion.tick_params(labelleft=False)
        motion.set_title(f"{body.replace('_', ' ')}, lateral", loc="left", fontsize=TEXT_SIZE)
        angles = _whole_row(fig, axes, 2 * k + 1)
        _draw_angles(angles, run, body, x, part)
        for ax in (motion, angles):
            set_limits(ax, x)
            ax.set_xlabel(LABELS[along])
    return fig


def wheels_with_angles(run: Run) -> list[str]:
    """Wheelsets whose contact has an angle."""
    bodies = [b for b in wheelsets(run) if f"{b}.y" in run.data and angle_names(run, b)]
    if not bodies:
        raise InputError(
            "run", None, "must hold contact angles: keep them with --quantities 'usual,*.contact_angle'"
        )
    return bodies


def angle_names(run: Run, body: str) -> list[str]:
    wheels = [wheel for wheel in run.names["wheels"] if wheel.rpartition(".")[0] == body]
    return [f"{wheel}.contact_angle" for wheel in wheels if f"{wheel}.contact_angle" in run.data]


def draw_met_angles(ax: Axes, run: Run, body: str, part: np.ndarray) -> None:
    """Angles over the lateral position, lying on their side: the position goes up."""
    for k, name in enumerate(angle_names(run, body)):
        style = {"marker": MARKERS[k], "markersize": 1.6, "linestyle": "none", "color": COLOURS[2 * (k % 2)]}
        ax.plot(shown(run, name)[part], shown(run, f"{body}.y")[part], **style, label=name.split(".")[-2])
    ax.set_xlabel(ANGLE)
    ax.set_ylabel(label(run, f"{body}.y"))
    legend_above(ax, 2, handlelength=1.0, markerscale=2.5)


def _whole_row(fig: Figure, axes: np.ndarray, row: int) -> Axes:
    grid = axes[row, 0].get_gridspec()
    for ax in axes[row]:
        ax.remove()
    wide = fig.add_subplot(grid[row, :])
    dress(wide)
    return wide


def _draw_angles(ax: Axes, run: Run, body: str, x: np.ndarray, part: np.ndarray) -> None:
    for k, name in enumerate(angle_names(run, body)):
        wheel = name.rpartition(".")[0]
        ax.plot(
            x, shown(run, name)[part], linestyle=DASHES[k], color=COLOURS[2 * (k % 2)], linewidth=0.9,
            label=wheel.rpartition(".")[2],
        )  # fmt: skip
        second = f"{wheel}.second.contact_angle"
        if second in run.data and np.isfinite(values := shown(run, second)[part]).any():
            twice = "second contact" if k == 0 else None
            ax.plot(x, values, linestyle="none", marker=".", markersize=3, color="0.5", label=twice)
    ax.set_ylabel(ANGLE)
    legend_above(ax)
