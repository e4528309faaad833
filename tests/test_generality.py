"""Vehicles of other sizes on the same engine: wagons and single axles side by side move as each does alone.

Wheels are computed four at a time, so what counts is their number: eight (two blocks), six (one half full), two.
"""

from dataclasses import replace

import numpy as np
import pytest

import klingel as kg
from klingel.elements.spring import Spring
from klingel.model.description import Body, Connection, Element, Vehicle, Wheelset

TIGHT = {"rtol": 1e-9, "atol": 1e-11}
KICK = {"front_wheelset.y": 5e-3, "carbody.y": 2e-3}


def axle():
    """One wheelset held by springs that run along with the track."""
    body = Body("axle", 1490.0, (988.0, 90.0, 988.0), (0.0, 0.0, 0.46), ("x", "y", "z", "roll", "yaw", "spin"))
    ends = {"left": 1.0, "right": -1.0}
    connections = tuple(Connection(name, "track", "axle", (0.0, y, 0.46)) for name, y in ends.items())
    springs = {"x": Spring(3e5), "y": Spring(2e5, damping=5e3), "z": Spring(0.0, preload=4e4)}
    elements = tuple(Element(f"{n}.spring_{d}", n, d, law) for n in ends for d, law in springs.items())
    return Vehicle("axle", (body,), connections, elements, (Wheelset("axle"),))


def ahead(vehicle, prefix, way):
    """The vehicle under other names, further ahead."""

    def moved(point):
        return (point[0] + way, *point[1:])

    def end(name):
        return name if name == "track" else f"{prefix}{name}"

    return replace(
        vehicle,
        bodies=tuple(replace(b, name=f"{prefix}{b.name}", position=moved(b.position)) for b in vehicle.bodies),
        connections=tuple(
            Connection(f"{prefix}{c.name}", end(c.inner), end(c.outer), moved(c.point))
            for c in vehicle.connections
        ),
        elements=tuple(
            replace(e, name=f"{prefix}{e.name}", connection=f"{prefix}{e.connection}") for e in vehicle.elements
        ),
        wheelsets=tuple(replace(w, body=f"{prefix}{w.body}") for w in vehicle.wheelsets),
    )


def coupled(*vehicles):
    parts = {
        field: tuple(part for vehicle in vehicles for part in getattr(vehicle, field))
        for field in ("bodies", "connections", "elements", "wheelsets")
    }
    return Vehicle("train", **parts)


def assert_same_motion(together, alone, prefix):
    for name in alone.names["states"]:
        if not name.endswith("_dot"):
            np.testing.assert_allclose(together[prefix + name], alone[name], rtol=0, atol=2e-8, err_msg=name)
    elements = alone.events["element"]
    mine = together.events[together.events["element"].isin(prefix + elements)]
    assert sorted(mine["element"]) == sorted(prefix + elements)
    np.testing.assert_allclose(sorted(mine["time"]), sorted(alone.events["time"]), rtol=0, atol=1e-6)


@pytest.mark.parametrize("curved", [False, True], ids=["straight", "into a curve"])
def test_two_wagons_in_a_row(curved):
    """Unlike wagons, 20 m apart: the second meets the curve later, where its own distance says."""
    track = kg.Track.curve(1000.0, cant=0.15, transition=40.0, lead_in=15.0) if curved else kg.Track.straight()
    first, second = kg.load_vehicle("hbbills311"), kg.load_vehicle("kbps", links="SPP")
    train = coupled(ahead(first, "wagon1.", 0.0), ahead(second, "wagon2.", -20.0))
    kick = {f"wagon{k}.{name}": value for k in (1, 2) for name, value in KICK.items()}
    together = kg.simulate(train, track, 30.0, 0.6, kick, **TIGHT)
    assert len(together.names["wheels"]) == 8
    assert together.stats.events > 30
    assert_same_motion(together, kg.simulate(first, track, 30.0, 0.6, KICK, **TIGHT), "wagon1.")
    alone = kg.simulate(second, track, 30.0, 0.6, KICK, distance=-20.0, **TIGHT)
    assert_same_motion(together, alone, "wagon2.")


def test_wagon_and_a_single_axle():
    """Six wheels, and the two of the axle alone: blocks that are not full."""
    wagon, single = kg.load_vehicle("g69"), axle()
    train = coupled(ahead(wagon, "wagon.", 0.0), ahead(single, "loose.", 10.0))
    both = {"wagon.front_wheelset.y": 5e-3, "wagon.carbody.y": 2e-3, "loose.axle.y": 6.3e-3}
    together = kg.simulate(train, kg.Track.straight(), 25.0, 0.6, both, **TIGHT)
    assert len(together.names["wheels"]) == 6
    assert_same_motion(together, kg.simulate(wagon, kg.Track.straight(), 25.0, 0.6, KICK, **TIGHT), "wagon.")
    alone = kg.simulate(single, kg.Track.straight(), 25.0, 0.6, {"axle.y": 6.3e-3}, **TIGHT)
    assert alone.stats.events > 2
    assert_same_motion(together, alone, "loose.")
    standing = kg.simulate(single, kg.Track.straight(), 25.0, 0.1)
    load = sum(float(standing[f"axle.{side}.Q"][0]) for side in ("left", "right"))
    assert load == pytest.approx(1490.0 * 9.81 + 2 * 4e4, rel=1e-9)
