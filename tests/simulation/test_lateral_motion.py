"""Which coordinates of a train are asked for the kind of its motion."""

import numpy as np

from klingel.analysis.motion_kinds import Stretch, judge
from klingel.simulation.lateral_motion import lateral_motion, lateral_names
from klingel.simulation.request.older_files import states_of_names

T = np.arange(0.0, 20.0, 0.01)
NAMES = ("front_wheelset.y", "front_wheelset.yaw", "carbody.y", "carbody.z", "carbody.pitch", "carbody.roll")
STATES = states_of_names(NAMES)
WHEELSETS = ("front_wheelset",)


def motion(**sizes):
    """Sines of 2 Hz of the coordinates named by their last word, noise where the size is negative."""
    rng = np.random.default_rng(1)
    x, v = np.zeros((T.size, len(NAMES))), np.zeros((T.size, len(NAMES)))
    for k, name in enumerate(NAMES):
        size = sizes.get(name.replace(".", "_"), 0.0)
        if size >= 0.0:
            x[:, k], v[:, k] = size * np.sin(4.0 * np.pi * T), 4.0 * np.pi * size * np.cos(4.0 * np.pi * T)
        else:
            x[:, k] = -size * rng.standard_normal(T.size)
            v[:, k] = np.gradient(x[:, k], T)
    return judge(Stretch(T, x, v, lateral_motion(STATES, WHEELSETS)))


def test_lateral_coordinates_decide_and_wheelsets_lead():
    of = lateral_motion(STATES, WHEELSETS)
    assert of.decide == ("front_wheelset.y", "front_wheelset.yaw", "carbody.y", "carbody.roll")
    assert of.lead == ("front_wheelset.y",)
    assert of.units == ("m", "rad", "m", "m", "rad", "rad")
    assert (of.still, of.noise, of.centre) == (1e-5, 1e-6, 1e-4)


def test_every_wheelset_with_a_lateral_coordinate_leads_once():
    states = states_of_names(["b.y", "a.y", "a.z", "box.y", "a.y_dot"])
    assert lateral_names(states, ["a", "b", "c"]) == ("a.y", "b.y")


def test_bounce_and_rattle_do_not_decide():
    """Random vertical motion beside a lateral sine, and beside lateral rest."""
    hunting = motion(front_wheelset_y=5e-3, carbody_y=1e-3, carbody_z=-1e-3, carbody_pitch=-1e-3)
    assert hunting.kind == "periodic"
    assert hunting.evidence["return_of_all"] > 0.1
    assert motion(carbody_z=-1e-3, carbody_pitch=-1e-3).kind == "rest"
    assert motion(front_wheelset_y=5e-3, carbody_roll=-1e-3).kind == "irregular"


def test_a_carbody_that_moves_alone_leads():
    alone = motion(carbody_y=1e-3)
    assert alone.kind == "periodic"
    assert alone.evidence["leader"] == "carbody.y"
    assert motion(front_wheelset_y=1e-4, carbody_y=1e-3).evidence["leader"] == "front_wheelset.y"
