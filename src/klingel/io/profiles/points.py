"""Points as they stand in a file, checked and brought to the convention of `klingel.contact.profiles.profile`.

A file is refused, with the number of the line, if a number is not finite, if the curve turns back on
itself, if there are too few points, or if the profile is a thousand times too wide or too narrow. Points
that repeat the one before them hold no information and are dropped.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from klingel._errors import InputError
from klingel.contact.profiles.profile import Body, Profile
from klingel.contact.profiles.smoothing import from_points
from klingel.io.plain_files import LARGEST_PROFILE, read_plain

FEWEST = 10  # points; fewer cannot show a tread, a root and a flange
WIDTHS = (0.015, 0.4)  # of anything called a wheel or rail profile [m]
SHARPEST = 0.5 * np.pi  # turn between neighbouring chords beyond which the curve runs backwards [rad]
FLANGE_TIP = (0.02, 0.1)  # from the running circle of any wheel: 55 mm on the railway, 30 mm on a tramway [m]
FLANGE_HEIGHT = 0.01  # above the tread; less is a tread alone [m]
SPACING = 2e-4  # of written points when the profile is not made of points [m]
MANY = 50  # pieces: a profile with more was made from points


class Facing(IntEnum):
    """Where y grows to. DETECT: wheels by their flange; rails, which may be symmetric, as FIELD."""

    DETECT, FIELD, GAUGE = range(3)


@dataclass(frozen=True)
class RawPoints:
    path: Path
    lines: NDArray[np.int64]  # where each point stands in the file
    points: NDArray  # y, z [m], signs as in the file
    body: Body | None  # if the file says it
    name: str

    def profile(self, body: Body | None, residual: float, facing: Facing) -> Profile:
        """The profile through the points, after all checks."""
        body = self._body(body)
        self._check_numbers()
        lines, points = _without_repeats(self.lines, self.points)
        self._check_size(points, lines)
        self._check_folds(points, lines)
        points = oriented(points, body, facing)
        if points[-1, 0] < points[0, 0]:
            points = points[::-1]
        if body == Body.WHEEL and facing != Facing.DETECT:
            self._check_flange(points)
        if body == Body.WHEEL:
            self._check_origin(points)
        return from_points(points, body, residual, self.name, str(self.path.name))

    def _body(self, asked: Body | None) -> Body:
        if asked is not None and self.body is not None and asked != self.body:
            raise InputError(self.path.name, asked.name.lower(), f"is a {self.body.name.lower()} profile")
        body = asked if asked is not None else self.body
        if body is None:
            allowed = "must say whether it is a wheel or a rail: a first line `# body: wheel` or `# body: rail`"
            raise InputError(self.path.name, "two columns", allowed)
        return body

    def _check_numbers(self) -> None:
        bad = np.flatnonzero(~np.isfinite(self.points).all(axis=1))
        if bad.size:
            row = [float(value) for value in self.points[bad[0]]]
            raise InputError(f"{self.path.name} line {self.lines[bad[0]]}", row, "must hold finite numbers")

    def _check_size(self, points: NDArray, lines: NDArray) -> None:
        if len(points) < FEWEST:
            where = f"{self.path.name} line {lines[-1]}" if len(points) else self.path.name
            raise InputError(where, f"{len(points)} points", f"must have at least {FEWEST} different points")
        width = float(np.ptp(points[:, 0]))
        if not WIDTHS[0] <= width <= WIDTHS[1]:
            guess = "; are the units millimetres?" if width > 10.0 else ""
            guess = "; are the units metres?" if width < 1e-3 else guess
            allowed = f"must be a profile {WIDTHS[0]:g} to {WIDTHS[1]:g} m wide{guess}"
            raise InputError(f"{self.path.name} line {lines[0]}", f"{width:.6g} m", allowed)

    def _check_folds(self, points: NDArray, lines: NDArray) -> None:
        chord = np.diff(points, axis=0)
        angle = np.arctan2(chord[:, 1], chord[:, 0])
        turn = abs((np.diff(angle) + np.pi) % (2 * np.pi) - np.pi)
        if turn.max() > SHARPEST:
            row = int(np.argmax(turn > SHARPEST)) + 1
            allowed = "must go on in the direction of the points before it; the profile is folded back"
            given = [float(value) for value in points[row + 1]]
            raise InputError(f"{self.path.name} line {lines[row + 1]}", given, allowed)

    def _check_flange(self, points: NDArray) -> None:
        if points[np.argmax(points[:, 1]), 0] > 0.0:
            raise InputError(
                self.path.name,
                "flange at the field side",
                "must have its flange at the gauge side: other facing",
            )

    def _check_origin(self, points: NDArray) -> None:
        tip, height = points[np.argmax(points[:, 1])]
        if height - np.median(points[:, 1]) > FLANGE_HEIGHT and not FLANGE_TIP[0] <= abs(tip) <= FLANGE_TIP[1]:
            raise InputError(
                self.path.name,
                f"flange tip {1e3 * abs(tip):.0f} mm from y = 0",
                f"must count y from the running circle, {1e3 * FLANGE_TIP[0]:.0f} to {1e3 * FLANGE_TIP[1]:.0f} mm"
                " from the flange tip, and not from the flange back (70 mm from the running circle)",
            )


def oriented(points: NDArray, body: Body, facing: Facing) -> NDArray:
    """z down, y to the field side."""
    y, z = points.T
    if body == Body.WHEEL:
        # most points lie on the tread; the flange is what stands out furthest from it
        low, high = np.median(z) - z.min(), z.max() - np.median(z)
        z = z if high >= low else -z
        mirror = y[np.argmax(z)] > 0.0 if facing == Facing.DETECT else facing == Facing.GAUGE
    else:
        # the ends of a rail head lie below its crown
        z = z if 0.5 * (z[0] + z[-1]) > np.median(z) else -z
        mirror = facing == Facing.GAUGE
    return np.column_stack([-y if mirror else y, z])


def _without_repeats(lines: NDArray, points: NDArray) -> tuple[NDArray, NDArray]:
    if len(points) == 0:
        return lines, points
    keep = np.append(True, np.any(np.diff(points, axis=0) != 0.0, axis=1))
    return lines[keep], points[keep]


def read_lines(path: Path) -> list[str]:
    content = read_plain(path, LARGEST_PROFILE, "profile file")
    return content.decode("utf-8-sig", errors="replace").splitlines()


def numbers(path: Path, line: int, text: str, count: int) -> list[float]:
    """At least `count` numbers of a row, separated by blanks, commas, semicolons or tabs."""
    words = text.replace(",", " ").replace(";", " ").split()
    try:
        values = [float(word) for word in words]
    except ValueError:
        raise InputError(f"{path.name} line {line}", text.strip(), "must hold numbers") from None
    if len(values) < count:
        raise InputError(f"{path.name} line {line}", text.strip(), f"must hold {count} numbers")
    return values


def number(path: Path, line: int, key: str, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise InputError(f"{path.name} line {line}", text, f"{key} must be a number") from None


def collect(rows: Iterator[tuple[int, list[float]]]) -> tuple[NDArray, NDArray]:
    """Line numbers and the first two columns."""
    found = list(rows)
    lines = np.array([line for line, _ in found], dtype=np.int64)
    return lines, np.array([values[:2] for _, values in found], dtype=float).reshape(-1, 2)


def points_of(profile: Profile, spacing: float | None) -> NDArray:
    """What a writer stores: the points the profile was made from, or evenly spaced ones."""
    if spacing is None and len(profile.pieces) > MANY:
        return profile.joints
    return profile.resampled(spacing or SPACING)
