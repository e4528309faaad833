"""Profiles from and to files; the ending of the name chooses the format.

=================  =============================  ==========
ending             format                         written
=================  =============================  ==========
.prw  .prr         SIMPACK wheel, rail            yes
.whl  .ban         MiniProf wheel, rail           no
.whe  .rai         VAMPIRE wheels, rails          no
anything else      two columns of text            yes
=================  =============================  ==========
"""

from pathlib import Path

from klingel.contact.geometry.wheelset_on_track import Hand
from klingel.contact.profiles.profile import Body, Profile
from klingel.io.profiles import miniprof, simpack, two_column, vampire
from klingel.io.profiles.points import Facing

__all__ = ["Facing", "read_profile", "write_profile"]


def read_profile(
    path: str | Path,
    body: Body | None = None,
    residual: float = 0.0,
    facing: Facing = Facing.DETECT,
    unit: float | None = None,
    hand: Hand = Hand.LEFT,
) -> Profile:
    """Profile from a file.

    Parameters
    ----------
    body
        Wheel or rail; needed for two-column files that do not say it, else it must agree with the file.
    residual
        Root mean square distance [m] that the smoothing spline may take; 0 interpolates.
    facing
        Where y grows to in the file.
    unit
        Metres per unit of the file; the format's own unit if not given.
    hand
        Which wheel or rail of a file that holds two.
    """
    path = Path(path)
    ending = path.suffix.lower()
    if ending in simpack.ENDINGS:
        raw = simpack.read(path, unit)
    elif ending in miniprof.ENDINGS:
        raw = miniprof.read(path, unit)
    elif ending in vampire.ENDINGS:
        raw = vampire.read(path, hand, unit)
    else:
        raw = two_column.read(path, unit)
    return raw.profile(body, residual, facing)


def write_profile(path: str | Path, profile: Profile, spacing: float | None = None) -> None:
    """Write points of `profile`, at most `spacing` [m] apart; without it the points it was made from."""
    path = Path(path)
    if path.suffix.lower() in simpack.ENDINGS:
        simpack.write(path, profile, spacing)
    else:
        two_column.write(path, profile, spacing)
