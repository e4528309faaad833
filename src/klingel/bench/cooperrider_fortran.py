"""Cooperrider's bogie in Fortran for AUTO-07p: the equations of the source, not those of this package.

Fourteen equations, displacements in mm and mrad, speeds in dm/s: collocation measures its mesh by the size of what
it solves for. The flange is the piecewise one of the source, or the same rounded by a hyperbolic cosine over
20 um, as the vehicle `cooperrider_smooth` has it.
"""

from klingel.bench.auto07p import Case, Stage

FAST = 72.0  # to where the branch is followed [m/s]
EQUATIONS = """        DOUBLE PRECISION Q(7), V(7), A1, A2, A3, A4, A5, A7, X1, Y1, X2, Y2, T1, T2
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
CREEP = """      SUBROUTINE CREEP(Y,YAW,YD,YAWD,SPEED,FX,FY)
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
"""
PIECEWISE = """      SUBROUTINE FLANGE(Y,T)
      DOUBLE PRECISION Y,T
        T=0d0
        IF (Y>0.0091d0) T=14.6d6*(Y-0.0091d0)
        IF (Y<-0.0091d0) T=14.6d6*(Y+0.0091d0)
      END SUBROUTINE FLANGE"""
SMOOTH = """      SUBROUTINE FLANGE(Y,T)
      DOUBLE PRECISION Y,T
        T=14.6d6*(RAMP(Y-0.0091d0)-RAMP(-0.0091d0-Y))
      CONTAINS
      DOUBLE PRECISION FUNCTION RAMP(Z)
      DOUBLE PRECISION, INTENT(IN) :: Z
        RAMP=MAX(Z,0d0)+0.5d0*20d-6*LOG(1d0+EXP(-2d0*ABS(Z)/20d-6))
      END FUNCTION RAMP
      END SUBROUTINE FLANGE"""


def case(smooth: bool, mesh: int = 300, located: bool = False, fast: float = FAST) -> Case:
    """From the Hopf point over the fold to `fast`; with small steps about the fold where it is to be located.

    With large ones AUTO goes on over the fold without finding it: the flange is hard against them.
    """
    stages = (Stage(fast),)
    if located:
        stages = (Stage(63.9), Stage(63.95, step=0.02, largest=0.05), Stage(fast))
    flange = SMOOTH if smooth else PIECEWISE
    return Case(EQUATIONS, 14, 64.0, 66.0, stages, CREEP + flange, mesh, step=0.2, largest=0.5)
