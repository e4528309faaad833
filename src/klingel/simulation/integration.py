"""A run without its report: states, memory and modes only, for `simulate` and studies that make many runs."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np

from klingel._errors import InputError
from klingel.model.builder import Compiled
from klingel.model.layout import Layout, Watch
from klingel.model.on_track.quasi_static import stand_on_bent_track
from klingel.model.on_track.track_tables import stand_on_irregular_rails, starts_level
from klingel.model.problem import Locate, displaced, vehicle_problem
from klingel.model.standing.equilibrium import Rest, find_rest, settled
from klingel.model.standing.on_rails import OffTheRails, kicked, put_on_rails
from klingel.model.standing.settled_modes import drag
from klingel.model.system import Head
from klingel.model.system import Run as Place
from klingel.numerics.integrate import Progress, integrate
from klingel.numerics.ode.workspace import Status
from klingel.numerics.trajectory import Trajectory
from klingel.simulation.method_choice import choose_locate, choose_method
from klingel.simulation.request.parts import Placing, Solving
from klingel.simulation.run import DERAILED, DONE, FAILED, INTERRUPTED
from klingel.simulation.setup import check_number
from klingel.vehicles.checks import suggestion

# of a kick; a typical slip is a number without its unit
ON_THE_RAIL = "must leave every wheel on its rail, in m if without a unit; this start is beyond the contact tables"


class Start(NamedTuple):
    """Everything a run starts from."""

    x: np.ndarray
    memory: np.ndarray
    mode: np.ndarray


def rest_of(compiled: Compiled) -> Rest:
    """Static equilibrium; bad input that names what is not balanced if there is none."""
    return find_rest(compiled)


def start_from_rest(
    compiled: Compiled, rest: Rest, offsets: Mapping[str, float], placing: str = Placing.RAILS
) -> Start:
    """Displaced from rest; in a curve from the quasi-static position there. See `Placing`."""
    if not starts_level(compiled.system):
        rest = stand_on_bent_track(compiled, rest)
    states = compiled.layout.states
    for name in offsets:
        if name not in states and (hint := suggestion(name, states)):
            raise InputError("initial", name, f"{hint}must be one of {', '.join(states)}")
    for name, value in offsets.items():
        check_number(f"initial.{name}", value, "SI units: m, rad, m/s, rad/s")
    x, mode = displaced(compiled, rest, offsets)
    memory = rest.memory
    meant = {name: value for name, value in offsets.items() if value != 0.0}
    if meant and placing != Placing.BARE:
        x, memory, mode = _on_rails(compiled, rest, x, meant, placing)
    stand_on_irregular_rails(compiled.system, x)
    return Start(x, memory, mode)


def _on_rails(
    compiled: Compiled, rest: Rest, x: np.ndarray, offsets: Mapping[str, float], placing: str
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Kicked wheelsets on their rails, sliders unloaded there or dragged along."""
    bodies = kicked(compiled, offsets)
    try:
        x = put_on_rails(compiled, rest, x, bodies) if bodies else x
    except OffTheRails as error:
        given = ", ".join(f"{name}={value:g}" for name, value in offsets.items() if name.startswith(f"{error}."))
        raise InputError("initial", given, ON_THE_RAIL) from None
    there = settled(compiled, x, rest.memory)
    if placing == Placing.DRAGGED:
        drag(compiled, x, rest.memory, there.memory, there.mode)
    return there.x, there.memory, there.mode


def bare_run(
    compiled: Compiled,
    start: Start,
    duration: float,
    solving: Solving,
    output_step: float | None,
    on_chunk: Callable[[Progress], bool | None] | None = None,
) -> Trajectory:
    """Rows of state, memory and modes; raises IntegrationError when the integrator cannot go on."""
    locate = choose_locate(solving.locate, solving.rtol)
    problem = vehicle_problem(compiled, start.memory, start.mode, locate=locate)
    place = int(compiled.system.i[Head.RUN])
    speed, acceleration = (float(compiled.system.f[place + k]) for k in (Place.SPEED, Place.ACCELERATION))
    choice = choose_method(solving.method, speed, acceleration, solving.rtol)
    return integrate(
        problem, start.x, duration, method=choice.method, implicit_times=choice.implicit_times, rtol=solving.rtol,
        atol=solving.tolerance(compiled.layout.state_info), output_step=output_step, on_chunk=on_chunk,
        max_steps=solving.step_budget(duration), locate=locate != Locate.IGNORE,
    )  # fmt: skip


def ending(trajectory: Trajectory, layout: Layout) -> tuple[str, str]:
    """Status and sentence. Two actions stop a run: a wheel leaves its contact table, an impact has no solution."""
    if trajectory.status != Status.STOPPED:
        return (DONE if trajectory.complete else INTERRUPTED), trajectory.ended
    guards = {guard.name: guard for guard in layout.guard_info}
    fired = trajectory.events.fired
    last = [event for event in fired if event.time == fired.time[-1]]
    at = f"t = {fired.time[-1]:.6g} s"
    for event in reversed(last):
        guard = guards[event.guard]
        if guard.watch in (Watch.SHIFT_LOW, Watch.SHIFT_HIGH) and event.old == event.new:
            # shifted to the left, the left flange climbs
            climbing = (
                f"{layout.wheelset_of(guard.owner)}.{'left' if guard.watch == Watch.SHIFT_HIGH else 'right'}"
            )
            return DERAILED, f"derailment at {at}: wheel {climbing} left its contact table"
    hit = ", ".join(event.guard for event in last if guards[event.guard].watch == Watch.GAP)
    return FAILED, f"no solution of the impact problem at {at}: {hit}"
