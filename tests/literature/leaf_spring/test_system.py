"""Mass on a leaf spring: closed loops, energy, rest, small motions, the differential form as a second method."""

from dataclasses import replace
from math import exp, pi, sqrt

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from klingel._errors import InputError
from klingel.elements.leaf_spring import PARABOLIC, TRANSITIONS, TRAPEZOIDAL, Mode, Reading
from klingel.elements.leaf_spring_envelope import envelope_along
from klingel.elements.leaf_spring_law import simplified, slope, static_force
from klingel.literature.leaf_spring.system import (
    GRAVITY,
    dynamic_stiffness,
    force_along,
    loop_energy,
    mass_on_leaf_spring,
    moved_leaf_spring,
    static_stiffness,
)
from klingel.numerics.integrate import integrate

SPRINGS = {"trapezoidal": TRAPEZOIDAL, "parabolic": PARABOLIC}
MEAN = {"trapezoidal": 0.090, "parabolic": 0.080}
CASES = [(name, mass, reading) for name in SPRINGS for mass in (3000.0, 7500.0) for reading in Reading]


def _run(name, mass, reading, duration=6.0, **options):
    problem, x0 = mass_on_leaf_spring(replace(SPRINGS[name], reading=reading), mass)
    return integrate(problem, x0, duration, **{"rtol": 1e-9, "atol": 1e-11, **options})


@pytest.mark.parametrize("name", SPRINGS)
@pytest.mark.parametrize("amplitude", [0.020, 0.0732])
def test_moved_spring_closes_its_loop_inside_the_envelopes(name, amplitude):
    spring, mean = SPRINGS[name], MEAN[name]
    problem, x0 = moved_leaf_spring(spring, amplitude, mean)
    run = integrate(problem, x0, 3.25, rtol=1e-12, atol=1e-14, redo_events=True, output_step=1 / 128)
    lost = run["work"][416] - run["work"][288]
    assert lost == pytest.approx(loop_energy(spring, mean - amplitude, mean + amplitude), rel=1e-9)
    z = run["compression"]
    assert z == pytest.approx(mean + amplitude * np.sin(2 * pi * run.t), abs=1e-9)
    force = force_along(z, run.memory)
    assert force[416] == pytest.approx(force[288], rel=1e-9)
    assert np.all(force <= envelope_along(spring, z, 1.0))
    assert np.all(force >= envelope_along(spring, z, -1.0))


def test_loop_energy_of_one_stage_by_closing_the_two_branches():
    """Two constants from two conditions, F_loading = F_unloading at both ends; then the area in closed form."""
    s, low, high = TRAPEZOIDAL, 0.05, 0.09
    c, mu, beta, span = s.stiffness, s.friction, s.decay, high - low
    fade = exp(-span / beta)

    def gap(z):
        return 2 * (mu * c * z + s.residual - c * beta)

    # loading C exp(-(z - low)/beta), unloading D exp((z - high)/beta)
    C, D = np.linalg.solve([[1.0, -fade], [fade, -1.0]], [-gap(low), -gap(high)])
    area = 0.5 * (gap(low) + gap(high)) * span + (C - D) * beta * (1 - fade)
    assert loop_energy(s, low, high) == pytest.approx(area, rel=1e-12)


@pytest.mark.parametrize(("name", "mass", "reading"), CASES)
def test_energy_balance_and_only_allowed_transitions(name, mass, reading):
    run = _run(name, mass, reading)
    balance = 0.5 * mass * run["speed"] ** 2 - mass * GRAVITY * run["compression"] + run["work"]
    assert np.max(np.abs(balance)) < 1e-6 * mass * GRAVITY * 0.05
    allowed = {(old, guard, new) for old, guard, new in TRANSITIONS}
    seen = {(Mode[e.old], e.guard.partition(".")[2].upper(), Mode[e.new]) for e in run.events}
    assert seen
    assert seen <= allowed


@pytest.mark.parametrize(("name", "mass", "reading"), CASES)
def test_mass_swings_less_and_less_and_rests_where_the_spring_carries_it(name, mass, reading):
    run = _run(name, mass, reading, output_step=1e-3)
    spring, load = SPRINGS[name], mass * GRAVITY
    z = run["compression"]
    inner = z[1:-1]
    tops = inner[(inner >= z[:-2]) & (inner > z[2:])]
    assert np.all(np.diff(tops) < 1e-5)
    last = run.t > 5.0
    assert run.mode[last][0, 0] == Mode.AUTO
    assert np.mean(force_along(z[last], run.memory[last])) == pytest.approx(load, rel=0.02)
    stage = 1.0 if spring.static_deflection(load) > spring.second_leaf else 0.0
    off = static_force(stage, float(np.mean(z[last])), spring.law) - load
    assert abs(off) <= spring.near_equilibrium


def test_two_masses_rest_on_different_stages_of_the_parabolic_spring():
    ends = [_run("parabolic", mass, Reading.FULL)["compression"][-1] for mass in (3000.0, 7500.0)]
    assert ends[0] < PARABOLIC.second_leaf < ends[1]
    assert ends == pytest.approx([0.04528, 0.08086], abs=5e-4)  # load / c_h and z* + load / c_z


def _swings(run):
    """Half the distance between neighbouring turning points, in order; z is drawn on a fine grid."""
    z, speed = run["compression"], run["speed"]
    turns = np.flatnonzero(speed[:-1] * speed[1:] < 0)
    return turns, 0.5 * np.abs(np.diff(z[turns]))


def test_small_motions_linger_undamped_or_weakly_damped():
    plain, full = (_run("trapezoidal", 7500.0, reading, 8.0, output_step=1e-4) for reading in Reading)
    swings = _swings(plain)[1][-20:]
    assert np.ptp(swings) < 1e-5 * swings[0]  # in AUTO the printed law is a function of z alone
    swings = _swings(full)[1]
    loss = 1 - swings[2::2] / swings[:-2:2]  # per cycle
    assert np.all(np.diff(loss[-10:]) < 0)  # ever weaker, where viscous damping would keep its share
    assert 0 < loss[-1] < 0.2 * np.max(loss[:3])


def test_frequency_of_small_motions_is_that_of_the_dynamic_stiffness():
    mass = 7500.0
    spring = TRAPEZOIDAL
    rest = spring.static_deflection(mass * GRAVITY)
    problem, x0 = mass_on_leaf_spring(spring, mass, rest - 1e-6)
    run = integrate(problem, x0, 5.0, rtol=1e-10, atol=1e-14, output_step=1e-4)
    speed, t = run["speed"], run.t
    up = np.flatnonzero((speed[:-1] < 0) & (speed[1:] >= 0))
    crossings = t[up] - speed[up] * (t[up + 1] - t[up]) / (speed[up + 1] - speed[up])
    frequency = (len(crossings) - 1) / (crossings[-1] - crossings[0])
    assert frequency == pytest.approx(sqrt(dynamic_stiffness(spring, mass * GRAVITY) / mass) / (2 * pi), rel=1e-3)


def test_weak_damping_is_the_area_of_small_loops():
    """Swing energy lost from one turning point to the next but one, against the closed loop of that size."""
    mass = 7500.0
    run = _run("trapezoidal", mass, Reading.FULL, 6.0, rtol=1e-11, atol=1e-13, output_step=1e-4)
    turns, swings = _swings(run)
    z = run["compression"][turns]
    stiffness = dynamic_stiffness(TRAPEZOIDAL, mass * GRAVITY)
    lost = 0.5 * stiffness * (swings[-3] ** 2 - swings[-1] ** 2)
    low, high = sorted([0.5 * (z[-4] + z[-2]), z[-3]])
    assert lost == pytest.approx(loop_energy(TRAPEZOIDAL, low, high), rel=0.1)


def _differential_form(spring, mass, times):
    """Force as a third state, SciPy between events, the modes by hand: [z, v, F] at `times`."""
    law = spring.law
    c, shift, where = law.stiffness, 0.0, 1.0
    state, t, auto = np.array([0.0, 0.0, 0.0]), 0.0, False
    rows = []
    while t < times[-1]:

        def rhs(_, x, c=c, shift=shift, where=where, auto=auto):
            line = c * (x[0] - shift)
            half = law.friction * line + law.residual
            pull = half if auto else line + where * half - x[2]
            rate = x[1] * pull / law.decay if auto else abs(x[1]) * pull / law.decay
            return [x[1], GRAVITY - x[2] / mass, rate]

        stops = [lambda _, x: x[0] - law.second_leaf]
        if auto:
            stops.append(lambda _, x, c=c, s=shift: abs(c * (x[0] - s) - x[2]) - law.near_equilibrium)
        else:
            stops.append(lambda s, x, t=t, where=where: x[1] if s > t + 1e-6 else where)
        for stop in stops:
            stop.terminal = True
        stops[0].direction = 1.0 if shift == 0.0 else -1.0
        part = solve_ivp(
            rhs,
            (t, times[-1]),
            state,
            "DOP853",
            rtol=3e-13,
            atol=1e-14,
            events=stops,
            dense_output=True,
            max_step=0.02,
        )
        inside = times[(times >= t) & (times <= part.t[-1])]
        rows += [(s, *part.sol(s)) for s in inside]
        t, state = part.t[-1], part.y[:, -1]
        if part.status != 1:
            break
        if len(part.t_events[0]):
            upper = shift == 0.0
            c, shift = (law.stiffness_second, law.z_star) if upper else (law.stiffness, 0.0)
            where, auto = (1.0 if upper else -1.0), False
        elif auto:
            where, auto = np.sign(state[1]), False
        else:
            where = -where
            auto = (
                spring.reading == Reading.SIMPLIFIED
                and abs(c * (state[0] - shift) - state[2]) < law.near_equilibrium
            )
    return np.array(rows)


@pytest.mark.parametrize(("name", "mass", "reading"), CASES)
def test_differential_form_gives_the_same_motion(name, mass, reading):
    spring = replace(SPRINGS[name], reading=reading)
    problem, x0 = mass_on_leaf_spring(spring, mass)
    run = integrate(problem, x0, 2.0, rtol=1e-11, atol=1e-13, redo_events=True, output_step=0.01)
    other = _differential_form(spring, mass, run.t)
    rows = np.searchsorted(run.t, other[:, 0])
    assert len(np.unique(rows)) == len(run.t)
    apart = 1e-10 if reading is Reading.SIMPLIFIED else 1e-8  # soft turning points follow the interpolant
    assert np.max(np.abs(other[:, 1] - run["compression"][rows])) < apart
    force = force_along(run["compression"], run.memory)[rows]
    assert np.max(np.abs(other[:, 3] - force)) < apart * 1e7  # [N], with a stiffness below 1e7 N/m


def test_dynamic_stiffness_is_the_slope_of_the_near_rest_branch():
    for spring in SPRINGS.values():
        for load in (3000 * GRAVITY, 7500 * GRAVITY):
            z = spring.static_deflection(load)
            stage = 1.0 if z > spring.second_leaf else 0.0
            branch = simplified(stage, z, load, spring.law)
            assert dynamic_stiffness(spring, load) == pytest.approx(slope(branch, z), rel=1e-12)


def test_dynamic_stiffness_factor_of_the_trapezoidal_spring_is_about_five_when_loaded():
    """Printed: "about 5", without a load; 41 176 kg is the loaded carbody of the thesis, on four springs."""
    load = 41176.0 * GRAVITY / 4
    assert dynamic_stiffness(TRAPEZOIDAL, load) / static_stiffness(TRAPEZOIDAL, load) == pytest.approx(5, abs=0.5)


@pytest.mark.parametrize(
    ("call", "field"),
    [
        (lambda: mass_on_leaf_spring(TRAPEZOIDAL, -1.0), "mass"),
        (lambda: moved_leaf_spring(TRAPEZOIDAL, 0.0, 0.1), "amplitude"),
    ],
)
def test_bad_numbers_are_named(call, field):
    with pytest.raises(InputError, match=field):
        call()
