"""Parameters and start of the 68-equation wagon: from the wagon's data, from a kick, from a run of the engine."""

import numpy as np

from klingel.contact.table.wheel_table import SHORT_ROW, WheelTable
from klingel.elements import leaf_spring
from klingel.model.builder import Compiled
from klingel.model.standing.settled_modes import port_deformation
from klingel.numerics.trajectory import Trajectory
from klingel.vehicles.two_axle import TwoAxle
from tests.model.hoffmann68 import (
    BRACKET,
    CORNERS,
    FIRST_F,
    FIRST_T,
    GUIDE,
    LEAF,
    MODES,
    SLIDERS,
    STATES,
    WHEEL,
    P,
    corner_motion,
)  # fmt: skip


def parameters(w: TwoAxle, left: WheelTable, speed: float, acceleration: float = 0.0) -> np.ndarray:
    """Flat parameters of a symmetrically loaded wagon; the contact table is that of the left wheel."""
    load = 0.25 * w.carbody_mass * w.gravity
    x, y = w.links["x"], w.links["y"]
    pad = lambda values: [*values, *[0.0] * (4 - len(values))]  # noqa: E731
    leaf = w.leaf
    numbers = [
        speed, acceleration, w.gravity, w.wheelset_mass, *w.wheelset_inertia, w.carbody_mass, *w.carbody_inertia,
        0.5 * w.wheelbase, 0.5 * w.spacing, w.carbody_height - w.radius, w.radius, load,
        x.stiffness, y.stiffness,
        *pad([k for k, _ in x.sliders]), *pad([k for k, _ in y.sliders]),
        *pad([limit for _, limit in x.sliders]), *pad([limit for _, limit in y.sliders]),
        y.bracket_stiffness * load, y.bracket_gap, w.guide_stiffness_y, w.guide_gap_y,
        w.wheel_friction, w.wheel_damping,
        leaf.stiffness, leaf.stiffness_second, leaf.friction, leaf.residual, leaf.decay, leaf.near_equilibrium,
        leaf.second_leaf, leaf.z_star, leaf.static_deflection(load), left.start.size,
    ]  # fmt: skip
    table = [
        left.bounds,
        left.start,
        left.per_step,
        left.first,
        left.count,
        left.coefficients[:, :, :SHORT_ROW].ravel(),
    ]
    return np.concatenate([np.array(numbers, float), *(np.asarray(block, float) for block in table)])


CORNER_NAMES = ("front_left", "front_right", "rear_left", "rear_right")


def start(p: np.ndarray, rest: np.ndarray, moved: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """State and modes: sliders stuck and unloaded at `rest`, leaf forces those of rest (no vertical kick)."""
    y, still = np.zeros(STATES), np.zeros(STATES)
    y[:32], still[:32] = moved, rest
    mode = np.zeros(MODES, np.int8)
    bounds = p[P.TABLE : P.TABLE + 2 * int(p[P.SECTIONS])]
    for corner in range(CORNERS):
        for k in range(SLIDERS):
            d = k // 4
            u = [corner_motion.py_func(p, s, corner, d, True) for s in (y, still)]
            y[FIRST_T + SLIDERS * corner + k] = -p[P.SLIDER_K + k] * (u[0] - u[1])
        y[FIRST_F + corner] = 1.0
        lateral = (1 - 2 * (corner % 2)) * y[5 * (corner // 2) + 1]
        mode[WHEEL + corner] = np.searchsorted(bounds, lateral, side="right") - 1
    return y, mode


def close_bands(model: Compiled, modes: np.ndarray, mode: np.ndarray) -> None:
    """Brackets and lateral guides in the modes they have in the engine."""
    for c, corner in enumerate(CORNER_NAMES):
        mode[BRACKET + c] = modes[model.layout.modes.index(f"{corner}.link_y.bracket")]
        mode[GUIDE + c] = modes[model.layout.modes.index(f"{corner}.guide_y")]


def from_run(model: Compiled, wagon: TwoAxle, run: Trajectory, order, contact_states: int):
    """State and modes of the 68-equation form at the end of a run of the engine."""
    x, memory, modes = run.x[-1], run.memory[-1], run.mode[-1]
    y, mode = np.zeros(STATES), np.zeros(MODES, np.int8)
    y[:32] = x[order]
    load = 0.25 * wagon.carbody_mass * wagon.gravity
    u = port_deformation(model.system, x, memory, modes)
    names = list(model.layout.modes)
    close_bands(model, modes, mode)
    for c, corner in enumerate(CORNER_NAMES):
        for k in range(SLIDERS):
            name = f"{corner}.link_{'xy'[k // 4]}.slider_{k % 4 + 1}"
            if name not in names:
                continue
            at = SLIDERS * c + k
            mode[at] = modes[names.index(name)]
            stiffness, limit = wagon.links["xy"[k // 4]].sliders[k % 4]
            stuck = -stiffness * (
                u[model.layout.ports[f"{corner}.{'xy'[k // 4]}"]] - memory[model.layout.memory[name]]
            )
            y[FIRST_T + at] = (stuck, -limit, limit)[mode[at]]
        mode[LEAF + c] = modes[names.index(f"{corner}.leaf")]
        z = wagon.leaf.static_deflection(load) + u[model.layout.ports[f"{corner}.z"]]
        branch = leaf_spring.read_branch(memory, model.layout.memory[f"{corner}.leaf"])
        y[FIRST_F + c] = leaf_spring.force(branch, z) / load
        wheel = modes[names.index(f"{('front', 'rear')[c // 2]}_wheelset.{('left', 'right')[c % 2]}")]
        mode[WHEEL + c] = wheel if c % 2 == 0 else contact_states - 1 - wheel
    return y, mode
