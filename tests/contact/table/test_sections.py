"""Sections and overlaps: bounds, shortening, cutting of tables, jumps found in tables of unknown origin."""

import numpy as np
import pytest

from klingel._errors import InputError
from klingel.contact.table.sections import Section, Sections, cut, find_jumps, overlap_widths

GRID = np.linspace(-5e-3, 5e-3, 51)


def test_cut_keeps_every_row_once_and_separates_at_the_jumps():
    values = np.random.default_rng(0).normal(size=(51, 3))
    jumps = [-1.13e-3, 0.55e-3]
    sections = cut(GRID, values, jumps, 2e-4)
    np.testing.assert_array_equal(np.vstack([p.values for p in sections.parts]), values)
    np.testing.assert_allclose(np.concatenate([p.shift for p in sections.parts]), GRID, atol=1e-15)
    assert sections.parts[0].shift[-1] < jumps[0] < sections.parts[1].shift[0]
    np.testing.assert_allclose(sections.bounds, [-5e-3, -1.23e-3, -1.03e-3, 0.45e-3, 0.65e-3, 5e-3])


def test_overlaps_of_a_short_section_meet_in_its_middle():
    parts = tuple(Section(s, 1e-4, np.zeros((1, 1))) for s in (0.0, 1.05e-3, 2e-3))
    s = Sections(parts, np.array([1e-3, 1.1e-3]), np.array([2e-4, 4e-4]), 0.0, 3e-3)
    np.testing.assert_allclose(s.reach, [5e-5, 5e-5])
    assert s.bounds[2] == pytest.approx(s.bounds[3])  # a single-contact state of no width
    assert np.all(np.diff(s.bounds) >= -1e-18)


def test_widths_one_for_all_or_one_each():
    np.testing.assert_array_equal(overlap_widths([1.0, 2.0], 0.3), [0.3, 0.3])
    np.testing.assert_array_equal(overlap_widths([1.0, 2.0], [0.3, 0.1]), [0.3, 0.1])
    with pytest.raises(InputError, match="overlap"):
        overlap_widths([1.0, 2.0], [0.1])


def test_jump_is_found_and_a_fast_smooth_passage_is_not():
    smooth = 0.75 + 0.004 * np.tanh(GRID / 3e-4)  # moves up to 2.6 mm per row
    assert find_jumps(GRID, smooth) == []
    jumping = smooth + np.where(GRID > 2.1e-3, 0.008, 0.0)
    assert find_jumps(GRID, jumping) == pytest.approx([2.1e-3], abs=1e-12)


@pytest.mark.parametrize(("jumps", "field"), [([0.5e-3, 0.52e-3], "jumps"), ([6e-3], "jumps"), ([-6e-3], "jumps")])
def test_jumps_without_a_row_between_are_refused(jumps, field):
    with pytest.raises(InputError, match=field):
        cut(GRID, np.zeros((51, 1)), jumps, 2e-4)


def test_uneven_rows_are_refused():
    with pytest.raises(InputError, match="lateral shift"):
        cut(np.array([0.0, 1.0, 3.0]), np.zeros((3, 1)), [], 2e-4)
