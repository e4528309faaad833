"""Modes that follow the state: their crossings inside an accepted step, put into the records afterwards.

Where the right-hand side is continuous across a boundary and finds its mode from the state by itself, nothing has
to stop there. The problem's `follow` says which boundaries were crossed in a step and when; here the modes
are changed and the events logged in the order of time, and rows of output between them get the modes they
belong to.
"""

from math import nan

from klingel._jit import kernel
from klingel.numerics.events.switching import log_row
from klingel.numerics.ode.output_rows import write_grid
from klingel.numerics.ode.workspace import Count, Crossing


@kernel(inner=True)
def _next_crossing(crossings, found):
    """The earliest row that is not yet done, of several at one instant the first; done ones have no time."""
    first = -1
    for row in range(found):
        t = crossings[row, Crossing.TIME]
        if t == t and (first < 0 or t < crossings[first, Crossing.TIME]):
            first = row
    return first


@kernel(inner=True)
def pass_crossings(t, h, found, asked, solver, trial, watch, output):
    """Change the modes of `found` crossings in a step of length h and log them; `asked`: output lies inside."""
    mode, count = solver.mode, solver.count
    for _ in range(found):
        row = _next_crossing(watch.crossings, found)
        at = watch.crossings[row, Crossing.TIME]
        owner = int(watch.crossings[row, Crossing.OWNER])
        if asked:
            write_grid(t, h, at, solver, trial, output)
        watch.before[owner] = mode[owner]
        mode[owner] = int(watch.crossings[row, Crossing.NEW])
        log_row(at, int(watch.crossings[row, Crossing.GUARD]), owner, mode, watch, output, count)
        count[Count.EVENTS] += 1
        watch.crossings[row, Crossing.TIME] = nan
