"""Closed-form standing of cones on circles against Newton's iteration on the printed constraints."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from klingel._errors import InputError
from klingel.literature.constrained_wheelset.constraints import X
from klingel.literature.constrained_wheelset.geometry import LEFT, RIGHT, stand, wheel_parameter
from klingel.literature.constrained_wheelset.start import full_state, start
from tests.literature.constrained_wheelset.cases import UNSUSPENDED

SHIFTS = st.floats(-0.03, 0.03)
ANGLES = st.floats(0.01, 0.2)


@settings(deadline=None, max_examples=60)
@given(y=SHIFTS, delta=ANGLES)
def test_closed_form_is_where_newton_ends(y, delta):
    w = replace(UNSUSPENDED, conicity=delta)
    x = full_state(w, start(w, y=y, y_dot=1.0))
    p = w.flat()
    at = stand(y, p)
    assert at.found
    # rounding of the constraints, 2e-16, over sin(2 delta) and once more for the rates
    tolerance = 1e-15 / delta
    np.testing.assert_allclose((at.z, at.roll), x[[X.Z, X.ROLL]], rtol=0, atol=tolerance)
    np.testing.assert_allclose((at.z_1, at.roll_1), x[[X.Z_DOT, X.ROLL_DOT]], rtol=0, atol=tolerance / delta)
    for side, i in ((LEFT, X.S11), (RIGHT, X.S12)):
        assert wheel_parameter(side, y, at.z, at.roll, p) == pytest.approx(x[i], abs=tolerance)
    assert x[X.S21] == pytest.approx(delta + at.roll, abs=tolerance)
    assert -x[X.S32] == pytest.approx(delta - at.roll, abs=tolerance)


@pytest.mark.parametrize("y", [-0.02, 0.0, 0.004])
def test_second_derivatives(y):
    """Differences of the first derivatives, which the test above settles; error 1e-12 + h^2."""
    p, h = UNSUSPENDED.flat(), 1e-4
    before, at, after = stand(y - h, p), stand(y, p), stand(y + h, p)
    assert at.roll_2 == pytest.approx((after.roll_1 - before.roll_1) / (2 * h), rel=1e-6, abs=1e-10)
    assert at.z_2 == pytest.approx((after.z_1 - before.z_1) / (2 * h), rel=1e-6, abs=1e-10)


def test_roll_is_odd_and_height_even_in_y():
    p = UNSUSPENDED.flat()
    left, right = stand(0.007, p), stand(-0.007, p)
    assert (left.roll, left.z, left.z_1) == (-right.roll, right.z, -right.z_1)


def test_no_standing_is_an_input_error():
    with pytest.raises(InputError, match="y: must be a lateral shift"):
        full_state(UNSUSPENDED, start(UNSUSPENDED, y=20.0))
    assert not stand(20.0, UNSUSPENDED.flat()).found
