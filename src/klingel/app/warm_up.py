"""Run every large compiled entry point once on something small, which compiles it and fills the disk cache."""

from collections.abc import Iterator

from klingel.numerics.integrate import integrate


def compile_everything() -> Iterator[str]:
    """Name each part once it is compiled."""
    from klingel.simulation.compile_ahead import compile_engine

    compile_engine()
    yield "engine"
    from klingel.literature.impact_oscillator.system import impact_oscillator

    integrate(impact_oscillator(), [0.0, 0.0], 0.01, method="auto")
    yield "event loop, small systems"
    from klingel.contact.table.build import contact_table
    from klingel.contact.table.wheel_table import compile_side
    from klingel.io.contact.cache import wheelset_on_track

    table = contact_table(wheelset_on_track())
    shear = table.conditions.shear_modulus
    sides = compile_side(table.left, shear), compile_side(table.right, shear)
    yield "wheel-rail contact"
    from klingel.io.vehicle.files import load_vehicle
    from klingel.model.builder import compile_vehicle
    from klingel.model.problem import vehicle_problem
    from klingel.model.standing.equilibrium import find_rest

    vehicle = load_vehicle("hbbills311")
    model = compile_vehicle(vehicle, {w.body: sides for w in vehicle.wheelsets}, speed=20.0)
    rest = find_rest(model)
    integrate(vehicle_problem(model, rest.memory, rest.mode), rest.x, 0.01, method="auto")
    yield "vehicles"
    from klingel._jit import ready
    from klingel.literature.guided_rod import system as guided_rod

    for function in (guided_rod.rhs, guided_rod.guards, guided_rod.act):
        ready(function)
    yield "guided rod"
