"""Two-axle template: statics of the loads, symmetry of the description, laws at the corners."""

from dataclasses import replace
from math import hypot, inf, sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from klingel._errors import InputError
from klingel.elements.dead_band import DeadBand
from klingel.elements.dry_friction import DryFriction
from klingel.elements.leaf_spring import PARABOLIC, LeafSpring
from klingel.elements.link_sets import LINK_SETS
from klingel.elements.spring import Spring
from klingel.model.description import Guide, Vehicle
from klingel.vehicles.two_axle import CORNERS, LinearLeaf, TwoAxle, corner_loads, two_axle

HBBILLS = TwoAxle(
    "hbbills311",
    wheelset_mass=1490.0,
    wheelset_inertia=(988.0, 90.0, 988.0),
    carbody_mass=15176.0,
    carbody_inertia=(32675.0, 422084.0, 413250.0),
    carbody_height=1.57,
    wheelbase=10.0,
)


def laws(vehicle: Vehicle) -> dict:
    return {element.name: element.law for element in vehicle.elements}


@settings(deadline=None)
@given(x=st.floats(-0.4, 0.4), y=st.floats(-0.4, 0.4), wheelbase=st.floats(4.0, 12.0), spacing=st.floats(1.8, 2.2))
def test_corner_loads_balance_weight_and_moments(x, y, wheelbase, spacing):
    p = replace(HBBILLS, carbody_shift=(x, y), wheelbase=wheelbase, spacing=spacing)
    loads = corner_loads(p)
    points = {c.name: c.point for c in two_axle(p).connections}
    weight = p.carbody_mass * p.gravity
    assert sum(loads.values()) == pytest.approx(weight, rel=1e-14)
    assert sum(loads[c] * points[c][0] for c in loads) == pytest.approx(weight * x, abs=1e-9 * weight)
    assert sum(loads[c] * points[c][1] for c in loads) == pytest.approx(weight * y, abs=1e-9 * weight)


@settings(deadline=None)
@given(x=st.floats(-0.4, 0.4), y=st.floats(-0.4, 0.4))
def test_equal_springs_under_the_loads_stay_in_a_plane(x, y):
    """The fourth condition: no twist of the four compressions."""
    q = corner_loads(replace(HBBILLS, carbody_shift=(x, y)))
    assert q["front_left"] + q["rear_right"] == pytest.approx(q["front_right"] + q["rear_left"], rel=1e-14)


def test_load_beyond_the_corners_is_refused():
    with pytest.raises(InputError, match="carbody_shift: must leave a load on every corner"):
        corner_loads(replace(HBBILLS, carbody_shift=(0.0, 1.0)))


def mirrored(vehicle: Vehicle) -> Vehicle:
    """The description seen in a mirror: y changes sign, left and right change names."""

    def swap(name: str) -> str:
        return name.replace("left", "?").replace("right", "left").replace("?", "right")

    def law(old):
        return DeadBand(-old.gap_high, -old.gap_low, old.stiffness) if isinstance(old, DeadBand) else old

    def flip(p):
        return (p[0], -p[1], p[2])

    order = [c.name for c in vehicle.connections]
    connections = [replace(c, name=swap(c.name), point=flip(c.point)) for c in vehicle.connections]
    elements = [
        replace(
            e,
            name=swap(e.name),
            connection=swap(e.connection),
            law=law(e.law) if e.direction in ("y", "roll", "yaw") else e.law,
        )
        for e in vehicle.elements
    ]
    return replace(
        vehicle,
        bodies=tuple(replace(b, position=flip(b.position)) for b in vehicle.bodies),
        connections=tuple(sorted(connections, key=lambda c: order.index(c.name))),
        elements=tuple(sorted(elements, key=lambda e: order.index(e.connection))),
        meta={},
    )


@pytest.mark.parametrize("links", LINK_SETS)
def test_symmetric_wagon_is_its_own_mirror_image(links):
    wagon = two_axle(replace(HBBILLS, links=LINK_SETS[links]))
    assert mirrored(wagon) == replace(wagon, meta={})


def test_mirror_of_a_shifted_load_is_the_load_shifted_the_other_way():
    left = two_axle(replace(HBBILLS, carbody_shift=(0.1, 0.1)))
    right = two_axle(replace(HBBILLS, carbody_shift=(0.1, -0.1)))
    assert mirrored(left) == replace(right, meta={})
    assert mirrored(left) != replace(left, meta={})


def test_names_and_kinds_of_a_corner():
    found = laws(two_axle(HBBILLS))
    corner = {name.removeprefix("rear_left."): type(law) for name, law in found.items() if "rear_left." in name}
    assert corner == {
        "link_x.pendulum": Spring,
        "link_x.slider_1": DryFriction,
        "link_x.slider_2": DryFriction,
        "link_x.slider_3": DryFriction,
        "link_x.slider_4": DryFriction,
        "guide_x": Guide,
        "link_y.pendulum": Spring,
        "link_y.slider_1": DryFriction,
        "link_y.bracket": DeadBand,
        "guide_y": DeadBand,
        "leaf": LeafSpring,
    }
    assert len(found) == 4 * len(corner)


def test_everything_in_a_link_grows_with_the_load_of_its_own_corner():
    p = replace(HBBILLS, carbody_shift=(0.1, 0.1))
    found, loads, link = laws(two_axle(p)), corner_loads(p), LINK_SETS["PTP"]["y"]
    for corner in CORNERS:
        load = loads[corner]
        assert found[f"{corner}.link_y.pendulum"].stiffness == pytest.approx(3.406 * load, rel=1e-15)
        assert found[f"{corner}.link_y.slider_1"].stiffness == pytest.approx(10.375 * load, rel=1e-15)
        assert found[f"{corner}.link_y.slider_1"].limit == pytest.approx(0.053 * load, rel=1e-15)
        assert found[f"{corner}.link_y.bracket"] == DeadBand(-0.01, 0.01, link.bracket_stiffness * load)


def test_lateral_guide_works_on_one_side_of_each_corner():
    found = laws(two_axle(HBBILLS))
    for corner in CORNERS:
        gaps = (-0.02, inf) if corner.endswith("left") else (-inf, 0.02)
        assert found[f"{corner}.guide_y"] == DeadBand(*gaps, 1.5e6)


def test_friction_per_corner_scales_break_out_forces_only():
    friction = {"front_left": 0.1, "front_right": 0.3, "rear_left": 0.5, "rear_right": 0.2}  # figure 5.14
    found, reference = laws(two_axle(replace(HBBILLS, link_friction=friction))), laws(two_axle(HBBILLS))
    for name, law in reference.items():
        ratio = friction[name.split(".")[0]] / 0.3
        if isinstance(law, DryFriction):
            assert found[name].stiffness == law.stiffness
            assert found[name].limit == pytest.approx(ratio * law.limit, rel=1e-14)
        else:
            assert found[name] == law


@pytest.mark.parametrize(("mass", "stiffness"), [(15176.0, 0.65e6), (41176.0, 1.82e6)])
def test_linear_leaf_takes_the_stiffness_of_the_stage_that_carries(mass, stiffness):
    wagon = two_axle(replace(HBBILLS, carbody_mass=mass, leaf=LinearLeaf(PARABOLIC, damping_ratio=0.05)))
    spring, quarter = laws(wagon)["front_left.leaf"], mass / 4
    assert spring.stiffness == stiffness
    assert spring.preload == pytest.approx(quarter * 9.81, rel=1e-14)
    # critical damping of a mass on a spring is 2 m omega
    assert spring.damping / (2 * quarter * sqrt(stiffness / quarter)) == pytest.approx(0.05, rel=1e-12)


def test_bodies_stand_on_the_track_and_points_on_the_axles():
    wagon = two_axle(replace(HBBILLS, carbody_shift=(0.1, -0.05)))
    position = {b.name: b.position for b in wagon.bodies}
    assert position["carbody"] == (0.1, -0.05, 1.57)
    for c in wagon.connections:
        x, y, z = position[c.outer]
        assert hypot(c.point[0] - x, c.point[2] - z) == 0.0
        assert abs(c.point[1] - y) == 1.0


def test_a_wheelbase_of_millimetres_is_refused():
    with pytest.raises(InputError, match=r"wheelbase: must be more than two wheel radii, 0\.92 m, got 0\.01"):
        replace(HBBILLS, wheelbase=0.01)
