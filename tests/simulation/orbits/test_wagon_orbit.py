"""An orbit of a wagon with sliders and leaf springs: found, closed, its multipliers, a piece of its branch."""

from dataclasses import replace

import numpy as np
import pytest

import klingel as kg
from klingel.analysis.orbits.branch import Range, follow
from klingel.analysis.orbits.find_orbit import Settings, Start, run_from
from klingel.analysis.orbits.validity import check
from klingel.io.vehicle.options import with_property
from klingel.numerics.integrate import integrate
from klingel.simulation.integration import bare_run, start_from_rest
from klingel.simulation.orbits.orbit_starts import orbit_of_settled
from klingel.simulation.orbits.vehicle_family import vehicle_family
from klingel.simulation.request.parts import Solving

SPEED = 9.0  # [m/s]; rails inclined 1/40
SETTINGS = Settings(parameter_scale=5.0, pieces=2, rtol=1e-8)


@pytest.fixture(scope="module")
def family():
    return vehicle_family(
        kg.load_vehicle("hbbills311"), kg.Track.straight(inclination=1 / 40), "speed", SPEED, SPEED
    )


@pytest.fixture(scope="module")
def orbit(family):
    compiled, rest = family.at(SPEED)
    begin = start_from_rest(compiled, rest, {"front_wheelset.y": 2e-3, "rear_wheelset.y": -1e-3})
    run = bare_run(compiled, begin, 20.0, Solving(), None)
    start = type(begin)(run.x[-1], run.memory[-1], run.mode[-1])
    return orbit_of_settled(family, SPEED, start, SETTINGS).orbit


def test_is_symmetric_and_holds_all_anchors(orbit):
    """All sliders stick: nothing of the memory is solved for; half a period is enough."""
    assert orbit.half
    assert orbit.equations.size == 32
    assert check(orbit).valid
    assert orbit.stable
    assert orbit.period == pytest.approx(0.7203, rel=1e-3)
    assert abs(orbit.time_shift - 1.0) < 1e-4


def test_plain_run_closes(family, orbit):
    """Ten times tighter than the mesh: back where it began to 1e-6 of the amplitude, and half way mirrored."""
    first = orbit.segments[0]
    problem = replace(family.family.at(SPEED), memory=first.memory.copy(), mode=first.mode.copy())
    scale = orbit.equations.scale
    for part, mirror in ((0.5, orbit.equations.mirror), (1.0, np.eye(32))):
        options = {"method": "verner65", "rtol": 1e-9, "atol": 1e-9 * scale, "redo_events": True}
        run_from(family.family, SPEED, Start(orbit.start, first.memory, first.mode), 1e-4)  # its port sums
        run = integrate(problem, orbit.start, part * orbit.period, **options)
        assert np.abs((mirror @ run.x[-1] - orbit.start) / scale).max() < 1e-6


def test_half_map_against_differences(family, orbit):
    """Along random directions, over all twelve changes of contact.

    The last change is at the very end: the error of centred differences is linear in their step; extrapolated.
    What limits the tangents are rates of bounce and roll of the wheelsets, which ring on their contacts: slopes
    of the contact table have corners at its nodes, where no step of a mesh ends. Shorter steps (rtol 1e-11, 1e-12)
    change that error without making it small; all other entries are thirty times nearer.
    """
    e, first, names = orbit.equations, orbit.segments[0], family.layout.states
    rings = np.array(["wheelset" in name and name.endswith((".z_dot", ".roll_dot")) for name in names])
    assert rings.sum() == 4
    random = np.random.default_rng(0)
    for _ in range(2):
        away, columns = random.standard_normal(32) * e.scale, []
        for step in (2e-6, 1e-6, 5e-7):
            starts = (Start(orbit.start + s * step * away, first.memory, first.mode) for s in (1.0, -1.0))
            ahead, behind = (run_from(family.family, SPEED, s, 0.5 * orbit.period, e.scale).x[-1] for s in starts)
            columns.append(e.mirror @ (ahead - behind) / (2.0 * step * e.scale))
        known, mapped = 2.0 * columns[1] - columns[0], 2.0 * columns[2] - columns[1]
        size = np.linalg.norm(mapped)
        error = orbit.monodromy @ away / e.scale - mapped
        assert np.linalg.norm(known - mapped) < 1e-4 * size
        assert np.linalg.norm(error[~rings]) < 1e-4 * size
        assert np.linalg.norm(error) < 1.5e-3 * size


def test_unequal_friction_is_not_symmetric():
    vehicle = with_property(kg.load_vehicle("hbbills311"), "link_friction.front_left", 0.1)
    made = vehicle_family(vehicle, kg.Track.straight(inclination=1 / 40), "speed", SPEED, SPEED)
    assert made.family.symmetry is None


@pytest.mark.slow
def test_a_piece_of_its_branch(orbit):
    """Down in speed the motion becomes smaller; the changes of contact pass each other on the way."""
    branch = follow(orbit, Range(6.0, 13.0, 10, over_corners=True), SETTINGS, None, False)
    assert len(branch.orbits) == 10
    assert np.all(np.diff(branch.parameter) < 0.0)
    assert all(check(o).valid and o.stable for o in branch.orbits)
    widths = [float(np.ptp(o.nodes(rates=False)[1][:, 1])) for o in branch.orbits]
    assert np.all(np.diff(widths) < 0.0)
