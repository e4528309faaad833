"""Files written before there were requests and typed states: arguments of `simulate`, and names alone."""

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

from klingel._errors import InputError
from klingel.model.description import unit_of
from klingel.model.layout import Moves, State
from klingel.simulation.request.parts import Outputs, Placing, Solving, StoredState
from klingel.simulation.request.request import RunRequest

ALL = "all"


def from_arguments(
    arguments: Mapping[str, Any], sources: Mapping[str, Any], first: StoredState | None
) -> RunRequest:
    """From arguments by name, the vehicle and track of the run, and its first row.

    Of a run that started with the last row of another one only a sentence was stored: it starts with its own first
    row, in which sliders and leaf springs are where they were put.
    """
    initial = arguments["initial"]
    if not isinstance(initial, str):
        start = {key: arguments[key] for key in ("initial", "sliders", "leaves") if key in arguments}
        start["placing"] = Placing.BARE  # as offsets were meant then
    else:
        start = {"initial": first} if first is not None else {}
    arguments = {"locate": ALL, **arguments}
    own = [f.name for f in fields(RunRequest) if f.name in arguments]
    parts = [f.name for part in (Solving, Outputs) for f in fields(part) if f.name in arguments]
    return RunRequest.of(**sources, **start, **{name: arguments[name] for name in (*own, *parts)})


def all_located(request: Mapping[str, Any]) -> dict[str, Any]:
    """A stored request; one that does not say which events are located is of a time when all of them were."""
    if not isinstance(request, Mapping):
        raise InputError("request", request, "must be a table")
    solving = request.get("solving", {})
    if not isinstance(solving, Mapping):
        raise InputError("solving", solving, "must be a table")
    return {**request, "solving": {"locate": ALL, **solving}}


def states_of_names(names: Sequence[str]) -> tuple[State, ...]:
    """States of bodies by their names, `<body>.<coordinate>` and `<body>.<coordinate>_dot`."""
    found = []
    for name in names:
        body, _, word = name.rpartition(".")
        coordinate = word.removesuffix("_dot")
        unit = unit_of(coordinate)
        rate = coordinate != word
        found.append(State(name, Moves.RATE if rate else Moves.POSITION, body, coordinate, unit + "/s" * rate))
    return tuple(found)


def wheelsets_of_wheels(wheels: Sequence[str]) -> list[str]:
    """`<wheelset>.left` and `<wheelset>.right`."""
    return list(dict.fromkeys(wheel.rpartition(".")[0] for wheel in wheels))
