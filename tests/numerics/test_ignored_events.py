"""Events that are not located: what is violated at the end of a step acts there."""

import numpy as np
import pytest

from klingel._errors import InputError
from klingel.elements.dead_band import DeadBand
from klingel.elements.guide import Guide
from klingel.elements.rigid_friction import RigidFriction
from klingel.elements.spring import Spring
from klingel.model.description import Element
from klingel.model.smoothing import corners_ignored
from tests.model.kinds.moving_ground import blocks

MASS = 2.0


def rig(*laws):
    elements = [Element(f"link.part_{n}", "link", "x", law) for n, law in enumerate(laws)]
    return blocks({"block": MASS}, {"link": ("track", "block")}, *elements)


FIXED = {"rtol": 1.0, "atol": 1e9, "method": "dopri54"}  # the first step stays


def test_a_rigid_impact_is_reversed_after_penetration():
    """A block at constant speed: with steps of 0.1 s it passes a wall at 0.25 m, and turns at 0.3 m."""
    box = rig(Guide(0.25, 1.0, 0.0))
    run = box.run({"block.x_dot": 1.0}, 1.45, locate=False, first_step=0.1, max_step=0.1, **FIXED)
    assert run.x[:, 0].max() == pytest.approx(0.3, abs=1e-12)
    assert run.x[:, 0].min() == pytest.approx(-0.3, abs=1e-12)
    assert np.abs(run.x[:, 1]) == pytest.approx(np.ones(run.t.size))
    assert run.stats.events == 2
    located = box.run({"block.x_dot": 1.0}, 1.5, first_step=0.1, max_step=0.1, **FIXED)
    assert located.x[:, 0].max() == pytest.approx(0.25, abs=1e-9)


def test_what_happens_within_a_step_is_not_seen():
    """Thrown up against a spring: into its wall and out of it again between two ends of steps."""
    box = rig(DeadBand(-np.inf, 0.05, 900.0), Spring(0.0, 0.0, 20.0))
    thrown = {"block.x": 0.0, "block.x_dot": 1.02}
    crossed = box.run(thrown, 0.2, first_step=0.2, max_step=0.2, **FIXED)
    ignored = box.run(thrown, 0.2, locate=False, first_step=0.2, max_step=0.2, **FIXED)
    assert crossed.stats.events == 2
    assert ignored.stats.events == 0


def test_motions_tend_to_the_located_one_with_the_tolerance():
    """Corners ignored as steps go across them: the error estimate sees them, their order is lost."""
    sharp = rig(DeadBand(-0.05, 0.05, 900.0))
    exact = sharp.run({"block.x_dot": 1.0}, 3.0, output_step=0.01).x
    ignored = rig(*(element.law for element in corners_ignored(sharp.vehicle).elements))
    off, steps = [], []
    for rtol in (1e-4, 1e-6, 1e-8):
        run = ignored.run({"block.x_dot": 1.0}, 3.0, rtol=rtol, atol=0.1 * rtol, output_step=0.01)
        off.append(np.abs(run.x - exact).max())
        steps.append(run.stats.accepted + run.stats.rejected)
        assert run.stats.events == 0
    assert off[0] > 5.0 * off[1] > 25.0 * off[2] > 0.0
    located = sharp.run({"block.x_dot": 1.0}, 3.0, rtol=1e-8, atol=1e-9)
    assert located.stats.accepted + located.stats.rejected < 0.8 * steps[2]


def test_friction_runs_to_and_fro_where_it_would_stick():
    """The sign of the slip is that of the last end of a step: no stick, speeds stay within what a step gives."""
    box = rig(RigidFriction(10.0))
    run = box.run({"block.x_dot": 0.3}, 0.5, locate=False, first_step=0.01, max_step=0.01, **FIXED)
    late = run.x[run.t > 0.1, 1]
    assert np.abs(late).max() <= 2.0 * 0.01 * 10.0 / MASS
    located = box.run({"block.x_dot": 0.3}, 0.5)
    assert abs(located.x[-1, 1]) < 1e-30


def test_not_located_and_redone_contradict_each_other():
    with pytest.raises(InputError, match="redo_events"):
        rig(DeadBand(-0.05, 0.05, 900.0)).run({}, 1.0, locate=False, redo_events=True)
