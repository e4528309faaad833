"""Rows of output: on the requested grid, from the interpolant, or one per accepted step."""

from klingel._jit import kernel
from klingel.numerics.ode.interpolation import interpolate
from klingel.numerics.ode.workspace import Count, Real


@kernel(inner=True)
def write_row(t, x, memory, mode, output, count):
    row = count[Count.OUT_ROWS]
    output.t[row] = t
    for i in range(x.size):
        output.x[row, i] = x[i]
    for i in range(memory.size):
        output.memory[row, i] = memory[i]
    for i in range(mode.size):
        output.mode[row, i] = mode[i]
    count[Count.OUT_ROWS] = row + 1


@kernel(inner=True)
def next_output(real, count):
    """Next point of the grid; the last one may lie a rounding error beyond the end (3 times 0.1 against 0.3)."""
    return min(real[Real.T_END], real[Real.T_OUT] + count[Count.OUT_INDEX] * real[Real.OUT_STEP])


@kernel(inner=True)
def write_grid(t, h, until, solver, trial, output):
    """All points of the output grid up to `until` inside a step of length h, from its interpolant."""
    real, count = solver.real, solver.count
    while count[Count.OUT_ROWS] < output.t.size:
        t_out = next_output(real, count)
        if t_out > until:
            return
        interpolate(solver.x, trial.shape, min(1.0, (t_out - t) / h), trial.x_probe)
        write_row(t_out, trial.x_probe, solver.memory, solver.mode, output, count)
        count[Count.OUT_INDEX] += 1


@kernel(inner=True)
def has_room(solver, watch, output):
    """Whether the next step's rows fit: three per step, one event row per guard and cascade round, crossings."""
    count = solver.count
    events = (watch.fired.size + watch.before.size) * (count[Count.MAX_CASCADE] + 1) + watch.crossings.shape[0]
    if count[Count.EVENT_ROWS] + events > output.event_time.size:
        return False
    return solver.real[Real.OUT_STEP] > 0.0 or count[Count.OUT_ROWS] + 3 <= output.t.size
