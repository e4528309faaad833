"""Branch points, tori, and what must not be taken for them: Freire's circuit, its symmetry told or not."""

from dataclasses import replace

import numpy as np
import pytest

from klingel.analysis.orbits import special_points
from klingel.analysis.orbits.branch import Range, follow
from klingel.analysis.orbits.find_orbit import NoOrbit, Settings
from klingel.analysis.orbits.monodromy import Multipliers
from klingel.analysis.orbits.special_points import BRANCH, FOLD, PERIOD_DOUBLING, SYMMETRY, TORUS, counts
from klingel.analysis.orbits.switching import switched
from klingel.numerics.integrate import integrate
from tests.analysis.orbits.small_systems import LORENZ, born_at, circuit, linearised

HOPF = -0.58933647799179
SETTINGS = Settings(parameter_scale=0.2)
WITHIN = Range(-0.62, -0.5)


@pytest.fixture(scope="module", params=[False, True], ids=["plain", "symmetric"])
def followed(request):
    """First branch, the one that leaves it both ways, and the kind of the point where it does."""
    settings = replace(SETTINGS, half=request.param)
    first, along = born_at(circuit(request.param), HOPF, np.zeros(3), 0.02, settings)
    branch = follow(first, WITHIN, settings, along)
    kind = SYMMETRY if request.param else BRANCH
    other, away = switched(branch.of_kind(kind)[0], settings)
    plain = replace(settings, half=False)
    return branch, kind, [follow(other, WITHIN, plain, sign * away) for sign in (1.0, -1.0)]


def test_hopf_point():
    values = np.linalg.eigvals(linearised(circuit(False), HOPF, np.zeros(3)))
    pair = values[np.abs(values.imag) > 0.1]
    assert np.abs(pair.real).max() < 1e-9
    assert 2.0 * np.pi / pair.imag.max() == pytest.approx(8.1235976862, abs=1e-8)


def test_branch_point_of_the_first_branch(followed):
    """One point, whether it is met as crossing branches or as loss of symmetry; numbers also by AUTO-07p."""
    branch, kind, _ = followed
    assert [s.kind for s in branch.special] == [FOLD, kind]
    fold, point = branch.special
    assert fold.parameter == pytest.approx(-0.5841358348, abs=2e-10)
    assert point.parameter == pytest.approx(-0.5866948531, abs=2e-10)
    assert point.orbit.period == pytest.approx(8.6927980803, abs=1e-8)
    assert np.min(np.abs(point.orbit.multipliers - 1.0)) < 1e-7


def test_torus_on_the_second_branch(followed):
    _, _, both = followed
    for second in both:
        (torus,) = second.of_kind(TORUS)
        assert torus.parameter == pytest.approx(-0.59111978277, abs=1e-9)
        pair = torus.orbit.multipliers
        assert np.abs(np.abs(pair) - 1.0).max() < 1e-7
        assert np.abs(pair.imag).min() == pytest.approx(0.560731, abs=1e-5)
        (doubling,) = second.of_kind(PERIOD_DOUBLING)
        assert doubling.parameter == pytest.approx(-0.61438375848, abs=1e-9)


def test_back_through_the_branch_point(followed):
    """The way back along the second branch leads over it to the mirror images: the parameter turns there."""
    _, kind, (ahead, back) = followed
    (point,) = back.of_kind(SYMMETRY if kind == SYMMETRY else FOLD)
    # nearer than 3 % of a step no orbit is found there; the parameter changes by the square of that
    assert point.parameter == pytest.approx(-0.5866948531, abs=1e-8)
    middles = [np.ptp(o.nodes(8, rates=False)[1], axis=0) for o in (ahead.orbits[-1], back.orbits[-1])]
    assert middles[0] == pytest.approx(middles[1], rel=0.2)
    assert not ahead.of_kind(FOLD) + ahead.of_kind(SYMMETRY)


def test_motions_beside_the_torus_grow_or_fade_as_the_multipliers_say(followed):
    """Plain runs over 12 periods from a place beside the orbit, on both sides of the torus."""
    _, _, (second, _) = followed
    (torus,) = second.of_kind(TORUS)
    for shift, grows in ((2e-3, True), (-2e-3, False)):
        near = min(second.orbits, key=lambda o: abs(o.parameter - torus.parameter))
        orbit = replace(near, unknowns=np.append(near.unknowns[:-1], torus.parameter + shift)).corrected(1e-10)
        size = np.abs(orbit.multipliers[0])
        assert (size > 1.0) == grows
        values, vectors = np.linalg.eig(orbit.monodromy)
        direction = np.real(vectors[:, np.argmax(np.abs(values.imag))])
        turns, step = 12, 1e-5 * direction / np.linalg.norm(direction)
        ends = [
            integrate(
                orbit.family.at(orbit.parameter), orbit.start + side * step, turns * orbit.period, rtol=1e-12,
                atol=1e-13, method="verner65",
            ).x[-1]
            for side in (1.0, -1.0)
        ]  # fmt: skip
        exact = np.linalg.matrix_power(orbit.monodromy, turns) @ (2.0 * step)
        assert np.linalg.norm(ends[0] - ends[1] - exact) < 1e-3 * np.linalg.norm(exact)


@pytest.mark.parametrize(
    ("beyond", "shift", "outside"),
    [
        (1e-5, 0.0, 0),  # undamped
        (1e-4, 1e-7, 1),
        (1e-4, 3e-4, 0),  # nearer to the circle than multipliers are known
        (1e-4, -3e-4, 0),
        (1e-3, 3e-4, 1),
    ],
)
def test_pairs_nearer_to_the_circle_than_their_error_do_not_count(followed, beyond, shift, outside):
    """The multiplier along the flow should be 1; how far it is off stands for the error of the others."""
    orbit = replace(followed[0].orbits[0])  # without what is known of it
    pair = (1.0 + beyond) * np.exp(np.array([0.7j, -0.7j]))
    orbit.__dict__["floquet"] = Multipliers(pair, np.log(np.abs(pair)))
    orbit.__dict__["time_shift"] = 1.0 + shift
    assert orbit.outside == (0, 0, 2 * outside)
    assert orbit.stable == (outside == 0)


@pytest.mark.parametrize(
    ("before", "after", "torus"),
    [
        ([0.8 + 0.5j, 0.8 - 0.5j], [0.9 + 0.5j, 0.9 - 0.5j], True),  # a pair passes the unit circle
        ([1.5, 0.6], [1.5, 0.7], False),  # two real ones of product 1: a neutral saddle
        ([1.3, 1.2], [1.2 + 0.1j, 1.2 - 0.1j], False),  # two outside meet and become a pair
    ],
)
def test_torus_is_a_pair_that_passes_the_circle(before, after, torus):
    """The test function and what is made of its zero."""

    class Known:
        def __init__(self, values):
            self.floquet = Multipliers(np.array(values, complex), np.zeros(2))

    a, b = Known(before), Known(after)
    crosses = special_points._pairs(a) * special_points._pairs(b) < 0.0
    ratio = np.linspace(0.0, 1.0, 20001)
    if crosses:
        path = [Known(np.array(before) * (1.0 - s) + np.array(after) * s) for s in ratio]
        zero = min(path, key=lambda one: abs(special_points._pairs(one)))
        crosses = special_points._on_circle(zero)
    assert crosses == torus


def test_a_fold_is_not_switched_at(followed):
    branch, _, _ = followed
    with pytest.raises(NoOrbit, match="no branch is known to leave at a fold"):
        switched(branch.of_kind(FOLD)[0], SETTINGS)


def test_lorenz_orbits_are_born_unstable():
    """Hopf at r = 470/19, subcritical: orbits towards lower r, one multiplier outside."""
    r = 470.0 / 19.0
    rest = np.array([np.sqrt(8.0 / 3.0 * (r - 1.0))] * 2 + [r - 1.0])
    settings = Settings(parameter_scale=5.0)
    first, along = born_at(LORENZ, r, rest, 0.05, settings)
    branch = follow(first, Range(22.0, 25.0, points=12), settings, along)
    assert first.parameter == pytest.approx(r, abs=1e-3)
    assert np.all(np.diff(branch.parameter) < 0.0)
    assert all(counts(orbit)[0] == 1 for orbit in branch.orbits)
    assert first.period == pytest.approx(2.0 * np.pi / np.sqrt(8.0 / 3.0 * (r + 10.0)), rel=1e-4)
