"""`validate` tries every load case of a file, of full descriptions too."""

import pytest

import klingel as kg
from klingel.elements.spring import Spring
from klingel.io.vehicle.files import library_text
from klingel.io.vehicle.toml import to_toml
from klingel.model.description import Body, Connection, Element, Vehicle, Wheelset
from klingel.model.standing.equilibrium import find_rest
from klingel.model.standing.toppling import toppling
from klingel.simulation.setup import put_on_track
from klingel.simulation.standing import try_standing


def test_every_load_of_a_full_description_is_tried(tmp_path):
    file = tmp_path / "mine.toml"
    good = '\n[loads.coal.carbody]\nmass = "35 t"\n'
    beside = '\n[loads.beside.carbody]\nmass = "35 t"\nposition = ["0 m", "2.5 m", "2 m"]\n'
    text = to_toml(kg.load_vehicle("hbbills311"))
    file.write_text(text + good)
    assert try_standing(file) == ((), ())
    file.write_text(text + good + beside)
    (found,), _ = try_standing(file)
    assert "(load beside)" in found.field
    assert found.field.split(".")[0] in ("front_wheelset", "rear_wheelset", "carbody")


def test_every_load_of_a_template_is_tried(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text(library_text("hbbills311"))
    assert try_standing(file) == ((), ())


GRAVITY, CARBODY, AXLE = 9.81, 20e3, 1400.0  # [m/s2], [kg]
BOXES, CONTACTS = 1.0, 0.75  # half distances of the springs, and of the contacts [m]


def twisted(more):
    """A two-axle wagon on four springs; two of them, across the diagonal, carry so much more, the others less."""
    bodies = [Body("carbody", CARBODY, (3e4, 3e5, 3e5), (0.0, 0.0, 1.5), ("y", "z", "roll", "pitch", "yaw"))]
    connections, elements = [], []
    for axle, x in (("front", 4.0), ("rear", -4.0)):
        bodies.append(
            Body(axle, AXLE, (900.0, 90.0, 900.0), (x, 0.0, 0.46), ("x", "y", "z", "roll", "yaw", "spin"))
        )
        for side, y in (("left", BOXES), ("right", -BOXES)):
            name = f"{axle}_{side}"
            connections.append(Connection(name, "carbody", axle, (x, y, 0.46)))
            elements += [Element(f"{name}.{d}", name, d, Spring(5e6)) for d in ("x", "y")]
            carried = 0.25 * CARBODY * GRAVITY + (more if x * y > 0.0 else -more)
            elements.append(Element(f"{name}.z", name, "z", Spring(1e6, preload=carried)))
    wheelsets = tuple(Wheelset(body.name) for body in bodies[1:])
    return Vehicle("twisted", tuple(bodies), tuple(connections), tuple(elements), wheelsets, GRAVITY)


@pytest.mark.parametrize("part", [0.9, 1.1])
def test_wheels_in_the_air_are_named(tmp_path, part):
    """By hand: the moment of the twist takes the load of a wheel at more = contacts/boxes (axle/2 + carbody/4).

    Beyond it at least one wheel of the light diagonal hangs. Once it does, the carbody in roll puts the same
    moment on the other wheelset, which keeps no load either but for a few kN by a lateral shift.
    """
    limit = CONTACTS / BOXES * (0.5 * AXLE + 0.25 * CARBODY) * GRAVITY
    file = tmp_path / "mine.toml"
    file.write_text(to_toml(twisted(part * limit)))
    problems, warnings = try_standing(file)
    assert not problems
    told = [f"{warning.field} {warning.allowed}" for warning in warnings]
    if part < 1.0:
        assert not told
    else:
        assert len(told) == 1
        assert "hangs in the air" in told[0]
        assert any(wheel in told[0] for wheel in ("front.right", "rear.left"))
        assert not any(wheel in told[0] for wheel in ("front.left", "rear.right"))


def bearers(aside):
    """A carbody on a frame by two pairs of springs, so far before and behind its centre of mass."""
    axle = ("x", "y", "z", "roll", "yaw", "spin")
    bodies = [
        Body("carbody", CARBODY, (2e4, 4e4, 4e4), (0.0, 0.0, 1.6), ("y", "z", "roll", "pitch", "yaw")),
        Body("frame", 2e3, (1500.0, 1200.0, 2600.0), (0.0, 0.0, 0.6), ("x", "y", "z", "roll", "pitch", "yaw")),
    ]
    connections, elements = [], []
    for name, x in (("front", 1.0), ("rear", -1.0)):
        bodies.append(Body(name, AXLE, (900.0, 90.0, 900.0), (x, 0.0, 0.46), axle))
        for side, y in (("left", BOXES), ("right", -BOXES)):
            for at, inner, outer, point in (
                (f"{name}_{side}", "frame", name, (x, y, 0.46)),
                (f"bearer_{name}_{side}", "carbody", "frame", (x * aside, 0.8 * y, 0.9)),
            ):
                connections.append(Connection(at, inner, outer, point))
                elements += [Element(f"{at}.{d}", at, d, Spring(1e8)) for d in ("x", "y", "z")]
    wheelsets = tuple(Wheelset(name) for name in ("front", "rear"))
    return Vehicle("bearers", tuple(bodies), tuple(connections), tuple(elements), wheelsets, GRAVITY)


def test_a_carbody_that_falls_over_is_named_with_its_rate(tmp_path):
    """By hand: it turns about its bearers, below it by h, which take frame and wheelsets along the track.

    (I + M h²) a'' = m g h a. Springs before and behind hold it as soon as k x² exceeds m g h.
    """
    compiled = put_on_track(bearers(0.0), kg.Track.straight(), 10.0)
    found = toppling(compiled, find_rest(compiled))
    assert found is not None
    h, moved = 0.7, 2e3 + 2 * AXLE
    assert found.name == "carbody.pitch"
    assert found.rate == pytest.approx((CARBODY * GRAVITY * h / (4e4 + moved * h**2)) ** 0.5, rel=0.01)
    file = tmp_path / "mine.toml"
    file.write_text(to_toml(bearers(0.0)))
    problems, (warning,) = try_standing(file)
    assert not problems
    assert str(warning).startswith("carbody.pitch: falls over from rest, a small push grows e-fold in 0.56 s")
    for aside, falls in ((0.01, True), (0.1, False)):  # 4e4 and 4e6 against 1.4e5 Nm/rad
        compiled = put_on_track(bearers(aside), kg.Track.straight(), 10.0)
        assert (toppling(compiled, find_rest(compiled)) is not None) == falls
