"""Phase portraits: a quantity against its rate, or against another one (Hoffmann 2006, figure 5.26)."""

from matplotlib.figure import Figure

from klingel._errors import InputError
from klingel.plots.abscissa import Window, inside
from klingel.plots.quantity import Names, coordinate, full_label, label, other_bodies, owner, shown, wheelsets
from klingel.plots.style import SMALL_SIZE, figure
from klingel.simulation.run import Run
from klingel.simulation.settled import PART

COLUMNS = 3


def draw_phase(run: Run, window: Window | None = None, quantities: Names = ()) -> Figure:
    """One portrait per quantity; `a:b` draws b over a. By default the lateral motion of every body."""
    pairs = [_pair(run, text) for text in quantities] or _usual(run)
    if not pairs:
        raise InputError("run", None, "must have bodies that move to the side; choose quantities")
    columns = min(len(pairs), COLUMNS)
    rows = -(-len(pairs) // columns)
    size = (12.0, 9.0) if len(pairs) == 1 else (17.0, 6.4 * rows + 0.8)
    fig, axes = figure(rows, columns, width_cm=size[0], height_cm=size[1], squeeze=False)
    part = inside(run, window)
    end, length = float(run.time[part][-1]), float(run.time[part][-1] - run.time[part][0])
    late = part & (run.time >= end - PART * length)
    for ax, (across, up) in zip(axes.flat, pairs, strict=False):
        x, y = shown(run, across), shown(run, up)
        ax.plot(x[part], y[part], "-", color="0.7", linewidth=0.5, label="all that is shown")
        ax.plot(x[late], y[late], "-", color="black", linewidth=0.9, label="its last third")
        own = owner(across) == owner(up)
        ax.set_xlabel(label(run, across) if own else full_label(run, across))
        ax.set_ylabel(label(run, up) if own else full_label(run, up))
        if own:
            ax.set_title(owner(across))
        ax.locator_params(axis="x", nbins=4)
    handles, words = axes.flat[0].get_legend_handles_labels()
    fig.legend(handles, words, loc="outside upper left", ncols=2, fontsize=SMALL_SIZE, frameon=False)
    for ax in axes.flat[len(pairs) :]:
        ax.remove()
    return fig


def _usual(run: Run) -> list[tuple[str, str]]:
    names = coordinate(run, [*wheelsets(run), *other_bodies(run)], "y")
    return [(name, f"{name}_dot") for name in names]


def _pair(run: Run, text: str) -> tuple[str, str]:
    across, colon, up = text.partition(":")
    up = up if colon else f"{across}_dot"
    for name in (across, up):
        if run[name].dims != ("time",):
            raise InputError("quantity", name, "must be a quantity over time")
    return across, up
