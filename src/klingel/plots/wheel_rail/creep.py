"""Pictures of creep forces: the curves of all laws, and the shear stress in the contact ellipse."""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Ellipse

from klingel.contact.creep.catalogue import HAS_SPIN, LAWS, Law
from klingel.contact.creep.creepage import Creepage, Patch, Settings
from klingel.contact.creep.fastsim_stress import StressPicture
from klingel.plots.style import figure, legend, line_styles

NAMES = {
    Law.LINEAR: "linear (Kalker)",
    Law.VERMEULEN_JOHNSON: "Vermeulen–Johnson",
    Law.SHEN_HEDRICK_ELKINS: "Shen–Hedrick–Elkins",
    Law.TANH: "tanh (Jaschinski)",
    Law.POLACH: "Polach",
    Law.FASTSIM: "FASTSIM",
    Law.FASTSIM_TABLE: "FASTSIM table",
}


def creep_curves(patch: Patch, laws: Sequence[Law], settings: Settings, spin: float = 1.0) -> Figure:
    """Forces over longitudinal creepage, lateral creepage with and without spin, and spin alone.

    Creepages are scaled so that the linear force is the friction limit at 1; `spin` is in the same measure.
    """
    limit = patch.friction * patch.load
    scale = patch.shear_modulus * patch.a * patch.b / limit
    unit = (scale * patch.c11, scale * patch.c22, scale * (patch.a * patch.b) ** 0.5 * patch.c23)
    tau = np.linspace(-3.5, 3.5, 141)
    positive = np.linspace(0.0, 5.0, 101)
    fig, axes = figure(2, 2, width_cm=17.0, height_cm=14.0, sharey="row")
    panels: list[tuple[Axes, np.ndarray, tuple[float, float, float], tuple[float, float, float], int, str]] = [
        (axes[0, 0], tau, (1.0, 0.0, 0.0), (0.0, 0.0, 0.0), 0, "longitudinal creepage"),
        (axes[0, 1], tau, (0.0, 1.0, 0.0), (0.0, 0.0, 0.0), 1, "lateral creepage"),
        (axes[1, 0], tau, (0.0, 1.0, 0.0), (0.0, 0.0, spin), 1, f"lateral creepage, spin {spin:g}"),
        (axes[1, 1], positive, (0.0, 0.0, 1.0), (0.0, 0.0, 0.0), 1, "spin"),
    ]
    styles = dict(zip(Law, line_styles(len(Law)), strict=True))
    for ax, values, direction, offset, component, label in panels:
        for law in laws:
            if direction[2] and law not in HAS_SPIN:
                continue
            creepages = [
                Creepage(*((t * d + o) / u for d, o, u in zip(direction, offset, unit, strict=True)))
                for t in values
            ]
            force = [LAWS[law](c, patch, settings)[component] / limit for c in creepages]
            ax.plot(values, force, label=NAMES[law], linewidth=1.2, **styles[law])
        ax.set_ylim(-1.15, 1.15)
        ax.set_xlabel(f"{label} (linear force / µN) [–]")
        ax.set_ylabel(f"{'longitudinal' if component == 0 else 'lateral'} force / µN [–]")
    axes[1, 1].set_ylim(-1.15, 1.15)
    legend(axes[1, 1], handles=axes[0, 0].get_lines(), loc="upper right", labelspacing=0.25)
    return fig


def stress_picture(picture: StressPicture, patch: Patch) -> Figure:
    """Shear stress over the ellipse: arrows for the stress, grey where the wheel slips."""
    fig, ax = figure(width_cm=14.0, height_cm=11.0)
    mm = 1e3
    size = np.hypot(picture.px, picture.py)
    every = max(1, size.shape[0] // 22), max(1, size.shape[1] // 22)
    pick = (slice(every[0] // 2, None, every[0]), slice(every[1] // 2, None, every[1]))
    x, y = mm * picture.x, mm * picture.y
    ax.pcolormesh(x, y, picture.slips.astype(float), cmap="Greys", vmin=0.0, vmax=3.0, shading="nearest")
    arrows = ax.quiver(
        x[pick], y[pick], picture.px[pick], picture.py[pick], color="black", width=0.0028, pivot="tail"
    )
    largest = float(picture.bound.max())
    ax.quiverkey(
        arrows, 0.87, 0.045, largest, f"{largest / 1e6:.0f} MPa", labelpos="N", fontproperties={"size": 8}
    )
    ax.add_patch(Ellipse((0.0, 0.0), 2 * mm * patch.a, 2 * mm * patch.b, fill=False, linewidth=1.2))
    ax.set_aspect("equal")
    ax.set_xlim(-1.12 * mm * patch.a, 1.12 * mm * patch.a)
    ax.set_ylim(-1.12 * mm * patch.b, 1.12 * mm * patch.b)
    ax.set_xlabel("rolling direction x [mm]")
    ax.set_ylabel("lateral y [mm]")
    share = np.average(picture.slips, weights=_cell_area(picture))
    ax.set_title(f"shear stress on the wheel; grey: slip zone, {100 * share:.0f} % of the area")
    return fig


def _cell_area(picture: StressPicture) -> np.ndarray:
    width = np.abs(picture.x[:, :1] - picture.x[:, 1:2])
    return np.broadcast_to(width, picture.x.shape)
