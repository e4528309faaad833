"""Profiles by name or from a file: `S1002`, `60E1`, `cone:1/20`, `arc:300mm`, `worn.prw`."""

from collections.abc import Callable
from pathlib import Path

from klingel._errors import InputError
from klingel.contact.profiles.elementary import arc_rail, arc_wheel, cone
from klingel.contact.profiles.profile import Body, Profile
from klingel.contact.profiles.s1002 import s1002
from klingel.contact.profiles.uic60 import uic60
from klingel.io.plain_files import is_file
from klingel.io.profiles import read_profile
from klingel.io.units import parse_quantity

NAMED: dict[Body, dict[str, Callable[[], Profile]]] = {
    Body.WHEEL: {"S1002": s1002},
    Body.RAIL: {"UIC60": uic60, "60E1": uic60},
}

# name:number
WITH_NUMBER: dict[Body, dict[str, Callable[[float], Profile]]] = {
    Body.WHEEL: {"CONE": cone, "ARC": arc_wheel},
    Body.RAIL: {"ARC": arc_rail},
}


def names(body: Body) -> list[str]:
    """What may be asked for, besides files."""
    return [*NAMED[body], *(f"{name.lower()}:NUMBER" for name in WITH_NUMBER[body])]


def find_profile(name: str | Path | Profile, body: Body, residual: float = 0.0, field: str = "") -> Profile:
    """A wheel or rail profile by library name or from a file.

    `residual` is the root mean square distance [m] that smoothing may take from the points of a file; `field` is
    what to call the profile where it is refused.
    """
    if isinstance(name, Profile):
        return name
    what = field or ("wheel" if body == Body.WHEEL else "rail")
    if not isinstance(name, str | Path):
        raise InputError(what, name, f"must be a profile, a profile file or one of {', '.join(names(body))}")
    text = str(name)
    if text.upper() in NAMED[body]:
        return NAMED[body][text.upper()]()
    kind, sign, number = text.partition(":")
    if sign and kind.upper() in WITH_NUMBER[body]:
        return WITH_NUMBER[body][kind.upper()](parse_quantity(number, text))
    if is_file(Path(text)):
        return read_profile(text, body, residual)
    raise InputError(what, text, f"must be a profile file or one of {', '.join(names(body))}")
