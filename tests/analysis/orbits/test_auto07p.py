"""The same branches by AUTO-07p, the reference program for smooth systems."""

from dataclasses import replace

import numpy as np
import pytest

import klingel as kg
from klingel.analysis.orbits.branch import Range, follow
from klingel.analysis.orbits.extremes import extremes
from klingel.analysis.orbits.find_orbit import Settings, find_near
from tests.analysis.orbits import auto07p
from tests.analysis.orbits.small_systems import HOPF_AND_FOLD, LURE, start

pytestmark = pytest.mark.skipif(
    not auto07p.INSTALLED, reason="AUTO-07p is not installed (packages auto-07p, gfortran)"
)


def test_lure_period_doubling(tmp_path):
    equations = """        F(1)=U(2)
        F(2)=U(3)
        F(3)=-PAR(1)*U(3)-U(2)-U(1)+U(1)**2"""
    found = auto07p.branch(
        tmp_path, equations, first=1.5, size=3, mesh=50, step=-0.02, largest=0.05, beyond=0.9, points=60,
        way=-0.02, widest=0.1, ends=0.6,
    )  # fmt: skip
    (theirs,) = [point for point in found if point.kind == "period-doubling"]
    orbit = find_near(LURE, 0.8, start(0.5, 0.0, -0.4), 6.3)
    (ours,) = follow(orbit, Range(0.6, 0.85), Settings(parameter_scale=0.3), rising=False).of_kind(
        "period-doubling"
    )
    assert ours.parameter == pytest.approx(theirs.parameter, rel=1e-6)
    assert ours.orbit.period == pytest.approx(theirs.period, rel=1e-6)
    known = sorted((m.real for m in theirs.multipliers), key=abs)[:1]
    assert sorted(ours.orbit.multipliers.real, key=abs)[:1] == pytest.approx(known, rel=1e-5)


def test_fold_of_the_normal_form(tmp_path):
    equations = """        F(1)=U(1)*(PAR(1)+(U(1)**2+U(2)**2)-(U(1)**2+U(2)**2)**2)-U(2)
        F(2)=U(2)*(PAR(1)+(U(1)**2+U(2)**2)-(U(1)**2+U(2)**2)**2)+U(1)"""
    found = auto07p.branch(
        tmp_path, equations, first=-0.3, size=2, mesh=50, step=0.02, largest=0.05, beyond=0.1, points=100,
        way=0.02, widest=0.1, ends=0.05,
    )  # fmt: skip
    (theirs,) = [point for point in found if point.kind == "fold"]
    orbit = find_near(HOPF_AND_FOLD, -0.2, start(0.54, 0.0), 6.2)
    (ours,) = follow(orbit, Range(-0.3, 0.1), Settings(parameter_scale=0.3), rising=False).of_kind("fold")
    assert ours.parameter == pytest.approx(theirs.parameter, rel=1e-6)
    assert ours.orbit.period == pytest.approx(theirs.period, rel=1e-6)


COOPERRIDER = """        DOUBLE PRECISION Q(7), V(7), A1, A2, A3, A4, A5, A7, X1, Y1, X2, Y2, T1, T2
        Q=U(1:7)*1d-3
        V=U(8:14)*1d-1
        A1=2*1.823d6*(Q(1)-Q(5)-1.074d0*Q(6)-0.0762d0*Q(7))
        A2=2*1.823d6*(Q(3)-Q(5)+1.074d0*Q(6)-0.0762d0*Q(7))
        A3=2*3.646d6*0.62d0**2*(Q(2)-Q(6))
        A4=2*3.646d6*0.62d0**2*(Q(4)-Q(6))
        A5=2*29.2d3*(V(5)-0.6584d0*V(7))+2*0.1823d6*(Q(5)-0.6584d0*Q(7))
        A7=2*20d3*0.68d0**2*V(7)+2*0.3333d6*0.68d0**2*Q(7)+4*3.646d6*0.62d0**2*Q(7)
        CALL CREEP(Q(1),Q(2),V(1),V(2),PAR(1),X1,Y1)
        CALL CREEP(Q(3),Q(4),V(3),V(4),PAR(1),X2,Y2)
        CALL FLANGE(Q(1),T1)
        CALL FLANGE(Q(3),T2)
        F(1:7)=V*1d3
        F(8)=(-A1-2*Y1-T1)/1022d0
        F(9)=(-A3-2*0.716d0*X1)/678d0
        F(10)=(-A2-2*Y2-T2)/1022d0
        F(11)=(-A4-2*0.716d0*X2)/678d0
        F(12)=(A1+A2-A5)/2918d0
        F(13)=(1.074d0*(A1-A2)+A3+A4-2.71d6*Q(6))/6780d0
        F(14)=(0.0762d0*(A1+A2)+0.6584d0*A5-A7)/6780d0
        F(8:14)=F(8:14)*1d1"""
LAWS = """      SUBROUTINE CREEP(Y,YAW,YD,YAWD,SPEED,FX,FY)
      DOUBLE PRECISION Y,YAW,YD,YAWD,SPEED,FX,FY,X,Z,R,U
        X=(0.716d0*YAWD/SPEED+0.05d0*Y/0.4572d0)/0.54219d0
        Z=(YD/SPEED-YAW)/0.60252d0
        R=SQRT(X*X+Z*Z+1d-40)
        U=6.563d6*R/1d4
        IF (U<3d0) THEN
          R=6.563d6*(1d0-U/3d0+U*U/27d0)
        ELSE
          R=1d4/R
        END IF
        FX=R*X
        FY=R*Z
      END SUBROUTINE CREEP
      SUBROUTINE FLANGE(Y,T)
      DOUBLE PRECISION Y,T
        T=0d0
        IF (Y>0.0091d0) T=14.6d6*(Y-0.0091d0)
        IF (Y<-0.0091d0) T=14.6d6*(Y+0.0091d0)
      END SUBROUTINE FLANGE"""


@pytest.mark.slow
def test_cooperrider_cycle(tmp_path):
    """Independent equations, another method: collocation that ignores the corners of the flange force.

    The corners keep AUTO from locating the fold itself; the cycle it comes to at 70 m/s must be ours.
    """
    found = auto07p.branch(
        tmp_path, COOPERRIDER, LAWS, first=64.0, size=14, mesh=300, step=0.2, largest=0.5, beyond=66.0, points=300,
        way=0.05, widest=2.0, ends=70.0,
    )  # fmt: skip
    (theirs,) = [point for point in found if point.kind == "end"]
    orbits = []
    kg.continue_orbit(kg.load_vehicle("cooperrider"), first=70.0, last=50.0, on_point=orbits.append)
    last = orbits[-1]
    ours = replace(last, unknowns=np.append(last.unknowns[:-1], 70.0)).corrected(1e-9)
    assert ours.period == pytest.approx(theirs.period, rel=1e-6)
    assert 1e3 * extremes(ours)[1][0] == pytest.approx(theirs.largest, rel=1e-4)  # theirs is that of a mesh point
    known = [
        abs(m) for m in sorted(theirs.multipliers, key=abs, reverse=True)[1:] if abs(m) > 0.2
    ]  # of smaller ones corners leave them two digits
    assert np.abs(ours.multipliers[: len(known)]) == pytest.approx(known, rel=1e-3)
