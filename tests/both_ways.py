"""A small system and a wagon, run and written to a file: once per way of compiling, by `test_compilers`."""

import sys

import numpy as np

import klingel as kg
from klingel import _jit
from klingel.literature.impact_oscillator.system import impact_oscillator
from klingel.model.problem import vehicle_problem
from klingel.simulation.integration import rest_of
from klingel.simulation.setup import put_on_track


def results() -> dict[str, np.ndarray]:
    small = kg.integrate(impact_oscillator(), [0.0, 0.0], 20.0, method="auto")
    wagon, track = kg.load_vehicle("hbbills311"), kg.Track.straight()
    compiled = put_on_track(wagon, track, 20.0)
    rest = rest_of(compiled)
    problem = vehicle_problem(compiled, rest.memory, rest.mode)
    rate = np.empty_like(rest.x)
    shifted = rest.x + 1e-4 * np.sin(np.arange(rest.x.size))
    problem.rhs(0.0, shifted, rest.memory, rest.mode, problem.parameters, rate)
    # where steps go over kinks, the last bit decides which of them are repeated: every event is stopped at
    run = kg.simulate(wagon, track, 20.0, 0.5, {"front_wheelset.y": 1e-3}, output_step=0.005, locate="all")
    names = [name for name in run.names["states"] if not name.endswith("_dot")]
    return {
        "way": np.array(_jit.WAY.name),
        "small_t": small.t,
        "small_x": small.x,
        "rate": rate,
        "x": np.column_stack([run[name].to_numpy() for name in names]),
        "events": run.events[["element", "old", "new"]].to_numpy(str),
        "event_times": run.events["time"].to_numpy(),
    }


if __name__ == "__main__":
    np.savez(sys.argv[1], **results())
