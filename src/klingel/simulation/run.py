"""Run: the result of a simulation, with everything needed to repeat it.

Longer than other files: one class that reads, writes and shows itself.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from klingel._arguments import check_number, check_path
from klingel._errors import InputError, visible
from klingel.io.netcdf4 import Variable
from klingel.io.profile_files import found_again
from klingel.io.runs import dataset_of, read_run, variables_of, write_dataset
from klingel.io.track.files import parse_track
from klingel.io.vehicle.files import parse_vehicle
from klingel.model.description import Vehicle
from klingel.model.layout import Moves, State
from klingel.numerics.trajectory import IntegrationError, Stats, Trajectory
from klingel.simulation.request.older_files import (
    all_located,
    from_arguments,
    states_of_names,
    wheelsets_of_wheels,
)
from klingel.simulation.request.parts import StoredState, TrackChoice, VehicleChoice
from klingel.simulation.request.request import RunRequest
from klingel.simulation.request.tables import to_json
from klingel.simulation.selection import is_usual
from klingel.simulation.stored_run import check_stored
from klingel.track.track import Track

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr

REQUEST = "request"  # among the sources of a run
NAMES = {"states", "modes", "meanings", "guards", "wheels"}  # of every run
# how a run ended
DONE, DERAILED, INTERRUPTED, FAILED = "done", "derailed", "interrupted", "failed"


@dataclass(frozen=True, repr=False)
class Run:
    """Quantities by name, events, statistics, and what the run was made from.

    `run["front_wheelset.y"]` is an `xarray.DataArray` over time; `run.data` is the whole dataset.
    """

    variables: dict[str, Variable] = field(repr=False)  # by name: dimensions, values, attributes
    stats: Stats
    status: str  # done, derailed, interrupted or failed
    ended: str  # a sentence
    names: dict[str, list[Any]]  # of states, modes with their meanings, guards, as compiled
    sources: dict[str, str]  # vehicle and track as TOML, the request as JSON, version of the package
    file: Path | None = field(default=None, compare=False)  # where it is stored

    @cached_property
    def data(self) -> "xr.Dataset":
        """The whole dataset; made when it is first asked for, because xarray takes long to load."""
        return dataset_of(self.variables)

    def __contains__(self, name: object) -> bool:
        return name in self.variables

    def values(self, name: str) -> np.ndarray:
        """The numbers of a quantity alone."""
        return self.variables[name][1]

    def __getitem__(self, name: str) -> "xr.DataArray":
        if name not in self:
            close = get_close_matches(name, list(self.variables), n=3)
            hint = f"did you mean {' or '.join(close)}?" if close else "run.data lists them, quantities chooses"
            if not is_usual(name, self.variables) and not any(n.endswith("_ddot") for n in self.variables):
                hint = 'a file keeps the usual quantities; --quantities all (quantities="all") keeps every one'
            raise InputError("quantity", name, f"is not in this run; {hint}")
        return self.data[name]

    def __repr__(self) -> str:
        return "\n".join(f"{name}: {told}" for name, told in self._in_words().items())

    def _repr_html_(self) -> str:
        from html import escape

        rows = (f"<tr><th>{escape(n)}</th><td>{escape(told)}</td></tr>" for n, told in self._in_words().items())
        return f"<table>{''.join(rows)}</table>"

    def _in_words(self) -> dict[str, str]:
        """What a notebook shows of a run."""
        asked, stats = self.request, self.stats
        speed = f"{asked.speed:.4g} m/s ({3.6 * asked.speed:.4g} km/h)"
        states = ", ".join(self.names["states"][:3])
        return {
            "Run": f"{visible(self.vehicle.name, 60)} at {speed}, {asked.duration:g} s",
            "ended": visible(self.ended, 150),
            "steps": f"{stats.accepted}, {stats.events} events, {stats.wall_time:.2f} s of computing",
            "rows": f"{self.time.size} of {len(self.variables) - 1} quantities: {visible(states, 150)}, ...",
        }

    @property
    def time(self) -> np.ndarray:
        return self.values("time")

    @cached_property
    def events(self) -> "pd.DataFrame":
        """Every change of mode: time, element, old mode, new mode, and the guard that led to it (if its own)."""
        import pandas as pd

        owner = self.values("event_owner")
        guard = self.values("event_guard")
        rows = np.flatnonzero(owner >= 0)
        modes, meanings, guards = self.names["modes"], self.names["meanings"], self.names["guards"]
        old, new = self.values("event_old"), self.values("event_new")
        return pd.DataFrame(
            {
                "time": self.values("event_time")[rows],
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
        guard = self.values("event_guard")
        rows = np.flatnonzero(guard >= first)
        told = [instants[guard[k] - first].partition(" enters ") for k in rows]
        return pd.DataFrame(
            {
                "time": self.values("event_time")[rows],
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
        """As given, whatever the run did with its corners."""
        return parse_vehicle(self.sources["vehicle"], "vehicle of the run")

    @cached_property
    def integrated_vehicle(self) -> Vehicle:
        """With the laws of the run: smooth, or without corners, where that was asked for."""
        return self.request.read_vehicle()

    @cached_property
    def track(self) -> Track:
        return parse_track(self.sources["track"], "track of the run")

    @cached_property
    def request(self) -> RunRequest:
        """What the run was made from, with its vehicle and track themselves: `simulate` repeats it bit for bit."""
        return RunRequest.from_dict({**all_located(json.loads(self.sources[REQUEST])), **self._made_of()})

    def _made_of(self) -> dict[str, Any]:
        """The vehicle and track themselves, whatever name they were asked for by."""
        return {
            "vehicle": VehicleChoice(text=self.sources["vehicle"]),
            "track": TrackChoice(text=self.sources["track"]),
        }

    @cached_property
    def options(self) -> dict[str, Any]:
        """The request as arguments of `simulate`, what it left open filled in."""
        asked = self.request
        start, solving = asked.start, asked.solving
        initial = dict(start.initial) if isinstance(start.initial, Mapping) else start.initial
        return {
            "speed": asked.speed,
            "duration": asked.duration,
            "initial": initial.told if isinstance(initial, StoredState) else initial,
            "sliders": dict(start.sliders),
            "leaves": start.leaves,
            "acceleration": asked.acceleration,
            **asdict(solving),
            "max_steps": solving.step_budget(asked.duration),
            "atol": solving.tolerance(self.states).tolist(),
            **asdict(asked.outputs),
            "distance": asked.place(),
        }

    @cached_property
    def states(self) -> tuple[State, ...]:
        """Names of the states, and what each is."""
        if "state_info" in self.names:
            rows = self.names["state_info"]
            return tuple(State(name, Moves(moves), *others) for name, moves, *others in rows)
        return states_of_names(self.names["states"])

    @property
    def positions(self) -> list[str]:
        """Names of the coordinates of all bodies."""
        return [state.name for state in self.states if state.moves == Moves.POSITION]

    @property
    def wheelsets(self) -> list[str]:
        """Bodies that run on wheels."""
        return self.names.get("wheelsets") or wheelsets_of_wheels(self.names["wheels"])

    def rows(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """State, memory and modes of all rows, in the order of the compiled vehicle."""
        wanted = [*self.names["states"], *(f"{name}.mode" for name in self.names["modes"])]
        for name in wanted:
            if name not in self:
                raise InputError("quantities", name, "must have been kept: this needs all states of the run")
        x = np.column_stack([self.values(name) for name in self.names["states"]]).astype(float)
        mode = np.column_stack([self.values(f"{name}.mode") for name in self.names["modes"]])
        memory = self.values("memory") if "memory" in self else np.zeros((x.shape[0], 0))
        return x, memory.astype(float), mode.astype(np.int8)

    def last_state(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """State, memory and modes of the last row, in full precision."""
        states, modes = len(self.names["states"]), len(self.names["modes"])
        if "last_row" in self and not self._rows_are_exact():
            last = self.values("last_row")
            end = last.size - modes
            return last[:states].copy(), last[states:end].copy(), last[end:].astype(np.int8)
        x, memory, mode = self.rows()
        return x[-1].copy(), memory[-1].copy(), mode[-1].copy()

    def _rows_are_exact(self) -> bool:
        return all(name in self and self.values(name).dtype == float for name in self.names["states"])

    def end_state(self) -> StoredState:
        """The last row, for a run that starts there."""
        if self.time.size == 0:
            raise InputError("initial", "a run", "must have at least one row")
        return self._state(-1, self.last_state(), f"last row of another run, {self.ended}")

    def _state(self, row: int, state: tuple[np.ndarray, np.ndarray, np.ndarray], told: str) -> StoredState:
        x, memory, mode = (part.tolist() for part in state)
        distance = float(self.values("distance")[row]) if "distance" in self else None
        states, modes = tuple(self.names["states"]), tuple(self.names["modes"])
        return StoredState(states, modes, tuple(x), tuple(memory), tuple(mode), distance, told, self.vehicle.name)

    def save(self, path: str | Path) -> Path:
        """Write all of the run as a netCDF file; it appears only when it is complete."""
        attributes = attributes_of(self.status, self.ended, self.stats, self.names, self.sources)
        return write_dataset(self.data, attributes, Path(path))


def attributes_of(
    status: str, ended: str, stats: Stats | None, names: dict[str, list[Any]], sources: dict[str, str]
) -> dict[str, str]:
    """Attributes of the file of a run."""
    done = asdict(stats) if stats is not None else dict.fromkeys((f.name for f in fields(Stats)), 0)
    return {"status": status, "ended": ended, "stats": json.dumps(done), "names": json.dumps(names), **sources}


def load_run(path: str | Path) -> Run:
    """A run from its file; of one that goes on, or was killed, what it has so far."""
    path = check_path("path", path)
    data, attributes = read_run(path)
    attributes.pop("journal", None)
    try:
        stats, names = Stats(**json.loads(attributes.pop("stats"))), json.loads(attributes.pop("names"))
        if not all(isinstance(some, list) for some in names.values()) or not names.keys() >= NAMES:
            raise TypeError(names)
        for name, value in asdict(stats).items():
            check_number(name, value)
        older = attributes.pop("options", None)
        status, ended = attributes.pop("status"), attributes.pop("ended")
        for part in ("vehicle", "track"):
            attributes[part] = found_again(attributes[part], path.parent)
        run = Run(variables_of(data), stats, status, ended, names, attributes, path)
        if older is not None:
            run.sources[REQUEST] = stored(_older_request(run, json.loads(older)))
        if REQUEST not in run.sources:
            raise KeyError(REQUEST)
        check_stored(run, str(path))
        return run
    except InputError:
        raise
    except (KeyError, ValueError, TypeError, AttributeError):
        raise InputError("file", str(path), "must be a run stored by klingel") from None


def _older_request(run: Run, arguments: dict[str, Any]) -> RunRequest:
    told = arguments["initial"]
    begins_elsewhere = isinstance(told, str) and run.time.size
    first = run._state(0, tuple(part[0] for part in run.rows()), told) if begins_elsewhere else None
    return from_arguments(arguments, run._made_of(), first)


def stored(request: RunRequest) -> str:
    """As it was made, for `Run.sources`; a vehicle and track without a name stand there already."""
    return to_json(request.as_dict(inline=False))


class SimulationError(IntegrationError):
    """A run that could not go on; `run` holds what was computed until then."""

    def __init__(self, message: str, trajectory: Trajectory, run: Run):
        super().__init__(message, trajectory)
        self.run = run
