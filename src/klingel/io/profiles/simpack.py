"""SIMPACK .prw (wheel) and .prr (rail), also read and written by CONTACT.

Text, `!` begins a comment. `header.begin` ... `header.end` holds version and type (0 rail, 1 wheel);
`spline.begin` ... `spline.end` holds the processing keys and, between `point.begin` and `point.end`, rows
of y, z and an optional weight. The keys act in their numbered order: 1 point.dist.min, 2 shift.y, shift.z,
3 rotate, 4 bound.y (points outside are left out) and bound.z (points outside are moved to the bound; a
bound with min >= max is none), 5 mirror.y, mirror.z, 6 inversion of the order, 7 units.len.f, units.ang.f
(user units per metre, per radian). y is positive to the field side of a right wheel, z down.

`approx.smooth` is not used: its meaning is internal to SIMPACK; the residual is asked of the user instead.
"""

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from klingel._errors import InputError
from klingel.contact.profiles.profile import Body, Profile
from klingel.io.atomic import write_text
from klingel.io.profiles.points import RawPoints, number, numbers, points_of, read_lines

ENDINGS = (".prw", ".prr")
COMMENT = "!"
PARENT = {"header": "", "spline": "", "point": "spline"}
TEXT_KEYS = {"file", "comment", "units.len", "units.ang"}
# key -> value when it is missing
NUMBER_KEYS = {
    "approx.smooth": 0.0, "file.mtime": 0.0, "type": 0.0, "point.dist.min": 0.0, "shift.y": 0.0, "shift.z":
    0.0, "rotate": 0.0, "bound.y.min": 1.0, "bound.y.max": 0.0, "bound.z.min": 1.0, "bound.z.max": 0.0,
    "mirror.y": 0.0, "mirror.z": 0.0, "inversion": 0.0, "units.len.f": 1.0, "units.ang.f": 1.0,
}  # fmt: skip


@dataclass
class _Content:
    kind: Body | None = None
    comment: str = ""
    keys: dict[str, float] = field(default_factory=lambda: dict(NUMBER_KEYS))
    lines: list[int] = field(default_factory=list)
    points: list[list[float]] = field(default_factory=list)


def read(path: Path, unit: float | None = None) -> RawPoints:
    content = _parse(path)
    expected = Body.WHEEL if path.suffix.lower() == ".prw" else Body.RAIL
    if content.kind is not None and content.kind != expected:
        raise InputError(path.name, f"type of a {content.kind.name.lower()}", f"must be a {expected.name.lower()}")
    lines, points = _processed(np.array(content.lines), np.array(content.points).reshape(-1, 2), content.keys)
    scale = unit if unit is not None else 1.0 / content.keys["units.len.f"]
    return RawPoints(path, lines, scale * points, expected, content.comment or path.stem)


def _parse(path: Path) -> _Content:
    content, block = _Content(), ""
    for line, text in enumerate(read_lines(path), 1):
        text = text.split(COMMENT, 1)[0].strip()
        if not text:
            continue
        key, equals, value = (part.strip() for part in text.partition("="))
        if not equals and key.endswith((".begin", ".end")):
            block = _entered(path, line, key, block)
        elif block == "point":
            content.points.append(numbers(path, line, text, 2)[:2])
            content.lines.append(line)
        else:
            _set_key(path, line, key, value, block, content)
    if block:
        raise InputError(path.name, "end of file", f"must close the block {block}.begin with {block}.end")
    return content


def _entered(path: Path, line: int, key: str, block: str) -> str:
    name, _, way = key.rpartition(".")
    if name not in PARENT:
        raise InputError(f"{path.name} line {line}", key, f"must be a block out of {', '.join(PARENT)}")
    right = PARENT[name] == block if way == "begin" else name == block
    if not right:
        raise InputError(f"{path.name} line {line}", key, f"does not fit here, inside {block or 'no block'}")
    return name if way == "begin" else PARENT[name]


def _set_key(path: Path, line: int, key: str, value: str, block: str, content: _Content) -> None:
    where = f"{path.name} line {line}"
    if block == "header":
        if key == "type":
            kinds = {"0": Body.RAIL, "1": Body.WHEEL}
            if value not in kinds:
                raise InputError(where, value, "type must be 0 (rail) or 1 (wheel)")
            content.kind = kinds[value]
        return  # version and measuring positions do not change the points
    if block == "spline" and key == "comment":
        content.comment = value.strip("'\" ")
    elif block == "spline" and key in NUMBER_KEYS:
        content.keys[key] = number(path, line, key, value)
        if key in ("units.len.f", "units.ang.f") and not content.keys[key] > 0.0:
            raise InputError(where, value, f"{key} must be positive")
    elif block != "spline" or key not in TEXT_KEYS:
        allowed = "must be a keyword of " + ("the spline block" if block == "spline" else "a block; none is open")
        raise InputError(where, key, allowed)


def _processed(lines: NDArray, points: NDArray, keys: dict[str, float]) -> tuple[NDArray, NDArray]:
    """The seven steps but the last, in file units."""
    if len(points) == 0:
        return lines, points
    keep = [0]
    for i in range(1, len(points)):
        if np.hypot(*(points[i] - points[keep[-1]])) >= keys["point.dist.min"]:
            keep.append(i)
    lines, points = lines[keep], points[keep] + np.array([keys["shift.y"], keys["shift.z"]])
    angle = keys["rotate"] / keys["units.ang.f"]
    c, s = np.cos(angle), np.sin(angle)
    if not (np.isfinite(points).all() and np.isfinite(angle)):
        return lines[:0], points[:0]  # told as a profile without points
    points = points @ np.array([[c, s], [-s, c]])
    if keys["bound.y.min"] < keys["bound.y.max"]:
        inside = (points[:, 0] >= keys["bound.y.min"]) & (points[:, 0] <= keys["bound.y.max"])
        lines, points = lines[inside], points[inside]
    if keys["bound.z.min"] < keys["bound.z.max"]:
        points[:, 1] = np.clip(points[:, 1], keys["bound.z.min"], keys["bound.z.max"])
    points *= [-1.0 if keys["mirror.y"] else 1.0, -1.0 if keys["mirror.z"] else 1.0]
    return (lines[::-1], points[::-1]) if keys["inversion"] else (lines, points)


def write(path: Path, profile: Profile, spacing: float | None = None) -> None:
    wheel = path.suffix.lower() == ".prw"
    if wheel != (profile.body == Body.WHEEL):
        raise InputError("profile file", path.name, "must end in .prw for a wheel and in .prr for a rail")
    keys = {**NUMBER_KEYS, "inversion": 1.0 if wheel else 0.0, "units.len.f": 1000.0}
    # wheels are stored from the field side inwards: the material lies to the right of the curve
    points = 1e3 * points_of(profile, spacing)[:: -1 if wheel else 1]
    body = [
        "header.begin", "  version = 1", f"  type = {int(wheel)}   ! 0 rail, 1 wheel", "header.end",
        "spline.begin", "  file = '-'", f"  comment = '{profile.name}'",
        *(f"  {key} = {value:.15g}" for key, value in keys.items()),
        "  units.len = 'mm'", "  units.ang = 'rad'", "  point.begin",
        *(f"    {y:.12f} {z:.12f}" for y, z in points),
        "  point.end", "spline.end", "",
    ]  # fmt: skip
    write_text(path, "\n".join(body))
