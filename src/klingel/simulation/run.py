"""Run: the result of a simulation, with everything needed to repeat it."""

import json
from dataclasses import asdict, dataclass
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from klingel._errors import InputError
from klingel.io.runs import read_dataset, write_dataset
from klingel.io.track.files import parse_track
from klingel.io.vehicle.files import parse_vehicle
from klingel.model.description import Vehicle
from klingel.numerics.trajectory import IntegrationError, Stats, Trajectory
from klingel.track.track import Track

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr

# how a run ended
DONE, DERAILED, INTERRUPTED, FAILED = "done", "derailed", "interrupted", "failed"


@dataclass(frozen=True)
class Run:
    """Quantities by name, events, statistics, and what the run was made from.

    `run["front_wheelset.y"]` is an `xarray.DataArray` over time; `run.data` is the whole dataset.
    """

    data: "xr.Dataset"
    stats: Stats
    status: str  # done, derailed, interrupted or failed
    ended: str  # a sentence
    options: dict[str, Any]  # arguments of `simulate`
    names: dict[
        str, list[Any]
    ]  # of states, modes with their meanings, guards, in the order of the compiled vehicle
    sources: dict[str, str]  # vehicle and track as TOML, version of the package

    def __getitem__(self, name: str) -> "xr.DataArray":
        if name not in self.data:
            close = get_close_matches(name, [str(known) for known in self.data], n=3)
            hint = f"did you mean {' or '.join(close)}?" if close else "run.data lists them"
            raise InputError("quantity", name, f"is not in this run; {hint}")
        return self.data[name]

    @property
    def time(self) -> np.ndarray:
        return self.data["time"].to_numpy()

    @cached_property
    def events(self) -> "pd.DataFrame":
        """Every change of mode: time, element, old mode, new mode, and the guard that led to it (if its own)."""
        import pandas as pd

        owner = self.data["event_owner"].to_numpy()
        guard = self.data["event_guard"].to_numpy()
        rows = np.flatnonzero(owner >= 0)
        modes, meanings, guards = self.names["modes"], self.names["meanings"], self.names["guards"]
        old, new = self.data["event_old"].to_numpy(), self.data["event_new"].to_numpy()
        return pd.DataFrame(
            {
                "time": self.data["event_time"].to_numpy()[rows],
                "element": [modes[owner[k]] for k in rows],
                "old": [meanings[owner[k]][old[k]] for k in rows],
                "new": [meanings[owner[k]][new[k]] for k in rows],
                "guard": [guards[guard[k]] if guard[k] >= 0 else "" for k in rows],
            }
        )

    @cached_property
    def corners(self) -> "pd.DataFrame":
        """Ends of curve elements: time, and which body enters what."""
        import pandas as pd

        instants, first = self.names.get("instants", []), len(self.names["guards"])
        guard = self.data["event_guard"].to_numpy()
        rows = np.flatnonzero(guard >= first)
        told = [instants[guard[k] - first].partition(" enters ") for k in rows]
        return pd.DataFrame(
            {
                "time": self.data["event_time"].to_numpy()[rows],
                "body": [body for body, _, _ in told],
                "enters": [what for _, _, what in told],
            }
        )

    @property
    def complete(self) -> bool:
        """Whether the run reached its end, or derailment; otherwise it was broken off."""
        return self.status in (DONE, DERAILED)

    @cached_property
    def vehicle(self) -> Vehicle:
        return parse_vehicle(self.sources["vehicle"], "vehicle of the run")

    @cached_property
    def track(self) -> Track:
        return parse_track(self.sources["track"], "track of the run")

    def rows(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """State, memory and modes of all rows, in the order of the compiled vehicle."""
        x = np.column_stack([self.data[name].to_numpy() for name in self.names["states"]])
        mode = np.column_stack([self.data[f"{name}.mode"].to_numpy() for name in self.names["modes"]])
        memory = self.data["memory"].to_numpy() if "memory" in self.data else np.zeros((x.shape[0], 0))
        return x, memory, mode.astype(np.int8)

    def last_state(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """State, memory and modes of the last row."""
        x, memory, mode = self.rows()
        return x[-1].copy(), memory[-1].copy(), mode[-1].copy()

    def save(self, path: str | Path) -> Path:
        """Write the run as a netCDF file; it appears only when it is complete."""
        attributes = {
            "status": self.status,
            "ended": self.ended,
            "stats": json.dumps(asdict(self.stats)),
            "options": json.dumps(self.options),
            "names": json.dumps(self.names),
            **self.sources,
        }
        return write_dataset(self.data, attributes, Path(path))


def load_run(path: str | Path) -> Run:
    """A run from its file."""
    data, attributes = read_dataset(Path(path))
    try:
        stats = Stats(**json.loads(attributes.pop("stats")))
        options, names = json.loads(attributes.pop("options")), json.loads(attributes.pop("names"))
        return Run(data, stats, attributes.pop("status"), attributes.pop("ended"), options, names, attributes)
    except (KeyError, ValueError, TypeError):
        raise InputError("file", str(path), "must be a run stored by klingel") from None


class SimulationError(IntegrationError):
    """A run that could not go on; `run` holds what was computed until then."""

    def __init__(self, message: str, trajectory: Trajectory, run: Run):
        super().__init__(message, trajectory)
        self.run = run
