"""Kinds of motion of signals whose kind is known."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import solve_ivp

from klingel.analysis.motion_kinds import Stretch, judge, period_n

T = np.arange(0.0, 20.0, 0.01)
NAMES = ("front_wheelset.y", "front_wheelset.yaw", "carbody.y")


def stretch(y, rate, t=T):
    """The wheelset's lateral motion; yaw follows its rate, the carbody hardly moves."""
    x = np.column_stack([y, 0.02 * rate, 1e-4 * y])
    v = np.column_stack([rate, 0.02 * np.gradient(rate, t), 1e-4 * rate])
    return Stretch(t, NAMES, x, v, ("front_wheelset.y",))


def sines(*terms, t=T, offset=0.0):
    """Sum of (amplitude, frequency) terms."""
    y = offset + sum(a * np.sin(2.0 * np.pi * f * t) for a, f in terms)
    rate = sum(2.0 * np.pi * f * a * np.cos(2.0 * np.pi * f * t) for a, f in terms)
    return stretch(y, rate, t)


def test_sine_is_periodic_with_its_frequency_and_amplitude():
    motion = judge(sines((5e-3, 1.3)))
    assert motion.kind == "periodic"
    assert motion.frequency["front_wheelset.y"] == pytest.approx(1.3, rel=1e-6)
    assert motion.amplitude["front_wheelset.y"] == pytest.approx(5e-3, rel=1e-6)
    assert motion.evidence["return"][0] < 1e-4
    assert motion.evidence["cycles"] == 24  # 26 in 20 s, without the first, begun in the middle, and the last


def test_offset_sine_is_periodic_about_its_middle():
    motion = judge(sines((2e-3, 2.0), offset=1e-3))
    assert motion.kind == "periodic"
    assert motion.middle["front_wheelset.y"] == pytest.approx(1e-3, abs=1e-8)


@pytest.mark.parametrize("n", [2, 3, 4, 7, 8])
def test_subharmonic_is_period_n(n):
    assert judge(sines((5e-3, 2.0), (5e-4, 2.0 / n))).kind == f"period-{n}"


def test_two_frequencies_without_a_common_period_are_irregular():
    motion = judge(sines((5e-3, 2.0), (1e-3, 2.0 * (np.sqrt(5.0) - 1.0) / 2.0)))
    assert motion.kind == "irregular"
    assert min(motion.evidence["return"]) > 0.01


def roessler(c):
    def rate(_, s):
        return [-s[1] - s[2], s[0] + 0.2 * s[1], 0.2 + s[2] * (s[0] - c)]

    t = np.arange(0.0, 20.0, 0.005)
    steps = 10.0 * t  # about 1.7 cycles per second
    out = solve_ivp(rate, (0.0, 600.0), [1.0, 1.0, 0.1], t_eval=400.0 + steps, rtol=1e-9, atol=1e-9)
    y, v = 1e-3 * out.y[1], 1e-2 * (out.y[0] + 0.2 * out.y[1])
    return stretch(y, v, t)


@pytest.mark.parametrize(
    ("c", "kind"), [(2.5, "periodic"), (3.5, "period-2"), (4.0, "period-4"), (5.7, "irregular")]
)
def test_roessler_doubles_its_period_on_the_way_to_chaos(c, kind):
    """a = b = 0.2; periods 1, 2, 4 at c = 2.5, 3.5, 4 and chaos at 5.7 are textbook values."""
    assert judge(roessler(c)).kind == kind


def decaying(rate, size=5e-3, f=2.0):
    w = 2.0 * np.pi * f
    envelope = size * np.exp(-rate * T)
    y = envelope * np.sin(w * T)
    return stretch(y, envelope * (w * np.cos(w * T) - rate * np.sin(w * T)))


@pytest.mark.parametrize("rate", [0.01, 0.1, 0.5, -0.1])
def test_decay_and_growth_are_unsettled(rate):
    motion = judge(decaying(rate))
    assert motion.kind == "unsettled"
    assert abs(motion.evidence["one_way"]) > 0.9


def test_creeping_middle_is_unsettled():
    still = sines((5e-3, 2.0))
    x, v = still.x.copy(), still.v.copy()
    x[:, 0] += 1e-4 * T
    v[:, 0] += 1e-4
    assert judge(Stretch(T, NAMES, x, v, still.lateral)).kind == "unsettled"


def test_rest_and_off_centre_rest():
    assert judge(sines((1e-8, 2.0))).kind == "rest"
    off = judge(sines((1e-8, 2.0), offset=-2e-3))
    assert off.kind == "off-centre rest"
    assert off.evidence["off_centre"] == pytest.approx(2e-3, abs=1e-7)
    assert off.frequency["front_wheelset.y"] is None


def test_small_motion_that_grows_is_not_rest():
    assert judge(decaying(-0.3, size=1e-8)).kind == "unsettled"


def test_too_short_is_unsettled():
    short = sines((5e-3, 1.0), t=np.arange(0.0, 3.0, 0.01))
    assert judge(short).kind == "unsettled"
    assert judge(Stretch(T[:1], NAMES, np.zeros((1, 3)), np.zeros((1, 3)), ())).kind == "unsettled"


def test_a_body_that_moves_alone_leads():
    x = np.zeros((T.size, 3))
    v = np.zeros((T.size, 3))
    x[:, 2], v[:, 2] = 1e-3 * np.sin(10.0 * T), 1e-2 * np.cos(10.0 * T)
    motion = judge(Stretch(T, NAMES, x, v, ("front_wheelset.y",)))
    assert motion.kind == "periodic"
    assert motion.evidence["leader"] == "carbody.y"


def test_bounce_and_rattle_do_not_decide():
    """Random vertical motion beside a lateral sine, and beside lateral rest."""
    rng = np.random.default_rng(1)
    z = 1e-3 * rng.standard_normal(T.size)
    for size, kind in ((5e-3, "periodic"), (1e-8, "rest")):
        plain = sines((size, 2.0))
        x, v = np.column_stack([plain.x, z]), np.column_stack([plain.v, np.gradient(z, T)])
        motion = judge(Stretch(T, (*NAMES, "carbody.z"), x, v, plain.lateral))
        assert motion.kind == kind
        if kind == "periodic":
            assert motion.evidence["return_of_all"] > 0.1


def test_cycles_of_the_wheelsets_are_counted():
    assert sines((5e-3, 1.3)).lateral_cycles() == 24
    assert sines((1e-8, 1.3)).lateral_cycles() is None


def test_all_maxima_of_a_doubled_motion_are_found():
    found = sines((5e-3, 2.0), (5e-4, 1.0)).maxima_of("front_wheelset.y")
    assert found.size == 40
    assert np.ptp(found[::2]) < 1e-8
    assert abs(found[0] - found[1]) > 5e-4


def _arches(heights, cycles=24):
    """One cycle per second from -1 mm up to the given heights in turn, and back."""
    t = np.arange(0.0, cycles, 0.01)
    rise = 1e-3 * (1.0 + np.resize(heights, cycles + 1)[(t + 1e-9).astype(int)])
    w = 2.0 * np.pi
    return stretch(0.5 * rise * (1.0 - np.cos(w * t)) - 1e-3, 0.5 * w * rise * np.sin(w * t), t)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.integers(0, 5), min_size=1, max_size=8),
    st.floats(0.1, 10.0),
    st.floats(-5e-3, 5e-3),
)
def test_n_is_the_length_of_the_repeated_pattern(pattern, factor, offset):
    """Heights in turn: the kind is that of the shortest pattern, whatever the size and the offset."""
    heights = [1.0 + 0.2 * k for k in pattern]
    n = next(p for p in range(1, len(heights) + 1) if heights == (heights[:p] * 8)[: len(heights)] and
             len(heights) % p == 0)  # fmt: skip
    plain = _arches(heights)
    x, v = factor * plain.x, factor * plain.v
    x[:, 0] += offset
    assert judge(Stretch(plain.t, NAMES, x, v, plain.lateral)).kind == period_n(n)
