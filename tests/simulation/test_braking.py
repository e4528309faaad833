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

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

import klingel as kg
from klingel.vehicles.two_axle import two_axle

CORNERS = ("front_left", "front_right", "rear_left", "rear_right")


def balance(name, links, deceleration):
    """Needed force, force of the link alone at the clearance, both per corner over its load; the wagon's data."""
    wagon = kg.load_vehicle(name, links=links).meta["parameters"]
    inertia = wagon.wheelset_mass + wagon.wheelset_inertia[1] / wagon.radius**2
    load = 0.25 * wagon.carbody_mass * wagon.gravity
    return inertia * deceleration / (2.0 * load), wagon.links["x"], wagon, load


@cache
def braked(name, links, deceleration, restitution=0.9, resting_speed=1e-3):
    """4 s; the restitution decides how long the axle box bounces, not where it ends."""
    wagon = kg.load_vehicle(name, links=links).meta["parameters"]
    vehicle = two_axle(replace(wagon, guide_restitution=restitution, guide_resting_speed=resting_speed))
    return kg.simulate(vehicle, kg.Track.straight(), 45.0, 4.0, acceleration=-deceleration, output_step=None)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "links", "deceleration"),
    [("g69", "PTP", 5.0), ("g69", "ASZ", 5.0), ("kbps", "SPP", 5.0), ("hbbills311", "PTP", 8.0)],
)
def test_axle_boxes_end_up_pressed_on_their_guides(name, links, deceleration):
    needed, link, wagon, load = balance(name, links, deceleration)
    assert needed > link.stiffness * wagon.guide_gap_x + link.breakout
    run = braked(name, links, deceleration, restitution=0.5, resting_speed=1e-6)
    pressed = needed - link.stiffness * wagon.guide_gap_x - link.breakout
    for corner in CORNERS:
        assert float(run[f"{corner}.guide_x.deformation"].max()) == pytest.approx(wagon.guide_gap_x, abs=2e-9)
        assert int(run[f"{corner}.guide_x.plus.mode"][-1]) == 1  # resting
        last = run[f"{corner}.guide_x.deformation"].to_numpy()[run.time > 3.5]
        np.testing.assert_allclose(last, wagon.guide_gap_x, rtol=0, atol=5e-6)
        # on the wheelset, backwards, averaged: the carbody goes on pitching, and the wheelset with it
        late = run.time > 2.0
        guide, links_ = (run[f"{corner}.{name}.force"].to_numpy()[late] for name in ("guide_x", "link_x"))
        mean = np.trapezoid(-guide - links_, run.time[late]) / np.ptp(run.time[late])
        assert mean == pytest.approx(needed * load, rel=0.01)
        assert np.trapezoid(-guide, run.time[late]) / np.ptp(run.time[late]) > 0.98 * pressed * load


@pytest.mark.slow
def test_resting_contact_does_not_move():
    run = braked("g69", "PTP", 5.0, restitution=0.5)
    rests = run["front_left.guide_x.plus.mode"].to_numpy() == 1
    u = run["front_left.guide_x.deformation"].to_numpy()[rests]
    assert u.size > 10
    assert np.ptp(u) < 1e-8


@pytest.mark.slow
@pytest.mark.parametrize("links", ["PTP", "SPP", "INP"])
def test_hbbills_hits_its_guides_at_5_and_stays_short_of_them(links):
    """A body that was at the stop swings back with its sliders stuck, undamped: about a place within the band."""
    needed, link, wagon, _ = balance("hbbills311", links, 5.0)
    assert needed < link.stiffness * wagon.guide_gap_x + link.breakout
    run = braked("hbbills311", links, 5.0)
    low = (needed - link.breakout) / link.stiffness
    last = run.time > 3.0
    for corner in CORNERS:
        u = run[f"{corner}.guide_x.deformation"].to_numpy()
        assert u.max() <= wagon.guide_gap_x + 2e-9
        assert not np.any(run[f"{corner}.guide_x.plus.mode"].to_numpy()[last])
        assert low < np.trapezoid(u[last], run.time[last]) / np.ptp(run.time[last]) < wagon.guide_gap_x
    if links == "PTP":
        assert run.stats.events > 100
        assert np.isclose(run["rear_left.guide_x.deformation"].max(), wagon.guide_gap_x, rtol=0, atol=2e-9)
