"""The same branches by AUTO-07p, the reference program for smooth systems, on equations of its own in Fortran."""

from dataclasses import replace

import numpy as np
import pytest

import klingel as kg
from klingel.analysis.orbits.branch import Range, follow
from klingel.analysis.orbits.extremes import extremes
from klingel.analysis.orbits.find_orbit import Settings, find_near, remeshed
from klingel.analysis.orbits.orbit import Orbit
from klingel.analysis.orbits.switching import switched
from klingel.bench import auto07p
from klingel.bench.auto07p import Case, Stage
from klingel.bench.cooperrider_fortran import case as cooperrider
from tests.analysis.orbits.small_systems import HOPF_AND_FOLD, LURE, REACTOR, born_at, circuit, rest_of, start

pytestmark = pytest.mark.skipif(not auto07p.INSTALLED, reason=auto07p.MISSING)
DIGITS_6, DIGITS_5 = 5e-7, 5e-6  # relative


def of_kind(found, kind):
    return [point for point in found if point.kind == kind]


def same_multipliers(ours: Orbit, theirs: auto07p.Found, least: float = 1e-3) -> None:
    """All above `least` to five digits; AUTO prints six, and has one more: that of the time shift."""
    rest = sorted(theirs.multipliers, key=lambda m: abs(m - 1.0))[1:]
    known = [m for m in rest if abs(m) > least]
    assert known
    for m in known:
        nearest = min(ours.multipliers, key=lambda value: abs(value - m))
        assert abs(nearest - m) < max(DIGITS_5 * abs(m), 6e-7 * max(abs(m.real), abs(m.imag)))


def test_lure_period_doubling(tmp_path):
    equations = """        F(1)=U(2)
        F(2)=U(3)
        F(3)=-PAR(1)*U(3)-U(2)-U(1)+U(1)**2"""
    case = Case(equations, 3, 1.5, 0.9, [Stage(0.6, -0.02, 0.1, 60)], step=-0.02)
    (theirs,) = of_kind(auto07p.branch(tmp_path, case), "period-doubling")
    orbit = find_near(LURE, 0.8, start(0.5, 0.0, -0.4), 6.3)
    branch = follow(orbit, Range(0.6, 0.85), Settings(parameter_scale=0.3), rising=False)
    (ours,) = branch.of_kind("period-doubling")
    assert ours.parameter == pytest.approx(theirs.parameter, rel=DIGITS_6)
    assert ours.orbit.period == pytest.approx(theirs.period, rel=DIGITS_6)
    same_multipliers(ours.orbit, theirs)


def test_fold_of_the_normal_form(tmp_path):
    equations = """        F(1)=U(1)*(PAR(1)+(U(1)**2+U(2)**2)-(U(1)**2+U(2)**2)**2)-U(2)
        F(2)=U(2)*(PAR(1)+(U(1)**2+U(2)**2)-(U(1)**2+U(2)**2)**2)+U(1)"""
    case = Case(equations, 2, -0.3, 0.1, [Stage(0.05, 0.02, 0.1, 100)])
    (theirs,) = of_kind(auto07p.branch(tmp_path, case), "fold")
    orbit = find_near(HOPF_AND_FOLD, -0.2, start(0.54, 0.0), 6.2)
    (ours,) = follow(orbit, Range(-0.3, 0.1), Settings(parameter_scale=0.3), rising=False).of_kind("fold")
    assert ours.parameter == pytest.approx(theirs.parameter, rel=DIGITS_6)
    assert ours.orbit.period == pytest.approx(theirs.period, rel=DIGITS_6)


def test_circuit_branch_point_and_torus(tmp_path):
    """Freire's circuit: fold and branch point of the first branch, torus and period doubling of the second."""
    equations = """        DOUBLE PRECISION B
        B=0.9d0*(U(2)-U(1))**3
        F(1)=(-(0.5d0+PAR(1))*U(1)+0.5d0*U(2)-0.3d0*U(1)**3+B)/0.6d0
        F(2)=0.5d0*U(1)+0.1d0*U(2)-U(3)-B
        F(3)=U(2)"""
    stages = [Stage(-0.62, 0.02, 0.02, 200), Stage(-0.62, 0.02, 0.02, 200, start="branch")]
    case = Case(equations, 3, -0.9, -0.55, stages, step=0.02, mesh=60, tolerance=1e-8, located=1e-6)
    found = auto07p.branch(tmp_path, case)
    (hopf,) = of_kind(found, "hopf")
    assert hopf.parameter == pytest.approx(-0.58933647799179, rel=DIGITS_6)
    settings = Settings(parameter_scale=0.2)
    first, along = born_at(circuit(False), hopf.parameter, np.zeros(3), 0.02, settings)
    within = Range(-0.62, -0.5)
    branch = follow(first, within, settings, along)
    other, away = switched(branch.of_kind("branch")[0], settings)
    second = follow(other, within, settings, away)
    for kind, ours in (("fold", branch), ("branch", branch), ("torus", second), ("period-doubling", second)):
        theirs, mine = of_kind(found, kind)[0], ours.of_kind(kind)[0]
        assert mine.parameter == pytest.approx(theirs.parameter, rel=DIGITS_6)
        assert mine.orbit.period == pytest.approx(theirs.period, rel=DIGITS_6)
    same_multipliers(second.of_kind("torus")[0].orbit, of_kind(found, "torus")[0])


def test_reactor_from_its_hopf_point(tmp_path):
    """The first demonstration of AUTO; its orbits end at a homoclinic, p = 0.1055071."""
    equations = """        DOUBLE PRECISION M
        M=PAR(1)*(1d0-U(1))*EXP(U(2))
        F(1)=-U(1)+M
        F(2)=-3d0*U(2)+14d0*M"""
    stages = [Stage(0.11, 0.05, 0.3, 100)]
    found = auto07p.branch(tmp_path, Case(equations, 2, 0.0, 0.15, stages, step=0.005, largest=0.05, mesh=100))
    (hopf,) = of_kind(found, "hopf")
    folds = sorted(point.parameter for point in of_kind(found, "fold"))
    assert folds == pytest.approx([0.088931846186, 0.105738978272], rel=2e-6)
    rest = rest_of(REACTOR, 0.130900044820, [0.8950806339, 4.1770429580])
    assert hopf.parameter == pytest.approx(0.130900044820, rel=2e-6)
    settings = Settings(parameter_scale=0.03)
    first, along = born_at(REACTOR, 0.130900044820, rest, 0.02, settings)
    assert first.period == pytest.approx(1.567749147, rel=1e-3)
    orbits = follow(first, Range(0.11, 0.14), settings, along).orbits
    last = orbits[-1]
    for value in np.linspace(last.parameter, 0.11, 5)[1:]:  # the period changes fast near the homoclinic orbit
        moved = replace(last, unknowns=np.append(last.unknowns[:-1], value)).corrected(1e-9)
        last = remeshed(moved, settings).corrected(1e-9)
    theirs = of_kind(found, "end")[-1]
    assert last.period == pytest.approx(theirs.period, rel=DIGITS_6)
    assert max(abs(m) for m in last.multipliers) < 1e-9  # theirs: 8e-12


@pytest.mark.slow
def test_cooperrider_with_a_smooth_flange(tmp_path):
    """Hopf, fold, periods to six digits, multipliers to five, on independent equations."""
    found = auto07p.branch(tmp_path, cooperrider(smooth=True, mesh=400, located=True))
    (hopf,), (fold,) = of_kind(found, "hopf"), of_kind(found, "fold")
    orbits: list[Orbit] = []
    vehicle = kg.load_vehicle("cooperrider_smooth")
    branch = kg.continue_orbit(vehicle, first=72.0, last=50.0, on_point=orbits.append)
    assert branch.of_type("hopf")[0].parameter == pytest.approx(hopf.parameter, rel=DIGITS_6)
    assert branch.of_type("fold")[0].parameter == pytest.approx(fold.parameter, rel=DIGITS_6)
    assert branch.of_type("fold")[0].period == pytest.approx(fold.period, rel=DIGITS_6)
    assert branch.of_type("fold")[0].amplitude["leading_front_wheelset.y"] == pytest.approx(
        1e-3 * fold.largest, rel=1e-6
    )
    unstable, stable, _ = of_kind(found, "end")[1:]
    for theirs, above in ((unstable, False), (stable, True)):
        near = min(
            (o for o in orbits if o.stable == above), key=lambda o, at=theirs.parameter: abs(o.parameter - at)
        )
        ours = replace(near, unknowns=np.append(near.unknowns[:-1], theirs.parameter)).corrected(1e-9)
        assert ours.period == pytest.approx(theirs.period, rel=DIGITS_6)
        same_multipliers(ours, theirs)
    assert np.abs(branch["time_shift"].to_numpy()).max() < 1e-6


@pytest.mark.slow
def test_cooperrider_cycle(tmp_path):
    """Collocation that ignores the corners of the piecewise flange comes to the same cycle at 72 m/s.

    The corners keep AUTO from locating the fold itself, and leave it two digits of small multipliers.
    """
    theirs = of_kind(auto07p.branch(tmp_path, cooperrider(smooth=False)), "end")[-1]
    orbits: list[Orbit] = []
    kg.continue_orbit(kg.load_vehicle("cooperrider"), first=72.0, last=50.0, on_point=orbits.append)
    last = orbits[-1]
    ours = replace(last, unknowns=np.append(last.unknowns[:-1], theirs.parameter)).corrected(1e-9)
    assert ours.period == pytest.approx(theirs.period, rel=1e-6)
    assert 1e3 * extremes(ours)[1][0] == pytest.approx(theirs.largest, rel=1e-4)  # theirs is that of a mesh point
    known = [abs(m) for m in sorted(theirs.multipliers, key=abs, reverse=True)[1:] if abs(m) > 0.2]
    assert np.abs(ours.multipliers[: len(known)]) == pytest.approx(known, rel=2e-3)
