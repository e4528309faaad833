"""Whether a vehicle file describes a vehicle that stands, in each of its load cases."""

from pathlib import Path

from klingel._errors import InputError
from klingel.io.toml_tables import read_text, read_toml
from klingel.io.vehicle.files import load_vehicle
from klingel.model.standing.equilibrium import find_rest
from klingel.simulation.setup import put_on_track
from klingel.track.track import Track
from klingel.vehicles.template import EMPTY, LOADS

SPEED = 10.0  # at which it is tried [m/s]


def problems_of_standing(file: Path) -> tuple[InputError, ...]:
    """What is not balanced at rest on straight track, one problem for each load case; none if it stands."""
    found: list[InputError] = []
    content = read_toml(read_text(file), file.name)
    cases = dict.fromkeys((EMPTY, *content.get(LOADS, {})))
    for case in cases:
        try:
            find_rest(put_on_track(load_vehicle(file, load=case), Track.straight(), SPEED))
        except InputError as error:
            loaded = "" if case == EMPTY else f" (load {case})"
            found.append(InputError(f"{error.field}{loaded}", error.given, error.allowed))
    return tuple(found)
