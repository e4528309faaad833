"""The Hbbills 311 on straight 1/40 track, compiled, for the tests of the engine."""

from functools import cache

from klingel.contact.table.wheel_table import compile_side
from klingel.io.contact.cache import cached_table, wheelset_on_track
from klingel.io.vehicle.files import load_vehicle
from klingel.model.builder import compile_vehicle
from klingel.model.problem import displaced, vehicle_problem
from klingel.model.standing.equilibrium import find_rest
from klingel.numerics.integrate import integrate


@cache
def contact_tables(inclination=1 / 40):
    table = cached_table(wheelset_on_track("S1002", "UIC60", inclination))
    shear = table.conditions.shear_modulus
    return compile_side(table.left, shear), compile_side(table.right, shear)


def compiled(speed, acceleration=0.0, name="hbbills311", inclination=1 / 40, **options):
    vehicle = load_vehicle(name, **options)
    sides = contact_tables(inclination)
    return compile_vehicle(vehicle, {w.body: sides for w in vehicle.wheelsets}, speed, acceleration)


def run(speed, offsets, duration, acceleration=0.0, inclination=1 / 40, vehicle=None, **options):
    model = compiled(speed, acceleration, inclination=inclination, **(vehicle or {}))
    rest = find_rest(model)
    x, mode = displaced(model, rest, offsets)
    return integrate(vehicle_problem(model, rest.memory, mode), x, duration, **options)
