"""Quantities with a dimension: exact on the way out and back, refused when the unit is of something else."""

from math import inf, pi

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from klingel._errors import InputError
from klingel.io.toml_tables import FileError
from klingel.io.units import (
    DIMENSIONS,
    ROTATIONAL,
    UNITS,
    BadQuantity,
    parse_quantity,
    parse_values,
    read_checked,
    read_quantity,
    write_quantity,
)
from klingel.io.vehicle.files import library_text, parse_vehicle


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


def test_a_unit_means_the_same_whatever_the_dimension():
    for units in DIMENSIONS.values():
        for unit, factor in units.items():
            assert UNITS[unit] == factor


@settings(deadline=None)
@given(
    number=st.floats(allow_nan=False, allow_infinity=False).map(repr),
    unit=st.sampled_from(sorted(UNITS)),
    blanks=st.tuples(*[st.sampled_from(["", " ", "  "])] * 3),
)
def test_files_and_command_line_read_the_same(number, unit, blanks):
    text = f"{blanks[0]}{number}{' ' if unit.startswith('1') else blanks[1]}{unit}{blanks[2]}"
    dimension = next(name for name, units in DIMENSIONS.items() if unit in units)
    assert parse_quantity(text) == read_quantity(text, dimension) == parse_quantity(text, "value", dimension)


@pytest.mark.parametrize(
    ("text", "dimension", "line"),
    [
        ("1" * 400, "", "speed: must be below 1.8e308"),
        ("1" * 5000, "speed", "speed: must be below 1.8e308"),
        ("1e999", "speed", "speed: must be below 1.8e308"),
        ("1" + " " * 60_000 + "2", "", "speed: must be a number with an optional unit"),
        ("1" + " " * 60_000 + "2", "speed", 'speed: must be a speed like "1.5 m/s"'),
        ("1 " + "x" * 60_000, "", "speed: unknown unit 'xxx"),
        ("45 kg", "speed", "speed: must be a speed in m/s, mm/s, km/h, got '45 kg'"),
        ("45 mph", "", "speed: unknown unit 'mph'; known units: kg m"),
        ("1/0", "", "speed: must not be divided by zero"),
        ("1/", "", "speed: unknown unit '/'"),
        ("", "", "speed: must be a number with an optional unit"),
    ],
)
def test_whatever_is_typed_gets_one_short_line(text, dimension, line):
    with pytest.raises(InputError) as refused:
        parse_quantity(text, "speed", dimension)
    assert str(refused.value).startswith(line)
    assert len(str(refused.value)) < 300


@pytest.mark.parametrize(
    ("typed", "line"),
    [
        ("1" * 400, "carbody.mass: must be below 1.8e308, got 111"),
        ("1" * 5000, "file: has a number of too many digits"),
        (f'"1{" " * 60_000}2"', 'carbody.mass: must be a mass like "1.5 kg", got 1'),
        ("[" * 2000 + "]" * 2000, "file: has too many brackets or dots"),
    ],
)
def test_the_same_in_a_file(typed, line):
    text = library_text("hbbills311").replace('"15176 kg"', typed)
    with pytest.raises(FileError) as refused:
        parse_vehicle(text, "mine.toml")
    assert str(refused.value).startswith(f"mine.toml: {line}")
    assert len(str(refused.value)) < 300


def test_ranges_know_their_dimension():
    assert parse_values("36km/h:72km/h:18km/h", "--speeds", dimension="speed") == pytest.approx([10.0, 15.0, 20.0])
    for text in ("36kg,72kg", "1:2:1mm"):
        with pytest.raises(InputError, match=r"--speeds: must be a speed in m/s, mm/s, km/h"):
            parse_values(text, "--speeds", dimension="speed")
    for text in ("1:1e300:1e-300", "1:2:-1", "1:2", "1:inf:1"):
        with pytest.raises(InputError, match="--speeds: must "):
            parse_values(text, "--speeds")


def test_rotational_kin_have_dimensions():
    assert set(ROTATIONAL) | set(ROTATIONAL.values()) <= set(DIMENSIONS)
