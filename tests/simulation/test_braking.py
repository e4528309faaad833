"""Hard braking: wheelsets run on into the longitudinal guides. What must happen follows from a closed form.

Without brakes on the wheels a wheelset of mass m and moment I_y, rolling, is held back by its two links and, when
they do not suffice, by the guides: with M = m + I_y/(r0 r), Q the load of a corner, k and T the stiffness and the
breakout force of the link (both divided by Q), x0 the clearance,

    M a / (2 Q) = k u +- T      links alone, any sign and size of friction up to T: a band of rest positions
    M a / (2 Q) > k x0 + T      the axle box is pressed on its guide, with Q times the difference

5 m/s2 press the empty G69 and Kbps with every link set (from 2.5 to 3.4 m/s2), never the Hbbills 311: empty it
needs 7.1 m/s2 (PTP, MP), 7.0 (SPP), 6.7 (INP) or 5.2 (ASZ), loaded more than 14. It hits the guides, but rests
short of them.
"""

from functools import cache

import numpy as np
import pytest

import klingel as kg

CORNERS = ("front_left", "front_right", "rear_left", "rear_right")


def balance(name, links, deceleration):
    """Needed force, force of the link alone at the clearance, both per corner over its load; the wagon's data."""
    wagon = kg.load_vehicle(name, links=links).meta["parameters"]
    inertia = wagon.wheelset_mass + wagon.wheelset_inertia[1] / wagon.radius**2
    load = 0.25 * wagon.carbody_mass * wagon.gravity
    return inertia * deceleration / (2.0 * load), wagon.links["x"], wagon, load


@cache
def braked(name, links, deceleration, duration=8.0):
    vehicle = kg.load_vehicle(name, links=links)
    return kg.simulate(vehicle, kg.Track.straight(), 65.0, duration, acceleration=-deceleration)


def hits(run):
    return run.events[(run.events["guard"].str.contains("guide_x"))]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "links", "deceleration"),
    [("g69", "PTP", 5.0), ("g69", "ASZ", 5.0), ("kbps", "SPP", 5.0), ("hbbills311", "PTP", 8.0)],
)
def test_axle_boxes_end_up_pressed_on_their_guides(name, links, deceleration):
    needed, link, wagon, load = balance(name, links, deceleration)
    assert needed > link.stiffness * wagon.guide_gap_x + link.breakout
    run = braked(name, links, deceleration)
    pressed = needed - link.stiffness * wagon.guide_gap_x - link.breakout
    for corner in CORNERS:
        assert float(run[f"{corner}.guide_x.deformation"].max()) == pytest.approx(wagon.guide_gap_x, abs=2e-9)
        assert int(run[f"{corner}.guide_x.plus.mode"][-1]) == 1  # resting
        last = run[f"{corner}.guide_x.deformation"].to_numpy()[-100:]
        np.testing.assert_allclose(last, wagon.guide_gap_x, atol=1e-7)
        # on the wheelset, backwards; the rest is the rolling radius, which is not r0, and the carbody's pitch
        total = -float(run[f"{corner}.guide_x.force"][-1]) - float(run[f"{corner}.link_x.force"][-1])
        assert total == pytest.approx(needed * load, rel=5e-3)
        assert -float(run[f"{corner}.guide_x.force"][-1]) >= 0.98 * pressed * load


@pytest.mark.slow
@pytest.mark.parametrize("links", ["PTP", "SPP", "INP"])
def test_hbbills_hits_its_guides_at_5_and_rests_short_of_them(links):
    """A body that was at the stop slides back with its sliders stuck: within the band, off the guide."""
    needed, link, wagon, _ = balance("hbbills311", links, 5.0)
    assert needed < link.stiffness * wagon.guide_gap_x + link.breakout
    run = braked("hbbills311", links, 5.0)
    low = (needed - link.breakout) / link.stiffness
    for corner in CORNERS:
        u = run[f"{corner}.guide_x.deformation"].to_numpy()
        assert int(run[f"{corner}.guide_x.plus.mode"][-1]) == 0
        assert low < u[-1] < wagon.guide_gap_x - 1e-4
        assert np.ptp(u[-100:]) < 5e-4
    if links == "PTP":
        assert len(hits(run)) >= 4
