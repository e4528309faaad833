"""Moving frames, chords, cant, irregularities on the right-hand side alone: geometry and free motion in space."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

from klingel.io.vehicle.files import load_vehicle
from klingel.model import assembly
from klingel.model.bodies.motion import PORT_ROW
from klingel.model.builder import compile_vehicle
from klingel.model.description import COORDINATES, Body
from klingel.model.on_track.track_tables import (
    alignment_at,
    enter_stages,
    stand_on_irregular_rails,
    start_distances,
)
from klingel.model.output import Contact, outputs
from klingel.model.problem import displaced
from klingel.model.standing.equilibrium import find_rest
from klingel.model.standing.settled_modes import port_deformation
from klingel.model.system import Head, PortField
from klingel.track.alignment import Alignment, Stage, Value
from klingel.track.irregularity import Samples, Shift
from klingel.track.track import Frame, Track
from tests.model.test_wagon import mirror_signs, mirrored_modes
from tests.model.wagon import contact_tables

# everything at once: horizontal and vertical curvature, cant, all changing along one stage
TWISTED = Alignment(
    (
        Stage(100.0, (0.0, 1e-3), (0.0, 0.150), (0.0, 5e-4)),
        Stage(100.0, (1e-3, 1e-3), (0.150, 0.150), (5e-4, 5e-4)),
        Stage(100.0, (1e-3, 0.0), (0.150, 0.0), (5e-4, 0.0)),
    )
)


def on_track(track, speed, acceleration=0.0, distance=0.0, bodies=()):
    vehicle = load_vehicle("hbbills311")
    vehicle = replace(vehicle, bodies=(*vehicle.bodies, *bodies))
    sides = contact_tables()
    model = compile_vehicle(
        vehicle, {w.body: sides for w in vehicle.wheelsets}, speed, acceleration, track, distance
    )
    memory = np.zeros(model.memory_size)
    enter_stages(model.system, memory)
    return model, memory


def rates(model, t, x, memory, mode):
    dx = np.zeros_like(x)
    assembly.prepare(model.system, memory, mode)
    assert assembly.rhs(t, x, memory, mode, model.system, dx) == 0
    return dx


def random_state(model, seed):
    rest = find_rest(model)
    scale = np.where([n.endswith("_dot") for n in model.layout.states], 1e-2, 1e-3)
    offsets = np.random.default_rng(seed).normal(size=scale.size) * scale
    x, mode = displaced(model, rest, dict(zip(model.layout.states, offsets, strict=True)))
    return x, rest.memory, mode, offsets


def arc(radius, cant=0.0, **options):
    """Far inside an endless curve at distance 0."""
    return Track.curve(radius, cant=cant, transition=100.0, length=np.inf, lead_in=-1000.0, **options)


@pytest.mark.parametrize("seed", range(3))
def test_track_without_bends_changes_nothing(seed):
    model, _ = on_track(Track(Alignment((Stage(50.0), Stage(60.0)), start=-20.0)), 30.0)
    x, memory, mode, _ = random_state(model, seed)
    assert model.system.i[Head.HAS_TRACK] == 0
    straight = rates(model, 0.3, x, memory, mode)
    model.system.i[Head.HAS_TRACK] = 1
    # gyroscopic products may be contracted differently: rounding of zero
    np.testing.assert_allclose(rates(model, 0.3, x, memory, mode), straight, rtol=0, atol=1e-18)


@pytest.mark.parametrize("frame", list(Frame))
def test_straight_track_is_a_curve_of_infinite_radius(frame):
    straight, _ = on_track(Track(), 30.0)
    x, memory, mode, _ = random_state(straight, 1)
    limit = rates(straight, 0.0, x, memory, mode)
    away = []
    for radius in (1e6, 1e7, 1e8):
        model, stages = on_track(arc(radius, cant=100.0 / radius, frame=frame), 30.0)
        first = model.system.i[Head.STAGE]
        memory[first:] = stages[first:]
        assembly.prepare(model.system, memory, mode)
        away.append(np.abs(rates(model, 0.0, x, memory, mode) - limit).max())
    assert away[2] > 0.0
    np.testing.assert_allclose(np.array(away[:2]) / away[1:], 10.0, rtol=0.05)


@pytest.mark.parametrize("frame", list(Frame))
@pytest.mark.parametrize("seed", range(3))
def test_left_and_right_curves_are_mirror_images(frame, seed):
    left, _ = on_track(arc(600.0, cant=0.12, frame=frame), 25.0, acceleration=0.3)
    right, _ = on_track(arc(-600.0, cant=0.12, frame=frame), 25.0, acceleration=0.3)
    x, memory, mode, offsets = random_state(left, seed)
    signs = mirror_signs(left.layout.states)
    rest = find_rest(right)
    x_m, mode_m = displaced(right, rest, dict(zip(left.layout.states, signs * offsets, strict=True)))
    assert np.array_equal(mode_m, mirrored_modes(left, mode))
    dx, dx_m = rates(left, 0.7, x, memory, mode), rates(right, 0.7, x_m, rest.memory, mode_m)
    np.testing.assert_allclose(dx_m, signs * dx, rtol=0, atol=1e-11 * np.abs(dx).max())


def base_and_origin(alignment, s, tilted):
    """Base of the track frame and its origin on the ideal centre line, in space; the rise comes on top."""
    v = alignment.values(np.array([s]))[0]
    tilt = v[Value.CANT_ANGLE] if tilted else 0.0
    turn = Rotation.from_euler("ZYX", [v[Value.YAW], v[Value.GRADIENT], tilt]).as_matrix()
    return turn, alignment.coordinates(np.array([s]))[0], v[Value.RISE] if tilted else 0.0


PROBE = Body("probe", 1000.0, (700.0, 700.0, 700.0), (3.0, 0.4, 1.6), COORDINATES)


def fly(track, speed, acceleration, duration, start, distance):
    """The probe alone through the right-hand side: states relative to its frame."""
    model, memory = on_track(track, speed, acceleration, distance, bodies=(PROBE,))
    names = model.layout.states
    at = np.array([k for k, n in enumerate(names) if n.startswith("probe.")])
    x = np.zeros(len(names))
    mode = model.mode.copy()
    for w in range(4):
        mode[model.system.i[model.system.i[Head.WHEEL_AT] + 5 * w + 1]] = assembly.state_of_wheel(
            model.system, w, 0.0
        )
    assembly.prepare(model.system, memory, mode)

    def slope(t, part):
        x[at] = part
        return rates(model, t, x, memory, mode)[at]

    end = solve_ivp(slope, (0.0, duration), start, rtol=1e-10, atol=1e-13, method="DOP853").y[:, -1]
    return end[:6], end[6:]


@pytest.mark.parametrize("frame", list(Frame))
@pytest.mark.parametrize("acceleration", [0.0, -2.0])
def test_free_body_falls_straight_in_space(frame, acceleration):
    """All terms of the moving frame at once: the path in space is a parabola, to rounding."""
    track = Track(TWISTED, frame=frame)
    speed, duration, distance = 30.0, 1.0, 30.0
    start = np.zeros(12)
    start[[0, 1, 2, 6, 7, 8]] = 0.01, -0.02, 0.03, 0.2, -0.3, 0.1
    end, _ = fly(track, speed, acceleration, duration, start, distance)

    def in_space(t, r, v):
        s = distance + 3.0 + speed * t + 0.5 * acceleration * t * t
        base, origin, rise = base_and_origin(TWISTED, s, frame == Frame.TILTED)
        return origin + base @ (np.array([r[0], 0.4 + r[1], 1.6 + r[2] + rise])), base, v

    place, _, _ = in_space(0.0, start[:3], None)
    h = 1e-4  # velocity by central differences of the frame carrying the body along

    def carried(t):
        return in_space(t, start[:3] + t * start[6:9], None)[0]

    velocity = (8 * (carried(h) - carried(-h)) - (carried(2 * h) - carried(-2 * h))) / (12 * h)
    there = place + velocity * duration + np.array([0.0, 0.0, -0.5 * 9.81 * duration**2])
    found, _, _ = in_space(duration, end[:3], None)
    np.testing.assert_allclose(found, there, rtol=0, atol=2e-7)


@pytest.mark.parametrize("frame", list(Frame))
def test_free_body_keeps_its_attitude_in_space(frame):
    """To second order in the angles: halving the turn of the track quarters the error."""
    errors, h = [], 1e-4
    for duration in (0.4, 0.2):
        track = Track(TWISTED, frame=frame)
        distance, speed = 97.0 - 3.0 - 30.0 * 0.4, 30.0
        start = np.zeros(12)
        base, _, _ = base_and_origin(TWISTED, distance + 3.0, frame == Frame.TILTED)
        near = [base_and_origin(TWISTED, distance + 3.0 + d * speed, frame == Frame.TILTED)[0] for d in (-h, h)]
        turning = Rotation.from_matrix(near[0].T @ near[1]).as_rotvec() / (2 * h)
        start[9:12] = -turning  # at rest in space
        end, _ = fly(track, speed, 0.0, duration, start, distance)
        base_end, _, _ = base_and_origin(TWISTED, distance + 3.0 + speed * duration, frame == Frame.TILTED)
        expected = Rotation.from_matrix(base_end.T @ base).as_rotvec()
        errors.append(np.abs(end[3:6] - expected).max())
        assert np.abs(expected).max() > 2e-3 * duration / 0.4
    assert errors[0] < 2e-5
    assert errors[1] < 0.35 * errors[0]


@pytest.mark.parametrize("frame", list(Frame))
@pytest.mark.parametrize("distance", [40.0, 150.0, 240.0])
def test_link_deformations_are_those_of_space(frame, distance):
    """Bodies standing nominally in their frames: vector between the ends of each link, by rotation matrices."""
    model, memory = on_track(Track(TWISTED, frame=frame), 30.0, distance=distance)
    x = np.zeros(len(model.layout.states))
    u = port_deformation(model.system, x, memory, model.mode)
    carbody = base_and_origin(TWISTED, distance, frame == Frame.TILTED)
    for corner, (ahead, aside) in {"front_left": (5.0, 1.0), "rear_right": (-5.0, -1.0)}.items():
        wheelset = base_and_origin(TWISTED, distance + ahead, frame == Frame.TILTED)
        ends = [
            origin + base @ np.array([px, aside, 0.46 + rise])
            for (base, origin, rise), px in ((carbody, ahead), (wheelset, 0.0))
        ]
        expected = carbody[0].T @ (ends[1] - ends[0])
        ports = [model.layout.ports[f"{corner}.{direction}"] for direction in COORDINATES]
        np.testing.assert_allclose(u[ports[:3]], expected, rtol=0, atol=5e-5)
        turn = Rotation.from_matrix(carbody[0].T @ wheelset[0]).as_rotvec()
        np.testing.assert_allclose(u[ports[3:]], turn, rtol=0, atol=2e-5)
        assert np.abs(expected).max() > 4e-3  # what is compared is much larger than the terms dropped


@pytest.mark.parametrize("frame", list(Frame))
def test_link_rates_are_derivatives(frame):
    model, memory = on_track(Track(TWISTED, frame=frame), 30.0, acceleration=-1.0, distance=40.0)
    x = np.zeros(len(model.layout.states))

    def fields(t):
        rates(model, t, x, memory, start_modes(model))
        return link_field(model, PortField.U), link_field(model, PortField.V)

    h = 1e-3
    difference = (fields(0.2 + h)[0] - fields(0.2 - h)[0]) / (2 * h)
    np.testing.assert_allclose(fields(0.2)[1], difference, rtol=0, atol=1e-7)
    assert np.abs(difference).max() > 1e-3


def link_field(model, field):
    """One field of all ports of links, by name."""
    first = int(model.system.i[Head.PORT_STATE]) + 4 * field
    columns = np.array(list(model.layout.ports.values()))
    return model.system.f[first + PORT_ROW * (columns // 4) + columns % 4]


def start_modes(model):
    mode = model.mode.copy()
    for w in range(4):
        at = model.system.i[Head.WHEEL_AT] + 5 * w
        mode[model.system.i[at + 1]] = assembly.state_of_wheel(model.system, w, 0.0)
    return mode


def test_corner_of_a_ramp_changes_relative_rates_only():
    """Passing a corner: roll and lift rates jump with the frame, rates of all links do not."""
    track = Track.curve(1000.0, cant=0.150, transition=100.0, lead_in=50.0)
    model, _ = on_track(track, 30.0, distance=45.0)  # the front wheelset stands on the corner
    x, memory, mode, _ = random_state(model, 2)
    assert list(memory[model.system.i[Head.STAGE] :]) == [0, -1, -1]
    memory[model.system.i[Head.STAGE]] = -1
    rates(model, 0.0, x, memory, mode)
    before, x_before = link_field(model, PortField.V), x.copy()
    assembly.act(0.0, x, memory, mode, model.system, np.zeros(len(model.layout.guards), np.bool_))
    assert list(memory[model.system.i[Head.STAGE] :]) == [0, -1, -1]
    rates(model, 0.0, x, memory, mode)
    np.testing.assert_allclose(link_field(model, PortField.V), before, rtol=0, atol=1e-15)
    change = dict(zip(model.layout.states, x - x_before, strict=True))
    slope = -0.150 / 1.5 / 100.0
    assert change["front_wheelset.roll_dot"] == pytest.approx(-30.0 * slope, rel=1e-12)
    assert change["front_wheelset.z_dot"] == pytest.approx(-30.0 * 0.75 * abs(slope), rel=1e-12)
    assert change["front_wheelset.y_dot"] == pytest.approx(30.0 * slope * 0.46, rel=1e-12)
    assert all(value == 0.0 for name, value in change.items() if not name.startswith("front_wheelset"))


def irregular(amplitude=1.0):
    points = np.arange(41)
    wave = amplitude * 1e-3 * np.sin(2 * np.pi * points / 20.0)
    return Samples(1.0, -20.0, tuple(wave), tuple(0.5 * np.roll(wave, 3)), tuple(0.3 * np.roll(wave, 7)))


def contact_reports(model, x, memory, mode):
    return outputs(model, np.zeros(1), x[None], memory[None], mode[None]).contact[0, :, 0]


def test_wheelset_that_moves_with_the_rails_sees_ideal_rails():
    """Position and rates of the rails under each wheelset added to its own: the contacts cannot tell."""
    ideal, _ = on_track(Track(), 30.0)
    x, memory, mode, _ = random_state(ideal, 4)
    rough, _ = on_track(Track(irregularity=(irregular(), Shift(0.002, at=0.0))), 30.0)
    moved = x.copy()
    stand_on_irregular_rails(rough.system, moved)
    assert np.abs(moved - x).max() > 1e-3
    expected, found = contact_reports(ideal, x, memory, mode), contact_reports(rough, moved, memory, mode)
    # the rails turn by 0.2 mrad about the centre of the track, the wheels by that about their own centre
    depth, creep = Contact.PENETRATION, slice(Contact.CREEP_X, Contact.CREEP_Y + 1)
    np.testing.assert_allclose(found[:, depth], expected[:, depth], rtol=0, atol=1e-8)
    limit = 2e-3 * np.abs(expected[:, Contact.NORMAL]).max()
    np.testing.assert_allclose(found[:, creep], expected[:, creep], rtol=0, atol=limit)


def test_small_irregularities_act_linearly():
    ideal, _ = on_track(Track(), 30.0)
    rest = find_rest(ideal)
    base = rates(ideal, 0.0, rest.x, rest.memory, rest.mode)
    away = []
    for amplitude in (1e-4, 2e-4):
        model, _ = on_track(Track(irregularity=(irregular(amplitude),)), 30.0)
        assembly.prepare(model.system, rest.memory, rest.mode)
        away.append(rates(model, 0.0, rest.x, rest.memory, rest.mode) - base)
    np.testing.assert_allclose(away[1], 2.0 * away[0], rtol=0, atol=2e-3 * np.abs(away[1]).max())
    assert np.abs(away[0]).max() > 1e-3


def test_start_distances_and_stages():
    track = Track.curve(1000.0, cant=0.150, transition=100.0, lead_in=50.0)
    model, memory = on_track(track, 20.0, distance=48.0)
    np.testing.assert_allclose(start_distances(model.system), [53.0, 43.0, 48.0])
    assert list(memory[model.system.i[Head.STAGE] :]) == [0, -1, -1]
    values = alignment_at(model.system, np.array([150.0, 300.0]))
    np.testing.assert_allclose(values[:, Value.CURVATURE], 1e-3)


@pytest.mark.parametrize("frame", list(Frame))
@pytest.mark.parametrize("acceleration", [-1.0, -5.0])
def test_link_accelerations_are_second_derivatives(frame, acceleration):
    """Two bodies in two stages, every term: a contact that rests on bent track drifts by what is left out."""
    model, memory = on_track(Track(TWISTED, frame=frame), 30.0, acceleration=acceleration, distance=97.0)
    x = np.zeros(len(model.layout.states))

    def offsets(t, field):
        rates(model, t, x, memory, start_modes(model))
        return link_field(model, field)

    h = 1e-4
    difference = (offsets(0.05 + h, PortField.V_TRACK) - offsets(0.05 - h, PortField.V_TRACK)) / (2 * h)
    np.testing.assert_allclose(offsets(0.05, PortField.A_TRACK), difference, rtol=0, atol=1e-9)
    assert np.abs(difference).max() > 2e-3
