"""The event loop of vehicles: right-hand side, guards and scan are called directly, not through pointers.

A call through a typed pointer hands over every array word by word and is not optimised together with its caller.
Actions are seldom called and long to compile: they stay pointers, compiled by the other process of a first start.
"""

from klingel._jit import kernel
from klingel.model import assembly
from klingel.numerics.ode.hybrid import run_chunk
from klingel.numerics.problem import OwnLoop

run_steps = kernel(run_chunk, inner=True)


def run(act, after_step, jacobian, follow, breaks, p, solver, scheme, trial, watch, implicit, output, steps):
    """Advance a vehicle by at most `steps` trial steps; returns a Status."""
    return run_steps(
        assembly.rhs, assembly.guards, act, after_step, jacobian, assembly.look, follow, breaks,
        p, solver, scheme, trial, watch, implicit, output, steps,
    )  # fmt: skip


VEHICLE_LOOP = OwnLoop(run, {"rhs": assembly.rhs, "guards": assembly.guards, "scan": assembly.look})
