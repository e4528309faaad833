"""Spring given as a table of points: straight between them, straight on beyond the first and the last.

Piece n of the table is mode n, its corners are walls: nothing is smoothed over them. The force at u = 0 is the
preload. No memory; stored is the area under the curve from u = 0.
"""

from dataclasses import dataclass
from enum import IntEnum
from functools import cache
from math import inf, isfinite

from klingel._errors import InputError

MOST = 100  # modes are small numbers


@dataclass(frozen=True)
class TableSpring:
    points: tuple[tuple[float, float], ...]  # deformation [m], force [N]; deformations rise

    def __post_init__(self) -> None:
        if not 2 <= len(self.points) <= MOST:
            raise InputError("points", f"{len(self.points)} points", f"must be 2 to {MOST} points")
        if not all(isfinite(number) for point in self.points for number in point):
            raise InputError("points", self.points, "must be finite")
        for (before, _), (after, _) in zip(self.points, self.points[1:], strict=False):
            if not before < after:
                raise InputError("points", f"{before!r} before {after!r}", "must have rising deformations")

    @property
    def stiffness(self) -> float:
        """Largest slope [N/m]."""
        return max(slope for _, _, _, slope, _ in self.pieces())

    def pieces(self) -> list[tuple[float, float, float, float, float]]:
        """Of each piece: its walls, offset and slope of its force, what its energy begins with (zero at u = 0)."""
        found, energy = [], 0.0
        for n, ((a, at_a), (b, at_b)) in enumerate(zip(self.points, self.points[1:], strict=False)):
            slope = (at_b - at_a) / (b - a)
            offset = at_a - slope * a
            if n > 0:  # continuous at the corner a
                _, _, before, steep, start = found[-1]
                energy = start + (before - offset) * a + 0.5 * (steep - slope) * a * a
            low = -inf if n == 0 else a
            high = inf if n == len(self.points) - 2 else b
            found.append((low, high, offset, slope, energy))
        zero = found[self.piece_at(0.0)][4]
        return [(low, high, offset, slope, start - zero) for low, high, offset, slope, start in found]

    def piece_at(self, u: float) -> int:
        return sum(u >= corner for corner, _ in self.points[1:-1])


@cache
def modes(count: int) -> type[IntEnum]:
    """Names of the modes of a table with so many pieces."""
    return IntEnum("Mode", {f"PIECE_{n + 1}": n for n in range(count)})  # type: ignore[return-value]
