"""Leaf spring: closed forms against the differential law, envelopes, energy, state machine."""

import itertools
from dataclasses import replace
from math import acos, cos, exp, pi, sin

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

from klingel._errors import InputError
from klingel.elements import leaf_spring
from klingel.elements.leaf_spring import (
    PARABOLIC,
    TRANSITIONS,
    TRAPEZOIDAL,
    Guard,
    LeafSpring,
    Mode,
    Reading,
)

SCAN = 12  # probes of a leg for the near-equilibrium limit, whose margin is monotone along a branch


def walk(spring, turns, mode, branch, speed=1.0):
    """Exact walk along straight runs: legs (mode, branch, z begin, z end, v) and the final (mode, branch)."""
    law, legs = spring.law, []
    for begin, end in itertools.pairwise(turns):
        v, z = (speed if end > begin else -speed), begin
        mode, branch = leaf_spring.settle(mode, branch, z, v, law)
        while z != end:
            stop, guard = next_event(spring, mode, branch, z, end, v)
            legs.append((Mode(mode), branch, z, stop, v))
            assert len(legs) < 20 * len(turns)
            z = stop
            if guard is not None:
                mode, branch = leaf_spring.leave(mode, guard, branch, z, v, law)
    return legs, Mode(mode), branch


def next_event(spring, mode, branch, z, end, v):
    """First point towards `end` where the mode ends, and the guard it ends at."""
    law, stop, guard = spring.law, end, None
    margins = leaf_spring.guards(mode, branch, z, v, law)
    z0 = law.second_leaf
    outwards = v < 0.0 if branch.stage > 0.5 else v > 0.0
    if margins[Guard.SECOND_LEAF] < np.inf and outwards and (end - z0) * v > 0.0:
        stop, guard = z0, Guard.SECOND_LEAF
    if margins[Guard.LIMIT] < np.inf:
        points = np.linspace(z, stop, SCAN)
        values = [leaf_spring.guards(mode, branch, p, v, law)[Guard.LIMIT] for p in points]
        for a, b, fa, fb in zip(points[:-1], points[1:], values[:-1], values[1:], strict=True):
            if fa > 0.0 >= fb:
                root = brentq(lambda s: leaf_spring.guards(mode, branch, s, v, law)[Guard.LIMIT], a, b, xtol=1e-17)
                return root, Guard.LIMIT
    return stop, guard


def work(legs):
    """Work put into the spring, from the closed form of each branch."""
    total = 0.0
    for _, b, begin, end, _ in legs:
        g, h = begin - b.z_ref, end - b.z_ref
        total += b.f0 * (h - g) + b.f1 * (h**2 - g**2) / 2 + b.f2 * (h**3 - g**3) / 3
        if b.kappa != 0.0:
            total += b.amplitude / b.kappa * (exp(b.kappa * h) - exp(b.kappa * g))
    return total


def static(spring, z):
    return spring.stiffness * z if z <= spring.second_leaf else spring.stiffness_second * (z - spring.z_star)


def half_width(spring, z):
    return spring.friction * static(spring, z) + spring.residual


@st.composite
def histories(draw, springs=(TRAPEZOIDAL, PARABOLIC)):
    """A spring, a start force inside the envelopes, and turning points of the compression."""
    spring = replace(draw(st.sampled_from(springs)), reading=draw(st.sampled_from(list(Reading))))
    turns = [draw(st.floats(0.01, 0.12))]
    for step in draw(st.lists(st.floats(1e-4, 0.05), min_size=1, max_size=6)):
        up = len(turns) % 2 == 1
        turns.append(min(turns[-1] + step, 0.13) if up else max(turns[-1] - step, 0.001))
    # a start on the corner itself may belong to either stage
    turns[0] += 1e-5 if abs(turns[0] - spring.second_leaf) < 1e-6 else 0.0
    force = static(spring, turns[0]) + draw(st.floats(-0.95, 0.95)) * half_width(spring, turns[0])
    return spring, turns, force


def start(spring, turns, force):
    return leaf_spring.start(turns[0], turns[1] - turns[0], force, spring.law)


@settings(deadline=None, max_examples=60)
@given(histories())
def test_force_stays_inside_the_envelopes_and_is_continuous(history):
    spring, turns, force = history
    legs, _, _ = walk(spring, turns, *start(spring, turns, force))
    before = force
    for _, branch, begin, end, _ in legs:
        assert leaf_spring.force(branch, begin) == pytest.approx(before, abs=1e-9 * spring.residual)
        for z in np.linspace(begin, end, 4):
            off = leaf_spring.force(branch, z) - static(spring, z)
            assert abs(off) <= half_width(spring, z) * (1 + 1e-9)
        before = leaf_spring.force(branch, end)


@settings(deadline=None, max_examples=30)
@given(histories(), st.floats(1e-6, 1e6))
def test_path_does_not_depend_on_speed(history, speed):
    spring, turns, force = history
    begin = start(spring, turns, force)
    slow, fast = walk(spring, turns, *begin), walk(spring, turns, *begin, speed)
    assert [leg[:4] for leg in slow[0]] == [leg[:4] for leg in fast[0]]
    assert slow[1:] == fast[1:]


def smooth_parts(a, b, z0, duration):
    """A half sine wave from a to b as time intervals that z0 does not lie inside."""
    cuts = [0.0, duration]
    if min(a, b) < z0 < max(a, b):
        cuts.insert(1, duration / pi * acos((z0 - 0.5 * (a + b)) / (0.5 * (a - b))))
    return list(itertools.pairwise(cuts))


def integrate_rate(spring, turns, force, duration):
    """Force at each turning point from the differential forms, near equilibrium per reading."""
    law, forces = spring.law, []
    near = spring.reading == Reading.SIMPLIFIED and abs(static(spring, turns[0]) - force) < spring.near_equilibrium
    for a, b in itertools.pairwise(turns):

        def z(t, a=a, b=b):
            return 0.5 * (a + b) + 0.5 * (a - b) * cos(pi * t / duration)

        def v(t, a=a, b=b):
            return 0.5 * (b - a) * pi / duration * sin(pi * t / duration)

        for part, (begin, end) in enumerate(smooth_parts(a, b, spring.second_leaf, duration)):
            near = near and part == 0
            # inside a part the stage is that of its middle: the corner itself belongs to both
            inside = z(0.5 * (begin + end))
            bound = min if inside < spring.second_leaf else max
            while begin < end:

                def slope(t, f, near=near, bound=bound, z=z, v=v):
                    at = (
                        bound(z(t), spring.second_leaf)
                        if bound is min
                        else max(z(t), np.nextafter(law.second_leaf, 1))
                    )
                    rate = leaf_spring.rate_simplified(at, v(t), law) if near else 0.0
                    return [rate if near else leaf_spring.rate(at, v(t), f[0], law)]

                def limit(t, f, near=near, z=z):
                    return law.near_equilibrium - abs(static(spring, z(t)) - f[0]) if near else 1.0

                limit.terminal, limit.direction = True, -1.0
                run = solve_ivp(slope, (begin, end), [force], method="DOP853", rtol=1e-12, atol=1e-9, events=limit)
                force, begin, near = run.y[0, -1], run.t[-1], near and run.status == 0
        forces.append(force)
        if spring.reading == Reading.SIMPLIFIED and not near:
            near = abs(static(spring, b) - force) < spring.near_equilibrium
    return forces


@settings(deadline=None, max_examples=12)
@given(histories(), st.floats(1e-2, 1e2))
def test_agrees_with_the_differential_form(history, duration):
    spring, turns, force = history
    turns = turns[:4]
    expected = integrate_rate(spring, turns, force, duration)
    begin = start(spring, turns, force)
    for i, value in enumerate(expected, 2):
        _, _, branch = walk(spring, turns[:i], *begin)
        got = leaf_spring.force(branch, turns[i - 1])
        assert got == pytest.approx(value, abs=1e-9 * half_width(spring, turns[i - 1]))


@settings(deadline=None, max_examples=60)
@given(histories())
def test_closed_loops_never_create_energy(history):
    """Round after round until force and deformation close; the last round dissipates."""
    spring, turns, force = history
    loop = [*turns, *turns[-2::-1]] if len(turns) < 3 else [*turns, turns[0]]
    if (loop[-1] - loop[-2]) * (loop[-2] - loop[-3]) > 0.0:
        del loop[-2]
    mode, branch = start(spring, loop, force)
    for _ in range(30):
        legs, mode, branch = walk(spring, loop, mode, branch)
    first = leaf_spring.force(legs[0][1], loop[0])
    last = leaf_spring.force(branch, loop[0])
    if abs(first - last) < 1e-9 * spring.residual:
        assert work(legs) >= -1e-9 * spring.residual * spring.decay


@settings(deadline=None, max_examples=60)
@given(
    histories(springs=(TRAPEZOIDAL, replace(TRAPEZOIDAL, residual=3500.0), replace(PARABOLIC, second_leaf=np.inf)))
)
def test_storage_function_bounds_the_work(history):
    """c z^2/2 + e^2/(2 g), e = F - c z, g = G/beta - c: nothing gives out more than is stored."""
    spring, turns, force = history
    spring = replace(spring, reading=Reading.FULL)

    def stored(z, f):
        stiffening = half_width(spring, z) / spring.decay - spring.stiffness
        return 0.5 * spring.stiffness * z**2 + 0.5 * (f - static(spring, z)) ** 2 / stiffening

    legs, _, _ = walk(spring, turns, *start(spring, turns, force))
    for leg in legs:
        begin, end = (stored(z, leaf_spring.force(leg[1], z)) for z in leg[2:4])
        assert work([leg]) - (end - begin) >= -1e-9 * spring.residual * spring.decay


def test_steady_loop_dissipates_and_is_dynamically_stiffer():
    """Harmonic loops about the static deflection of 7500 kg: the small one is about five times as stiff."""
    spring = replace(TRAPEZOIDAL, reading=Reading.FULL)
    rest = spring.static_deflection(7500.0 * 9.81)
    stiffness = {}
    for amplitude in (1e-5, 20e-3):
        loop = [rest - amplitude, rest + amplitude, rest - amplitude]
        mode, branch = start(spring, loop, static(spring, loop[0]))
        for _ in range(200 if amplitude < 1e-3 else 5):
            legs, mode, branch = walk(spring, loop, mode, branch)
        top = leaf_spring.force(legs[0][1], loop[1])
        stiffness[amplitude] = (top - leaf_spring.force(branch, loop[0])) / (2 * amplitude)
        assert work(legs) > 0.0
    dynamic = half_width(spring, rest) / spring.decay
    assert stiffness[1e-5] == pytest.approx(dynamic, rel=1e-3)
    assert 4.0 < dynamic / spring.stiffness < 5.0


def test_branches_tend_to_the_shifted_envelopes():
    law = TRAPEZOIDAL.law
    for direction, z in ((1.0, 0.2), (-1.0, 0.01)):
        mode, branch = leaf_spring.start(0.1, direction, 1.1e5 + direction * 6e3, law)
        lag = direction * (1.0 + direction * law.friction) * law.stiffness * law.decay
        expected = leaf_spring.envelope(direction, 0.0, z, law) - lag
        assert leaf_spring.force(branch, z) == pytest.approx(expected, rel=1e-9)
        assert mode == (Mode.LOADING_H if direction > 0 else Mode.UNLOADING_H)
        step = 1e-6
        secant = (leaf_spring.force(branch, 0.1 + step) - leaf_spring.force(branch, 0.1 - step)) / (2 * step)
        assert leaf_spring.slope(branch, 0.1) == pytest.approx(secant, rel=1e-6)


def reach(mode, name, following):
    """A spring, branch, z, v at which `mode` meets its guard and goes to `following`."""
    law = PARABOLIC.law
    stage = 1.0 if following in (Mode.LOADING_HZ, Mode.UNLOADING_HZ) else 0.0
    v = 0.1 if following in (Mode.LOADING_H, Mode.LOADING_HZ) else -0.1
    if name == "SECOND_LEAF":
        stage = 1.0 - stage
        z, off = law.second_leaf, (0.0 if mode == Mode.AUTO else 6e3)
    else:
        stage = {Mode.AUTO: stage, Mode.LOADING_HZ: 1.0, Mode.UNLOADING_HZ: 1.0}.get(mode, 0.0)
        z = 0.03 if stage == 0.0 else 0.08
        off = 1e3 if following == Mode.AUTO else (5e3 if mode == Mode.AUTO else 6e3)
        v = 0.0 if name == "TURN" else v
    force = static(PARABOLIC, z) + off
    if mode == Mode.AUTO:
        return leaf_spring.simplified(stage, z, force, law), z, v
    direction = 1.0 if mode in (Mode.LOADING_H, Mode.LOADING_HZ) else -1.0
    return leaf_spring.directed(direction, stage, z, force, law), z, v


@pytest.mark.parametrize(("mode", "name", "following"), TRANSITIONS)
def test_transition_table(mode, name, following):
    """The guard vanishes, the next mode is another one, and the force is continuous."""
    law = PARABOLIC.law
    branch, z, v = reach(mode, name, following)
    assert leaf_spring.guards(mode, branch, z, v, law)[Guard[name]] == pytest.approx(0.0, abs=1e-9)
    after, new = leaf_spring.leave(mode, Guard[name], branch, z, v, law)
    assert after == following != mode
    assert leaf_spring.force(new, z) == pytest.approx(leaf_spring.force(branch, z), rel=1e-12)


def test_guards_armed_are_those_of_the_table():
    law = PARABOLIC.law
    armed = set()
    for mode in Mode:
        stage = 1.0 if mode in (Mode.LOADING_HZ, Mode.UNLOADING_HZ) else 0.0
        z = 0.08 if stage else 0.03
        v = 0.1 if mode in (Mode.LOADING_H, Mode.LOADING_HZ) else -0.1
        branch = leaf_spring.directed(np.sign(v), stage, z, static(PARABOLIC, z), law)
        margins = leaf_spring.guards(mode, branch, z, v, law)
        assert min(margins) > 0.0
        armed |= {(mode, Guard(i).name) for i, m in enumerate(margins) if np.isfinite(m)}
        written = np.zeros(4)
        leaf_spring.write_guards(mode, branch, z, v, law, written, 1)
        assert tuple(written[1:]) == margins
    assert armed == {(mode, name) for mode, name, _ in TRANSITIONS}


@settings(deadline=None, max_examples=60)
@given(histories(), st.booleans())
def test_consistency_after_an_impact(history, rising):
    """Whatever the rate jumps to, the force does not jump and all guards hold afterwards."""
    spring, turns, force = history
    _, mode, branch = walk(spring, turns, *start(spring, turns, force))
    z, v = turns[-1], 0.2 if rising else -0.2
    after, new = leaf_spring.settle(mode, branch, z, v, spring.law)
    assert leaf_spring.force(new, z) == pytest.approx(leaf_spring.force(branch, z), rel=1e-12)
    assert min(leaf_spring.guards(after, new, z, v, spring.law)) >= 0.0
    if after == Mode.AUTO and spring.reading == Reading.FULL:
        assert new.kappa * v < 0.0


@settings(deadline=None, max_examples=100)
@given(st.floats(0.05, 0.95), st.floats(-1.0, 1.0), st.sampled_from([1.0, -1.0]))
def test_soft_turning_point_equals_a_located_one(s, skew, direction):
    """z a quartic of the step with one turning point at s: the reference moves there."""
    law = replace(TRAPEZOIDAL, reading=Reading.FULL).law
    # v = (s - r) (1 + skew r^2 / 2) falls through zero at r = s only
    v_shape = 1e-3 * direction * np.array([-1.0, 0.5 * skew * s, -0.5 * skew])
    v = 1e-3 * direction * s
    z_shape = np.concatenate([[v], v_shape / np.arange(2, 5)])
    z = 0.06
    turn = z + sum(c * s ** (k + 1) for k, c in enumerate(z_shape))
    mode, branch = leaf_spring.start(z, direction, static(TRAPEZOIDAL, z) + 500.0, law)
    changed, new = leaf_spring.after_step(mode, branch, z, v, z_shape, v_shape, law)
    _, located = leaf_spring.settle(mode, branch, turn, -direction, law)
    assert changed == 1
    assert new.z_ref == pytest.approx(turn, abs=1e-15)
    assert tuple(new) == pytest.approx(tuple(located), rel=1e-9)
    assert leaf_spring.after_step(mode, new, z, v, z_shape, v_shape, law) == (0, new)


def test_soft_update_leaves_other_modes_and_readings_alone():
    v_shape, z_shape = np.array([-2e-3]), np.array([1e-3, -1e-3])
    for reading, offset in ((Reading.SIMPLIFIED, 0.0), (Reading.FULL, 6e3)):
        law = replace(TRAPEZOIDAL, reading=reading).law
        mode, branch = leaf_spring.start(0.06, 1.0, static(TRAPEZOIDAL, 0.06) + offset, law)
        assert leaf_spring.after_step(mode, branch, 0.06, 1e-3, z_shape, v_shape, law) == (0, branch)


def drop(spring, mass, height):
    """Modes of a mass released `height` above its rest position, the spring force c z at first."""
    law, gravity = spring.law, 9.81
    z = spring.static_deflection(mass * gravity) - height
    mode, branch = Mode.LOADING_H, leaf_spring.directed(1.0, 0.0, z, static(spring, z), law)
    x, t, modes = [z, 0.0], 0.0, [Mode.LOADING_H]
    while t < 5.0:

        def slope(t, x, branch=branch):
            return [x[1], gravity - leaf_spring.force(branch, x[0]) / mass]

        events = []
        for guard in Guard:

            def margin(t, x, guard=guard, mode=mode, branch=branch):
                return min(leaf_spring.guards(mode, branch, x[0], x[1], law)[guard], 1.0)

            margin.terminal, margin.direction = True, -1.0
            events.append(margin)
        run = solve_ivp(slope, (t, 5.0), x, method="DOP853", rtol=1e-9, atol=1e-12, events=events)
        t, x = run.t[-1], run.y[:, -1]
        for guard in Guard:
            if len(run.t_events[guard]):
                mode, branch = leaf_spring.leave(mode, guard, branch, x[0], x[1], law)
                modes.append(Mode(mode))
    return modes


@pytest.mark.parametrize("height", [0.045, 0.055])
def test_published_sequence_of_states(height):
    """Figure 5.40: carbody of the empty Hbbills 311, 15176 kg on four springs, pulled up and let go."""
    assert drop(PARABOLIC, 15176.0 / 4, height) == [1, 2, 3, 4, 1, 4, 0, 1, 4, 0]


def test_parameters_travel_through_flat_arrays():
    packed = np.concatenate([[0.0], PARABOLIC.pack()])
    assert packed.size == 1 + leaf_spring.LAW_SIZE
    assert leaf_spring.read_law(packed, 1) == PARABOLIC.law
    _, branch = leaf_spring.start(0.03, 1.0, 3e4, PARABOLIC.law)
    memory = np.zeros(2 + leaf_spring.BRANCH_SIZE)
    leaf_spring.write_branch(branch, memory, 2)
    assert leaf_spring.read_branch(memory, 2) == branch


def test_second_stage_begins_at_z0():
    assert PARABOLIC.z_star == pytest.approx((1 - 0.65 / 1.82) * 62.9e-3, rel=1e-14)
    assert TRAPEZOIDAL.z_star == 0.0
    for load in (20e3, 40.885e3, 70e3):
        assert static(PARABOLIC, PARABOLIC.static_deflection(load)) == pytest.approx(load, rel=1e-12)
    law = PARABOLIC.law
    below, above = (leaf_spring.rate(law.second_leaf * f, 1.0, 4e4, law) for f in (1 - 1e-12, 1 + 1e-12))
    assert below == pytest.approx(above, rel=1e-9)


@pytest.mark.parametrize(
    ("field", "value"),
    [("stiffness", 0.0), ("friction", 1.0), ("second_leaf", 0.0), ("decay", np.nan), ("residual", 3e3)],
)
def test_refuses_bad_parameters(field, value):
    """The last one would make the spring softer dynamically than statically: energy from small loops."""
    with pytest.raises(InputError) as error:
        replace(TRAPEZOIDAL, **{field: value})
    assert error.value.field == field


def test_energy_condition_is_sharp():
    """Below the bound a loop of the full law does create energy: the check is not a formality."""
    bad = object.__new__(LeafSpring)
    values = {**TRAPEZOIDAL.__dict__, "residual": 2e3, "friction": 0.0, "reading": Reading.FULL}
    bad.__dict__.update(values)
    loop = [0.06 - 1e-3, 0.06 + 1e-3, 0.06 - 1e-3]
    mode, branch = leaf_spring.start(loop[0], 1.0, static(bad, loop[0]), bad.law)
    for _ in range(50):
        legs, mode, branch = walk(bad, loop, mode, branch)
    assert work(legs) < 0.0
