"""Arguments of `integrate`, checked before any work is done: one line says which, what, and what is allowed."""

from dataclasses import dataclass
from itertools import repeat
from math import inf, isfinite, isnan
from operator import le

import numpy as np

from klingel._arguments import check_array, check_flag, check_kind, check_number, check_text, check_whole
from klingel._errors import InputError
from klingel.numerics.ode.w_methods import ALL_METHODS, W_METHODS
from klingel.numerics.problem import HybridProblem

AUTO = "auto"
RIVALS = "/"  # between two methods of which the better one goes on
METHOD_NAMES = f"one of {', '.join([*ALL_METHODS, AUTO])}"


@dataclass(frozen=True)
class Options:
    t_start: float
    t_end: float
    method: str
    implicit_times: tuple[float, float] | None
    rtol: float
    atol: object  # float or array
    output_step: float | None
    first_step: float | None
    max_step: float
    redo_events: bool
    locate: bool
    max_steps: int
    chatter_limit: int
    chatter_window: float | None
    chunk_steps: int


def check_options(o: Options) -> None:
    _check_types(o)
    check_method(o)
    if not isfinite(o.t_start):
        raise InputError("t_start", o.t_start, "must be a finite time in seconds")
    if not (isfinite(o.t_end) and o.t_end > o.t_start):
        raise InputError("t_end", o.t_end, f"must be a finite time after t_start = {o.t_start}")
    if not 0.0 < o.rtol < inf:
        raise InputError("rtol", o.rtol, "must be a positive number")
    atol = np.asarray(o.atol, float)
    if atol.ndim > 1 or not ((atol > 0.0) & (atol < inf)).all():
        raise InputError("atol", o.atol, "must be a positive number, or one per state")
    for name, value in (("output_step", o.output_step), ("first_step", o.first_step)):
        if value is not None and not (isfinite(value) and value > 0.0):
            raise InputError(name, value, "must be a positive time in seconds")
    if isnan(o.max_step) or o.max_step <= 0.0:
        raise InputError("max_step", o.max_step, "must be a positive time in seconds")
    if o.chatter_window is not None and not 0.0 <= o.chatter_window < inf:
        raise InputError("chatter_window", o.chatter_window, "must be a time in seconds, not negative")
    for name, value, least in (
        ("max_steps", o.max_steps, 1),
        ("chatter_limit", o.chatter_limit, 2),
        ("chunk_steps", o.chunk_steps, 1),
    ):
        if int(value) != value or value < least:
            raise InputError(name, value, f"must be a whole number, at least {least}")


def _check_types(o: Options) -> None:
    check_text("method", o.method, METHOD_NAMES)
    for name in ("t_start", "t_end", "rtol", "max_step"):
        check_number(name, getattr(o, name), finite=False)
    for name in ("output_step", "first_step", "chatter_window"):
        if getattr(o, name) is not None:
            check_number(name, getattr(o, name), "s", finite=False)
    check_array("atol", o.atol, "a positive number, or one per state")
    for name in ("max_steps", "chatter_limit", "chunk_steps"):
        check_whole(name, getattr(o, name))
    check_flag("redo_events", o.redo_events)
    check_flag("locate", o.locate)
    if o.redo_events and not o.locate:
        raise InputError("redo_events", True, "must be left out where events are not located")
    if o.implicit_times is not None:
        times = check_array("implicit_times", o.implicit_times, "two times, the earlier first")
        if times.shape != (2,):
            raise InputError("implicit_times", o.implicit_times, "must be two times, the earlier first")


def check_method(o: Options) -> None:
    parts = o.method.split("+")
    explicit = parts[0].split(RIVALS)
    names = [*explicit, *parts[1:]]
    if o.method != AUTO and not (
        len(parts) <= 2 and len(explicit) <= 2 and all(name in ALL_METHODS for name in names)
    ):
        raise InputError("method", o.method, f"must be {METHOD_NAMES}")
    kinds = [ALL_METHODS[name].explicit for name in names if name != AUTO]
    wanted = [True] * len(explicit) + [False] * (len(parts) - 1)
    linear_rival = len(explicit) == len(names) == 2 and kinds[0] and explicit[1] in W_METHODS
    if len(names) > 1 and kinds != wanted and not linear_rival:
        allowed = "must name explicit methods and then an implicit one, like dopri54+ros34pw2 or dopri54/chain34"
        raise InputError("method", o.method, allowed)
    if o.implicit_times is None:
        if len(explicit) == 2 and len(parts) == 2:
            raise InputError("implicit_times", None, f"must be given with the three methods {o.method}")
        return
    if len(parts) == 1 and o.method != AUTO:
        raise InputError("implicit_times", o.implicit_times, "must be left out: there is no implicit method")
    if not o.implicit_times[0] <= o.implicit_times[1]:
        raise InputError("implicit_times", o.implicit_times, "must be two times, the earlier first")


def check_problem(problem: HybridProblem) -> None:
    check_kind("problem", problem, HybridProblem, "a HybridProblem")
    n = len(problem.guard_names)
    if n and problem.guards is None:
        raise InputError("guards", None, f"must be given: {n} guard names are ({', '.join(problem.guard_names)})")
    if problem.guards is not None and n == 0:
        raise InputError("guard_names", (), "must name every guard that the function `guards` fills")
    if (n or problem.time_events) and problem.act is None:
        raise InputError("act", None, "must be given: guards or time events need an action")
    check_events(problem)
    size = (len(problem.state_names),) * 2
    for name in ("pattern", "implicit"):
        given = getattr(problem, name)
        if given is not None and given.shape != size:
            raise InputError(name, given.shape, f"must be an array of shape {size}")


def check_events(problem: HybridProblem) -> None:
    """Names, owners, tolerances and instants, of a DaeProblem as well."""
    n = len(problem.guard_names)
    for name in ("guard_owner", "guard_tolerance"):
        given = getattr(problem, name)
        if given and len(given) != n:
            raise InputError(name, given, f"must have one entry for each of the {n} guards")
    owners = problem.guard_owner
    if len(owners) and not (min(owners) >= -1 and max(owners) < problem.mode.size):
        raise InputError("guard_owner", problem.guard_owner, f"must lie between -1 and {problem.mode.size - 1}")
    for name in ("mode_names", "mode_types"):
        given = getattr(problem, name)
        if given and len(given) != problem.mode.size:
            raise InputError(name, given, f"must have one entry for each of the {problem.mode.size} modes")
    if not all(map(le, repeat(0.0), problem.guard_tolerance)):
        raise InputError("guard_tolerance", problem.guard_tolerance, "must be numbers, not negative")
    times = problem.time_events
    if len(times) and (not np.all(np.isfinite(times)) or list(times) != sorted(times)):
        raise InputError("time_events", problem.time_events, "must be finite and rise")
    if problem.time_names and len(problem.time_names) != len(problem.time_events):
        raise InputError("time_names", problem.time_names, "must have one entry for each time event")
    if np.any(np.isnan(problem.memory)):
        raise InputError("memory", problem.memory.tolist(), "must be numbers")


def check_start(problem: HybridProblem, x0) -> np.ndarray:
    x = np.atleast_1d(check_array("x0", x0, "numbers, one for each state")).copy()
    names = problem.state_names
    if x.shape != (len(names),):
        raise InputError("x0", x.tolist(), f"must have one number for each state ({', '.join(names)})")
    finite = np.isfinite(x)
    if not finite.all():
        first = int(np.argmin(finite))
        raise InputError(f"x0[{names[first]}]", float(x[first]), "must be a finite number")
    return x
