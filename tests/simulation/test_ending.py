"""How a stopped run is told: the wheel that left its table, whatever else happened at that instant."""

from types import SimpleNamespace

import numpy as np
import pytest

from klingel.elements.impact import Mode
from klingel.model.kinds.wheels.wheel_rows import contact_states
from klingel.model.layout import Guard, Watch
from klingel.numerics.ode.workspace import Status
from klingel.numerics.trajectory import EventLog
from klingel.simulation.integration import ending
from klingel.simulation.run import DERAILED, FAILED

MODES = ("front.left", "front.right", "rear.left", "corner.guide.plus")
GUARDS = (
    "front.left.low", "front.left.high", "front.right.low", "front.right.high",
    "rear.left.low", "rear.left.high", "corner.guide.plus", "corner.x.u_low",
)  # fmt: skip
OWNER = (0, 0, 1, 1, 2, 2, 3, -1)


WATCHES = (Watch.SHIFT_LOW, Watch.SHIFT_HIGH) * 3 + (Watch.GAP, Watch.DEFORMATION)
LAYOUT = SimpleNamespace(
    guard_info=[
        Guard(name, watch, "m", MODES[k] if k >= 0 else name, k)
        for name, watch, k in zip(GUARDS, WATCHES, OWNER, strict=True)
    ],
    wheelset_of=lambda wheel: wheel.rpartition(".")[0],
)


def stopped(*events):
    """Rows of (time, guard, old, new), in their order."""
    problem = SimpleNamespace(
        guard_names=GUARDS,
        mode_names=MODES,
        mode_types=(contact_states(10),) * 3 + (Mode,),
        time_events=(),
        time_names=(),
    )
    at = [GUARDS.index(name) for _, name, _, _ in events]
    log = EventLog(
        np.array([row[0] for row in events]), np.array(at), np.array([OWNER[k] for k in at]),
        np.array([row[2] for row in events]), np.array([row[3] for row in events]), problem,  # type: ignore[arg-type]
    )  # fmt: skip
    return SimpleNamespace(status=Status.STOPPED, events=log)


@pytest.mark.parametrize(
    "also",
    [
        ("corner.x.u_low", 0, 0),
        ("corner.guide.plus", 0, 1),
        ("rear.left.high", 10, 12),  # changes its section, stays on its table
    ],
)
def test_the_wheel_that_left_its_table_is_named(also):
    left, right = (1.5, "front.left.high", 12, 12), (1.5, "front.right.high", 12, 12)
    status, line = ending(stopped((1.0, "rear.left.low", 0, 0), left, right, (1.5, *also)), LAYOUT)
    assert status == DERAILED
    assert line == "derailment at t = 1.5 s: wheel front.left left its contact table"


def test_to_the_right_the_right_flange_climbs():
    status, line = ending(stopped((2.0, "front.left.low", 0, 0), (2.0, "front.right.low", 0, 0)), LAYOUT)
    assert (status, line) == (DERAILED, "derailment at t = 2 s: wheel front.right left its contact table")


def test_an_impact_without_solution_is_no_derailment():
    status, line = ending(stopped((0.5, "front.left.high", 2, 3), (2.0, "corner.guide.plus", 0, 0)), LAYOUT)
    assert (status, line) == (FAILED, "no solution of the impact problem at t = 2 s: corner.guide.plus")
