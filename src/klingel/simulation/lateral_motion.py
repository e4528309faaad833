"""What the kinds of motion are asked of a train: its lateral motion, led by the wheelsets.

Lateral coordinates are y, roll and yaw of all bodies. The others are not asked: a carbody may bounce for minutes
on leaf springs that hardly damp small motions, and wheelsets rattle in their longitudinal clearance, while the
lateral motion repeats to a thousandth. The wheelset that moves most laterally counts the cycles.
"""

from collections.abc import Sequence

from klingel.analysis.motion_kinds import Coordinates
from klingel.model.layout import Moves, State

LATERAL = ("y", "roll", "yaw")  # coordinates that decide

STILL = 1e-5  # half of peak to peak [m, rad]
NOISE = 1e-6  # half width below which growth says nothing [m, rad]
CENTRE = 1e-4  # of a wheelset from the middle of the track [m]


def lateral_names(states: Sequence[State], wheelsets: Sequence[str]) -> tuple[str, ...]:
    """Lateral motions of the wheelsets."""
    return tuple(
        s.name for w in wheelsets for s in states
        if s.owner == w and s.coordinate == "y" and s.moves == Moves.POSITION
    )  # fmt: skip


def lateral_motion(states: Sequence[State], wheelsets: Sequence[str]) -> Coordinates:
    """How the positions among these states are judged, of a train with these wheelsets."""
    positions = [state for state in states if state.moves == Moves.POSITION]
    return Coordinates(
        tuple(state.name for state in positions),
        tuple(state.unit for state in positions),
        tuple(state.name for state in positions if state.coordinate in LATERAL),
        lateral_names(states, wheelsets),
        STILL,
        NOISE,
        CENTRE,
    )
