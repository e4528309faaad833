"""Short runs for pictures and reports, simulated once per process."""

from dataclasses import replace
from functools import cache

import numpy as np

import klingel as kg
from klingel.io.runs import variables_of
from klingel.io.track.toml import to_toml as track_text
from klingel.io.vehicle.toml import to_toml as vehicle_text
from klingel.simulation.run import Run

KICK = {"front_wheelset.y": 5.5e-3, "rear_wheelset.y": 5.5e-3, "front_wheelset.yaw": 3e-3}


@cache
def hunting_run() -> Run:
    return _run(KICK)


@cache
def near_run() -> Run:
    """Starts a micrometre beside `hunting_run`."""
    return _run({**KICK, "front_wheelset.y": 5.501e-3})


@cache
def braking_run() -> Run:
    return _run(KICK, acceleration=-2.0)


def curve_run() -> Run:
    """The straight run, told to have been on a curve: pictures show the track beside the motion."""
    track = kg.Track.curve(radius=1000.0, cant=0.15, transition=30.0, length=20.0, lead_in=5.0)
    run = hunting_run()
    return replace(run, sources={**run.sources, "track": track_text(track)})


def one_axle_run() -> Run:
    """The run without its rear half and under other names: a vehicle that no picture was made for."""
    run = hunting_run()
    vehicle = run.vehicle
    half = replace(
        vehicle,
        bodies=tuple(b for b in vehicle.bodies if not b.name.startswith("rear")),
        connections=tuple(c for c in vehicle.connections if not c.name.startswith("rear")),
        elements=tuple(e for e in vehicle.elements if not e.name.startswith("rear")),
        wheelsets=tuple(w for w in vehicle.wheelsets if not w.body.startswith("rear")),
        sources={},
    )
    mine = [k for k, name in enumerate(run.names["modes"]) if not name.startswith("rear")]
    kept = np.isin(run.data["event_owner"].to_numpy(), mine)
    data = run.data.drop_vars([n for n in run.data if str(n).startswith("rear")]).isel(event=np.flatnonzero(kept))
    order = {old: new for new, old in enumerate(mine)}
    owners = np.array([order[int(k)] for k in data["event_owner"].to_numpy()])
    data = data.assign(event_owner=("event", owners)).rename({n: _renamed(str(n)) for n in data})
    names = {
        "states": [_renamed(n) for n in run.names["states"] if not n.startswith("rear")],
        "modes": [_renamed(run.names["modes"][k]) for k in mine],
        "meanings": [run.names["meanings"][k] for k in mine],
        "guards": run.names["guards"],
        "wheels": [_renamed(n) for n in run.names["wheels"] if not n.startswith("rear")],
    }
    sources = {**run.sources, "vehicle": _renamed(vehicle_text(half))}
    return replace(run, variables=variables_of(data), names=names, sources=sources)


def _renamed(text: str) -> str:
    words = {"front_wheelset": "axle", "carbody": "box", "front_left": "port", "front_right": "starboard"}
    for old, new in words.items():
        text = text.replace(old, new)
    return text


def _run(kick: dict[str, float], acceleration: float = 0.0) -> Run:
    wagon = kg.load_vehicle("hbbills311")
    return kg.simulate(
        wagon, kg.Track.straight(), 45.0, 2.0, kick, acceleration=acceleration, output_step=0.005
    )  # fmt: skip
