"""Several runs below each other, the same quantities on the same axes.

What coexists (Hoffmann 2006, figure 5.11), what another parameter does (5.16, 5.41), another contact table (5.50)
or another start (5.34, 5.35). Each panel says in what its run differs from the others.
"""

from collections.abc import Sequence

from matplotlib.figure import Figure

from klingel._errors import InputError
from klingel.plots.abscissa import LABELS, Along, Window, abscissa, inside, set_limits, usual
from klingel.plots.captions import run_facts, run_labels, told
from klingel.plots.quantity import Names, full_label, other_bodies, shown, unit_of, wheelsets
from klingel.plots.style import TEXT_SIZE, figure
from klingel.simulation.run import Run

PANEL = 3.3  # height of one [cm]


def draw_compare(
    run: Run,
    window: Window | None = None,
    quantities: Names = (),
    along: Along | None = None,
    others: Sequence[Run] = (),
) -> Figure:
    """One panel per quantity and run; by default the lateral motion of the first wheelset and another body."""
    runs = [run, *others]
    names = list(quantities) or _usual(run)
    for each in runs:
        for name in names:
            if each[name].dims != ("time",):
                raise InputError("quantity", name, "must be a quantity over time")
    along = along or usual(run)
    words = run_labels(runs) if others else [told(run_facts(run))]
    rows = [(name, each, word) for name in names for each, word in zip(runs, words, strict=True)]
    fig, axes = figure(
        len(rows), 1, width_cm=17.0, height_cm=PANEL * len(rows) + 1.0, squeeze=False, sharex=True
    )  # fmt: skip
    for ax, (name, each, word) in zip(axes[:, 0], rows, strict=True):
        part = inside(each, window)
        x = abscissa(each, along)[part]
        ax.plot(x, shown(each, name)[part], "-", color="black", linewidth=0.6)
        ax.set_title(f"{full_label(each, name).rpartition(' [')[0]}: {word}", loc="left", fontsize=TEXT_SIZE)
        ax.set_ylabel(f"[{unit_of(each, name)[1]}]")
    _share(axes[:, 0], len(runs))
    set_limits(axes[-1, 0], abscissa(run, along)[inside(run, window)])
    axes[-1, 0].set_xlabel(LABELS[along])
    fig.align_ylabels(axes[:, 0])
    return fig


def _usual(run: Run) -> list[str]:
    groups = ([f"{body}.y" for body in bodies] for bodies in (wheelsets(run), other_bodies(run)))
    found = [next((name for name in names if name in run.data), "") for names in groups]
    names = [name for name in found if name]
    if not names:
        raise InputError("run", None, "must have bodies that move to the side; choose quantities")
    return names


def _share(axes: Sequence, count: int) -> None:
    """One scale for the panels of one quantity."""
    for start in range(0, len(axes), count):
        group = axes[start : start + count]
        low, high = min(ax.get_ylim()[0] for ax in group), max(ax.get_ylim()[1] for ax in group)
        for ax in group:
            ax.set_ylim(low, high)
