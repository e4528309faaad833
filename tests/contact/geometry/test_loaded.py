"""Load transfer at a rigid jump: balance, closed-form ends, and the rigid jump as the limit of no load."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from klingel.contact.geometry.loaded import Transfer, loaded_overlaps, share_load, transfers
from klingel.contact.geometry.placement import RailPair, WheelPair
from klingel.contact.geometry.wheelset_on_track import Hand, WheelsetOnTrack
from klingel.contact.profiles.s1002 import s1002
from klingel.contact.profiles.uic60 import uic60
from klingel.contact.table.contact_table import Conditions

constants = st.floats(1e9, 1e12)


@given(st.floats(0.0, 3e-4), constants, constants, st.floats(1e2, 3e5))
@settings(deadline=None, max_examples=100)
def test_shares_sum_to_one_and_balance_the_load(gap, k_1, k_2, load):
    a, b, sunk = share_load(0.0, gap, k_1, k_2, load)
    assert a + b == pytest.approx(1.0, abs=1e-14)
    assert k_1 * sunk**1.5 == pytest.approx(a * load, rel=1e-10)
    assert k_2 * max(sunk - gap, 0.0) ** 1.5 == pytest.approx(b * load, rel=1e-8, abs=1e-8 * load)


def test_equal_patches_share_equally_at_the_jump():
    transfer = Transfer(1e-3, Hand.LEFT, 0.1, 0.1, 1e11, 1e11)
    np.testing.assert_allclose(transfer.shares(np.array([1e-3]), 8e4), [[0.5, 0.5]], atol=1e-14)


def test_transfer_is_gradual_monotone_and_ends_where_the_closed_form_says():
    transfer = Transfer(1e-3, Hand.LEFT, 0.15, 0.2, 2e11, 0.7e11)
    low, high = transfer.reach(8e4)
    shifts = np.linspace(low - 1e-5, high + 1e-5, 4001)
    before, after = transfer.shares(shifts, 8e4).T
    assert np.all(np.diff(after) >= 0.0)
    assert np.diff(after).max() < 2e-3
    inside = (shifts > low + 1e-7) & (shifts < high - 1e-7)
    assert np.all(after[inside] > 0.0) and np.all(before[inside] > 0.0)  # noqa: PT018
    assert np.all(after[shifts < low] == 0.0)
    assert np.all(before[shifts > high] == 0.0)


def test_width_vanishes_with_the_load_like_its_power_two_thirds():
    transfer = Transfer(0.0, Hand.LEFT, 0.15, 0.2, 2e11, 0.7e11)
    (wide,), (narrow,) = (loaded_overlaps((transfer,), load) for load in (8e4, 8e1))
    assert wide / narrow == pytest.approx(100.0)


def test_s1002_on_uic60():
    """Openings agree with the gap of the second contact point that the geometry reports next to a jump."""
    wheelset = WheelsetOnTrack(WheelPair(s1002()), RailPair(uic60(), inclination=1 / 40))
    jumps = wheelset.jumps(0.0, 7e-3)
    found = transfers(wheelset, jumps, Conditions())
    assert [t.hand for t in found] == [Hand.LEFT] * 3
    assert all(min(t.rate_low, t.rate_high) > 0.0 for t in found)
    for transfer in found[:2]:  # at the third, root and corner fit: no second point
        near = wheelset.at(transfer.shift + np.array([-2e-5, 2e-5]), window=1e-4).left
        assert list(near.count) == [2, 2]
        expected = (2e-5 * transfer.rate_low, 2e-5 * transfer.rate_high)
        assert list(near.points.gap[:, 1]) == pytest.approx(expected, rel=0.01)
    widths = loaded_overlaps(found, 8e4)
    assert widths[0] > widths[1] > widths[2] > 0.0


def test_mirrored_jumps_transfer_alike():
    wheelset = WheelsetOnTrack(WheelPair(s1002()), RailPair(uic60(), inclination=1 / 40))
    found = transfers(wheelset, wheelset.jumps(-5.5e-3, 5.5e-3), Conditions())
    for a, b in zip(found, found[::-1], strict=True):
        assert a.rate_low == pytest.approx(b.rate_high, rel=1e-4)
        assert (a.before, a.after) == pytest.approx((b.after, b.before), rel=1e-4)
