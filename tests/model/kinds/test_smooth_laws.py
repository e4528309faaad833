"""Smooth laws on blocks: energy, the sharp laws as their limits, creep in the place of stick; refusals by name."""

from math import atanh, inf

import numpy as np
import pytest

from klingel._errors import InputError
from klingel.elements.dead_band import DeadBand
from klingel.elements.dry_friction import DryFriction
from klingel.elements.guide import Guide
from klingel.elements.rigid_friction import RigidFriction
from klingel.elements.smooth_dead_band import SmoothDeadBand
from klingel.elements.smooth_friction import SmoothFriction
from klingel.elements.spring import Spring
from klingel.model.description import Element
from klingel.model.output import energies
from klingel.model.smoothing import smoothed
from tests.model.kinds.moving_ground import blocks

MASS, GAP, K = 2.0, 0.05, 900.0


def rig(*laws, free=("x",), also=()):
    elements = [Element(f"link.part_{n}", "link", free[0], law, also) for n, law in enumerate(laws)]
    return blocks({"block": MASS}, {"link": ("track", "block")}, *elements, free=free)


def test_a_block_between_smooth_springs_keeps_its_energy_and_sees_no_event():
    one = rig(SmoothDeadBand(-GAP, GAP, K, 5e-3))
    run = one.run({"block.x_dot": 1.0}, 5.0)
    out = energies(one.compiled, run.t, run.x, run.memory, run.mode)
    total = 0.5 * MASS * run.x[:, 1] ** 2 + out.stored.sum(axis=1)
    assert total == pytest.approx(np.full(run.t.size, total[0]), rel=1e-9)
    assert np.abs(run.x[:, 0]).max() > GAP + 0.02
    assert run.stats.events == 0


def test_its_motion_tends_to_that_of_the_sharp_one():
    """The area under the force differs by a term with the square of the width, and so do the motions."""

    def motion(law):
        return rig(law).run({"block.x_dot": 1.0}, 1.0, output_step=1e-3).x[:, 0]

    exact = motion(DeadBand(-GAP, GAP, K))
    off = [np.abs(motion(SmoothDeadBand(-GAP, GAP, K, w)) - exact).max() for w in (8e-3, 4e-3, 2e-3)]
    assert off[0] < 0.05
    assert off[0] / off[1] == pytest.approx(4.0, rel=0.1)
    assert off[1] / off[2] == pytest.approx(4.0, rel=0.1)


def test_a_pushed_block_creeps_where_true_stick_rests():
    """Under a force P below the limit: w artanh(P / T), for ever."""
    push, limit, width = 200.0, 300.0, 1e-3
    weight = Spring(0.0, 0.0, -push)  # a constant force in the direction of x
    stuck = rig(RigidFriction(limit), weight).run({}, 20.0)
    assert np.abs(stuck.x).max() == 0.0
    creeping = rig(SmoothFriction(limit, width), weight).run({}, 20.0, method="esdirk34", rtol=1e-9, atol=1e-12)
    assert creeping.x[-1, 1] == pytest.approx(width * atanh(push / limit), rel=1e-6)
    assert creeping.x[-1, 0] == pytest.approx(20.0 * width * atanh(push / limit), rel=1e-3)


def test_a_block_that_slides_in_a_plane_slows_down_straight_on():
    both = rig(SmoothFriction(10.0, 1e-4), free=("x", "y"), also=("y",))
    run = both.run({"block.x_dot": 0.6, "block.y_dot": 0.8}, 0.15)
    at = [both.compiled.layout.state(name) for name in ("block.x_dot", "block.y_dot")]
    assert np.hypot(*run.x[-1, at]) == pytest.approx(1.0 - 0.15 * 10.0 / MASS, rel=1e-6)
    assert run.x[-1, at[1]] / run.x[-1, at[0]] == pytest.approx(0.8 / 0.6, rel=1e-9)
    out = energies(both.compiled, run.t, run.x, run.memory, run.mode)
    assert out.heat[0].sum() == pytest.approx(10.0, rel=1e-9)


def test_every_law_in_its_smooth_form():
    vehicle = rig(Spring(1.0, 2.0, 3.0), DeadBand(-inf, GAP, K), RigidFriction(7.0)).vehicle
    laws = [element.law for element in smoothed(vehicle, length=1e-4, speed=1e-3).elements]
    assert laws == [Spring(1.0, 2.0, 3.0), SmoothDeadBand(-inf, GAP, K, 1e-4), SmoothFriction(7.0, 1e-3)]
    again = smoothed(smoothed(vehicle, length=1e-4, speed=1e-3), length=1e-4, speed=1e-3)
    assert again == smoothed(vehicle, length=1e-4, speed=1e-3)


@pytest.mark.parametrize(
    ("law", "field", "words"),
    [
        (Guide(0.02, 0.3), "link.part_0", "guide has no smooth form"),
        (DryFriction(1e6, 10.0), "link.part_0", "dry_friction has no smooth form"),
        (RigidFriction(5.0, static_ratio=1.2), "link.part_0", "its static limit is above the kinetic one"),
        (RigidFriction(5.0), "smooth_speed", "must be given"),
        (DeadBand(-GAP, GAP, K), "smooth_length", "must be given"),
    ],
)
def test_what_cannot_be_smoothed_is_named(law, field, words):
    with pytest.raises(InputError, match=words) as caught:
        smoothed(rig(law).vehicle)
    assert caught.value.field == field
    assert "link.part_0" in str(caught.value)
