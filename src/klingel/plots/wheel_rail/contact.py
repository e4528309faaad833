"""Pictures of contact geometry: profiles, contact points between them, curves over the lateral shift."""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import ArrayLike, NDArray

from klingel.contact.geometry.conicity import Characteristics, conicity_over
from klingel.contact.geometry.continuation import Path, TurningPoint
from klingel.contact.geometry.double_point import DoublePoint
from klingel.contact.geometry.equations import FIRST, HEIGHT, ROLL, SHIFT
from klingel.contact.geometry.wheelset_on_track import ContactGeometry, Hand, Jump, SideContacts, WheelsetOnTrack
from klingel.contact.profiles.pieces import Pieces
from klingel.contact.profiles.profile import Body, Profile
from klingel.plots.style import COLOURS, CYCLE, figure, legend

SHIFT_LABEL = "lateral shift [mm]"
APART = 12.0  # height by which the wheel is lifted off the rail to show the contact lines [mm]


def _curve(pieces: Pieces, per_piece: int = 80) -> NDArray:
    """Points y, z, slope angle and curvature along a curve; both sides of every joint."""
    inside = np.linspace(0.0, 1.0 - 1e-9, per_piece)
    rows = Profile("", Body.RAIL, pieces).sample((np.arange(len(pieces))[:, None] + inside).ravel())
    y, z, dy, dz, ddy, ddz = rows.T
    return np.column_stack([y, z, np.arctan2(dz, dy), (dy * ddz - dz * ddy) / np.hypot(dy, dz) ** 3])


def profile(shown: Profile) -> Figure:
    """Shape to scale, slope and curvature; small marks at the joints of the pieces."""
    y, z, slope, bend = _curve(shown.pieces).T
    bend = bend if shown.body == Body.RAIL else -bend
    fig, (shape, angle, curve) = figure(3, 1, height_cm=16.0, sharex=True, height_ratios=(1.6, 1.0, 1.0))
    shape.plot(1e3 * y, 1e3 * z)
    joints = shown.joints
    if len(joints) < 50:
        shape.plot(1e3 * joints[:, 0], 1e3 * joints[:, 1], "o", markersize=3, color=COLOURS[2])
    shape.set_aspect("equal", adjustable="datalim")
    shape.invert_yaxis()
    rms = shown.residual.rms
    shape.set_title(f"{shown.name}, smoothed by {1e6 * rms:.2g} µm rms" if rms > 0.0 else shown.name)
    shape.set_ylabel("z, down [mm]")
    angle.plot(1e3 * y, np.degrees(slope))
    angle.set_ylabel("slope [deg]")
    curve.plot(1e3 * y, 1e-3 * bend)
    curve.set_ylabel("curvature [1/mm]")
    curve.set_xlabel("y, towards the field side [mm]")
    return fig


def contact_points(
    wheelset: WheelsetOnTrack, contact: ContactGeometry, hand: Hand = Hand.LEFT, named: ArrayLike = ()
) -> Figure:
    """Wheel and rail with lines between the points that touch, one line per shift (Hoffmann, figure 2.16).

    The wheel is drawn at its central position, lifted. The lines of the shifts `named` [m] are labelled.
    """
    side = wheelset.left if hand == Hand.LEFT else wheelset.right
    points = contact.left.first if hand == Hand.LEFT else contact.right.first
    radius, arm = wheelset.wheels.radius, wheelset.wheels.arm
    fig, ax = figure(height_cm=7.5)
    wheel, rail = 1e3 * _curve(side.wheel), 1e3 * _curve(side.rail)
    lift = APART + 1e3 * radius
    ax.plot(wheel[:, 0], lift - wheel[:, 1], color=COLOURS[0], linestyle="-", linewidth=1.5)
    ax.plot(rail[:, 0], rail[:, 1], color=COLOURS[0], linestyle="-", linewidth=1.5)
    on_wheel = 1e3 * np.column_stack([abs(points.wheel_y), -points.radius]) + [0.0, lift]
    on_rail = 1e3 * np.column_stack([abs(points.rail_y), points.rail_z])
    for upper, lower in zip(on_wheel, on_rail, strict=True):
        ax.plot([upper[0], lower[0]], [upper[1], lower[1]], color=COLOURS[1], linestyle="-", linewidth=0.5)
    _name_shifts(ax, contact.shift, on_wheel, np.atleast_1d(named))
    ax.text(1e3 * arm + 35.0, lift - 1e3 * radius + 4.0, "wheel (lifted)", fontsize=8)
    ax.text(1e3 * arm + 5.0, -10.0, "rail", fontsize=8)
    if np.size(named):
        ax.set_title("contact lines, with the lateral shift [mm]")
    ax.set_aspect("equal")
    ax.set_xlim(rail[0, 0] - 35.0, wheel[-1, 0] + 2.0)
    ax.set_ylim(-22.0, lift - 1e3 * radius + 12.0)
    ax.set_xlabel(f"distance from the track centre, {hand.name.lower()} side [mm]")
    ax.set_ylabel("height [mm]")
    return fig


def _name_shifts(ax: Axes, shifts: NDArray, on_wheel: NDArray, named: NDArray) -> None:
    """Numbers above the wheel; a number that would cover the one before it is left out."""
    last = np.inf
    for value in np.sort(named)[np.argsort(on_wheel[[np.argmin(abs(shifts - v)) for v in np.sort(named)], 0])]:
        k = int(np.argmin(abs(shifts - value)))
        if last < np.inf and abs(on_wheel[k, 0] - last) < 4.5:
            continue
        last = on_wheel[k, 0]
        ax.annotate(
            f"{1e3 * shifts[k]:g}",
            on_wheel[k],
            xytext=(0, 6),
            textcoords="offset points",
            ha="center",
            fontsize=7,
        )


def _broken(shift: NDArray, value: NDArray, jumps: Sequence[Jump], hand: Hand) -> tuple[NDArray, NDArray]:
    """The curve with a gap at every jump of that wheel."""
    places = np.searchsorted(shift, [jump.shift for jump in jumps if jump.hand == hand])
    return np.insert(shift, places, np.nan), np.insert(value, places, np.nan)


def geometry_curves(contact: ContactGeometry, jumps: Sequence[Jump], arm: float) -> Figure:
    """Contact angle, positions on wheel and rail, roll and height over the shift, left wheel.

    `arm` [m] is the distance of the running circle from the middle of the axle; positions count from it.
    """
    left = contact.left.first
    curves = [
        ("contact angle [deg]", np.degrees(left.wheel_angle)),
        ("point on wheel,\nfrom running circle [mm]", 1e3 * (left.wheel_y - arm)),
        ("point on rail,\nfrom track centre [mm]", 1e3 * left.rail_y),
        ("rolling radius\ndifference [mm]", 1e3 * contact.rolling_radius_difference),
        ("roll [mrad]", 1e3 * contact.roll),
        ("height change [mm]", 1e3 * (contact.height - contact.height[contact.shift.size // 2])),
    ]
    fig, axes = figure(3, 2, height_cm=17.0, sharex=True)
    for ax, (label, value) in zip(axes.T.ravel(), curves, strict=True):
        smooth = label.startswith(("roll [", "height", "rolling"))
        y, f = (contact.shift, value) if smooth else _broken(contact.shift, value, jumps, Hand.LEFT)
        if label.startswith("rolling"):
            for hand in Hand:
                y, f = _broken(y, f, jumps, hand)
        ax.plot(1e3 * y, f, linestyle="-")
        ax.set_ylabel(label)
    for ax in axes[-1]:
        ax.set_xlabel(SHIFT_LABEL)
    return fig


def curvatures(contact: ContactGeometry, jumps: Sequence[Jump]) -> Figure:
    """Profile curvatures at the contact point of the left wheel, positive where the body is convex."""
    fig, ax = figure()
    left: SideContacts = contact.left
    for name, value in (("wheel", left.first.wheel_curvature), ("rail", left.first.rail_curvature)):
        y, f = _broken(contact.shift, value, jumps, Hand.LEFT)
        ax.plot(1e3 * y, f, label=name)
    ax.set_xlabel(SHIFT_LABEL)
    ax.set_ylabel("curvature [1/m]")
    legend(ax)
    return fig


def conicity(known: Sequence[tuple[str, Characteristics]], amplitudes: NDArray) -> Figure:
    """Rolling radius difference and equivalent conicity over the amplitude, one line per named case."""
    fig, (upper, lower) = figure(2, 1, sharex=False, height_cm=13.0)
    for name, case in known:
        dr = case.radius_difference
        inside = abs(dr.shift) <= amplitudes.max()
        upper.plot(1e3 * dr.shift[inside], 1e3 * dr.value[inside], label=name)
        values = conicity_over(case, amplitudes)
        lower.plot(1e3 * amplitudes, values, label=name)
    upper.set_xlabel(SHIFT_LABEL)
    upper.set_ylabel("rolling radius difference [mm]")
    lower.set_xlabel("amplitude [mm]")
    lower.set_ylabel("equivalent conicity [–]")
    lower.set_ylim(bottom=0.0)
    legend(lower)
    return fig


def turning_points(path: Path, doubles: Sequence[DoublePoint]) -> Figure:
    """Roll over the shift with turning points and double-contact points: de Pater's figure 3-4.

    One panel per double-contact point. Full line: contact; dashed: the wheel would penetrate the rail.
    """
    fig, axes = figure(1, len(doubles), height_cm=8.5, squeeze=False)
    v, roll = 1e3 * path.unknowns[:, SHIFT], 1e3 * path.unknowns[:, ROLL]
    for ax, double in zip(axes[0], doubles, strict=True):
        first, second = loop_of(path, double)
        low, high = 1e3 * second.unknowns[SHIFT], 1e3 * first.unknowns[SHIFT]
        pad = 0.25 * (high - low)
        window = (v > low - 2 * pad) & (v < high + 2 * pad)
        ax.plot(np.where(window, v, np.nan), np.where(window, roll, np.nan), color=COLOURS[7], linestyle="--",
                linewidth=1.0, label="penetrating")  # fmt: skip
        grid = np.linspace(low - pad, high + pad, 400)
        grid = grid[(grid >= v.min()) & (grid <= v.max())]
        touching = np.array([1e3 * path.at(1e-3 * y)[ROLL] for y in grid])
        ax.plot(grid, touching, color=COLOURS[0], linestyle="-", linewidth=1.6, label="contact")
        marks = (
            ("P1", first.unknowns[SHIFT], first.unknowns[ROLL], (6, 4)),
            ("P2", second.unknowns[SHIFT], second.unknowns[ROLL], (-16, -10)),
            ("P12", double.shift, double.roll, (8, -10)),
        )
        for name, x, y, offset in marks:
            ax.plot(1e3 * x, 1e3 * y, "o", color=COLOURS[2], markersize=4)
            ax.annotate(name, (1e3 * x, 1e3 * y), xytext=offset, textcoords="offset points", fontsize=8)
        ax.set_xlim(low - pad, high + pad)
        span = roll[first.index : second.index + 1]
        ax.set_ylim(span.min() - 0.2 * np.ptp(span), span.max() + 0.4 * np.ptp(span))
        ax.set_xlabel(SHIFT_LABEL)
        ax.set_ylabel("roll [mrad]")
    legend(axes[0, -1], loc="upper left")
    return fig


def loop_of(path: Path, double: DoublePoint) -> tuple[TurningPoint, TurningPoint]:
    """Turning points of the loop that closes in a double point: the pair with the nearest middle."""
    pairs = list(zip(path.turning[::2], path.turning[1::2], strict=True))
    around = [p for p in pairs if p[1].unknowns[SHIFT] < double.shift < p[0].unknowns[SHIFT]]
    side = FIRST + 2 * double.hand

    def distance(pair) -> float:
        middle = 0.5 * (pair[0].unknowns[side] + pair[1].unknowns[side])
        return abs(middle - 0.5 * sum(double.wheel))

    return min(around or pairs, key=distance)


def first_order_error(exact: Path, first: Path, shifts: NDArray) -> Figure:
    """What de Pater's first-order equations differ from the exact ones, over the shift."""
    difference = abs(np.array([first.at(v) - exact.at(v) for v in shifts]))
    fig, ax = figure(height_cm=8.0)
    lines = (
        ("roll [mrad]", difference[:, ROLL]),
        ("height [mm]", difference[:, HEIGHT]),
        ("contact point on the left wheel [mm]", difference[:, FIRST]),
    )
    for (label, value), style in zip(lines, CYCLE, strict=False):
        ax.semilogy(1e3 * shifts, 1e3 * value, label=label, **style)
    ax.set_xlabel(SHIFT_LABEL)
    ax.set_ylabel("|first order − exact|")
    legend(ax)
    return fig
