"""Compiled loops around one call of the engine, to time it without the calling costs of Python."""

from klingel._jit import kernel
from klingel.model import assembly, scan
from klingel.model.system import Head, Run


@kernel(rows=True)
def repeat_rhs(x, memory, mode, p, dx, count):
    """`count` right-hand sides at states that differ a little; returns how many were refused."""
    refused = 0
    x0 = x[0]
    for k in range(count):
        x[0] = x0 + 1e-9 * (k & 1)
        refused += assembly.rhs(0.0, x, memory, mode, p, dx)
    x[0] = x0
    return refused


@kernel(rows=True)
def repeat_scan(h, x, memory, mode, p, count):
    """`count` looks at quiet steps, after a right-hand side at x; returns how many were not quiet.

    The right-hand side notes its state, which is part of its own time; here only the instant moves on.
    """
    f, i = p
    t = 0.0
    busy = 0
    scan.note_state(p, t, x)
    for _ in range(count):
        t_new = t + h
        f[i[Head.RUN] + Run.EVALUATED] = t_new
        busy += assembly.look(t, t_new, x, x, memory, mode, p)
        t = t_new
    return busy
