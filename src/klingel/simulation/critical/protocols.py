"""Named procedures of the field: each gives one speed, and does not say how certain it is.

======================  =========================================================================================
initial disturbance     at ever higher speeds all wheelsets are kicked; the first speed at which that lasts
falling speed           from 170 km/h the vehicle is braked after a kick until the sum of guiding forces of every
                        wheelset, mean over 2 m, stays below 2.5 kN
steps of speed          from the fastest down in steps of 1 m/s, 10 s each, after a kick; the last speed at which
                        the motion has not yet ceased
======================  =========================================================================================

The second is the one of the SUSTRAIL project for wagons on bogies (Iwnicki and others 2015).
"""

from dataclasses import dataclass

import numpy as np

from klingel._errors import InputError
from klingel.analysis.descents.motion_sizes import Rank
from klingel.simulation.critical.ride import Ride
from klingel.simulation.critical.scan import LASTING, Hit, lasting, speeds_of
from klingel.simulation.critical.settings import AS_ASKED, FINEST_STEP, LONG
from klingel.simulation.run import DONE, INTERRUPTED, SimulationError
from klingel.simulation.simulate import simulate

DISTURBANCE, FALLING, STEPS = "initial disturbance", "falling speed", "steps of speed"
PROTOCOLS = (DISTURBANCE, FALLING, STEPS)
KICK = {"y": 5.5e-3, "yaw": 3e-3}  # of every wheelset [m, rad]
FIRST_SPEED = 170.0 / 3.6  # [m/s]
BRAKED = 0.25  # [m/s2]
GUIDING_FORCE = 2.5e3  # sum over both wheels of a wheelset [N]
MEAN_OVER = 2.0  # [m]
ROWS = 0.01  # [s]
STEP, STEP_HOLD = 1.0, 10.0  # [m/s], [s]


@dataclass(frozen=True)
class Protocol:
    name: str
    speed: float | None  # [m/s]
    reason: str = ""  # why there is none, or what is special
    hits: tuple[Hit, ...] = ()  # motions met on the way


def kick(ride: Ride) -> dict[str, float]:
    given = {f"{body}.{c}": size for body in ride.layout.rolling for c, size in KICK.items()}
    return {name: size for name, size in given.items() if name in ride.layout.states}


def initial_disturbance(ride: Ride) -> Protocol:
    settings, solving = ride.asked.settings, ride.asked.solving(AS_ASKED)
    hits: list[Hit] = []
    left: list[float] = []  # speeds at which the vehicle leaves the rails

    def lasts(speed: float) -> bool:
        held = lasting(ride, speed, ride.start(speed, kick(ride)))
        if held is None:
            return False
        if held.rank != Rank.OFF:
            long, _ = ride.hold(speed, held.state, LONG * settings.hold_at(speed), solving)
            if long.rank == Rank.STILL or (long.rank != Rank.OFF and long.width < LASTING * held.width):
                return False
            if long.rank != Rank.OFF:
                hits.append(Hit(long, DISTURBANCE))
                return True
        left.append(speed)
        return True

    below = None
    try:
        for speed in speeds_of(settings):
            if lasts(speed):
                break
            below = speed
        else:
            return Protocol(DISTURBANCE, None, f"decays at every speed up to {settings.fastest:g} m/s")
    except InputError as error:  # such a kick is beyond the contact tables
        return Protocol(DISTURBANCE, None, str(error), tuple(hits))
    if below is None:
        return Protocol(DISTURBANCE, settings.slowest, "does not decay at the slowest speed either", tuple(hits))
    while speed - below > FINEST_STEP:
        middle = 0.5 * (speed + below)
        speed, below = (middle, below) if lasts(middle) else (speed, middle)
    return Protocol(DISTURBANCE, speed, "the vehicle leaves the rails there" if speed in left else "", tuple(hits))


def falling_speed(ride: Ride) -> Protocol:
    wheelsets = ride.layout.wheelsets
    slowest = ride.asked.settings.slowest
    if not wheelsets:
        return Protocol(FALLING, None, "conical wheels have creep forces only, no guiding force of a flange")
    if slowest >= FIRST_SPEED:
        return Protocol(FALLING, None, f"begins at {FIRST_SPEED:.4g} m/s: needs a slowest speed below that")
    solving = ride.asked.solving(AS_ASKED)
    request = ride.asked.request.changed(
        speed=FIRST_SPEED, acceleration=-BRAKED, duration=(FIRST_SPEED - slowest) / BRAKED, initial=kick(ride),
        output_step=ROWS, quantities=("*.Y",), method=solving.method, rtol=solving.rtol,
    )  # fmt: skip
    try:
        run = simulate(request)
    except (SimulationError, InputError) as error:
        return Protocol(FALLING, None, str(error))
    if run.status == INTERRUPTED:
        raise KeyboardInterrupt
    if run.status != DONE:
        return Protocol(FALLING, None, run.ended)
    speed = FIRST_SPEED - BRAKED * run.time
    above = np.zeros(run.time.size, bool)
    for body in wheelsets:
        force = run.values(f"{body}.left.Y") + run.values(f"{body}.right.Y")
        above |= np.abs(mean_over_distance(force, speed)) >= GUIDING_FORCE
    if not above.any():
        return Protocol(FALLING, None, f"below {GUIDING_FORCE / 1e3:g} kN already at {FIRST_SPEED:.4g} m/s")
    last = int(np.flatnonzero(above)[-1])
    if last == above.size - 1:
        return Protocol(FALLING, None, f"still above {GUIDING_FORCE / 1e3:g} kN at {slowest:g} m/s")
    return Protocol(FALLING, float(speed[last]))


def mean_over_distance(values: np.ndarray, speed: np.ndarray) -> np.ndarray:
    """Mean over the last MEAN_OVER of the way, of rows equally spaced in time."""
    way = np.concatenate([[0.0], np.cumsum(0.5 * (speed[1:] + speed[:-1]) * ROWS)])
    area = np.concatenate([[0.0], np.cumsum(0.5 * (values[1:] + values[:-1]) * np.diff(way))])
    begin = np.maximum(way - MEAN_OVER, 0.0)
    length = np.maximum(way - begin, 1e-12)
    return np.where(way > 0.0, (area - np.interp(begin, way, area)) / length, values)


def steps_of_speed(ride: Ride) -> Protocol:
    settings, solving = ride.asked.settings, ride.asked.solving(AS_ASKED)
    first, hits = settings.fastest, []
    try:
        state = ride.start(first, kick(ride))
    except InputError as error:  # such a kick is beyond the contact tables
        return Protocol(STEPS, None, str(error))
    for speed in np.arange(first, settings.slowest, -STEP).tolist():
        held, _ = ride.hold(speed, state, STEP_HOLD, solving)
        if held.rank == Rank.OFF:
            return Protocol(STEPS, None, f"the vehicle leaves the rails at {speed:.4g} m/s", tuple(hits))
        if held.rank == Rank.STILL:
            break
        hits.append(Hit(held, STEPS))
        state = held.state
    else:
        return Protocol(STEPS, hits[-1].held.value, "the motion lasts down to the slowest speed", tuple(hits))
    if not hits:
        return Protocol(STEPS, None, f"the kick decays at {first:.4g} m/s")
    return Protocol(STEPS, hits[-1].held.value, "", tuple(hits))
