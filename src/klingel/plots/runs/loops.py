"""Hysteresis of the suspension in a run: force on the outer body over the deformation, element by element.

The area of a loop is heat; each corner of a friction loop is a slider that begins to slip or sticks again.
Hoffmann (2006), figures 5.36 to 5.39 and 5.42.
"""

from collections.abc import Mapping, Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from klingel._errors import InputError
from klingel.model.kinds.registry import of
from klingel.plots.abscissa import Window, inside
from klingel.plots.captions import run_labels
from klingel.plots.quantity import Names, below, pick, shown, unit_of, wholes
from klingel.plots.style import SMALL_SIZE, figure, line_styles, wrapped
from klingel.simulation.run import Run

MOST_COLUMNS = 4
ROW_CM = 4.8  # height of a row of corners
PANEL_PT = 90.0  # width of a panel, four beside each other [pt]


def draw_hysteresis(
    run: Run, window: Window | None = None, quantities: Names = (), others: Sequence[Run] = ()
) -> Figure:
    """Corner beside corner, kinds of element below each other.

    By default elements that remember, or all if none does. Loops of other runs are laid over each other.
    """
    runs = [run, *others]
    known = wholes(run)
    if not known:
        raise InputError("run", None, "must have suspension elements")
    names = pick(known, quantities, run) if quantities else _with_memory(run, known) or known
    groups: dict[str, list[str]] = {}
    for name in names:
        groups.setdefault(name.rpartition(".")[2], []).append(name)
    if max(len(group) for group in groups.values()) == 1 or len(names) <= 3:
        return _draw_some(runs, names, window)
    return _draw_groups(runs, groups, window)


def draw_loops(run: Run, elements: Sequence[str], window: Window | None = None) -> Figure:
    """Some elements side by side, each with its own scale."""
    return _draw_some([run], elements, window)


def _draw_some(runs: Sequence[Run], elements: Sequence[str], window: Window | None) -> Figure:
    run = runs[0]
    columns = min(len(elements), 3)
    lines = -(-len(elements) // columns)
    size = (12.0, 8.4) if len(elements) == 1 else (17.0, 6.6 * lines)
    fig, axes = figure(lines, columns, width_cm=size[0], height_cm=size[1], squeeze=False)
    for ax, name in zip(axes.flat, elements, strict=False):
        _loops(ax, runs, name, window)
        ax.set_title(_words(name))
        ax.set_xlabel(f"deformation [{unit_of(run, f'{name}.deformation')[1]}]")
    for ax in axes.flat[len(elements) :]:
        ax.remove()
    for k, (ax, name) in enumerate(zip(axes.flat, elements, strict=False)):
        plain = f"force [{unit_of(run, f'{name}.force')[1]}]"
        ax.set_ylabel(plain if k % columns else _force_label(run, name))
    _name_runs(fig, runs)
    return fig


def _draw_groups(runs: Sequence[Run], groups: Mapping[str, Names], window: Window | None) -> Figure:
    """Corners side by side, kinds of element below each other, each kind on axes of its own."""
    run = runs[0]
    columns = min(max(len(names) for names in groups.values()), MOST_COLUMNS)
    lines = [
        (names[0], names[k : k + columns]) for names in groups.values() for k in range(0, len(names), columns)
    ]
    fig, axes = figure(len(lines), columns, width_cm=17.0, height_cm=ROW_CM * len(lines) + 1.0, squeeze=False)
    leaders: dict[str, Axes] = {}
    for line, (first, names) in zip(axes, lines, strict=True):
        for ax, name in zip(line, names, strict=False):
            leader = leaders.setdefault(first, ax)
            if ax is not leader:
                ax.sharex(leader)
                ax.sharey(leader)
            _loops(ax, runs, name, window)
            title = wrapped(_words(name.rpartition(".")[0]), PANEL_PT)
            ax.set_title(title, loc="left", fontsize=SMALL_SIZE)
            ax.tick_params(labelleft=ax is line[0])
            ax.set_xlabel(f"deformation [{unit_of(run, f'{name}.deformation')[1]}]")
        for ax in line[len(names) :]:
            ax.remove()
        line[0].set_ylabel(f"{_words(first.rpartition('.')[2])}\nforce [{unit_of(run, f'{first}.force')[1]}]")
    for leader in leaders.values():
        leader.locator_params(axis="x", nbins=4)
    fig.align_ylabels(axes[:, 0])
    _name_runs(fig, runs)
    return fig


def _words(name: str) -> str:
    return name.replace("_", " ").replace(".", ", ")


def _loops(ax: Axes, runs: Sequence[Run], name: str, window: Window | None) -> None:
    for run, style in zip(runs, line_styles(len(runs)), strict=True):
        part = inside(run, window)
        u, force = shown(run, f"{name}.deformation")[part], shown(run, f"{name}.force")[part]
        ax.plot(u, force, linewidth=0.7 if len(runs) == 1 else 1.1, **style)


def _name_runs(fig: Figure, runs: Sequence[Run]) -> None:
    if len(runs) == 1:
        return
    styles = line_styles(len(runs))
    handles = [Line2D([], [], label=text, **style) for text, style in zip(run_labels(runs), styles, strict=True)]
    fig.legend(
        handles=handles, loc="outside upper left", ncols=3, fontsize=SMALL_SIZE, frameon=False, handlelength=3.0
    )


def _force_label(run: Run, name: str) -> str:
    unit = unit_of(run, f"{name}.force")[1]
    connection = next((c for c in run.vehicle.connections if below(name, c.name)), None)
    body = connection.outer.replace("_", " ") if connection else "outer body"
    return f"force on the {body} [{unit}]"


def _with_memory(run: Run, names: Names) -> list[str]:
    remembering = [e.name for e in run.integrated_vehicle.elements if of(e.law).ABOUT.memory]
    return [name for name in names if any(below(element, name) for element in remembering)]
