"""Quantities with a dimension: exact on the way out and back, refused when the unit is of something else."""

from math import inf, pi

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from klingel.io.dimensions import DIMENSIONS, ROTATIONAL, BadQuantity, read_checked, read_quantity, write_quantity
from klingel.io.quantities import UNITS


@settings(deadline=None)
@given(value=st.floats(allow_nan=False), dimension=st.sampled_from(sorted(DIMENSIONS)))
def test_written_quantities_read_back_exactly(value, dimension):
    assert read_quantity(write_quantity(value, dimension), dimension) == value


@pytest.mark.parametrize(
    ("given", "dimension", "value"),
    [
        ("1490 kg", "mass", 1490.0),
        ("16t", "mass", 16e3),
        (1490, "mass", 1490.0),
        ("22.5 mm", "length", 0.0225),
        ("-inf m", "length", -inf),
        ("1.5 MN/m", "stiffness", 1.5e6),
        ("5.51 1/m", "stiffness per load", 5.51),
        ("1/40", "number", 0.025),
        ("30 %", "number", 0.3),
        ("180 deg", "angle", pi),
        ("1e5 N s/m", "damping", 1e5),
    ],
)
def test_units_people_type(given, dimension, value):
    assert read_quantity(given, dimension) == pytest.approx(value, rel=1e-15)


@pytest.mark.parametrize(
    ("given", "dimension", "allowed"),
    [
        ("1490 N", "mass", "must be a mass in kg, t, g"),
        ("heavy", "mass", 'must be a mass like "1.5 kg"'),
        (True, "mass", 'must be a mass like "1.5 kg"'),
        ([1.0], "mass", 'must be a mass like "1.5 kg"'),
        (None, "mass", 'must be given, a mass like "1.5 kg"'),
        ("nan", "length", 'must be a length like "1.5 m"'),
        (float("nan"), "length", "must be a length, not nan"),
        ("0.3 m", "number", "must be a number in %"),
        ("1/0 m", "length", "must not be divided by zero"),
    ],
)
def test_wrong_ones_are_told_what_is_allowed(given, dimension, allowed):
    with pytest.raises(BadQuantity) as refused:
        read_quantity(given, dimension)
    assert str(refused.value) == allowed


@pytest.mark.parametrize(
    ("given", "sign"), [(0.0, "positive"), (-1.0, "not negative"), (1.1, "fraction"), (inf, ""), (-inf, "")]
)
def test_signs(given, sign):
    with pytest.raises(BadQuantity):
        read_checked(given, "number", sign)


def test_units_agree_with_those_of_the_command_line():
    for units in DIMENSIONS.values():
        for unit, factor in units.items():
            assert UNITS.get(unit, factor) == factor


def test_rotational_kin_have_dimensions():
    assert set(ROTATIONAL) | set(ROTATIONAL.values()) <= set(DIMENSIONS)
