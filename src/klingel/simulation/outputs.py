"""Names for everything in a run: rows of a trajectory become variables over time.

========================================  ===============================================================
name                                      what
========================================  ===============================================================
`<body>.y`, `.y_dot`, `.y_ddot`           position, velocity, acceleration
`<corner>.<element>.deformation, .force`  from carbody to wheelset; on the wheelset (the connection's outer body)
`<corner>.<element>.<part>.force`         of each part of an element: `front_left.link_y.slider_1.force`
`<corner>.leaf.compression`               total, static part included
`<element>.mode`                          whole number; `flag_meanings` says what it stands for
`<wheelset>.<side>.X, .Y, .Q`             force of the rail on the wheel, track frame
`<wheelset>.<side>.normal_force`, ...     of its contact; `.second.normal_force`, ... in overlaps, else NaN
`<wheelset>.<side>.creepage_x, _y`        of a conical wheelset, with its creep forces `.X, .Y`; it has no `.Q`
`distance`                                of the vehicle's middle along the track
`<wheelset>.curvature`, `.cant`           of the track under it, on other than straight, level track
`<wheelset>.track_lateral`, ...           irregularities of the track under it, if it has any
========================================  ===============================================================
"""

from collections.abc import Iterator
from io import BytesIO
from typing import Any, NamedTuple, Protocol

import numpy as np

from klingel.io.netcdf4 import Variable
from klingel.model.builder import Compiled
from klingel.model.description import Element, Vehicle, force_unit, unit_of
from klingel.model.kinds.cone import ConeReport, cone_outputs
from klingel.model.kinds.registry import of
from klingel.model.layout import Moves
from klingel.model.on_track.track_tables import alignment_at, distances, irregularity_at
from klingel.model.output import Contact, Outputs, Wheel, outputs
from klingel.model.system import Head, Run
from klingel.numerics.trajectory import Trajectory
from klingel.track import alignment, irregularity

Column = tuple[str, np.ndarray, dict[str, Any]]  # name, values over time, attributes
CONTACTS = {
    Contact.NORMAL: ("normal_force", "N", "normal force"),
    Contact.CREEP_X: ("creep_x", "N", "longitudinal creep force on the wheel"),
    Contact.CREEP_Y: ("creep_y", "N", "lateral creep force on the wheel, in the contact plane"),
    Contact.PENETRATION: ("penetration", "m", "elastic approach of wheel and rail"),
    Contact.ANGLE_SIN: ("contact_angle", "rad", "slope of the contact plane"),
    Contact.WHEEL_Y: ("wheel_y", "m", "contact point on the wheel, from the middle of the axle"),
    Contact.CREEPAGE_X: ("creepage_x", "1", "longitudinal creepage"),
    Contact.CREEPAGE_Y: ("creepage_y", "1", "lateral creepage"),
    Contact.CREEPAGE_SPIN: ("creepage_spin", "1/m", "spin creepage"),
    Contact.PATCH_A: ("patch_a", "m", "semi-axis of the contact ellipse along the rail"),
    Contact.PATCH_B: ("patch_b", "m", "semi-axis of the contact ellipse across the rail"),
    Contact.RAIL_Y: ("rail_y", "m", "contact point on the rail, from the middle of the track"),
}
MEMORY = "memory"  # what elements remember, in the order of the compiled vehicle
CHECKPOINT = "checkpoint"  # the solver at the end, bytes of a NumPy archive
LAST_ROW = "last_row"  # in full precision, for runs that start there
EVENTS = {
    "time": {"units": "s", "long_name": "time of the event"},
    "guard": {"long_name": "number of the guard or known instant, -1 for a mode changed by another one's event"},
    "owner": {"long_name": "number of the mode concerned, -1 for none"},
    "old": {"long_name": "mode before"},
    "new": {"long_name": "mode after"},
}


class Rows(Protocol):
    """What quantities are computed from; a Trajectory is one."""

    @property
    def t(self) -> np.ndarray: ...
    @property
    def x(self) -> np.ndarray: ...
    @property
    def memory(self) -> np.ndarray: ...
    @property
    def mode(self) -> np.ndarray: ...


class OneRow(NamedTuple):
    t: np.ndarray
    x: np.ndarray
    memory: np.ndarray
    mode: np.ndarray


def variables(vehicle: Vehicle, compiled: Compiled, trajectory: Trajectory) -> dict[str, Variable]:
    """All quantities of a run over time, its events, and what it needs to go on."""
    found = rows_of_quantities(vehicle, compiled, trajectory)
    log = trajectory.events
    for name, values in (("time", log.time), ("guard", log.guard), ("owner", log.owner)):
        found[f"event_{name}"] = (("event",), values.astype(float if name == "time" else np.int32), EVENTS[name])
    for name, values in (("old", log.old), ("new", log.new)):
        found[f"event_{name}"] = (("event",), values.astype(np.int8), EVENTS[name])
    if trajectory.checkpoint is not None:
        archive = BytesIO()
        np.savez_compressed(archive, allow_pickle=False, **trajectory.checkpoint)
        found[CHECKPOINT] = (("checkpoint_byte",), np.frombuffer(archive.getvalue(), np.int8), {})
    if trajectory.t.size:
        last = np.concatenate([trajectory.x[-1], trajectory.memory[-1], trajectory.mode[-1]])
        found[LAST_ROW] = (("last_row_entry",), last, {"long_name": "states, memory and modes of the last row"})
    return found


def rows_of_quantities(vehicle: Vehicle, compiled: Compiled, rows: Rows) -> dict[str, Variable]:
    """All quantities by name, over time."""
    out = outputs(compiled, rows.t, rows.x, rows.memory, rows.mode)
    columns = [
        *_states(compiled, rows, out),
        *_elements(vehicle, compiled, out),
        *_wheels(compiled, out),
        *_cones(compiled, rows),
        *_modes(compiled, rows),
        *_track(vehicle, compiled, rows.t),
    ]
    found: dict[str, Variable] = {"time": (("time",), rows.t, {"units": "s", "long_name": "time"})}
    found |= {name: (("time",), values, _described(name, words)) for name, values, words in columns}
    if rows.memory.shape[1]:  # a netCDF file has no empty columns
        found[MEMORY] = (("time", "memory_entry"), rows.memory, {"long_name": "memory of the elements"})
    return found


def blank(
    vehicle: Vehicle, compiled: Compiled, start: tuple[np.ndarray, np.ndarray, np.ndarray]
) -> dict[str, Variable]:
    """All columns of a run that starts like this, without rows."""
    x, memory, mode = start
    row = OneRow(np.zeros(1), x[np.newaxis], memory[np.newaxis], mode[np.newaxis])
    found = rows_of_quantities(vehicle, compiled, row)
    for name, kind in (
        ("time", float),
        ("guard", np.int32),
        ("owner", np.int32),
        ("old", np.int8),
        ("new", np.int8),
    ):
        found[f"event_{name}"] = (("event",), np.empty(0, kind), EVENTS[name])
    return {name: (dims, values[:0], words) for name, (dims, values, words) in found.items()}


def _described(name: str, words: dict[str, Any]) -> dict[str, Any]:
    """With the long name CF asks for, by default the name in words."""
    return words if "long_name" in words else {**words, "long_name": name.replace(".", " ").replace("_", " ")}


def _states(compiled: Compiled, trajectory: Rows, out: Outputs) -> Iterator[Column]:
    for k, state in enumerate(compiled.layout.state_info):
        yield state.name, trajectory.x[:, k].copy(), {"units": state.unit}
        if state.moves == Moves.RATE:
            name = f"{state.owner}.{state.coordinate}_ddot"
            yield name, out.acceleration[:, k].copy(), {"units": f"{state.unit}2"}


def _modes(compiled: Compiled, trajectory: Rows) -> Iterator[Column]:
    for k, name in enumerate(compiled.layout.modes):
        kinds = list(compiled.layout.mode_types[k])
        words = {
            "flag_values": np.array([int(kind) for kind in kinds], np.int8),
            "flag_meanings": " ".join(kind.name for kind in kinds),
        }
        yield f"{name}.mode", trajectory.mode[:, k].copy(), words


def _track(vehicle: Vehicle, compiled: Compiled, t: np.ndarray) -> Iterator[Column]:
    """Where the vehicle is, and the track under its wheelsets."""
    system = compiled.system
    yield "distance", distances(system, t), {"units": "m", "long_name": "distance along the track"}
    if not system.i[Head.HAS_TRACK]:
        return
    reference = float(system.f[system.i[Head.RUN] + Run.CANT_REFERENCE])
    for wheelset in vehicle.wheelsets:
        name = wheelset.body
        s = distances(system, t, compiled.layout.bodies.index(name))
        values = alignment_at(system, s)
        yield f"{name}.curvature", values[:, alignment.Value.CURVATURE], {"units": "1/m"}
        cant = -reference * values[:, alignment.Value.CANT_ANGLE]
        yield f"{name}.cant", cant, {"units": "m", "long_name": "right rail over left rail"}
        if system.f[system.i[Head.IRREGULARITY]] > 0:
            values = irregularity_at(system, s)
            yield f"{name}.track_lateral", values[:, irregularity.Value.LATERAL], {"units": "m"}
            yield f"{name}.track_vertical", values[:, irregularity.Value.VERTICAL], {"units": "m"}
            level = -reference * values[:, irregularity.Value.ROLL]
            yield f"{name}.track_cross_level", level, {"units": "m", "long_name": "right rail over left rail"}


def _elements(vehicle: Vehicle, compiled: Compiled, out: Outputs) -> Iterator[Column]:
    """Forces on the outer body, which is the wheelset; parts of one element are also summed."""
    sums: dict[str, np.ndarray] = {}
    deformations: dict[str, tuple[np.ndarray, str]] = {}
    for element in vehicle.elements:
        for n, (port, direction) in enumerate(zip(element.ports, element.directions, strict=True)):
            u = out.deformation[:, compiled.layout.ports[port]]
            force = out.element[:, compiled.layout.slots[element.name] + n]
            name = f"{element.name}.{direction}" if element.also else element.name
            words = {"units": force_unit(direction), "long_name": f"force on the {_outer(vehicle, element)}"}
            yield f"{name}.force", 0.0 - force, words
            whole = name if element.also else _whole(element)
            deformations[whole] = (u, unit_of(direction))
            if whole != name:
                sums[whole] = sums.get(whole, 0.0) - force
        if hasattr(of(element.law), "compression"):
            rest = of(element.law).compression(compiled.system, compiled.layout.elements[element.name])
            u = out.deformation[:, compiled.layout.ports[element.ports[0]]]
            yield f"{element.name}.compression", rest + u, {"units": "m"}
    for name, force in sums.items():
        yield f"{name}.force", force, {"units": "N m" if deformations[name][1] == "rad" else "N"}
    for name, (u, unit) in deformations.items():
        yield f"{name}.deformation", u.copy(), {"units": unit}


def _whole(element: Element) -> str:
    """front_left.link_y of front_left.link_y.slider_1; an element without parts is its own whole."""
    head, _, last = element.name.removeprefix(f"{element.connection}.").rpartition(".")
    return f"{element.connection}.{head or last}"


def _outer(vehicle: Vehicle, element: Element) -> str:
    return next(c.outer for c in vehicle.connections if c.name == element.connection).replace("_", " ")


def _wheels(compiled: Compiled, out: Outputs) -> Iterator[Column]:
    long_names = {Wheel.X: "longitudinal", Wheel.Y: "lateral", Wheel.Q: "vertical"}
    for w, wheel in enumerate(compiled.layout.wheels):
        for kind, word in long_names.items():
            attributes = {"units": "N", "long_name": f"{word} force of the rail on the wheel"}
            yield f"{wheel}.{kind.name}", out.wheel[:, w, kind].copy(), attributes
        for part, prefix in enumerate((wheel, f"{wheel}.second")):
            for kind, (name, unit, long_name) in CONTACTS.items():
                values = out.contact[:, w, part, kind]
                values = np.arcsin(np.clip(values, -1.0, 1.0)) if kind == Contact.ANGLE_SIN else values.copy()
                yield f"{prefix}.{name}", values, {"units": unit, "long_name": long_name}


def _cones(compiled: Compiled, trajectory: Rows) -> Iterator[Column]:
    """Creep of conical wheels; the left one slips backwards where the right one slips forwards."""
    out = cone_outputs(compiled.system, trajectory.t, trajectory.x)
    for k, body in enumerate(compiled.layout.cone_names):
        for side, ahead in (("left", -1.0), ("right", 1.0)):
            for kind, name, sign in (
                (ConeReport.CREEPAGE_X, "creepage_x", ahead),
                (ConeReport.CREEPAGE_Y, "creepage_y", 1.0),
                (ConeReport.FORCE_X, "X", -ahead),
                (ConeReport.FORCE_Y, "Y", -1.0),
            ):
                unit = "N" if name in "XY" else "1"
                yield f"{body}.{side}.{name}", sign * out[:, k, kind], {"units": unit}
