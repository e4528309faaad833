"""Table 1 of True, Engsig-Karup and Bigoni (2013): a wagon of 66 equations, 20 s, by two Runge-Kutta methods.

The table gives absolute tolerances only. Here the relative one is a parameter, the start is 1 mm of the first
wheelset, changes of the contact state are located, and the carbody has the inertia of the library file `bigoni`
(another model of the same code has 11 times as much in pitch and yaw: load case `long_car`).

The error row of ERKF34 is read in two ways: as Fehlberg's, whose entries add up to zero, and with the sign of its
fourth entry changed, as it stands in an open code of the authors' institute. Its entries then add up to 0.14: the
estimate is of the size of a whole step, and the step size that satisfies it has nothing to do with accuracy.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from time import process_time

import numpy as np

from klingel.io.vehicle.files import load_vehicle
from klingel.model.problem import vehicle_problem
from klingel.numerics.integrate import integrate
from klingel.numerics.ode.w_methods import ALL_METHODS
from klingel.numerics.trajectory import IntegrationError
from klingel.simulation.integration import rest_of, start_from_rest
from klingel.simulation.setup import put_on_track
from klingel.track.track import Track

CHANGED_SIGN = "erkf34_changed_sign"
SOLVERS = ("erkf34", CHANGED_SIGN, "esdirk34")
WATCHED = "leading_front_wheelset.y"
HUNTS = 1e-3  # amplitude of the last two seconds that is hunting [m]
# tolerance, solver -> CPU time [s], function evaluations, Jacobian evaluations, accepted, rejected steps, hunting
PRINTED = {
    (1e-4, "erkf34"): (15.34, 74_505, 0, 12_617, 6_009, True),
    (1e-4, "esdirk34"): (1.47, 1_181, 112, 90, 20, False),
    (1e-5, "erkf34"): (21.25, 130_389, 0, 22_989, 9_613, True),
    (1e-5, "esdirk34"): (467.12, 428_957, 34_911, 25_525, 9_385, True),
}


@dataclass(frozen=True)
class Row:
    """One run, as in the table; a run that was broken off says how far it came."""

    tolerance: float
    solver: str
    cpu: float  # [s]
    evaluations: int
    jacobians: int
    accepted: int
    rejected: int
    simulated: float  # [s]
    amplitude: float  # of the last two seconds [m]
    time: np.ndarray
    y: np.ndarray

    @property
    def hunts(self) -> bool:
        return self.amplitude > HUNTS


@contextmanager
def both_error_rows() -> Iterator[None]:
    """While it lasts there is a method with the other error row."""
    fehlberg = ALL_METHODS["erkf34"]
    d = fehlberg.d.copy()
    d[3] = -d[3]
    ALL_METHODS[CHANGED_SIGN] = replace(fehlberg, name=CHANGED_SIGN, d=d)
    try:
        yield
    finally:
        del ALL_METHODS[CHANGED_SIGN]


def rows(
    speed: float, duration: float, tolerances: tuple[float, ...], rtol: float, load: str, most_steps: int
) -> Iterator[Row]:
    """All solvers at all tolerances, in the order of the table."""
    compiled = put_on_track(load_vehicle("bigoni", load=load), Track.straight(), speed)
    start = start_from_rest(compiled, rest_of(compiled), {WATCHED: 1e-3})
    at = compiled.layout.state(WATCHED)
    with both_error_rows():
        for tolerance in tolerances:
            for solver in SOLVERS:
                problem = vehicle_problem(compiled, start.memory, start.mode)
                options = {"method": solver, "rtol": rtol, "atol": tolerance, "output_step": 0.01}
                integrate(problem, start.x, 1e-3, **options)  # compiles
                problem = vehicle_problem(compiled, start.memory, start.mode)
                started = process_time()
                try:
                    found = integrate(problem, start.x, duration, **options, max_steps=most_steps)
                except IntegrationError as broken_off:
                    found = broken_off.trajectory
                cpu, stats = process_time() - started, found.stats
                t, y = found.t, found.x[:, at]
                amplitude = float(np.abs(y[t > stats.simulated_time - 2.0]).max(initial=0.0))
                yield Row(
                    tolerance, solver, cpu, stats.rhs, stats.jacobians, stats.accepted, stats.rejected,
                    stats.simulated_time, amplitude, t, y,
                )  # fmt: skip
