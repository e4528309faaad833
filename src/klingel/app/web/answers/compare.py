"""In what two stored runs differ: inputs by name, outputs by quantity."""

import tomllib
from pathlib import Path
from typing import Any

from klingel.io.units import coordinate_dimension
from klingel.io.vehicle.parameters import in_unit
from klingel.plots.captions import run_facts
from klingel.simulation.run import Run, load_run
from klingel.simulation.settled import settled

MOST = 60  # lines
UNITS = {"speed": "m/s", "duration": "s", "acceleration": "m/s²", "output_step": "s"}
Rows = list[dict[str, str]]


def differences(one: str, other: str) -> dict[str, Rows]:
    runs = [load_run(Path(one)), load_run(Path(other))]
    return {"inputs": _inputs(runs), "outputs": _outputs(runs)}


def _inputs(runs: list[Run]) -> Rows:
    tables = [{**_vehicle(run), **_request(run)} for run in runs]
    names = dict.fromkeys(name for table in tables for name in table)
    rows = [
        {"name": name, "first": _told(name, tables[0].get(name)), "second": _told(name, tables[1].get(name))}
        for name in names
        if tables[0].get(name) != tables[1].get(name)
    ]
    return rows[:MOST]


def _told(name: str, value: Any) -> str:
    """With the unit people use."""
    if value is None:
        return "–"
    if name in UNITS and isinstance(value, float | int):
        return f"{value:g} {UNITS[name]}"
    if name.startswith("start ") and isinstance(value, float | int):
        number, unit = in_unit(float(value), coordinate_dimension(name.removeprefix("start ")))
        return f"{number} {unit}".strip()
    return str(value)


def _vehicle(run: Run) -> dict[str, Any]:
    facts = run_facts(run)
    words = {key: facts[key] for key in ("name", "load", "links", "leaf", "rail", "inclination") if facts.get(key)}
    return {**words, **facts["single"], "alignment": len(tomllib.loads(run.sources["track"]).get("stage", []))}


def _request(run: Run) -> dict[str, Any]:
    told = {key: value for key, value in run.options.items() if key not in ("atol", "max_steps", "initial")}
    initial = run.options["initial"]
    start = initial if isinstance(initial, dict) else {"start": initial}
    return {**{f"start {key}": value for key, value in start.items()}, **told}


def _outputs(runs: list[Run]) -> Rows:
    rows = [
        {"name": "ended", "first": runs[0].ended, "second": runs[1].ended},
        {"name": "events", "first": str(runs[0].stats.events), "second": str(runs[1].stats.events)},
        {"name": "steps", "first": str(runs[0].stats.accepted), "second": str(runs[1].stats.accepted)},
    ]
    found = [_settled(run) for run in runs]
    names = dict.fromkeys(name for table in found for name in table)
    rows += [{"name": n, "first": found[0].get(n, "–"), "second": found[1].get(n, "–")} for n in names]
    return rows[:MOST]


def _settled(run: Run) -> dict[str, str]:
    """Kind of motion, and amplitude and frequency of the lateral coordinates."""
    if run.time.size < 3 or not all(f"{n}{rate}" in run.data for n in run.positions for rate in ("", "_dot")):
        return {}
    motion = settled(run)
    found = {"last third": motion.kind}
    for name, size in motion.amplitude.items():
        if name.endswith((".y", ".yaw")):
            unit = "mm" if name.endswith(".y") else "mrad"
            frequency = motion.frequency[name]
            told = f", {frequency:.3f} Hz" if frequency is not None else ""
            found[f"amplitude of {name}"] = f"{1e3 * size:.4g} {unit}{told}"
    return found
