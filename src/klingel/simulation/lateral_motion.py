"""What the kinds of motion are asked of a train: its lateral motion, led by the wheelsets.

Lateral coordinates are y, roll and yaw of all bodies. The others are not asked: a carbody may bounce for minutes
on leaf springs that hardly damp small motions, and wheelsets rattle in their longitudinal clearance, while the
lateral motion repeats to a thousandth. The wheelset that moves most laterally counts the cycles.
"""

from collections.abc import Sequence

from klingel.analysis.motion_kinds import Coordinates

ANGLES = ("roll", "pitch", "yaw")
LATERAL = ("y", "roll", "yaw")  # coordinates that decide

STILL = 1e-5  # half of peak to peak [m, rad]
NOISE = 1e-6  # half width below which growth says nothing [m, rad]
CENTRE = 1e-4  # of a wheelset from the middle of the track [m]


def lateral_names(names: Sequence[str], wheels: Sequence[str]) -> tuple[str, ...]:
    """Lateral motions of the wheelsets that own these wheels."""
    wheelsets = dict.fromkeys(wheel.rpartition(".")[0] for wheel in wheels)
    return tuple(f"{wheelset}.y" for wheelset in wheelsets if f"{wheelset}.y" in names)


def lateral_motion(names: Sequence[str], wheels: Sequence[str]) -> Coordinates:
    """How these coordinates are judged, of the train that owns these wheels."""
    last = [name.rpartition(".")[2] for name in names]
    return Coordinates(
        tuple(names),
        tuple("rad" if word in ANGLES else "m" for word in last),
        tuple(name for name, word in zip(names, last, strict=True) if word in LATERAL),
        lateral_names(names, wheels),
        STILL,
        NOISE,
        CENTRE,
    )
