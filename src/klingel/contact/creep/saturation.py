"""The cubic saturation of Vermeulen and Johnson.

    F/(mu N) = tau - tau^2/3 + tau^3/27   for tau < 3, else 1,     tau = |F_linear|/(mu N)

Written as the factor F/|F_linear| it needs no division by a vanishing force. Twice continuously
differentiable.

Reference: Vermeulen and Johnson, J. Appl. Mech. 31 (1964) 338.
"""

from klingel._jit import kernel


@kernel(inlined=True)
def factor(tau):
    """F/|F_linear| for tau >= 0."""
    if tau < 3.0:
        return 1.0 + tau * (tau * (1.0 / 27.0) - 1.0 / 3.0)
    return 1.0 / tau
