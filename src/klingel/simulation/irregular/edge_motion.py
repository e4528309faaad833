"""`edge_motion`: the motion between two attractors of a vehicle, found by bisection, without continuation."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from klingel._arguments import check_flag, check_number
from klingel._errors import InputError
from klingel.analysis.chaos.edge import Edge, NoEdge, Sides, follow_edge, half_width
from klingel.analysis.chaos.following import State, end_of
from klingel.analysis.motion_kinds import Motion, Stretch, judge
from klingel.model.description import Vehicle
from klingel.model.layout import Moves
from klingel.numerics.ode.workspace import Status
from klingel.numerics.trajectory import IntegrationError
from klingel.simulation.integration import Start
from klingel.simulation.irregular.following import Begin, Moving
from klingel.simulation.lateral_motion import STILL, lateral_motion
from klingel.track.track import Track

RTOL = 1e-8
METHOD = "dopri54"
WAY = 40.0  # of a window: two or three wavelengths of hunting [m]
SETTLES = 20.0  # how long both attractors are waited for [s]
WINDOWS = 4  # at the end of that, whose sizes bound the attractor
ROOM = 0.02  # of the distance between both sizes, on which a motion is taken to belong to one of them
LONGEST = 600.0  # time after which a motion must have gone to one of both [s]


@dataclass(frozen=True)
class EdgeMotion:
    speed: float  # [m/s]
    amplitude: dict[str, float]  # half of peak to peak of every position on the edge
    error: dict[str, float]  # how far both sides of it are apart, and one window from the next
    kind: str  # of the motion, see `motion_kinds`
    frequency: float | None  # [Hz]
    small: float  # half width of the coordinate, or of the widest wheelset, on both attractors [m, rad]
    large: float
    rate: float  # at which motions leave the edge [1/s]
    start: Start  # on the edge, to go on from
    edge: Edge

    def as_dict(self) -> dict[str, Any]:
        names = ("speed", "amplitude", "error", "kind", "frequency", "small", "large", "rate")
        return {name: getattr(self, name) for name in names}


def edge_motion(
    vehicle: Vehicle,
    track: Track | None = None,
    *,
    speed: float,
    small: Begin,
    large: Begin,
    duration: float = 20.0,
    coordinate: str | None = None,
    settling: float = SETTLES,
    from_starts: bool = False,
    window: float | None = None,
    longest: float = LONGEST,
    near: float = 1e-7,
    apart: float = 1e-4,
    method: str = METHOD,
    rtol: float = RTOL,
) -> EdgeMotion:
    """The motion that divides two attractors, whether it repeats or not.

    Parameters
    ----------
    vehicle, track
        The track must be straight, level and smooth; by default rails inclined 1/40.
    speed : float
        [m/s]
    small, large : offsets by name, Run or path
        Starts that settle to the smaller and to the larger motion; {} is rest.
    duration : float
        Least time along the edge [s].
    coordinate : str, optional
        Position whose half width tells both motions apart; that of the wheelset that moves most laterally if not
        given.
    settling : float
        How long both are given to settle [s]; more where motions grow or fade slowly.
    from_starts : bool
        Whether the line that is halved first joins the starts themselves, not what they settle to. Of several
        motions on the edge it may lead to another one.
    window : float, optional
        Time over which widths are taken, at least a period [s]; 40 m of way if not given.
    longest : float
        Time within which a motion must have gone to one of both [s].
    near, apart : float
        How near the two sides are brought to each other, and how far they may part, of their first distance.
    method, rtol
        See `simulate`.

    Raises
    ------
    InputError
        Bad argument; both starts come to motions of one size; a third motion lies between them.
    """
    check_flag("from_starts", from_starts)
    for name, value in (("duration", duration), ("longest", longest), ("settling", settling)):
        if not check_number(name, value, "s") > 0.0:
            raise InputError(name, value, "must be positive, in s")
    moving = Moving.on(vehicle, track, speed, method, rtol)
    window = WAY / speed if window is None else check_number("window", window, "s")
    size = half_width(moving.lateral if coordinate is None else [_position(moving, coordinate)])
    try:
        starts = [moving.start(given) for given in (small, large)]
        motions = [_attractor(moving, start, settling, window, size) for start in starts]
        bounds = [sizes for _, sizes in motions]
        one, other = starts if from_starts else [state for state, _ in motions]
        sides = _sides(bounds, size, window, longest)
        found = follow_edge(
            moving.follow, one, other, sides, duration, near=near, apart=apart, carried=moving.carried
        )
    except NoEdge as error:
        raise InputError("large", f"{speed:g} m/s", f"must be divided from small by an edge; {error}") from None
    except IntegrationError as error:
        raise InputError("large", f"{speed:g} m/s", f"must be a motion that goes on; {error}") from None
    motion = _judged(moving, found)
    positions = [(k, s.name) for k, s in enumerate(moving.layout.state_info) if s.moves == Moves.POSITION]
    return EdgeMotion(
        float(speed),
        {name: float(found.amplitude[k]) for k, name in positions},
        {name: float(found.error[k]) for k, name in positions},
        motion.kind, motion.frequency.get(motion.evidence.get("leader", "")), float(np.mean(bounds[0])),
        float(np.mean(bounds[1])), found.rate, Start(*found.small[:3]), found,
    )  # fmt: skip


def _position(moving: Moving, name: str) -> int:
    known = [s.name for s in moving.layout.state_info if s.moves == Moves.POSITION]
    if name not in known:
        raise InputError("coordinate", name, f"must be one of {', '.join(known)}")
    return moving.layout.state(name)


def _attractor(
    moving: Moving, start: State, settling: float, window: float, size
) -> tuple[State, tuple[float, float]]:
    """What a start settles to: a state on it, least and greatest size of its last windows."""
    state = end_of(moving.follow(start, max(settling, 2 * WINDOWS * window), None))
    sizes = []
    for _ in range(WINDOWS):
        run = moving.follow(state, window, window / 200)
        if run.status == Status.STOPPED:
            raise InputError("start", f"{moving.speed:g} m/s", "must stay on the rails")
        state, sizes = end_of(run), [*sizes, size(run.x)]
    return state._replace(t=0.0), (min(sizes), max(sizes))


def _sides(bounds, size, window: float, longest: float) -> Sides:
    (_, small), (large, _) = bounds
    room = ROOM * (large - small)
    if not large > STILL or not room > 0.0:
        told = f"{1e3 * large:.4g} mm, small comes to {1e3 * small:.4g} mm"
        raise InputError("large", told, "must settle to a wider motion than small")
    return Sides(size, small + room, large - room, window, longest)


def _judged(moving: Moving, found: Edge) -> Motion:
    """Kind of the motion on the edge."""
    layout = moving.layout
    coordinates = lateral_motion(layout.state_info, layout.rolling)
    at = [layout.state(name) for name in coordinates.names]
    rates = [layout.rate_of(name) for name in coordinates.names]
    return judge(Stretch(found.t, found.x[:, at], found.x[:, rates], coordinates))
