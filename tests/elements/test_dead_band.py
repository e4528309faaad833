"""Dead-band spring: conservative, one- and two-sided, continuous at the gaps."""

from math import inf
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from klingel._errors import InputError
from klingel.elements import dead_band, piece
from klingel.elements.dead_band import TRANSITIONS, DeadBand, Mode
from klingel.elements.piece import Wall

ELEMENT = SimpleNamespace(
    piece=lambda mode, memory, p: dead_band.piece(mode, *p),
    leave=lambda mode, wall, u, v, memory, p: (dead_band.leave(mode, wall), memory),
    settle=lambda mode, u, v, memory, p: (mode, memory),
)

bands = st.sampled_from([(-0.01, 0.01, 1e5), (-inf, 0.02, 1.5e6), (-0.02, inf, 1.5e6), (0.003, 0.004, 2e4)])
paths = st.lists(st.floats(-0.05, 0.05), min_size=1, max_size=8)


def law(u, gap_low, gap_high, k):
    """Force and potential without modes."""
    beyond = u - gap_high if u > gap_high else (u - gap_low if u < gap_low else 0.0)
    return k * beyond, 0.5 * k * beyond**2


@settings(deadline=None, max_examples=150)
@given(bands, paths)
def test_walk_follows_the_law_and_conserves_energy(reference, band, path):
    start = band[0] + 0.5 * (band[1] - band[0]) if np.isfinite(band[0] + band[1]) else 0.0
    turns = [start]
    for u in path:
        if u != turns[-1]:
            turns.append(u)
    legs, mode, _ = reference.walk(ELEMENT, turns, Mode.FREE, None, band)
    scale = band[2] * 0.1
    for leg in legs:
        for u in (leg.begin, 0.5 * (leg.begin + leg.end), leg.end):
            assert piece.force(leg.piece, u, leg.v) == pytest.approx(law(u, *band)[0], abs=1e-12 * scale)
    energy = law(turns[-1], *band)[1]
    assert reference.work(legs) == pytest.approx(energy, abs=1e-12 * scale)
    force = piece.force(dead_band.piece(mode, *band), turns[-1], 0.0)
    assert dead_band.stored_energy(force, band[2]) == pytest.approx(energy, abs=1e-12 * scale)


@settings(deadline=None, max_examples=100)
@given(bands, st.floats(-0.05, 0.05), st.floats(-2.0, 2.0))
def test_start_mode_and_rate_form(band, u, v):
    mode = dead_band.mode_at(u, band[0], band[1])
    p = dead_band.piece(mode, *band)
    assert min(piece.margins(p, u, v)) >= 0.0
    assert piece.force(p, u, v) == pytest.approx(law(u, *band)[0], abs=1e-12 * band[2])
    assert dead_band.rate(u, v, 0.0, *band) == p.slope * v


def test_every_exit_leads_to_another_mode_and_force_is_continuous():
    band = (-0.01, 0.02, 1e5)
    for mode, name, following in TRANSITIONS:
        wall = Wall[name]
        here = dead_band.piece(mode, *band)
        there = dead_band.leave(mode, wall)
        assert there == following != mode
        u = here[3 + wall]
        beyond = dead_band.piece(there, *band)
        assert piece.force(here, u, 1.0) == pytest.approx(piece.force(beyond, u, 1.0), abs=1e-9)
    armed = {
        (mode, wall.name) for mode in Mode for wall in Wall if np.isfinite(dead_band.piece(mode, *band)[3 + wall])
    }
    assert armed == {(mode, wall) for mode, wall, _ in TRANSITIONS}


@pytest.mark.parametrize("bad", [(0.01, -0.01, 1e5), (-0.01, 0.01, -1.0), (0.0, 0.0, 1.0)])
def test_refuses_bad_parameters(bad):
    with pytest.raises(InputError):
        DeadBand(*bad)
