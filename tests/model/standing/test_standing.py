"""Any vehicle statics allows stands: random families, checked by a balance computed apart from the engine."""

import time

import numpy as np
import pytest

from klingel.contact.table.wheel_table import ROW, Row, evaluate, state_at
from klingel.elements.leaf_spring import TRAPEZOIDAL
from klingel.elements.spring import Spring
from klingel.model.builder import compile_vehicle
from klingel.model.description import Connection, Element
from klingel.model.layout import Moves
from klingel.model.output import Contact, Wheel, outputs
from klingel.model.standing.equilibrium import find_rest
from klingel.model.standing.missing import EquilibriumError
from tests.model.standing.leaning import lean
from tests.model.standing.least_energy import least_energy
from tests.model.standing.random_vehicles import GRAVITY, INDEX, Drawing, left_on, random_vehicle
from tests.model.wagon import contact_tables

SMALL = 1e-9  # of the weight of the vehicle, that may be left
LIFTS = 0.02  # of the mean wheel load: contacts and half gauge are known to about that
FAR = 0.05  # angle beyond which a body does not stand for certain: products of angles count [rad]


def compiled(vehicle, speed=20.0):
    sides = contact_tables()
    return compile_vehicle(vehicle, {w.body: sides for w in vehicle.wheelsets}, speed)


def places(model, x):
    found = {body: np.zeros(6) for body in model.layout.bodies}
    for k, state in enumerate(model.layout.state_info):
        if state.moves == Moves.POSITION:
            found[state.owner][INDEX[state.coordinate]] = x[k]
    return found


def worst_balance(vehicle, model, rest):
    """Largest force or moment left on a free coordinate of any body, of the weight of the vehicle.

    Rails hold x and yaw of a wheelset by creep forces.
    """
    total = left_on(vehicle, places(model, rest.x), model.statics.found)
    row = outputs(model, np.zeros(1), rest.x[None], rest.memory[None], rest.mode[None])
    tables, state = contact_tables(), dict(zip(model.layout.modes, rest.mode.tolist(), strict=False))
    weight = sum(body.mass for body in vehicle.bodies) * GRAVITY
    for w, wheel in enumerate(model.layout.wheels):
        left = total[model.layout.wheelset_of(wheel)]
        left[1:3] += row.wheel[0, w, Wheel.Y], row.wheel[0, w, Wheel.Q]
        y = rest.x[model.layout.state(f"{model.layout.wheelset_of(wheel)}.y")]
        for part, contact in enumerate(row.contact[0, w]):
            if not np.isnan(contact[Contact.NORMAL]):
                here = np.zeros(ROW)
                assert evaluate(tables[w % 2], state[wheel] // 2 + part, y, ROW, here)
                sine, cosine = here[Row.SIN], here[Row.COS]
                across = contact[Contact.CREEP_Y] * cosine - contact[Contact.NORMAL] * sine
                up = contact[Contact.CREEP_Y] * sine + contact[Contact.NORMAL] * cosine
                left[3] += contact[Contact.WHEEL_Y] * up - here[Row.WHEEL_Z] * across
    worst = abs(row.wheel[0, :, Wheel.Q].sum() - weight) / weight
    for body in vehicle.bodies:
        rails = "spin" in body.free
        for coordinate in (c for c in body.free if c in INDEX and not (rails and c in ("x", "yaw"))):
            worst = max(worst, abs(total[body.name][INDEX[coordinate]]) / weight)
    return worst


def hertz():
    """Constant of a contact in the middle, for the rest computed apart."""
    row = np.zeros(ROW)
    table = contact_tables()[0]
    assert evaluate(table, state_at(table, 0.0) // 2, 0.0, ROW, row)
    return row[Row.HERTZ]


def may_be_refused(vehicle, model):
    """Coordinates one of which must be named, by the least energy computed apart; none if it must stand."""
    upright = least_energy(vehicle, model.statics.found, hertz())
    rails = {f"{w.body}.{c}" for w in vehicle.wheelsets for c in ("roll", "z")}
    wheeled = {w.body for w in vehicle.wheelsets}
    bodies = {f"{b.name}.{c}" for b in vehicle.bodies if b.name not in wheeled for c in ("roll", "pitch")}
    if upright is None:
        return rails | bodies
    found = rails if upright.loads.min() < LIFTS * upright.loads.mean() else set()
    if upright.lean > FAR or upright.stiffness < 0.0:
        return found | bodies | rails
    return found or (bodies if lean(vehicle, model.statics.found, hertz()) > FAR else set())


def family(seeds):
    """All that the least energy allows stand, in balance; the others are named."""
    stood, named, times, wrongs, worst = 0, 0, [], [], 0.0
    for seed in seeds:
        vehicle, wrong = random_vehicle(seed)
        model = compiled(vehicle)
        begin = time.perf_counter()
        try:
            rest, refused = find_rest(model), None
        except EquilibriumError as error:
            rest, refused = None, error
        if rest is None:
            assert refused is not None
            wrong = wrong or may_be_refused(vehicle, model)
            if refused.field not in wrong:
                wrongs.append(f"seed {seed}: {refused}")
            named += 1
            continue
        times.append(time.perf_counter() - begin)
        if wrong:
            wrongs.append(f"seed {seed} stands, but {wrong}")
        elif (left := worst_balance(vehicle, model, rest)) > SMALL:
            wrongs.append(f"seed {seed}: {left} of its weight is not balanced")
        else:
            worst = max(worst, left)
        stood += 1
    median, longest = 1e3 * float(np.median(times)), max(times)
    print(
        f"{stood} stand, {named} named, {worst:.1g} of weight left, median {median:.1f} ms, worst {longest:.2f} s"
    )
    assert not wrongs, "\n".join(wrongs)
    return stood, named


def test_sixty_random_vehicles_stand_or_are_named():
    stood, named = family(range(60))
    assert stood > 40
    assert named > 3


@pytest.mark.slow
def test_five_hundred_random_vehicles_stand_or_are_named():
    stood, named = family(range(1000, 1500))
    assert stood > 350
    assert named > 40


@pytest.mark.parametrize("aside", [0.16, 0.3])
@pytest.mark.parametrize("law", [TRAPEZOIDAL, Spring(1e6), Spring(1e6, preload=0.0)])
def test_a_body_balanced_on_an_edge_does_not_stand(law, aside):
    """Springs on one side only: leant until its weight is over them it balances, a pendulum upside down."""
    d = Drawing(np.random.default_rng(1))
    d.body("carbody", 10e3, (0.0, aside, 1.9))
    for name, x in (("front", 3.0), ("rear", -3.0)):
        d.wheelset(name, x)
        for side, y in (("left", 0.4), ("right", -0.4)):
            at = f"{name}_{side}"
            d.connections.append(Connection(at, "carbody", name, (x, y, 0.46)))
            d.elements += [Element(f"{at}.{c}", at, c, Spring(1e7)) for c in ("x", "y")]
            if side == "left":
                d.elements.append(Element(f"{at}.z", at, "z", law))
    missing = f"{10.0 * GRAVITY * (0.4 - aside):.3g} kNm are missing"
    with pytest.raises(EquilibriumError, match=f"carbody.roll: must be balanced at rest, but {missing}"):
        find_rest(compiled(d.vehicle()))
