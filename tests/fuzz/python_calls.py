"""Public functions called with arguments of the wrong type or size."""

import random
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

import klingel as kg

ODD: tuple[Any, ...] = (
    None,
    "abc",
    "",
    b"x",
    1.0,
    -1.0,
    2.5,
    1,
    0,
    -3,
    10**400,
    True,
    float("nan"),
    float("inf"),
    1e308,
    5e-324,
    1e-300,
    [],
    [1],
    (),
    (1, 2),
    {},
    {"a": 1},
    {"front_wheelset.y": "5mm"},
    {1: 2},
    set(),
    object(),
    object,
    np.zeros(3),
    np.zeros((2, 2)),
    np.array(["a"]),
    np.float32(1.0),
    np.int8(3),
    1j,
    lambda: None,
    range(3),
    "\0",
    "x" * 100_000,
    ["a", 1],
    [[1], [2, 3]],
)


@cache
def _good() -> dict[str, tuple[Callable[..., Any], dict[str, Any]]]:
    """A name, the function and good arguments; what takes long with them is stopped by one that is bad."""
    wagon, track = kg.load_vehicle("hbbills311"), kg.Track.straight()
    table = kg.contact_table()
    short = {"vehicle": wagon, "track": track, "speed": 20.0, "duration": 0.02}
    simulated = {
        **short,
        "initial": {"front_wheelset.y": 0.001},
        "acceleration": 0.0,
        "method": "auto",
        "rtol": 1e-6,
        "atol": 1e-6,
        "output_step": 0.01,
        "distance": 0.0,
        "on_chunk": None,
        "max_steps": 1000,
        "sliders": {},
        "leaves": "rest",
    }
    swept = {
        "vehicle": wagon,
        "track": track,
        "speeds": [20.0],
        "direction": "down",
        "executor": None,
        "parameter": "speed",
        "values": None,
        "speed": None,
        "fresh": False,
        "starts": None,
        "seed": 0,
        "sliders": False,
        "nudge": 1e-5,
        "transient": kg.FixedTransient(0.01, 1, cap=0.02),
        "method": "auto",
        "rtol": 1e-6,
        "atol": None,
        "output_step": 0.005,
        "workers": 1,
        "out": None,
        "resume": False,
        "on_point": None,
    }
    run = kg.simulate(**short, output_step=None)
    curve = {
        "radius": 1000.0,
        "cant": 0.1,
        "transition": 100.0,
        "length": 300.0,
        "lead_in": 50.0,
        "inclination": 0.025,
    }
    contact = {
        "wheel": "S1002",
        "rail": "UIC60",
        "inclination": 0.025,
        "gauge": 1.435,
        "radius": 0.46,
        "flange_back": 1.36,
    }
    return {
        "simulate": (kg.simulate, simulated),
        "sweep": (kg.sweep, swept),
        "Track.straight": (
            kg.Track.straight,
            {"inclination": 0.025, "gauge": 1.435, "rail": "UIC60", "title": ""},
        ),
        "Track.curve": (kg.Track.curve, curve),
        "Track": (
            kg.Track,
            {
                "alignment": track.alignment,
                "irregularity": (),
                "rail": "UIC60",
                "frame": track.frame,
                "overlap": 1e-4,
            },
        ),
        "load_vehicle": (kg.load_vehicle, {"name": "hbbills311", "links": "PTP", "load": "empty", "height": 2.0}),
        "load_track": (kg.load_track, {"path": "none.toml"}),
        "load_run": (kg.load_run, {"path": "none.nc"}),
        "load_sweep": (kg.load_sweep, {"path": "none.nc"}),
        "contact_table": (kg.contact_table, {**contact, "load": 1e5, "yaw": 0.0, "grid": None, "residual": 0.0}),
        "equivalent_conicity": (kg.equivalent_conicity, {"table": table, "amplitude": 0.003}),
        "continue_run": (kg.continue_run, {"run": run, "duration": 0.03, "on_chunk": None}),
        "energy_balance": (kg.energy_balance, {"run": run}),
        "suspension_energy": (kg.suspension_energy, {"run": run}),
        "linear_critical_speed": (
            kg.linear_critical_speed,
            {"vehicle": wagon, "track": track, "slowest": 20.0, "fastest": 22.0, "step": 1.0},
        ),
        "solve_lcp": (kg.solve_lcp, {"a": [[1.0]], "b": [-1.0]}),
        "with_value": (kg.with_value, {"vehicle": wagon, "name": "carbody.mass", "new": 15000.0}),
        "UntilSettled": (
            kg.UntilSettled,
            {"least": 5.0, "piece": 2.5, "cycles": 20, "longest": 15.0, "cap": 90.0},
        ),
        "FixedTransient": (kg.FixedTransient, {"transient": 20.0, "maxima": 20, "piece": 2.5, "cap": 60.0}),
        "RunRequest": (kg.RunRequest, {**short, "start": {}, "solving": {}, "outputs": {}}),
    }


def call(rng: random.Random) -> Callable[[], Any]:
    """One argument is odd; None may be a good one."""
    name = rng.choice(list(_good()))
    function, arguments = _good()[name]
    argument = rng.choice(list(arguments))
    odd = rng.choice(ODD)

    def called() -> Any:
        return function(**{**arguments, argument: odd})

    called.__name__ = (
        f"{name}({argument}={str(odd)[:40]!r})" if not isinstance(odd, int) else f"{name}({argument}=int)"
    )
    return called
