"""Attractors shadowed by a run whose speed changes slowly: Hoffmann (2006), figures 5.7 to 5.9.

Left the contact angle over the lateral displacement of a wheelset, on the axis of the motion beside it: it tells
where its amplitude ends: at a jump of the contact, or at the flange. Below the other bodies.
"""

from matplotlib.figure import Figure

from klingel._errors import InputError
from klingel.plots.abscissa import LABELS, Along, Window, abscissa, inside, set_limits, usual
from klingel.plots.quantity import Names, coordinate, label, other_bodies, owner, pick, shown
from klingel.plots.style import TEXT_SIZE, figure, legend_above, line_styles
from klingel.plots.wheel_rail.contact_angle import draw_met_angles, wheels_with_angles
from klingel.simulation.run import Run


def draw_shadowing(
    run: Run, window: Window | None = None, quantities: Names = (), along: Along | None = None
) -> Figure:
    """One row per wheelset, the lateral motion of the other bodies below; for a run whose speed changes."""
    if run.options["acceleration"] == 0.0:
        allowed = "must be a run whose speed changes, or come with another run to compare"
        raise InputError("run", f"{run.options['speed']:g} m/s", allowed)
    along = along or usual(run)
    bodies = pick(wheels_with_angles(run), quantities, run)
    others = coordinate(run, other_bodies(run), "y")
    rows = len(bodies) + bool(others)
    fig, axes = figure(
        rows, 2, width_cm=17.0, height_cm=5.6 * rows + 0.6, squeeze=False, width_ratios=(1, 3)
    )  # fmt: skip
    part = inside(run, window)
    x = abscissa(run, along)[part]
    for (beside, motion), body in zip(axes, bodies, strict=False):
        beside.sharey(motion)
        draw_met_angles(beside, run, body, part)
        motion.plot(x, shown(run, f"{body}.y")[part], "-", color="black", linewidth=0.5)
        motion.set_title(f"{body.replace('_', ' ')}, lateral", loc="left", fontsize=TEXT_SIZE)
        motion.tick_params(labelleft=False)
    if others:
        axes[-1, 0].remove()
        for name, style in zip(others, line_styles(len(others)), strict=True):
            axes[-1, 1].plot(x, shown(run, name)[part], linewidth=0.5, label=owner(name), **style)
        axes[-1, 1].set_ylabel(label(run, others[0]))
        legend_above(axes[-1, 1])
    for ax in axes[:, 1]:
        set_limits(ax, x)
    axes[-1, 1].set_xlabel(_told(run, along))
    return fig


def _told(run: Run, along: Along) -> str:
    if along == Along.SPEED:
        return f"{LABELS[along]};  acceleration {run.options['acceleration']:g} m/s²"
    return LABELS[along]
