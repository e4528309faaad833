"""Creepages and contact ellipses of a run: the table and the creep law give the reported forces back from them."""

import numpy as np
import pytest

import klingel as kg
from klingel.contact.table import wheel_table
from klingel.simulation.setup import contact_sides

NAMES = (
    "normal_force", "creep_x", "creep_y", "creepage_x", "creepage_y", "creepage_spin", "patch_a", "patch_b",
    "penetration",
)  # fmt: skip


def test_creep_forces_follow_from_the_reported_creepages():
    wagon, track = kg.load_vehicle("hbbills311"), kg.Track.straight(inclination=1 / 40)
    start = {"front_wheelset.y": 5e-3, "front_wheelset.yaw": 2e-3, "rear_wheelset.y": -2e-3}
    run = kg.simulate(wagon, track, 30.0, 0.3, start, output_step=5e-3)
    wheelset = wagon.wheelsets[0]
    left, _ = contact_sides(wheelset, track)
    found = {name: run[f"front_wheelset.left.{name}"].to_numpy() for name in NAMES}
    modes, shifts = run["front_wheelset.left.mode"].to_numpy(), run["front_wheelset.y"].to_numpy()
    row = np.zeros(wheel_table.ROW)
    seen = 0
    for k in np.flatnonzero((modes % 2 == 0) & (found["normal_force"] > 1e3)):
        assert wheel_table.evaluate(left, modes[k] // 2, shifts[k], wheel_table.ROW, row)
        depth, load = found["penetration"][k], found["normal_force"][k]
        slip = (found["creepage_x"][k], found["creepage_y"][k], found["creepage_spin"][k])
        force = wheel_table.shen_hedrick_elkins(row, depth, 1.0, wheelset.friction * load, *slip)
        assert (found["creep_x"][k], found["creep_y"][k]) == pytest.approx(force, rel=1e-9, abs=1e-6)
        ellipse = wheel_table.patch(row, depth, 1.0, load, wheelset.friction, 8e10)
        assert (found["patch_a"][k], found["patch_b"][k]) == pytest.approx((ellipse.a, ellipse.b), rel=1e-9)
        seen += 1
    assert seen > 20
