"""Conditions of a study: one parameter made wrong and nothing else, tolerances, seeds, readings."""

from dataclasses import dataclass

import numpy as np
import pytest

from klingel.elements.leaf_spring import Reading
from klingel.literature.reproduce.case import FULL, SEEDS, Case, Wrong
from klingel.vehicles.values import template_values


@dataclass(frozen=True)
class Parameters:
    mass: float = 2.0
    speed: float = 3.0


def test_only_the_named_number_is_wrong():
    case = Case(wrong=Wrong("mass", 1.5))
    assert case.fields(Parameters()) == Parameters(mass=3.0)
    assert case.number("mass", 10.0) == 15.0
    assert case.number("speed", 10.0) == 10.0
    assert Case().fields(Parameters()) == Parameters()
    assert str(case.wrong) == "mass x 1.5"


def test_a_wagon_differs_by_the_named_value_alone():
    right, wrong = Case().wagon("kbps"), Case(wrong=Wrong("vehicle.wheelbase", 0.5)).wagon("kbps")
    before, after = template_values(right), template_values(wrong)
    assert {name for name in before if before[name] != after[name]} == {"wheelbase"}
    assert after["wheelbase"] == 0.5 * float(before["wheelbase"])


@pytest.mark.parametrize(("case", "reading"), [(Case(), Reading.SIMPLIFIED), (Case(reading=FULL), Reading.FULL)])
def test_a_case_chooses_the_reading(case, reading):
    assert case.wagon("hbbills311").elements[-1].law.reading == reading


def test_seeds_are_different_and_repeat():
    first, again, other = (
        [generator.random() for generator in case.generators()] for case in (Case(1), Case(1), Case(2))
    )
    assert first == again
    assert not set(first) & set(other)
    assert len(np.unique(first)) == SEEDS


def test_a_tighter_case_divides_the_tolerance():
    assert Case(tighter=10.0).rtol(1e-4) == pytest.approx(1e-5)
