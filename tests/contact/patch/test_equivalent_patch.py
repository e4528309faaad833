"""The equivalent patch keeps force, moment, energy and area."""

from math import cos, sin

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from klingel._errors import InputError
from klingel.contact.patch.equivalent_patch import ContactPatch, equivalent_patch

PATCH = st.builds(
    ContactPatch,
    y=st.floats(0.70, 0.78),
    z=st.floats(-0.48, -0.45),
    angle=st.floats(-0.1, 1.3),
    load=st.floats(1.0, 1e5),
    approach=st.floats(1e-6, 2e-4),
    a=st.floats(1e-3, 1e-2),
    b=st.floats(1e-3, 1e-2),
)


def force(p):
    return -p.load * sin(p.angle), p.load * cos(p.angle)


def moment(p):
    across, up = force(p)
    return p.y * up - p.z * across


@settings(deadline=None)
@given(patches=st.lists(PATCH, min_size=1, max_size=4))
def test_keeps_force_moment_energy_and_area(patches):
    one = equivalent_patch(patches)
    for part in range(2):
        assert force(one)[part] == pytest.approx(sum(force(p)[part] for p in patches), rel=1e-9, abs=1e-6)
    assert moment(one) == pytest.approx(sum(moment(p) for p in patches), rel=1e-9, abs=1e-6)
    assert one.load * one.approach == pytest.approx(sum(p.load * p.approach for p in patches), rel=1e-9)
    assert one.area == pytest.approx(sum(p.area for p in patches), rel=1e-9)


@settings(deadline=None)
@given(patch=PATCH)
def test_one_patch_is_itself(patch):
    one = equivalent_patch([patch])
    for name in ("y", "z", "angle", "load", "approach", "a", "b"):
        assert getattr(one, name) == pytest.approx(getattr(patch, name), rel=1e-9, abs=1e-12)


@settings(deadline=None)
@given(first=PATCH, second=PATCH)
def test_order_does_not_matter_and_an_unloaded_patch_is_not_there(first, second):
    one, other = equivalent_patch([first, second]), equivalent_patch([second, first])
    assert one.angle == pytest.approx(other.angle, abs=1e-12)
    assert one.y == pytest.approx(other.y, abs=1e-12)
    idle = ContactPatch(second.y, second.z, second.angle, 0.0, 0.0, second.a, second.b)
    assert equivalent_patch([first, idle]) == equivalent_patch([first])


def test_nothing_loaded_is_refused():
    with pytest.raises(InputError, match="patches"):
        equivalent_patch([])
