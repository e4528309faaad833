"""The same calls with less to compute: fewer points, shorter transients, no other processes."""

from collections.abc import Callable
from typing import Any

import klingel as kg

POINTS = 5  # of a branch
RULE = kg.FixedTransient(transient=0.3, maxima=1, piece=0.5, cap=1.0)
# minutes each, and measurements on machines that are not idle tell nothing; their options are checked
NOT_RUN = ("bench", "warm-up")
EXAMPLES = {  # less of the same; whole they run in tests/literature
    "de-pater": ["shifts=21"],
    "hunting-solvers": ["duration=1"],
    "nonsmooth-manifold": ["points=21", "duration=0.2"],
    "wheelset-dae": ["duration=0.3", "finest=4", "points=1"],
}
# its speeds are found in seconds; tests/simulation/critical has the wagons it stands for
QUICK_VEHICLE = "simple_truck"
CRITICAL = {"slowest": 68.0, "fastest": 69.0, "seeds": 1, "hold": 1.0, "rtol": 1e-4, "workers": 1}
CLAIM = "b4-c11"  # of `klingel reproduce`, the quickest of those that run something
IRREGULAR = {"--starts": "3", "--cap": "12s"}


def shorter(words: list[str], at_most: float | None = None) -> list[str]:
    """Words of a command; those of `klingel sweep` keep their first two values, runs last `at_most` seconds."""
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
        rest = [*(word for word in rest if word != "--fast"), "--workers", "1"]
        rest += [CLAIM] if CLAIM not in rest else []
    if name == "example":
        rest += [word for change in EXAMPLES.get(rest[0], []) for word in ("--set", change)]
    if name == "critical":
        rest = quick_critical_words(rest)
    if name == "irregular":
        for option in ("--starts", "--cap"):
            if option in rest:
                rest[rest.index(option) + 1] = IRREGULAR[option]
        rest += ["--duration", "4s", "--transient", "1s"]
    if name == "run" and "--duration" in rest and at_most is not None:
        place = rest.index("--duration") + 1
        rest[place] = str(min(float(rest[place]), at_most))
    return [name, *rest]


def quick_critical_words(rest: list[str]) -> list[str]:
    """Of a file the command itself, of a vehicle of the library another one."""
    given = {f"--{name}" for name in CRITICAL}
    kept = [word for k, word in enumerate(rest) if word not in given and (k == 0 or rest[k - 1] not in given)]
    vehicle = kept[0] if kept[0].endswith(".toml") else QUICK_VEHICLE
    return [vehicle, *kept[1:], *(word for name, value in CRITICAL.items() for word in (f"--{name}", str(value)))]


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


def quick_critical(critical_speed: Callable[..., Any]) -> Callable[..., Any]:
    """Of another vehicle, see above."""
    return lambda vehicle, track=None, **options: critical_speed(
        kg.load_vehicle(QUICK_VEHICLE), track, **{**options, **CRITICAL}
    )
