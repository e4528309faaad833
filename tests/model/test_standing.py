"""Any vehicle statics allows stands: random families, checked by a balance computed apart from the engine."""

import time

import numpy as np
import pytest

from klingel.model.builder import compile_vehicle
from klingel.model.equilibrium import find_rest
from klingel.model.layout import Moves
from klingel.model.missing import EquilibriumError
from klingel.model.output import Contact, Wheel, outputs
from tests.model.random_vehicles import GRAVITY, INDEX, left_on, random_vehicle, wheel_loads
from tests.model.wagon import contact_tables

SMALL = 1e-7  # of the weight of the vehicle, that may be left
HEIGHT = 1e-3  # of the weight times a metre: contact points are some millimetres from the nominal radius
RADIUS = 0.46  # [m]


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

    Rails hold x and yaw of a wheelset by creep forces; its roll is checked to the height of the contact points.
    """
    total = left_on(vehicle, places(model, rest.x), model.statics.found)
    row = outputs(model, np.zeros(1), rest.x[None], rest.memory[None], rest.mode[None])
    weight = sum(body.mass for body in vehicle.bodies) * GRAVITY
    for w, wheel in enumerate(model.layout.wheels):
        left = total[model.layout.wheelset_of(wheel)]
        left[1:3] += row.wheel[0, w, Wheel.Y], row.wheel[0, w, Wheel.Q]
        for contact in row.contact[0, w]:
            if not np.isnan(contact[Contact.NORMAL]):
                sine = contact[Contact.ANGLE_SIN]
                cosine = np.sqrt(1.0 - sine * sine)
                across = contact[Contact.CREEP_Y] * cosine - contact[Contact.NORMAL] * sine
                up = contact[Contact.CREEP_Y] * sine + contact[Contact.NORMAL] * cosine
                left[3] += contact[Contact.WHEEL_Y] * up + RADIUS * across
    worst = abs(row.wheel[0, :, Wheel.Q].sum() - weight) / weight
    for body in vehicle.bodies:
        rails = "spin" in body.free
        for coordinate in (c for c in body.free if c in INDEX and not (rails and c in ("x", "yaw"))):
            share = abs(total[body.name][INDEX[coordinate]]) / weight
            worst = max(worst, share * (SMALL / HEIGHT if rails and coordinate == "roll" else 1.0))
    return worst


def family(seeds):
    """Good ones stand, or a wheel would lift, or a body lean far, were the rails rigid."""
    stood, named, times = 0, 0, []
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
            if not wrong:
                loads, mean, lean = wheel_loads(vehicle, model.statics.found)
                assert loads.min() < 0.05 * mean or lean > 0.05, f"seed {seed}: {refused}"
                wrong = {f"{w.body}.{c}" for w in vehicle.wheelsets for c in ("roll", "z")}
                wrong |= {f"{b.name}.{c}" for b in vehicle.bodies for c in ("roll", "pitch") if lean > 0.05}
            assert refused.field in wrong, f"seed {seed}: {refused}"
            named += 1
            continue
        times.append(time.perf_counter() - begin)
        assert not wrong, f"seed {seed} stands, but {wrong}"
        assert worst_balance(vehicle, model, rest) < SMALL, f"seed {seed}"
        stood += 1
    print(f"{stood} stand, {named} named, median {1e3 * float(np.median(times)):.1f} ms, worst {max(times):.3f} s")
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
