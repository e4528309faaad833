"""The tables as printed, and what follows from them."""

from math import inf

import pytest

from klingel._errors import InputError
from klingel.elements.link_sets import LINK_SETS, link_law

# Hoffmann (2006), tables 2.4 and 2.5: set, direction, k, k_1 ..., T_01 ...
PRINTED = """
PTP x 5.51  3.56 1.90 0.35 1.86  0.02103 0.01425 0.00278 0.02059
PTP y 3.406 10.375 0.053
SPP x 4.50 25.00 0.08
SPP y 4.90 20.00 0.10
INP x 4.60 22.99 0.07
INP y 4.60 13.79 0.07
ASZ x 2.70 32.00 15.70 4.10 0.016 0.037 0.020
ASZ y 4.00 52.00 8.00 0.040 0.064
MP x 5.51 3.56 1.90 0.35 1.86 0.02103 0.01425 0.00278 0.02059
MP y 6.00 2.00 2.00 2.00 2.00 0.0015 0.0020 0.0025 0.0030
""".strip().splitlines()


@pytest.mark.parametrize("line", PRINTED)
def test_sets_are_the_printed_tables(line):
    name, direction, k, *rest = line.split()
    numbers = [float(text) for text in rest]
    half = len(numbers) // 2
    law = link_law(name, direction)
    assert law.stiffness == float(k)
    assert law.sliders == tuple(zip(numbers[:half], numbers[half:], strict=True))
    if direction == "y":
        assert (law.bracket_stiffness, law.bracket_gap) == (law.stiffness, 0.01)
    else:
        assert (law.bracket_stiffness, law.bracket_gap) == (0.0, inf)


def test_every_set_has_both_directions():
    assert len(PRINTED) == sum(len(laws) for laws in LINK_SETS.values()) == 10


def test_friction_scales_limits_only():
    law = link_law("PTP", "x")
    half = law.with_friction(0.5)
    assert half.rolling_stiffness == law.rolling_stiffness == pytest.approx(13.18)
    assert half.breakout == pytest.approx(0.5 * law.breakout)


@pytest.mark.parametrize(("name", "direction", "field"), [("XYZ", "x", "links"), ("PTP", "z", "direction")])
def test_unknown_names_are_refused(name, direction, field):
    with pytest.raises(InputError, match=field):
        link_law(name, direction)
