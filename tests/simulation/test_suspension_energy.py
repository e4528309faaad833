"""Stored energy and heat of the suspension: together the work of the forces the engine adds up, port by port."""

from functools import cache

import numpy as np
import pytest

import klingel as kg
from klingel.model.output import outputs
from klingel.simulation.energy import NODES, WEIGHTS, hermite
from klingel.simulation.setup import put_on_track

CASES = {
    "hunting": ("hbbills311", {"links": "PTP"}, 45.0, {"front_wheelset.y": 5e-3, "rear_wheelset.y": 5e-3}),
    "swaying beyond the bracket": ("kbps", {"links": "ASZ"}, 20.0, {"carbody.y": 25e-3, "carbody.z": 10e-3}),
    "released": ("hbbills311", {"links": "SPP"}, 20.0, {"carbody.z": 50e-3}),
    "linear springs": ("hbbills311", {"leaf_model": "linear"}, 20.0, {"carbody.z": 5e-3, "carbody.y": 5e-3}),
}


@cache
def found(case, rtol=1e-7):
    """A step may be wrong by 0.1 m times rtol, times a leaf spring of 40 kN: 0.4 mJ."""
    name, options, speed, kick = CASES[case]
    vehicle, leaves = kg.load_vehicle(name, **options), "loading" if case == "released" else "rest"
    how = {"output_step": None, "leaves": leaves, "rtol": rtol}
    run = kg.simulate(vehicle, kg.Track.straight(), speed, 1.0, kick, **how)
    return run, kg.suspension_energy(run)


def work_of_ports(run):
    """Of the summed force of every port at its rate."""
    options = run.options
    compiled = put_on_track(run.vehicle, run.track, options["speed"])
    t, (x, memory, mode) = run.time, run.rows()
    slope, step = outputs(compiled, t, x, memory, mode).acceleration, np.diff(t)
    total = np.zeros(t.size)
    for node, weight in zip(NODES, WEIGHTS, strict=True):
        rows = np.ascontiguousarray(hermite(node, step, x, slope))
        out = outputs(compiled, t[:-1] + node * step, rows, memory[:-1], mode[:-1])
        total[1:] += np.cumsum(weight * step * np.sum(out.force * out.rate, axis=1))
    return total


@pytest.mark.parametrize("case", CASES)
def test_stored_energy_and_heat_are_the_work(case):
    run, energy = found(case)
    stored, heat = sum(energy.stored.values()), sum(energy.heat.values())
    np.testing.assert_allclose(stored - stored[0] + heat, work_of_ports(run), rtol=0, atol=1e-5 * np.ptp(stored))


def test_what_is_left_falls_with_the_steps():
    """Error of steps and of the cubic between rows, not of events: fourth order of the rows at least."""
    left, rows = [], []
    for rtol in (1e-6, 1e-8):
        run, energy = found("hunting", rtol)
        stored, heat = sum(energy.stored.values()), sum(energy.heat.values())
        left.append(np.abs(stored - stored[0] + heat - work_of_ports(run)).max())
        rows.append(run.time.size)
    assert left[0] < 1e-4 * np.ptp(stored)
    assert np.log(left[0] / left[1]) / np.log(rows[1] / rows[0]) > 3.5, (left, rows)


@pytest.mark.parametrize("case", ["hunting", "swaying beyond the bracket"])
def test_friction_only_heats(case):
    _, energy = found(case)
    sliders = [name for name in energy.heat if "slider" in name]
    for name in sliders:
        assert np.diff(energy.heat[name]).min() >= -1e-12
    assert sum(energy.heat[name][-1] for name in sliders) > 0.1
    assert all(stored.min() >= 0.0 for name, stored in energy.stored.items() if not name.endswith("leaf"))


def test_leaf_springs_lose_a_release():
    """On springs without friction the carbody, 50 mm above rest, would keep 4 c_h h^2 / 2: 3250 J."""
    _, energy = found("released")
    leaves = sum(heat[-1] for name, heat in energy.heat.items() if name.endswith("leaf"))
    assert leaves == pytest.approx(0.5 * 4 * 0.65e6 * 0.050**2, rel=0.02)
    assert sum(heat[-1] for heat in energy.heat.values()) == pytest.approx(leaves, rel=1e-3)


def test_rows_must_be_those_of_the_integrator():
    run = kg.simulate(kg.load_vehicle("hbbills311"), kg.Track.straight(), 30.0, 0.1)
    with pytest.raises(kg.InputError, match="run: must have output_step=None"):
        kg.suspension_energy(run)
