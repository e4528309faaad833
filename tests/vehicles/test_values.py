"""Values by dotted name: what is set is read back, what depends on it follows, the rest stays."""

from dataclasses import replace

import pytest

from klingel._errors import InputError
from klingel.vehicles.checks import problems
from klingel.vehicles.two_axle import two_axle
from klingel.vehicles.values import template_values, value, values, with_value
from tests.vehicles.test_two_axle import HBBILLS

WAGON = two_axle(HBBILLS)
PLAIN = replace(WAGON, meta={})  # the same wagon, not known to come from a template


BOUND = ("leaf.decay", "position.z", "radius", "torsion", "torsion_damping")  # checked against other values


def test_every_single_value_is_replaced_alone():
    old = values(PLAIN)
    for name, before in old.items():
        if isinstance(before, str) or name.endswith(BOUND):
            continue
        new = 0.99 * before if before else 0.01
        changed = values(with_value(PLAIN, name, new))
        assert changed == {**old, name: new}


def test_every_template_value_is_read_back():
    for name, before in template_values(WAGON).items():
        if isinstance(before, float):
            assert value(with_value(WAGON, name, 0.99 * before), name) == 0.99 * before


def test_heavier_carbody_of_the_template_has_stiffer_links():
    heavier = with_value(WAGON, "carbody.mass", 2 * 15176.0)
    for name in ("front_left.link_y.pendulum.stiffness", "rear_right.link_x.slider_2.limit"):
        assert value(heavier, name) == pytest.approx(2 * value(WAGON, name), rel=1e-15)
    assert value(heavier, "front_left.guide_y.stiffness") == value(WAGON, "front_left.guide_y.stiffness")
    assert heavier.elements == two_axle(replace(HBBILLS, carbody_mass=2 * 15176.0)).elements
    assert heavier.sources["carbody.mass"] == "changed by the user"


def test_single_changes_survive_a_new_expansion():
    changed = with_value(WAGON, "front_left.link_y.slider_1.limit", 800.0)
    wider = with_value(changed, "wheelbase", 9.0)
    assert value(wider, "front_left.link_y.slider_1.limit") == 800.0
    assert value(wider, "front_left.point.x") == 4.5
    assert value(WAGON, "front_left.link_y.slider_1.limit") != 800.0


def test_friction_per_corner_by_name():
    changed = with_value(WAGON, "link_friction.rear_left", 0.15)
    limit = "rear_left.link_x.slider_1.limit"
    assert value(changed, limit) == pytest.approx(0.5 * value(WAGON, limit), rel=1e-15)


@pytest.mark.parametrize(
    ("name", "new", "line"),
    [
        ("carbody.mass", -1.0, "carbody.mass: must be finite and positive, got -1.0"),
        ("carbody.mas", 1.0, "carbody.mas: is no value of this vehicle; did you mean carbody.mass?"),
        ("front_left.leaf.friction", 1.5, "front_left.leaf.friction: must lie in [0, 1), got 1.5"),
        ("front_left.guide_x.restitution", 2.0, "front_left.guide_x.restitution: must lie in [0, 1], got 2.0"),
        ("front_wheelset.profile", 3.0, "front_wheelset.profile: must be a text, got 3.0"),
        ("front_wheelset.mass", "heavy", "front_wheelset.mass: must be a number in SI units, got 'heavy'"),
        ("front_wheelset.radius", 0.3, "front_wheelset.position.z: must be the wheel radius 0.3 m"),
        ("rear_left.leaf.reading", "none", "rear_left.leaf.reading: must be one of simplified, full, got 'none'"),
        ("wheelbase", 0.0, "wheelbase: must be finite and positive, got 0.0"),
    ],
)
def test_bad_values_are_refused_with_one_line(name, new, line):
    with pytest.raises(InputError) as refused:
        with_value(WAGON, name, new)
    assert str(refused.value).startswith(line)
    assert "\n" not in str(refused.value)


def test_library_wagon_has_no_problems():
    assert list(problems(WAGON)) == []
