"""Forces that can hold a resting vehicle: boxes of the sliders, envelopes of the leaf springs, closed guides."""

from math import inf

import numpy as np
import pytest

import klingel as kg
from klingel.elements.dry_friction import DryFriction
from klingel.elements.guide import Guide
from klingel.elements.spring import Spring
from klingel.model.description import Element
from klingel.model.standing.equilibrium import find_rest
from klingel.model.standing.holding import holding_limits
from tests.model.kinds.rig import at_rest, rig
from tests.model.wagon import compiled


def test_slider_in_parallel_with_a_spring_and_a_closed_guide():
    vehicle, model = rig(
        Element("foot.spring", "foot", "x", Spring(100.0, preload=3.0)),
        Element("foot.slider", "foot", "x", DryFriction(1e4, 7.0)),
        Element("foot.guide", "foot", "y", Guide(0.01, 0.3)),
    )
    rest = at_rest(model)
    x = rest.x.copy()
    x[model.layout.state("block.x")], x[model.layout.state("block.y")] = -0.02, -0.01
    held = {h.element: (h.low, h.high) for h in holding_limits(vehicle, model, x, rest.memory, rest.mode)}
    assert held["foot.spring"] == (pytest.approx(5.0), pytest.approx(5.0))
    assert held["foot.slider"] == (-7.0, 7.0)
    assert held["foot.guide"] == (0.0, inf)


def test_every_element_of_a_resting_wagon_carries_a_force_it_can_hold():
    vehicle = kg.load_vehicle("hbbills311")
    model = compiled(20.0)
    rest = find_rest(model)
    held = holding_limits(vehicle, model, rest.x, rest.memory, rest.mode)
    by_port: dict[str, np.ndarray] = {}
    for h in held:
        by_port[h.port] = by_port.get(h.port, np.zeros(2)) + np.array([h.low, h.high])
    weight = sum(b.mass for b in vehicle.bodies if b.name == "carbody") * vehicle.gravity
    low = sum(v[0] for port, v in by_port.items() if port.endswith(".z"))
    high = sum(v[1] for port, v in by_port.items() if port.endswith(".z"))
    assert low < weight < high
