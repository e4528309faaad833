"""Static loops lose the energy that the closed forms say, and follow the known lines."""

import numpy as np
import pytest

import klingel as kg
from klingel._errors import InputError
from klingel.elements.dry_friction import DryFriction
from klingel.elements.leaf_spring import PARABOLIC, TRAPEZOIDAL
from klingel.elements.spring import Spring
from klingel.literature.leaf_spring.system import loop_energy
from klingel.simulation.characteristics import Whole, closed, loop, wholes


def area(u, force):
    """Work of one cycle."""
    last = closed(u)
    u, force = u[last], force[last]
    return float(np.sum(0.5 * (force[1:] + force[:-1]) * np.diff(u)))


def test_friction_loses_four_limits_times_the_slip():
    slider = DryFriction(stiffness=2e5, limit=800.0)
    whole = Whole("link", ("corner",), False, (Spring(1e5), slider))
    u, force = loop(whole, 0.02)
    # corners of the loop lie between rows: second order in their spacing
    assert area(u, force) == pytest.approx(4 * 800.0 * (0.02 - 800.0 / 2e5), rel=1e-3)
    assert np.max(force) == pytest.approx(1e5 * 0.02 + 800.0)


@pytest.mark.parametrize(("spring", "middle"), [(TRAPEZOIDAL, 0.09), (PARABOLIC, 0.0629), (PARABOLIC, 0.03)])
def test_leaf_spring_loses_what_its_branches_say(spring, middle):
    u, force = loop(Whole("leaf", ("corner",), False, (spring,)), 0.015, middle)
    expected = loop_energy(spring, middle - 0.015, middle + 0.015)
    assert area(u, force) == pytest.approx(expected, rel=2e-3)


def test_path_goes_to_and_fro():
    u, _ = loop(Whole("spring", ("corner",), False, (Spring(1.0),)), 2.0, 1.0)
    assert (u[0], u.max(), u.min(), u[-1]) == (1.0, 3.0, -1.0, -1.0)
    assert u[closed(u)][0] == -1.0
    with pytest.raises(InputError, match="amplitude: must be positive"):
        loop(Whole("spring", ("corner",), False, (Spring(1.0),)), 0.0)


def test_equal_corners_are_told_once():
    found = {(whole.name, whole.connections) for whole in wholes(kg.load_vehicle("hbbills311"))}
    corners = ("front_left", "front_right", "rear_left", "rear_right")
    left, right = (tuple(c for c in corners if c.endswith(side)) for side in ("left", "right"))
    every = {(name, corners) for name in ("link_x", "guide_x", "link_y", "leaf")}
    assert found == every | {("guide_y", left), ("guide_y", right)}
