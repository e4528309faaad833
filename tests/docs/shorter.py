"""The same calls with less to compute: fewer points, shorter transients, no other processes."""

from collections.abc import Callable
from typing import Any

import klingel as kg

POINTS = 5  # of a branch
RULE = kg.FixedTransient(transient=0.3, maxima=1, piece=0.5, cap=1.0)
NOT_RUN = (
    "app",
    "bench",
    "warm-up",
    "critical",
    "example",
)  # a server, minutes, minutes, in tests/literature; options are checked


def shorter(words: list[str]) -> list[str]:
    """Words of a command; those of `klingel sweep` keep their first two values."""
    name, *rest = words
    if name == "sweep":
        for option in ("--speeds", "--values"):
            if option in rest:
                place = rest.index(option) + 1
                rest[place] = first_two(rest[place])
        for option in ("--recipe", "--cap", "--transient", "--maxima", "--workers", "--starts"):
            if option in rest:
                place = rest.index(option)
                del rest[place : place + 2]
        rest += ["--transient", "0.3", "--maxima", "1", "--cap", "1s", "--workers", "1"]
        if "--sliders" in rest or "--fresh" in rest:
            rest += ["--starts", "1"]
    if "--continue" in rest and "--duration" not in rest:  # of a run that was killed; here it has come to its end
        rest += ["--duration", "60"]
    if name == "continue":
        rest += ["--points", str(POINTS)]
    if name == "reproduce" and "--list" not in rest:
        rest = ["--list"]
    return [name, *rest]


def first_two(values: str) -> str:
    """`50:5:-0.2` is `50:50:-0.2`, one point less than two: steps may have units of their own."""
    if ":" in values:
        first, _, step = values.split(":")
        return f"{first}:{first}:{step}"
    return ",".join(values.split(",")[:2])


def quick_sweep(sweep: Callable[..., Any]) -> Callable[..., Any]:
    def short(vehicle: Any, track: Any = None, speeds: Any = None, **options: Any) -> Any:
        speeds = None if speeds is None else list(speeds)[:2]
        return sweep(vehicle, track, speeds, **{**options, "transient": RULE, "workers": 1, "overwrite": True})

    return short


def quick_branch(continue_orbit: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *given, **options: continue_orbit(*given, **{**options, "points": POINTS})
