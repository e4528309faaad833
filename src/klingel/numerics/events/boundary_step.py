"""Real steps that end on a boundary: a secant iteration on their length, ask and tell, no callbacks.

The interpolant, of lower order than the method, only starts the iteration. It ends on the far side of the boundary
or, within the guard's tolerance, on it; the method's full order survives the event.

A guard that reads multipliers is only as smooth as these are solved for, and the secant then wanders within their
noise. The last try therefore goes visibly beyond the boundary, and is accepted if that is about what the secant
finds: still far better than the interpolant, whose multipliers are parabolas.
"""

from typing import NamedTuple

from klingel._jit import kernel

MOST = 6  # steps tried
SETTLED = 1e-14  # change of length, as a fraction of the step, at which the iteration has converged
CLOSE = 1e-7  # what will do after the last iteration; far below the error of the step
HAIR = 1e-15  # of the step, beyond the root, towards the far side
BEYOND = 0.25 * CLOSE  # the same in the last try
ON, HIT, LOST = range(3)


class Aim(NamedTuple):
    """A length and what the guard was there, the length to try, tries spent."""

    length: float
    g: float
    target: float
    spent: int


@kernel(inner=True)
def correct(aim, g, h, tolerance):
    """Tell the guard at the end of the step of length `aim.target`: ON with a new aim, HIT, or LOST."""
    if g <= 0.0 and g >= -tolerance:
        return HIT, aim
    length = aim.target
    better = length - g * (length - aim.length) / (g - aim.g) if g != aim.g else length
    change = abs(better - length)
    last = aim.spent == MOST - 1
    if g <= tolerance and change <= (CLOSE if last else SETTLED) * h:
        return HIT, aim
    better += (BEYOND if aim.spent == MOST - 2 else HAIR) * h
    if last or not 0.0 < better <= 1.5 * h:
        return LOST, aim
    if change <= CLOSE * h:
        # the older point gives the better slope: between close ones it would be that of the noise
        return ON, Aim(aim.length, aim.g, better, aim.spent + 1)
    return ON, Aim(length, g, better, aim.spent + 1)
