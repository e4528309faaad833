"""An orbit of a wagon with sliders and leaf springs: found, closed, its multipliers, a piece of its branch."""

from dataclasses import replace

import numpy as np
import pytest

import klingel as kg
from klingel.analysis.orbits.branch import Range, follow
from klingel.analysis.orbits.find_orbit import Settings, Start, run_from
from klingel.analysis.orbits.orbit import Orbit
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


def finer(orbit: Orbit, times: int) -> Orbit:
    """The same orbit with every step of its meshes cut into equal parts."""
    e = orbit.equations
    meshes = (np.interp(np.arange(times * (m.size - 1) + 1) / times, np.arange(m.size), m) for m in e.meshes)
    return replace(orbit, equations=replace(e, meshes=tuple(meshes), _flows={}))


def half_map(orbit: Orbit) -> np.ndarray:
    """Derivative of the half map begun with the last piece, within a segment."""
    *others, tangent, saltation, mirror = orbit.factors
    return np.linalg.multi_dot([*others[::-1], mirror, saltation, tangent])


def test_half_map_against_differences(family, orbit):
    """Along random directions, over all twelve changes of contact.

    Begun within a segment both neighbours meet the twelve events of the orbit, and centred differences over 8e-6
    and 2e-6 of its size, by plain runs at rtol 1e-11, agree to 2e-6. (Begun at an event one of them meets it
    twice, and the error of differences is linear in their step.) What is off are the tangents: by 3.5e-4 to 1.9e-3
    of the whole in rates of bounce and roll of the wheelsets, which ring on their contacts, by 2e-5 to 8e-5 in all
    other entries. On steps 16 times shorter it is 1.3e-4 to 2.3e-4 and 1e-5 to 3e-5, uneven between. The likely
    cause, not shown: slopes of the contact table have corners at its nodes, where no step of a mesh ends.
    """
    e, names = orbit.equations, family.layout.states
    rings = np.array(["wheelset" in name and name.endswith((".z_dot", ".roll_dot")) for name in names])
    assert rings.sum() == 4
    assert e.owner[-1] == e.owner[-2]
    first, begin = orbit.segments[-1], e.unpack(orbit.unknowns)[0][-1]
    problem = replace(family.family.at(SPEED), memory=first.memory.copy(), mode=first.mode.copy())
    random = np.random.default_rng(0)
    coarse, fine = half_map(orbit), half_map(finer(orbit, 16))

    def after(x):
        run_from(family.family, SPEED, Start(x, first.memory, first.mode), 1e-4)  # its port sums
        run = integrate(
            problem, x, 0.5 * orbit.period, method="verner65", rtol=1e-11, atol=1e-11 * e.scale, redo_events=True
        )
        return run.x[-1], run.events.fired.time.size

    for _ in range(3):
        away, columns = random.standard_normal(32) * e.scale, []
        for step in (8e-6, 2e-6):
            (ahead, met), (behind, also_met) = (after(begin + s * step * away) for s in (1.0, -1.0))
            assert met == also_met == 12
            columns.append(e.mirror @ (ahead - behind) / (2.0 * step * e.scale))
        known, mapped = columns
        size = np.linalg.norm(mapped)
        assert np.linalg.norm(known - mapped) < 1e-5 * size
        error, smaller = (m @ away / e.scale - mapped for m in (coarse, fine))
        assert np.linalg.norm(error[~rings]) < 2e-4 * size
        assert np.linalg.norm(error) < 3e-3 * size
        assert np.linalg.norm(smaller[~rings]) < 5e-5 * size
        assert np.linalg.norm(smaller) < min(5e-4 * size, np.linalg.norm(error))


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
