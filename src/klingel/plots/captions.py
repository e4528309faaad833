"""What a stored run or sweep is of, in a few words; and in what several of them differ.

`told` gives "hbbills311 (empty, PTP, 1/40)". `labels` keeps of such words those that differ; where none does it
looks for single values that do, and numbers the cases if even that says nothing.
"""

import tomllib
from collections.abc import Mapping, Sequence
from typing import Any

from klingel.simulation.run import Run

# told when they differ
MAIN = ("name", "load", "links", "leaf", "leaf_model", "rail", "inclination", "gauge", "events")
SHORT = ("load", "links", "inclination")  # told always
MOST = 2  # single values named in a label
LEFT_OUT = ("sources", "title")
WIDTHS = {"smooth_length": "m", "smooth_speed": "m/s"}

Facts = dict[str, Any]


def facts(vehicle: str, track: str, **options: Any) -> Facts:
    """Of the texts stored with a run or a sweep, and of its other options."""
    read, way = tomllib.loads(vehicle), tomllib.loads(track)
    known = {"name": read.get("name", ""), **read.get("meta", {})}
    known |= {key: way.get(key) for key in ("rail", "inclination", "gauge")}
    single = _flat({key: part for key, part in {**read, **way}.items() if key not in LEFT_OUT})
    return {**{key: _word(value) for key, value in known.items()}, "options": options, "single": single}


def events_word(solving: Mapping[str, Any]) -> str:
    """How events were treated: located, ignored, or smoothed over widths."""
    locate = solving.get("locate")
    if locate == "ignore":
        return "ignored"
    widths = [f"{solving[name]:g} {unit}" for name, unit in WIDTHS.items() if solving.get(name) is not None]
    return f"smoothed over {', '.join(widths)}" if locate == "smooth" else "located"


def run_facts(run: Run) -> Facts:
    words = {"speed": f"{run.options['speed']:g} m/s"}
    if run.options["acceleration"] != 0.0:
        words["acceleration"] = f"{run.options['acceleration']:g} m/s²"
    known = facts(run.sources["vehicle"], run.sources["track"], **words)
    return {**known, "events": events_word(run.options)}


def run_labels(runs: Sequence[Run]) -> list[str]:
    return labels([run_facts(run) for run in runs])


def told(known: Facts, without: str = "") -> str:
    """Without what is not the same everywhere."""
    words = [known[key] for key in SHORT if known.get(key) and key != without]
    words += known["options"].values()
    return f"{known['name']} ({', '.join(words)})" if words else known["name"]


def labels(cases: Sequence[Facts]) -> list[str]:
    """One label per case, all different."""
    main = [key for key in MAIN if len({str(case.get(key)) for case in cases}) > 1]
    words = [[_named(key, str(case.get(key))) for key in main] for case in cases]
    options = _differing([case["options"] for case in cases])
    found = [
        [*some, *(_option(key, case["options"]) for key in options)]
        for some, case in zip(words, cases, strict=True)
    ]
    single = _differing([case["single"] for case in cases])
    if not main and len(single) <= MOST:
        for row, case in zip(found, cases, strict=True):
            row += [f"{key} {case['single'].get(key)}" for key in single]
    joined = [", ".join(row) for row in found]
    if len(set(joined)) == len(joined):
        return joined
    return [", ".join([*row, f"no. {k}"]) for k, row in enumerate(found, 1)]


def _option(key: str, options: Mapping[str, Any]) -> str:
    return f"{key} {options[key]}" if key in options else f"no {key}"


def inclination_word(value: float) -> str:
    """As people say it: 1/40."""
    return f"1/{1.0 / value:.4g}" if value > 0.0 else f"{value:g}"


def _word(value: Any) -> str:
    if isinstance(value, float):
        return inclination_word(value)
    return "" if value is None else str(value)


def _named(key: str, word: str) -> str:
    return word if key in ("name", *SHORT) else f"{key.replace('_', ' ')} {word}"


def _differing(cases: Sequence[Mapping[str, Any]]) -> list[str]:
    names = dict.fromkeys(name for case in cases for name in case)
    return [name for name in names if len({str(case.get(name)) for case in cases}) > 1]


def _flat(table: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Values by dotted name, without the words every name begins with."""
    found: dict[str, Any] = {}
    for key, part in table.items():
        name = f"{prefix}{key}"
        if isinstance(part, Mapping):
            found |= _flat(part, "" if key in ("bodies", "elements", "connections") else f"{name}.")
        elif isinstance(part, list):
            found |= {f"{name}.{axis}": value for axis, value in zip("xyz", part, strict=False)}
        else:
            found[name] = part
    return found
