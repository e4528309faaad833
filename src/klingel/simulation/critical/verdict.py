"""From descents to motions with uncertainty, and to a verdict or its refusal."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from klingel.analysis.descents.agreement import ABSOLUTE, RELATIVE, Agreement, agreement
from klingel.analysis.descents.motion_sizes import Rank
from klingel.simulation.critical.chain import Chain
from klingel.simulation.critical.flanges import family
from klingel.simulation.critical.settings import (
    AS_ASKED,
    FINER,
    FINER_RTOL,
    OTHER_METHOD,
    SLOWER_DESCENT,
    WAYS,
    Asked,
)

FOUND, NONE, REFUSED = "found", "none", "refused"


@dataclass(frozen=True)
class LowestMotion:
    """The lowest speed of one family."""

    family: str
    speed: float  # median of all descents [m/s]
    low: float  # highest speed below that of any descent at which it is known not to last [m/s]
    high: float
    kind: str
    amplitude: float  # half of peak to peak of the wheelset that moves most [m]
    frequency: float | None  # [Hz]
    agrees: bool
    found: int  # descents that kept the motion
    asked: int
    by_way: dict[str, float | None]  # median of each way of computing [m/s]

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


def lowest_motion(chains: Sequence[Chain], wheelsets: int) -> tuple[LowestMotion, Agreement] | None:
    """Of the descents of one family; None when none keeps it."""
    by_way = {way: [c.speed for c in chains if c.way == way] for way in WAYS}
    found = agreement({way: values for way, values in by_way.items() if values})
    if found is None:
        return None
    kept = [c for c in chains if c.speed is not None]
    shown = min(kept, key=lambda c: (abs((c.speed or 0.0) - found.middle), WAYS.index(c.way), c.seed))
    name = family(chains[0].rank, wheelsets)
    low = min(c.speed if c.below is None else c.below for c in kept if c.speed is not None)
    motion = LowestMotion(
        name, found.middle, low, found.high, shown.kind, shown.amplitude, shown.frequency,
        found.agrees, found.found, found.asked, found.medians(),
    )  # fmt: skip
    return motion, found


def settle_hint(found: Agreement, asked: Asked) -> str:
    """What differs most, and what would settle it."""
    rtol, settings = asked.request.solving.rtol, asked.settings
    medians = found.medians()

    def told(way: str) -> str:
        value = medians.get(way)
        return "none" if value is None else f"{value:.4g} m/s"

    culprit = found.culprit(AS_ASKED)
    both = f"{told(culprit or AS_ASKED)} by {culprit}, {told(AS_ASKED)} as asked"
    if culprit == FINER_RTOL:
        return f"{both}: a smaller tolerance would settle it, --rtol {FINER * rtol:g}"
    if culprit == OTHER_METHOD:
        return f"{both}: a smaller tolerance or a third method would settle it, --rtol {FINER * rtol:g}"
    if culprit == SLOWER_DESCENT:
        return f"{both}: a slower descent would settle it, --hold {4.0 * settings.hold:g}s"
    missing = found.asked - found.found
    lost = f"{missing} of {found.asked} descents lose it at once; " if missing else "it ends by chance; "
    more = f"--hold {4.0 * settings.hold:g}s --seeds {4 * settings.seeds}"
    return f"{lost}longer holds and more seeds would settle it, {more}"


def verdict_of(
    chains: Sequence[Chain], wheelsets: int, asked: Asked, off: Sequence[float] = ()
) -> tuple[str, str, list[LowestMotion]]:
    """Verdict, its reason in one line, and the motions from the slowest on.

    `off` are speeds at which starts left the rails or could not be computed.
    """
    pairs = []
    for rank in Rank:
        mine = [c for c in chains if c.rank == rank]
        found = lowest_motion(mine, wheelsets) if mine else None
        if found is not None:
            pairs.append(found)
    pairs.sort(key=lambda pair: pair[0].speed)
    motions = [motion for motion, _ in pairs]
    if not motions:
        counts = 1e3 * asked.settings.threshold
        none = f"no motion of more than {counts:g} mm lasts"
        if off:
            told = f"{none}, but {len(off)} starts left the rails or broke off, the slowest at {min(off):.4g} m/s"
            return REFUSED, f"{told}: --fastest below that would settle it", motions
        fastest = asked.settings.fastest
        return NONE, f"{none} below {fastest:g} m/s ({3.6 * fastest:.4g} km/h)", motions
    first, found = pairs[0]
    if found.agrees:
        told = f"keeps moving from {first.speed:.4g} m/s ({3.6 * first.speed:.4g} km/h) on, {first.family}"
        if first.low >= found.low:  # the slowest of the descents met nothing that failed
            return FOUND, f"{told}; it lasts at the slowest speeds looked at", motions
        return FOUND, f"{told}; lowest speed between {first.low:.4g} and {first.high:.4g} m/s", motions
    differ = (
        f"differs by more than {100.0 * RELATIVE:g} % and {ABSOLUTE:g} m/s"
        if found.found == found.asked
        else "is not found in every way"
    )
    told = f"the lowest speed, {first.family}, {found.low:.4g} to {found.high:.4g} m/s, {differ}"
    return REFUSED, f"{told}: {settle_hint(found, asked)}", motions
