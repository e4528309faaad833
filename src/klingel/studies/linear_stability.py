"""Stability of a vehicle's rest against vanishing disturbances: eigenvalues over speed, linear critical speed.

Rest is stable at the speeds at which all eigenvalues of the linearisation have negative real parts. Where a
pair crosses the imaginary axis an oscillation is born (Hopf bifurcation); a single real eigenvalue that crosses is
divergence, frequency zero. Where the bifurcation is subcritical the linear critical speed is no safe bound: large
disturbances make the vehicle hunt below it.

With dry friction all sliders are held stuck (see `model.linearise`): the limit is that of motions that never slip.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq

from klingel._errors import InputError
from klingel.model.builder import Compiled
from klingel.model.description import Vehicle
from klingel.model.equilibrium import find_rest
from klingel.model.linearise import Linearisation, linearise
from klingel.model.system import Head, Run
from klingel.simulation.setup import check_speed, put_on_track
from klingel.track.track import Track

ROOT = 1e-10  # width of the final bracket [m/s]


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
        The crossing itself is found to about ten digits.
    """
    check_speed(slowest, 0.0, 1.0)
    if not (np.isfinite(fastest) and fastest > slowest):
        raise InputError("fastest", fastest, f"must be a speed above slowest = {slowest:g} m/s")
    if not (np.isfinite(step) and step > 0.0):
        raise InputError("step", step, "must be a positive speed in m/s")
    compiled = put_on_track(vehicle, track or Track.straight(), slowest)

    def least_damped(speed: float) -> float:
        return float(_at(compiled, speed).eigenvalues()[0].real)

    if least_damped(slowest) >= 0.0:
        raise InputError("slowest", slowest, "must be a speed at which rest is stable")
    below = slowest
    while below < fastest:
        above = min(below + step, fastest)
        if least_damped(above) >= 0.0:
            return _crossing(compiled, float(brentq(least_damped, below, above, xtol=ROOT, rtol=1e-14)))
        below = above
    return None


def _at(compiled: Compiled, speed: float) -> Linearisation:
    compiled.system.f[compiled.system.i[Head.RUN] + Run.SPEED] = speed
    return linearise(compiled, find_rest(compiled))


def _crossing(compiled: Compiled, speed: float) -> LinearCriticalSpeed:
    lin = _at(compiled, speed)
    values, vectors = lin.vibrations()
    dv = 1e-4 * speed
    ends = [_at(compiled, speed + sign * dv).eigenvalues()[0].real for sign in (-1.0, 1.0)]
    shape = vectors[:, 0]
    positions = [k for k, name in enumerate(lin.states) if not name.endswith("_dot")]
    shape = shape / shape[max(positions, key=lambda k: abs(shape[k]))]
    return LinearCriticalSpeed(
        speed,
        float(abs(values[0].imag) / (2.0 * np.pi)),
        float((ends[1] - ends[0]) / (2.0 * dv)),
        dict(zip(lin.states, shape.tolist(), strict=True)),
    )
