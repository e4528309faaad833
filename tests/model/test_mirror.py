"""The vehicle in the mirror: left and right change places, lateral motions change sign, nothing else happens."""

import numpy as np
import pytest

from klingel.elements import dry_friction
from klingel.model import assembly
from klingel.model.problem import displaced
from klingel.model.standing.equilibrium import find_rest
from tests.model.wagon import compiled, run

LATERAL = ("y", "roll", "yaw")
TURNED = (0, 2, 1)  # modes of lateral sliders and bands in the mirror: upwards and downwards change places


def other_side(name):
    return name.replace("left", "#").replace("right", "left").replace("#", "right")


def state_signs(states):
    return np.array([-1.0 if name.split(".")[1].removesuffix("_dot") in LATERAL else 1.0 for name in states])


def mirrored(model, memory, mode):
    """Memory and modes of the mirrored vehicle."""
    layout, names = model.layout, list(model.layout.modes)
    memory_m, mode_m = memory.copy(), mode.copy()
    for name, at in layout.memory.items():
        there = layout.memory[other_side(name)]
        size = 1 if "slider" in name else 7
        sign = -1.0 if "link_y" in name else 1.0
        memory_m[there : there + size] = sign * memory[at : at + size]
    for k, name in enumerate(names):
        there = names.index(other_side(name))
        lateral = "link_y" in name or "guide_y" in name
        mode_m[there] = TURNED[mode[k]] if lateral else mode[k]
    return memory_m, mode_m


def rounding(model, x, memory, mode, dx):
    """What the last digit of a metre in the place of the wheelsets changes: contacts are stiff. Some thirty such
    roundings separate a table from its mirror image, whose splines run the other way."""
    changed, most = np.zeros_like(dx), 0.0
    assembly.prepare(model.system, memory, mode)
    for name in ("front_wheelset.y", "front_wheelset.z", "rear_wheelset.y", "rear_wheelset.z"):
        moved = x.copy()
        moved[model.layout.state(name)] += np.finfo(float).eps
        assembly.rhs(0.0, moved, memory, mode, model.system, changed)
        most = max(most, np.abs(changed - dx).max())
    return most


@pytest.mark.parametrize("shift", [1e-3, 5e-3, 6.5e-3, 7.5e-3, 9e-3])
@pytest.mark.parametrize("inclination", [1 / 20, 1 / 40])
def test_right_hand_side_to_rounding(inclination, shift):
    """Flange contacts, overlaps, lifted wheels; sliders stuck or slipping, loaded at random."""
    model = compiled(35.0, inclination=inclination)
    rest = find_rest(model)
    states = model.layout.states
    signs = state_signs(states)
    rng = np.random.default_rng(int(1e4 * shift))
    for _ in range(20):
        offsets = rng.normal(size=signs.size) * np.where([n.endswith("_dot") for n in states], 1e-2, 2e-4)
        for name in ("front_wheelset.y", "rear_wheelset.y"):
            offsets[states.index(name)] = rng.choice([-1.0, 1.0]) * (shift + 3e-4 * rng.normal())
        x, mode = displaced(model, rest, dict(zip(states, offsets, strict=True)))
        x_m, mode_m = displaced(model, rest, dict(zip(states, signs * offsets, strict=True)))
        memory = rest.memory.copy()
        for name, at in model.layout.memory.items():
            if "slider" in name:
                memory[at] += 1e-3 * rng.normal()
                mode[model.layout.modes.index(name)] = rng.choice(list(dry_friction.Mode))
        wheels = [model.layout.modes.index(name) for name in model.layout.wheels]
        memory_m, turned = mirrored(model, memory, mode)
        turned[wheels] = mode_m[wheels]
        dx, dx_m = np.zeros_like(x), np.zeros_like(x)
        assembly.prepare(model.system, memory, mode)
        assert assembly.rhs(0.0, x, memory, mode, model.system, dx) == 0
        assembly.prepare(model.system, memory_m, turned)
        assert assembly.rhs(0.0, x_m, memory_m, turned, model.system, dx_m) == 0
        noise = rounding(model, x, memory, mode, dx)
        np.testing.assert_allclose(dx_m, signs * dx, rtol=0, atol=1e-12 * np.abs(dx).max() + 30.0 * noise)


@pytest.mark.parametrize("inclination", [1 / 20, 1 / 40])
def test_quiet_run(inclination):
    kick = {"front_wheelset.y": 1e-3, "rear_wheelset.yaw": 5e-4, "carbody.roll": 1e-3}
    options = {"rtol": 1e-8, "atol": 1e-10, "output_step": 0.01, "inclination": inclination}
    one = run(20.0, kick, 2.0, **options)
    other = run(20.0, {name: -value for name, value in kick.items()}, 2.0, **options)
    names = one.problem.state_names
    positions = [k for k, name in enumerate(names) if not name.endswith("_dot")]
    signs = state_signs(names)
    np.testing.assert_allclose(other.x[:, positions], (signs * one.x)[:, positions], rtol=0, atol=1e-10)
