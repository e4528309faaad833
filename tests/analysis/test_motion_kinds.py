"""Kinds of motion of signals whose kind is known."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import solve_ivp

from klingel.analysis.motion_kinds import Coordinates, Stretch, judge, period_n

T = np.arange(0.0, 20.0, 0.01)
OF = Coordinates(
    names=("leader", "turn", "mass"), units=("m", "rad", "m"), decide=("leader", "turn", "mass"), lead=("leader",),
    still=1e-5, noise=1e-6, centre=1e-4,
)  # fmt: skip


def stretch(y, rate, t=T):
    """Motion of the leader; an angle follows its rate, another mass hardly moves."""
    x = np.column_stack([y, 0.02 * rate, 1e-4 * y])
    v = np.column_stack([rate, 0.02 * np.gradient(rate, t), 1e-4 * rate])
    return Stretch(t, x, v, OF)


def sines(*terms, t=T, offset=0.0):
    """Sum of (amplitude, frequency) terms."""
    y = offset + sum(a * np.sin(2.0 * np.pi * f * t) for a, f in terms)
    rate = sum(2.0 * np.pi * f * a * np.cos(2.0 * np.pi * f * t) for a, f in terms)
    return stretch(y, rate, t)


def test_sine_is_periodic_with_its_frequency_and_amplitude():
    motion = judge(sines((5e-3, 1.3)))
    assert motion.kind == "periodic"
    assert motion.frequency["leader"] == pytest.approx(1.3, rel=1e-6)
    assert motion.amplitude["leader"] == pytest.approx(5e-3, rel=1e-6)
    assert motion.evidence["return"][0] < 1e-4
    assert motion.evidence["cycles"] == 24  # 26 in 20 s, without the first, begun in the middle, and the last


def test_offset_sine_is_periodic_about_its_middle():
    motion = judge(sines((2e-3, 2.0), offset=1e-3))
    assert motion.kind == "periodic"
    assert motion.middle["leader"] == pytest.approx(1e-3, abs=1e-8)


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
    assert judge(Stretch(T, x, v, OF)).kind == "unsettled"


def test_rest_and_off_centre_rest():
    assert judge(sines((1e-8, 2.0))).kind == "rest"
    off = judge(sines((1e-8, 2.0), offset=-2e-3))
    assert off.kind == "off-centre rest"
    assert off.evidence["off_centre"] == pytest.approx(2e-3, abs=1e-7)
    assert off.frequency["leader"] is None


def test_small_motion_that_grows_is_not_rest():
    assert judge(decaying(-0.3, size=1e-8)).kind == "unsettled"


def test_too_short_is_unsettled():
    short = sines((5e-3, 1.0), t=np.arange(0.0, 3.0, 0.01))
    assert judge(short).kind == "unsettled"
    assert judge(Stretch(T[:1], np.zeros((1, 3)), np.zeros((1, 3)), replace(OF, lead=()))).kind == "unsettled"


def test_what_moves_alone_leads():
    x = np.zeros((T.size, 3))
    v = np.zeros((T.size, 3))
    x[:, 2], v[:, 2] = 1e-3 * np.sin(10.0 * T), 1e-2 * np.cos(10.0 * T)
    motion = judge(Stretch(T, x, v, OF))
    assert motion.kind == "periodic"
    assert motion.evidence["leader"] == "mass"


def test_what_is_not_named_does_not_decide():
    """Random motion beside a sine, and beside rest."""
    rng = np.random.default_rng(1)
    z = 1e-3 * rng.standard_normal(T.size)
    more = replace(OF, names=(*OF.names, "height"), units=(*OF.units, "m"))
    for size, kind in ((5e-3, "periodic"), (1e-8, "rest")):
        plain = sines((size, 2.0))
        x, v = np.column_stack([plain.x, z]), np.column_stack([plain.v, np.gradient(z, T)])
        motion = judge(Stretch(T, x, v, more))
        assert motion.kind == kind
        if kind == "periodic":
            assert motion.evidence["return_of_all"] > 0.1


def test_all_decide_where_none_is_named():
    sine = sines((5e-3, 2.0))
    shaken = sine.x.copy()
    shaken[:, 2] += 1e-3 * np.random.default_rng(1).standard_normal(T.size)
    for decide, kind in ((("leader",), "periodic"), ((), "irregular")):
        assert judge(Stretch(T, shaken, sine.v, replace(OF, decide=decide))).kind == kind


def test_what_is_small_is_said_from_outside():
    """A motion a thousand times larger, judged by limits a thousand times larger, is the same motion."""
    large = replace(OF, still=1e-2, noise=1e-3, centre=0.1)
    for small in (sines((5e-3, 1.3)), sines((2e-6, 1.3)), sines((1e-8, 2.0), offset=-2e-3), decaying(-0.3, 1e-8)):
        one, other = judge(small), judge(Stretch(T, 1e3 * small.x, 1e3 * small.v, large))
        assert one.kind == other.kind
        assert other.amplitude["leader"] == pytest.approx(1e3 * one.amplitude["leader"], rel=1e-9)
    assert judge(Stretch(T, 1e3 * sines((2e-6, 1.3)).x, 1e3 * sines((2e-6, 1.3)).v, OF)).kind == "periodic"


def test_cycles_of_the_leader_are_counted():
    assert sines((5e-3, 1.3)).leading_cycles() == 24
    assert sines((1e-8, 1.3)).leading_cycles() is None


def test_all_maxima_of_a_doubled_motion_are_found():
    found = sines((5e-3, 2.0), (5e-4, 1.0)).maxima_of("leader")
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
    assert judge(Stretch(plain.t, x, v, OF)).kind == period_n(n)
