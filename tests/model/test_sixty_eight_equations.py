"""The engine (32 equations, exact branches) against Hoffmann's form (68 equations, forces as states).

Two codes, one contact table: same right-hand side to rounding, same events, same motion. The 68-equation form has
the friction and leaf forces under error control, so both must be integrated tightly to compare.
"""

from itertools import pairwise

import numpy as np
import pytest

from klingel.io.vehicle.files import load_vehicle
from klingel.model import assembly
from klingel.model.problem import displaced, vehicle_problem
from klingel.model.standing.equilibrium import find_rest
from klingel.numerics.integrate import integrate
from tests.model import hoffmann68, hoffmann68_start
from tests.model.wagon import compiled, contact_tables

WHEELSETS = ("front_wheelset", "rear_wheelset")
POSITIONS = [f"{body}.{c}" for body in WHEELSETS for c in ("x", "y", "z", "roll", "yaw")]
POSITIONS += [f"carbody.{c}" for c in ("y", "z", "roll", "pitch", "yaw")]
RATES = [f"{body}.{c}_dot" for body in WHEELSETS for c in ("x", "y", "z", "roll", "yaw", "spin")]
RATES += [f"carbody.{c}_dot" for c in ("y", "z", "roll", "pitch", "yaw")]


def two_forms(speed, inclination, kick, acceleration=0.0, links="PTP"):
    """Problem, start state and order of the states of both forms."""
    model = compiled(speed, acceleration, inclination=inclination, links=links)
    rest = find_rest(model)
    x, mode = displaced(model, rest, kick)
    order = [model.layout.state(name) for name in (*POSITIONS, *RATES)]
    wagon = load_vehicle("hbbills311", links=links).meta["parameters"]
    p = hoffmann68_start.parameters(wagon, contact_tables(inclination)[0], speed, acceleration)
    y, mode68 = hoffmann68_start.start(p, rest.x[order], x[order])
    hoffmann68_start.close_bands(model, mode, mode68)
    return vehicle_problem(model, rest.memory, mode), x, hoffmann68.wagon68(p, mode68), y, order


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("links", ["PTP", "ASZ", "MP"])
def test_right_hand_sides_agree(seed, links):
    """Random small motions, flange contact, overlaps and braking included; sliders stuck, leaves at rest."""
    rng = np.random.default_rng(seed)
    kick = {name: size for name, size in zip(RATES, 1e-2 * rng.normal(size=len(RATES)), strict=True)}
    kick |= {"front_wheelset.y": (2e-3, 6.6e-3, -6.8e-3, 0.0)[seed], "rear_wheelset.y": -1e-3 * seed}
    kick |= {"front_wheelset.yaw": 2e-3, "carbody.y": 3e-3, "carbody.yaw": -1e-3, "rear_wheelset.x": 1e-3}
    problem, x, problem68, y, order = two_forms(30.0, 1 / 40, kick, -1.0, links)
    dx, dy = np.zeros(32), np.zeros(68)
    assert assembly.rhs(0.1, x, problem.memory, problem.mode, problem.parameters, dx) == 0
    hoffmann68.rhs(0.1, y, problem68.memory.copy(), problem68.mode, problem68.parameters, dy)
    np.testing.assert_allclose(dy[:32], dx[order], rtol=0, atol=1e-12 * max(np.abs(dx).max(), 1e3))


def repeats(t, y):
    """Largest change of y from one of its last three periods to the next, as a part of its amplitude."""
    middle = 0.5 * (y.max() + y.min())
    ups = np.flatnonzero((y[:-1] < middle) & (y[1:] >= middle))[-4:]
    crossings = [t[k] + (middle - y[k]) * (t[k + 1] - t[k]) / (y[k + 1] - y[k]) for k in ups]
    loops = [np.interp(np.linspace(a, b, 200), t, y) for a, b in pairwise(crossings)]
    return np.abs(np.diff(loops, axis=0)).max() / np.ptp(y)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("speed", "inclination", "kick", "before"),
    [
        (20.0, 1 / 40, {"front_wheelset.y": 1e-3, "carbody.y": 1e-3}, 0.1),
        (25.0, 1 / 30, {"front_wheelset.y": 5e-3, "front_wheelset.yaw": 1e-3, "rear_wheelset.y": -5e-3}, 25.0),
        (50.0, 1 / 20, {"front_wheelset.y": 5e-3, "front_wheelset.yaw": 1e-3, "rear_wheelset.y": -5e-3}, 25.0),
    ],
    ids=["quiet", "periodic", "flange to flange"],
)
def test_both_forms_move_alike(speed, inclination, kick, before):
    """5 s from a settled motion: 1e-7 m is asked, tight integration reaches 1e-9 m; the events are the same."""
    model = compiled(speed, inclination=inclination)
    wagon = load_vehicle("hbbills311").meta["parameters"]
    rest = find_rest(model)
    x, mode = displaced(model, rest, kick)
    settled = integrate(vehicle_problem(model, rest.memory, mode), x, before, atol=1e-8, output_step=before)
    left = contact_tables(inclination)[0]
    p = hoffmann68_start.parameters(wagon, left, speed)
    order = [model.layout.state(name) for name in (*POSITIONS, *RATES)]
    y, mode68 = hoffmann68_start.from_run(model, wagon, settled, order, left.bounds.size - 1)
    problem = vehicle_problem(model, settled.memory[-1], settled.mode[-1])
    options = {"rtol": 1e-10, "atol": 1e-12, "output_step": 2e-3}
    one = integrate(problem, settled.x[-1], 5.0, **options)
    other = integrate(hoffmann68.wagon68(p, mode68), y, 5.0, **options)
    np.testing.assert_allclose(other.x[:, :15], one.x[:, order[:15]], rtol=0, atol=5e-9)
    assert one.stats.events == other.stats.events > 100
    np.testing.assert_allclose(other.events.fired.time, one.events.fired.time, rtol=0, atol=1e-7)
    last = one.t > 3.0
    if before > 1.0:
        assert repeats(one.t[last], one["front_wheelset.y"][last]) < 0.02
