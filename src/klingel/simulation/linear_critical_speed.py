"""Stability of a vehicle's rest against vanishing disturbances: eigenvalues over speed, linear critical speed.

Rest is stable at the speeds at which all eigenvalues of the linearisation have negative real parts. Where a
pair crosses the imaginary axis an oscillation is born (Hopf bifurcation); a single real eigenvalue that crosses is
divergence, frequency zero. Where the bifurcation is subcritical the linear critical speed is no safe bound: large
disturbances make the vehicle hunt below it.

With dry friction all sliders are held stuck (see `model.linearise`): the limit is that of motions that never slip.
Some modes of a stuck wagon have no damping at all (its wheelsets rolling against each other on the springs of the
links). So an eigenvalue counts as growing only when its real part is larger than its error, with a wide margin.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from scipy.optimize import root_scalar

from klingel._arguments import check_kind, check_number
from klingel._errors import InputError
from klingel.model.builder import Compiled
from klingel.model.description import Vehicle
from klingel.model.linearise import Linearisation, Vibrations, linearise
from klingel.model.standing.equilibrium import find_rest
from klingel.model.system import Head, Run
from klingel.simulation.setup import check_speed, put_on_track
from klingel.track.track import Track

MOST_SPEEDS = 100_000  # looked at
ROOT = 1e-10  # width of the final bracket [m/s]
FOLLOWED = 1e-4  # of the speed: how far to both sides of a crossing its mode is followed
# what a rigid slider holds has a double eigenvalue zero with one shape, which rounding splits into +-1e-6
NEUTRAL = 1e-5  # eigenvalues below this neither grow nor decay [1/s]
MARGIN = 100.0  # times the error of an eigenvalue: the least real part that counts as growth


@dataclass(frozen=True)
class LinearCriticalSpeed:
    speed: float  # [m/s]
    frequency: float  # of the mode that loses its damping [Hz]; 0 for divergence
    growth: float  # d Re(eigenvalue) / d speed there [1/m]
    mode: dict[str, complex]  # its shape by name of state, the largest position 1


def linearised(vehicle: Vehicle, speed: float, track: Track | None = None) -> Linearisation:
    """Linearisation about static equilibrium at a speed [m/s], on straight track."""
    check_speed(speed, 0.0, 1.0)
    compiled = put_on_track(vehicle, track or Track.straight(), speed)
    return linearise(compiled, find_rest(compiled))


def eigenvalues_over_speed(vehicle: Vehicle, speeds: Iterable[float], track: Track | None = None) -> np.ndarray:
    """Eigenvalues [1/s], [speed][eigenvalue], the least stable first."""
    given = [float(speed) for speed in speeds]
    for speed in given:
        check_speed(speed, 0.0, 1.0)
    if not given:
        raise InputError("speeds", given, "must hold at least one speed")
    compiled = put_on_track(vehicle, track or Track.straight(), given[0])
    return np.array([_at(compiled, speed).eigenvalues() for speed in given])


def linear_critical_speed(
    vehicle: Vehicle,
    track: Track | None = None,
    slowest: float = 5.0,
    fastest: float = 250.0,
    step: float = 1.0,
) -> LinearCriticalSpeed | None:
    """First speed at which rest loses its stability, or None if it never does between the given speeds.

    Parameters
    ----------
    vehicle, track
        The track must be straight; by default rails inclined 1/40.
    slowest, fastest
        Range searched upwards [m/s]; rest must be stable at the slowest.
    step
        Spacing of the speeds looked at [m/s]; an unstable range narrower than this may be missed.

    Returns
    -------
    LinearCriticalSpeed or None
        Conical wheelsets: good to nine digits or more; wheels on profiles: to about 1e-5 m/s.
    """
    check_kind("vehicle", vehicle, Vehicle, "a vehicle, as kg.load_vehicle gives it")
    if track is not None:
        check_kind("track", track, Track, "a track, like kg.Track.straight(), or None")
    check_speed(slowest, 0.0, 1.0)
    for name, given in (("fastest", fastest), ("step", step)):
        check_number(name, given, "m/s", finite=False)
    if not (np.isfinite(fastest) and fastest > slowest):
        raise InputError("fastest", fastest, f"must be a speed above slowest = {slowest:g} m/s")
    if not (np.isfinite(step) and step > 0.0):
        raise InputError("step", step, "must be a positive speed in m/s")
    if (fastest - slowest) / step > MOST_SPEEDS:
        least = (fastest - slowest) / MOST_SPEEDS
        raise InputError("step", step, f"must be at least {least:.3g} m/s: {MOST_SPEEDS} speeds")
    compiled = put_on_track(vehicle, track or Track.straight(), slowest)

    def least_damped(speed: float) -> float:
        return least_damped_of(_at(compiled, speed).vibrations())[1]

    if least_damped(slowest) >= 0.0:
        raise InputError("slowest", slowest, "must be a speed at which rest is stable")
    below = slowest
    while below < fastest:
        above = min(below + step, fastest)
        if least_damped(above) >= 0.0:
            found = root_scalar(least_damped, bracket=(below, above), method="brentq", xtol=ROOT)
            return _crossing(compiled, float(found.root))
        below = above
    return None


def _at(compiled: Compiled, speed: float) -> Linearisation:
    compiled.system.f[compiled.system.i[Head.RUN] + Run.SPEED] = speed
    return linearise(compiled, find_rest(compiled))


def least_damped_of(vibrations: Vibrations) -> tuple[complex, float]:
    """The eigenvalue that grows most beyond doubt, of a pair the one of positive frequency; by how much [1/s]."""
    growth = np.real(vibrations.values) - MARGIN * vibrations.errors
    growth[np.abs(vibrations.values) < NEUTRAL] = -NEUTRAL
    value = complex(vibrations.values[np.argmax(growth)])
    return complex(value.real, abs(value.imag)), float(growth.max())


def _crossing(compiled: Compiled, speed: float) -> LinearCriticalSpeed:
    """The mode is told apart from undamped ones a little above the crossing, and followed back from there."""
    change = FOLLOWED * speed
    grown, _ = least_damped_of(_at(compiled, speed + change).vibrations())
    before = _at(compiled, speed - change).eigenvalues()
    lin = _at(compiled, speed)
    values, shapes, _ = lin.vibrations()
    which = int(np.argmin(np.abs(values - grown)))
    shape = shapes[:, which]
    positions = list(range(lin.positions))
    shape = shape / shape[max(positions, key=lambda k: abs(shape[k]))]
    decayed = complex(before[np.argmin(np.abs(before - grown))])
    return LinearCriticalSpeed(
        speed,
        float(np.imag(values[which])) / (2.0 * np.pi),
        (grown.real - decayed.real) / (2.0 * change),
        dict(zip(lin.states, shape.tolist(), strict=True)),
    )
