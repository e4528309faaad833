"""His integration method and force iteration next to ours: order, same trajectory."""

from dataclasses import replace

import numpy as np
import pytest

from klingel.literature.de_pater.hybrid_system import de_pater_problem, start
from klingel.literature.de_pater.parameters import DePaterWheelset
from klingel.literature.de_pater.runs import compare_methods
from klingel.numerics.integrate import integrate

W = DePaterWheelset(speed=60.0, rail_stiffness=0.0)


def test_rkf23_with_his_iteration_is_of_order_three():
    w = replace(W, forces="previous-step")
    x, distance = start(v=1e-4), 2.0
    exact = integrate(de_pater_problem(W), x, distance, rtol=1e-12, atol=1e-17).x[-1]
    errors = []
    for step in (0.02, 0.01):
        end = integrate(
            de_pater_problem(w), x, distance, method="rkf23", first_step=step, max_step=step, rtol=1e6, atol=1e6
        ).x[-1]
        errors.append(abs(end[2] - exact[2]))
    assert np.log2(errors[0] / errors[1]) == pytest.approx(3.0, abs=0.25)


def test_same_trajectory():
    found = compare_methods(W, 10.0)
    assert found.difference < 1e-6
    assert found.our_steps < found.his_steps
    assert found.our_rounds < found.his_rounds
