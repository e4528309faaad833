"""Pictures of stability functions: surface and top view of |R(z)|, regions per evaluation, estimates."""

from collections.abc import Sequence

import numpy as np
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MultipleLocator

from klingel.numerics.ode.stability import error_function, stability_function
from klingel.numerics.ode.tableaus import Method
from klingel.plots.style import COLOURMAP, CYCLE, figure, legend, line_styles

REAL = "Re(z) [–]"
IMAGINARY = "Im(z) [–]"
# window around the unstable patch of ESDIRK34 NT1, which lies in the right half plane
WINDOW = (-10.0, 14.0, -10.0, 10.0)


def _plane(window: tuple[float, float, float, float], points: int) -> tuple[np.ndarray, np.ndarray]:
    x, y = np.meshgrid(np.linspace(*window[:2], points), np.linspace(*window[2:], points))
    return x, y


def _outside_patch(
    method: Method, window: tuple[float, float, float, float], points: int
) -> tuple[np.ndarray, np.ndarray]:
    """Rays from the rim of the unstable patch to the border of the window: a grid with a smooth rim."""
    x, y = _plane(window, points)
    patch = np.abs(stability_function(method, x + 1j * y)) >= 1.0
    centre = complex(x[patch].mean(), y[patch].mean())
    corners = np.angle(np.array([a + 1j * b for a in window[:2] for b in window[2:]]) - centre)
    angle = np.unique(np.concatenate([np.linspace(-np.pi, np.pi, points), corners]))
    x, y = np.cos(angle), np.sin(angle)
    ray = x + 1j * y
    with np.errstate(divide="ignore"):
        across = np.where(x > 0, window[1] - centre.real, centre.real - window[0]) / np.abs(x)
        along = np.where(y > 0, window[3] - centre.imag, centre.imag - window[2]) / np.abs(y)
    border = np.minimum(across, along)
    share = np.linspace(1.0, 0.0, 100)
    modulus = np.abs(stability_function(method, centre + share[:, None] * border * ray))
    first = np.argmax(modulus >= 1.0, axis=0)  # from the border inwards
    inner, outer = share[first] * border, share[first - 1] * border
    for _ in range(40):
        middle = 0.5 * (inner + outer)
        stable = np.abs(stability_function(method, centre + middle * ray)) < 1.0
        inner, outer = np.where(stable, inner, middle), np.where(stable, middle, outer)
    spread = np.linspace(0.0, 1.0, max(points // 3, 11))[:, None] ** 2
    z = centre + (outer + (border - outer) * spread) * ray
    return np.real(z), np.imag(z)


def surface(method: Method, window: tuple[float, float, float, float] = WINDOW, points: int = 201) -> Figure:
    """|R(z)| over the complex plane where it is below one (thesis of Hoffmann, figure 3.1).

    For methods whose unstable region is one bounded patch, such as A-stable ones with |R(∞)| < 1.
    """
    x, y = _outside_patch(method, window, points)
    modulus = np.abs(stability_function(method, x + 1j * y))
    fig, ax = figure(width_cm=14.0, height_cm=10.0, projection="3d")
    ax.plot_surface(x, y, modulus, cmap=COLOURMAP, vmin=0.0, vmax=1.0, rcount=points, ccount=points)
    ax.plot(x[0], y[0], modulus[0], color="black", linewidth=1.2, zorder=5)
    ax.set(xlabel=REAL, ylabel=IMAGINARY, zlim=(0.0, 1.0))
    ax.set_zlabel("|R(z)| [–]")
    ax.yaxis.set_major_locator(MultipleLocator(5.0))
    ax.set_title(f"{method.name}: stability function, cut off at |R| = 1")
    ax.view_init(elev=38.0, azim=-60.0)
    ax.set_box_aspect((1.2, 1.0, 0.6), zoom=0.98)
    return fig


def top_view(method: Method, window: tuple[float, float, float, float] = WINDOW, points: int = 401) -> Figure:
    """Levels of |R(z)|; the white patch is where the method is not stable (figure 3.2)."""
    x, y = _plane(window, points)
    # a grid point on the pole would be drawn as a boundary of its own
    modulus = np.nan_to_num(np.abs(stability_function(method, x + 1j * y)), nan=2.0, posinf=2.0)
    fig, ax = figure(width_cm=14.0, height_cm=10.5)
    levels = np.linspace(0.0, 1.0, 11)
    shades = ax.contourf(x, y, modulus, levels=levels, cmap=COLOURMAP)
    ax.contour(x, y, modulus, levels=[1.0], colors="black", linewidths=1.2)
    ax.axvline(0.0, color="black", linewidth=0.8, linestyle="--")
    ax.set(xlabel=REAL, ylabel=IMAGINARY, aspect="equal")
    ax.set_title(f"{method.name}: stable where coloured, left half plane included")
    fig.colorbar(shades, ax=ax, label="|R(z)| [–]")
    return fig


def regions(methods: Sequence[Method], points: int = 501) -> Figure:
    """Boundaries |R(z)| = 1 with z divided by the evaluations per step: reach at equal cost."""
    fig, ax = figure(width_cm=16.0, height_cm=8.6)
    x, y = _plane((-2.2, 0.3, 0.0, 1.1), points)
    lines = line_styles(len(methods))
    for method, line in zip(methods, lines, strict=True):
        modulus = np.abs(stability_function(method, method.stages * (x + 1j * y)))
        ax.contour(x, y, modulus, levels=[1.0], colors=line["color"], linestyles=[line["linestyle"]])
    ax.axvline(0.0, color="0.5", linewidth=0.8)
    ax.set(xlabel="Re(z) per evaluation [–]", ylabel="Im(z) per evaluation [–]", aspect="equal")
    ax.set_title("Stability regions of the explicit methods, scaled by evaluations per step")
    handles = [Line2D([], [], **line) for line in lines]
    labels = [f"{m.name} ({m.stages} evaluations)" for m in methods]
    legend(ax, handles=handles, labels=labels, loc="upper left", ncols=2)
    return fig


def error_estimate(method: Method) -> Figure:
    """Raw and filtered error estimate and the true error on the negative real axis."""
    rate = np.logspace(-1.0, 5.0, 400)
    raw = np.abs(error_function(method, -rate))
    curves = {
        "raw estimate |E|": raw,
        "filtered once, |E / (1 − γz)|": raw / (1.0 + method.gamma * rate),
        "filtered twice": raw / (1.0 + method.gamma * rate) ** 2,
        "true error |R − exp|": np.abs(stability_function(method, -rate) - np.exp(-rate)),
    }
    fig, ax = figure(width_cm=14.0, height_cm=8.5)
    for (label, values), line in zip(curves.items(), CYCLE, strict=False):
        ax.loglog(rate, values, label=label, **line)
    ax.set(xlabel="−z = −hλ [–]", ylabel="error of one step relative to x [–]", ylim=(1e-6, 1e5))
    ax.set_title(f"{method.name}: error estimate of stiff components")
    legend(ax, loc="upper left")
    return fig
