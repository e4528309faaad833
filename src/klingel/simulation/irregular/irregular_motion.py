"""`irregular_motion`: what can be said of a vehicle's motion where it does not repeat.

A Poincaré section, the largest Lyapunov exponent with its error, and over seeded starts how long such motion
survives. All at one speed on straight track.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from klingel._arguments import check_callable, check_number, check_whole
from klingel._errors import InputError
from klingel.analysis.chaos.following import State
from klingel.analysis.chaos.lyapunov import LEAST_BLOCKS, Lyapunov, largest_lyapunov
from klingel.analysis.chaos.poincare import Points, crossings
from klingel.analysis.chaos.survival import Lifetime, Survival, lifetime, survival_times
from klingel.analysis.orbits.flow import FlowError
from klingel.model.description import Vehicle
from klingel.model.problem import vehicle_problem
from klingel.numerics.ode.workspace import Status
from klingel.numerics.trajectory import IntegrationError, Trajectory
from klingel.simulation.irregular.following import Begin, Moving
from klingel.track.track import Track

KICK = 5e-3  # of the first wheelset, if no start is given [m]
LATERAL, YAW = 5.5e-3, 3e-3  # largest offsets of wheelsets in seeded starts [m, rad]
WINDOW = 2.0  # of survival times, at least [s]
WAY = 40.0  # and at least so far [m]
LEAST = 5e-4  # half width of the widest wheelset below which a motion has ended [m]
BLOCKS = 20
PIECE = 20.0  # of a long section [s]
MOST_STARTS = 10_000


@dataclass(frozen=True)
class IrregularMotion:
    speed: float  # [m/s]
    coordinate: str  # whose rises through zero are the section
    states: tuple[str, ...]
    section: Points
    lyapunov: Lyapunov | None  # [1/s]
    reason: str  # why there is no exponent
    survival: Survival | None = None
    lifetime: Lifetime | None = None
    settings: dict[str, Any] = field(default_factory=dict)

    def __getitem__(self, name: str) -> np.ndarray:
        """A state at the points of the section."""
        if name not in self.states:
            raise InputError("quantity", name, f"must be one of {', '.join(self.states)}")
        return self.section.x[:, self.states.index(name)]

    def as_dict(self, files: list[str] | tuple[str, ...] = ()) -> dict[str, Any]:
        """What `klingel irregular --json` prints."""
        exponent = self.lyapunov
        life = self.lifetime
        return {
            "speed": self.speed,
            "section": {"of": self.coordinate, "points": len(self.section.t), "time": self.section.t.tolist()},
            "lyapunov": None if exponent is None else {"exponent": exponent.exponent, "error": exponent.error},
            "reason": self.reason,
            "survival": None if life is None or self.survival is None else {
                "times": self.survival.times.tolist(), "ended": self.survival.ended.tolist(),
                "rate": life.rate, "error": life.error, "mean": life.mean if life.ends else None,
                "ends": life.ends, "starts": life.starts,
            },
            "files": list(files),
        }  # fmt: skip


def irregular_motion(
    vehicle: Vehicle,
    track: Track | None = None,
    *,
    speed: float,
    start: Begin | None = None,
    duration: float = 60.0,
    transient: float = 20.0,
    coordinate: str | None = None,
    exponent: bool = True,
    starts: int = 0,
    cap: float = 60.0,
    settle: float = 10.0,
    least: float = LEAST,
    seed: int = 0,
    method: str = "dopri54",
    rtol: float = 1e-8,
    on_point: Callable[[int, int], None] | None = None,
) -> IrregularMotion:
    """Section, exponent and survival of a motion that need not repeat.

    Parameters
    ----------
    vehicle, track
        The track must be straight, level and smooth; by default rails inclined 1/40.
    speed : float
        [m/s]
    start : offsets by name, Run or path, optional
        By default the first wheelset is kicked by 5 mm.
    duration, transient : float
        How long the motion is looked at, and before that left alone [s].
    coordinate : str, optional
        State whose rises through zero are the section; lateral position of the first wheelset if not given.
    exponent : bool
        Whether the largest Lyapunov exponent is computed; takes as long again, and more.
    starts, seed : int
        Seeded starts for the time of survival, wheelsets displaced by up to 5.5 mm and 3 mrad.
    cap, settle : float
        How long each is watched, and time at the beginning that does not count [s].
    least : float
        Half width of the widest wheelset below which a motion has ended [m]; so has one that derails.
    method, rtol
        Of section and survival, see `simulate`; the exponent goes its own way through all events.
    on_point : callable, optional
        Called with the number of seeded starts done and asked for.

    Returns
    -------
    IrregularMotion
    """
    check_callable("on_point", on_point)
    check_whole("starts", starts, 0, MOST_STARTS)
    check_whole("seed", seed, 0)
    for name, value, unit in (("least", least, "m"), ("cap", cap, "s"), ("settle", settle, "s")):
        if not check_number(name, value, unit) >= 0.0:
            raise InputError(name, value, f"must not be negative, in {unit}")
    if starts and not settle < cap:
        raise InputError("settle", settle, f"must be less than cap, {cap:g} s")
    moving = Moving.on(vehicle, track, speed, method, rtol)
    states = moving.layout.states
    coordinate = coordinate or states[moving.lateral[0]]
    if coordinate not in states:
        raise InputError("coordinate", coordinate, f"must be one of {', '.join(states)}")
    place = states.index(coordinate)
    begin = moving.start({states[moving.lateral[0]]: KICK} if start is None else start)
    try:
        found = crossings(
            moving.follow, begin, lambda t, x: float(x[place]), duration, transient, piece=min(PIECE, duration)
        )
    except IntegrationError as error:
        raise InputError("start", f"{speed:g} m/s", f"must be a motion that goes on; {error}") from None
    grows, reason = _exponent(moving, begin, duration, transient) if exponent else (None, "not asked for")
    left = _survival(moving, starts, seed, cap, least, on_point) if starts else None
    told = {"duration": duration, "transient": transient, "starts": starts, "seed": seed, "cap": cap}
    try:
        life = None if left is None else lifetime(left, settle)
    except InputError as error:  # all of them ended at once; what was computed is kept
        life, reason = None, "; ".join(filter(None, [reason, f"no lifetime: {error}"]))
    return IrregularMotion(float(speed), coordinate, tuple(states), found, grows, reason, left, life, told)


def _exponent(moving: Moving, begin: State, duration: float, transient: float) -> tuple[Lyapunov | None, str]:
    problem = vehicle_problem(moving.compiled, begin.memory, begin.mode)
    blocks = max(LEAST_BLOCKS, min(BLOCKS, int(duration)))
    try:
        return largest_lyapunov(problem, begin.x, duration, transient=transient, blocks=blocks), ""
    except (InputError, FlowError, IntegrationError) as error:
        return None, str(error)


def _survival(
    moving: Moving, starts: int, seed: int, cap: float, least: float, on_point: Callable[[int, int], None] | None
) -> Survival:
    window = max(WINDOW, WAY / moving.speed)

    def ended(run: Trajectory) -> bool:
        rows = run.x[:, moving.lateral]
        return run.status == Status.STOPPED or 0.5 * float(np.ptp(rows, axis=0).max()) < least

    def states():
        for k in range(starts):
            if on_point is not None:
                on_point(k, starts)
            yield moving.start(random_offsets(moving, np.random.default_rng((seed, k))))

    return survival_times(moving.follow, states(), ended, window, max(1, round(cap / window)))


def random_offsets(moving: Moving, rng: np.random.Generator) -> dict[str, float]:
    sizes = {"y": LATERAL, "yaw": YAW}
    given = {
        f"{body}.{c}": size * rng.uniform(-1.0, 1.0) for body in moving.layout.rolling for c, size in sizes.items()
    }
    return {name: float(value) for name, value in given.items() if name in moving.layout.states}
