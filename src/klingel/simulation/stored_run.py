"""What a stored run must hold before it is believed: its numbers name modes, guards and rows that exist.

The digest of a file tells damage from outside; a file written by another program may match its digest and still
make no sense.
"""

from typing import TYPE_CHECKING

import numpy as np

from klingel._errors import InputError

if TYPE_CHECKING:
    from klingel.simulation.run import Run


def check_stored(run: "Run", path: str) -> None:
    """One line saying what is out of range; KeyError, TypeError or ValueError where something is missing."""
    modes, meanings = run.names["modes"], run.names["meanings"]
    if len(modes) != len(meanings):
        raise InputError("file", path, f"must have meanings for each of its {len(modes)} modes")
    for name, kinds in zip(modes, meanings, strict=True):
        if f"{name}.mode" in run.data:  # quantities may have been chosen
            _within(path, f"{name}.mode", run.data[f"{name}.mode"].to_numpy(), 0, len(kinds) - 1)
    states = run.names["states"]
    if len(run.names.get("state_info", states)) != len(states):
        raise InputError("file", path, f"must say what each of its {len(states)} states is")
    for name in states:
        if name in run.data and run.data[name].dims != ("time",):
            raise InputError("file", path, f"must have one value of {name} in each row")
    owner = run.data["event_owner"].to_numpy()
    _within(path, "event_owner", owner, -1, len(modes) - 1)
    instants = len(run.names.get("instants", ()))
    _within(path, "event_guard", run.data["event_guard"].to_numpy(), -1, len(run.names["guards"]) + instants - 1)
    sizes = np.array([*map(len, meanings), 1])[owner]  # -1 is the last entry: no element
    for name in ("event_old", "event_new"):
        values = run.data[name].to_numpy()
        wrong = (owner >= 0) & ((values < 0) | (values >= sizes))
        if wrong.any():
            element = modes[owner[np.argmax(wrong)]]
            given = int(values[np.argmax(wrong)])
            raise InputError("file", path, f"has the mode {given} in {name}, which {element} does not know")


def _within(path: str, name: str, values: np.ndarray, low: int, high: int) -> None:
    wrong = (values < low) | (values > high)
    if wrong.any():
        given = values[np.argmax(wrong)]
        raise InputError("file", path, f"must have {name} between {low} and {high}, this one has {given}")
