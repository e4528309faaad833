"""Sections, exponents and survival of vehicles, against a motion that is known to repeat."""

import numpy as np
import pytest

import klingel as kg
from klingel.analysis.chaos.lyapunov import largest_lyapunov
from klingel.model.problem import vehicle_problem
from klingel.simulation.irregular.following import Moving
from klingel.simulation.irregular.irregular_motion import irregular_motion
from tests.plots.layout import complaints, rendered

FRONT = "leading_front_wheelset.y"


@pytest.fixture(scope="module")
def hunting():
    """Cooperrider's bogie on its stable cycle."""
    bogie = kg.load_vehicle("cooperrider")
    return irregular_motion(
        bogie, speed=66.0, start={FRONT: 0.012}, duration=15.0, transient=15.0, starts=3, cap=4.0, settle=0.0
    )


def test_a_cycle_is_one_point_and_does_not_part(hunting):
    assert hunting.section.t.size > 50
    assert np.ptp(np.diff(hunting.section.t)) < 1e-4
    assert np.ptp(hunting["leading_rear_wheelset.y"]) < 1e-5
    assert np.abs(hunting[FRONT]).max() < 1e-10
    assert abs(hunting.lyapunov.exponent) < 0.05


def test_above_the_hopf_point_no_start_ends(hunting):
    assert not hunting.survival.ended.any()
    assert hunting.lifetime.rate == 0.0
    told = hunting.as_dict()
    assert told["survival"]["mean"] is None
    assert told["section"]["points"] == hunting.section.t.size


def test_far_below_the_fold_every_start_ends():
    """Rest attracts."""
    found = irregular_motion(
        kg.load_vehicle("cooperrider"), speed=50.0, duration=2.0, exponent=False, starts=4, cap=40.0, settle=0.0
    )
    assert found.survival is not None
    assert found.lifetime is not None
    assert found.survival.ended.all()
    assert found.lifetime.ends == 4
    assert found.reason == "not asked for"


def test_picture(hunting):
    from klingel.plots.runs.section import draw_irregular

    assert complaints(rendered(draw_irregular(hunting))) == []


def test_bad_input():
    bogie = kg.load_vehicle("cooperrider")
    with pytest.raises(kg.InputError, match="coordinate"):
        irregular_motion(bogie, speed=66.0, coordinate="leading_frame.colour")
    with pytest.raises(kg.InputError, match="starts"):
        irregular_motion(bogie, speed=66.0, starts=-1)
    with pytest.raises(kg.InputError, match="least"):
        irregular_motion(bogie, speed=66.0, least=-1.0)


def test_memory_that_is_empty_at_first_does_not_spoil_the_exponent():
    """Sliders without a force in the first block have anchors of zero, which are differenced all the same."""
    moving = Moving.on(kg.load_vehicle("hbbills311"), None, 45.0, "auto", 1e-6)
    begin = moving.start({"front_wheelset.y": 0.005})
    problem = vehicle_problem(moving.compiled, begin.memory, begin.mode)
    found = largest_lyapunov(problem, begin.x, 0.2, transient=0.5, blocks=4)
    assert np.isfinite(found.blocks).all()
