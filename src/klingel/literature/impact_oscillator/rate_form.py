"""The oscillator of `impact_oscillator` with its corners ignored: what a solver without events integrates.

    m x'' = -k x - f1 - f2(x) + A cos(omega t),   f1' = k1 v while it sticks, 0 while it slides

The friction force f1 is a third state; stick or slip is read from f1 and v at every call, the band from x.
No mode, no guard, and no wall: an impact cannot be integrated through.

Source: Hoffmann (2006), equations 1.1-1.3 and figure 1.12.
"""

from math import cos

from klingel._jit import kernel
from klingel.elements import dead_band, dry_friction
from klingel.elements.piece import force
from klingel.literature.impact_oscillator.system import ImpactOscillator, P
from klingel.numerics.problem import HybridProblem
from klingel.numerics.signatures import RHS


@kernel(signature=RHS)
def rhs(t, x, memory, mode, p, dx):
    u, v, friction = x[0], x[1], x[2]
    band = dead_band.piece(dead_band.mode_at(u, -p[P.GAP], p[P.GAP]), -p[P.GAP], p[P.GAP], p[P.K2])
    drive = p[P.AMPLITUDE] * cos(p[P.OMEGA] * t)
    dx[0] = v
    dx[1] = (drive - p[P.K] * u - friction - force(band, u, v)) / p[P.MASS]
    dx[2] = dry_friction.rate(u, v, friction, p[P.K1], p[P.LIMIT])
    return 0


def oscillator_rate_form(parameters: ImpactOscillator | None = None) -> HybridProblem:
    """States x [m], v [m/s], friction force f1 [N]; the wall is left out."""
    parameters = parameters or ImpactOscillator()
    return HybridProblem(rhs=rhs, parameters=parameters.flat(), state_names=("x", "v", "friction_force"))
