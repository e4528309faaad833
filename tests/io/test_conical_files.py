"""Conical wheelsets in vehicle files: both ways to give their creep stiffness, and what is refused."""

from math import pi

import pytest

from klingel.io.toml_tables import FileError
from klingel.io.vehicle.files import library_text, load_vehicle, parse_vehicle
from klingel.io.vehicle.options import with_settings
from klingel.io.vehicle.toml import to_toml
from klingel.vehicles.values import value, values, with_value

TEXT = library_text("single_wheelset")
FACTORS = 'shear_modulus = "80.8 GPa"\nsemi_axes = ["6.578 mm", "3.934 mm"]'
PRODUCT = 'creep_stiffness = "6.563 MN"'


@pytest.mark.parametrize("name", ["cooperrider", "single_wheelset"])
def test_description_reads_back_exactly(name):
    vehicle = load_vehicle(name)
    assert parse_vehicle(to_toml(vehicle)) == vehicle


def test_creep_stiffness_from_its_factors():
    vehicle = parse_vehicle(TEXT.replace(PRODUCT, FACTORS))
    expected = 8.08e10 * pi * 6.578e-3 * 3.934e-3
    assert value(vehicle, "wheelset.cone.creep_stiffness") == pytest.approx(expected, rel=1e-14)


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        (PRODUCT, "", "wheelset.creep_stiffness: must be given, or shear_modulus and semi_axes"),
        (PRODUCT, f"{PRODUCT}\n{FACTORS}", "wheelset.creep_stiffness: must be given, or shear_modulus"),
        (PRODUCT, 'shear_modulus = "80.8 GPa"', "wheelset.creep_stiffness: must be given, or shear_modulus"),
        (PRODUCT, FACTORS.replace("GPa", "kN"), "wheelset.shear_modulus: must be a pressure in N/m2"),
        ("psi = 0.54219", "psi = 0", "wheelset.psi: must be positive, got 0"),
        ("conicity = 0.05", "conicty = 0.05", "wheelset.conicty: is not a known key; did you mean conicity?"),
        ('free = ["y", "yaw"]', 'free = ["y", "yaw", "spin"]', "wheelset.free: must not hold spin"),
        ('radius = "0.4572 m"', 'radius = "0.5 m"', "wheelset.position.z: must be the wheel radius 0.5 m"),
        ("[conical_wheelsets.wheelset]", "[conical_wheelsets.axle]", "axle"),
    ],
)
def test_defects_are_told(old, new, line):
    assert TEXT.count(old) == 1
    with pytest.raises(FileError) as caught:
        parse_vehicle(TEXT.replace(old, new), "mine.toml")
    assert any(f"{p.field}: {p.allowed}".startswith(line) or line in str(p) for p in caught.value.problems)


def test_values_by_name_with_units():
    wheelset = load_vehicle("single_wheelset")
    changed = with_settings(wheelset, ["wheelset.cone.adhesion_limit=8kN", "wheelset.cone.conicity=1/10"])
    assert value(changed, "wheelset.cone.adhesion_limit") == 8000.0
    assert value(changed, "wheelset.cone.conicity") == 0.1
    old = values(wheelset)
    for name, before in old.items():
        if ".cone." in name and not name.endswith("radius"):
            assert values(with_value(wheelset, name, 0.5 * before)) == {**old, name: 0.5 * before}
