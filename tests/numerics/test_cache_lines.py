"""Arrays that begin at lines of the cache."""

import numpy as np
import pytest

from klingel.numerics.cache_lines import LINE, aligned, line_zeros


def address(array):
    return array.__array_interface__["data"][0]


@pytest.mark.parametrize("shapes", [[(3, 5)], [(7,), (0,), (2, 3), (16,)], [(0,)], [(1,)] * 9])
def test_arrays_begin_at_lines_and_do_not_overlap(shapes):
    arrays = line_zeros(*shapes)
    assert [a.shape for a in arrays] == shapes
    for a in arrays:
        assert a.size == 0 or address(a) % (LINE * a.itemsize) == 0
        assert a.flags.c_contiguous
        assert not a.any()
    for k, a in enumerate(arrays):
        a[...] = k + 1.0
    assert all((a == k + 1.0).all() for k, a in enumerate(arrays))


def test_a_copy_is_its_own():
    values = np.arange(11.0)
    copy = aligned(values)
    copy[0] = 5.0
    assert values[0] == 0.0
    np.testing.assert_array_equal(copy[1:], values[1:])
    assert address(copy) % (LINE * copy.itemsize) == 0
