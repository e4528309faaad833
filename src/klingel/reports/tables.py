"""Tables of a report: everything that went into a run and what came out, in words and units."""

import platform
from collections import Counter
from dataclasses import asdict
from importlib.metadata import version
from math import isinf

from klingel.io.vehicle.units import with_unit
from klingel.model.description import Vehicle
from klingel.reports.page import Table
from klingel.simulation.lift_off import lift_offs
from klingel.simulation.run import Run
from klingel.simulation.settled import Settled
from klingel.track.alignment import radius
from klingel.track.track import Track
from klingel.vehicles.values import values

ANGLES = ("roll", "pitch", "yaw")
STATES = (
    "Contact states of a wheel: S4 is section 4 of its contact table, counted along the shift from right to "
    "left; S34 the overlap of sections 3 and 4, where the contact point jumps and both points carry together"
)
PACKAGES = ("numpy", "numba", "scipy", "xarray", "matplotlib")
STATS = {
    "accepted": "steps accepted",
    "rejected": "steps rejected",
    "refused": "steps refused by the model",
    "rhs": "right-hand sides",
    "jacobians": "Jacobian matrices",
    "factorisations": "factorisations",
    "newton_iterations": "Newton iterations",
    "events": "events",
    "stops": "stops of the integrator for events",
    "guard_evaluations": "evaluations of all guards",
    "family_changes": "changes of the method",
    "wall_time": "computing time [s]",
    "simulated_time": "simulated time [s]",
}


def options_table(run: Run) -> Table:
    """Arguments of the simulation."""
    o = run.options
    rows = [
        ("speed at the start", f"{o['speed']:.6g} m/s ({3.6 * o['speed']:.4g} km/h)"),
        ("acceleration", f"{o['acceleration']:g} m/s²"),
        ("duration", f"{o['duration']:g} s"),
        *_start_rows(o["initial"]),
        ("method", str(o["method"])),
        ("relative tolerance of a step", f"{o['rtol']:g}"),
        ("absolute tolerance of a step", _tolerances(run)),
        ("rows of output every", "every step" if o["output_step"] is None else f"{o['output_step']:g} s"),
    ]
    return Table(("input", "value"), rows, "Simulation")


def _start_rows(initial: dict[str, float] | str) -> list[tuple[str, str]]:
    if isinstance(initial, str):
        return [("start", initial)]
    if not initial:
        return [("start", "static equilibrium")]
    return [(f"start: {name}, off static equilibrium", _small(name, value)) for name, value in initial.items()]


def _small(name: str, value: float) -> str:
    word = name.rpartition(".")[2]
    unit = "rad" if word.removesuffix("_dot") in (*ANGLES, "spin") else "m"
    return f"{1e3 * value:.6g} m{unit}{'/s' if word.endswith('_dot') else ''}"


def _tolerances(run: Run) -> str:
    given = run.options["atol"]
    if not isinstance(given, list):
        return f"{given:g} (SI)"
    groups: dict[float, list[str]] = {}
    for name, size in zip(run.names["states"], given, strict=True):
        groups.setdefault(size, []).append(name.rpartition(".")[2])
    return "; ".join(f"{size:g}: {', '.join(dict.fromkeys(words))}" for size, words in groups.items()) + " (SI)"


def track_tables(track: Track) -> list[Table]:
    """Rails, and the stages of the alignment if there are any."""
    tilt = f"1/{1 / track.inclination:.6g}" if track.inclination else "0"
    named = {
        "title": track.title,
        "rail": track.rail,
        "inclination": tilt,
        "gauge": f"{1e3 * track.gauge:g} mm",
        "cant_reference": f"{track.cant_reference:g} m",
        "frame": track.frame.name.lower(),
        "irregularity": "; ".join(str(source) for source in track.irregularity) or "none",
    }
    rows = [(name.replace("_", " "), text, track.sources.get(name, "")) for name, text in named.items() if text]
    tables = [Table(("value", "is", "source"), rows, "Track")]
    stages = [
        (
            f"{stage.length:g}", *(_ends(*map(radius, stage.curvature)), _ends(*(1e3 * c for c in stage.cant))),
            _ends(*map(radius, stage.vertical_curvature)),
        )
        for stage in track.alignment.stages
    ]  # fmt: skip
    if stages:
        head = ("length [m]", "radius [m]", "cant [mm]", "vertical radius [m]")
        caption = f"Alignment, beginning at {track.alignment.start:g} m; straight and level before"
        tables.append(Table(head, stages, caption))
    return tables


def _ends(first: float, last: float) -> str:
    def told(value: float) -> str:
        return "∞" if isinf(value) else f"{value:g}"

    return told(first) if first == last else f"{told(first)} → {told(last)}"


def vehicle_tables(vehicle: Vehicle) -> list[Table]:
    """Every value with its unit and its source; equal ones of several bodies or corners on one line."""
    bodies = [body.name for body in vehicle.bodies]
    corners = [connection.name for connection in vehicle.connections]
    head = ("value", "of", "is", "source")
    tables = []
    for caption, owners in (("Vehicle: bodies and wheels", bodies), ("Vehicle: suspension", corners)):
        groups: dict[tuple[str, str, str], list[str]] = {}
        for name, value in values(vehicle).items():
            owner = max((o for o in owners if name.startswith(f"{o}.")), key=len, default="")
            if owner:
                key = (
                    name.removeprefix(f"{owner}."),
                    _tied(with_unit(vehicle, name, value)),
                    source_of(vehicle, name),
                )
                groups.setdefault(key, []).append(owner)
        rows = [(_words(name), _owners(at, owners), text, source) for (name, text, source), at in groups.items()]
        tables.append(Table(head, rows, caption))
    general = [
        ("gravity", "vehicle", with_unit(vehicle, "gravity", vehicle.gravity), source_of(vehicle, "gravity"))
    ]
    general += [(key.replace("_", " "), "vehicle", str(text), "") for key, text in _chosen(vehicle).items()]
    return [Table(head, general, "Vehicle"), *tables]


def _chosen(vehicle: Vehicle) -> dict[str, str]:
    """What was chosen when the vehicle was made: load, links, leaf springs."""
    return {key: value for key, value in vehicle.meta.items() if isinstance(value, str)}


def _tied(text: str) -> str:
    """A value that is not torn from its unit."""
    return text.replace(" ", "\u00a0")


def _words(name: str) -> str:
    return name.replace("_", " ").replace(".", ", ")


def _owners(found: list[str], known: list[str]) -> str:
    if len(found) == len(known) > 2:
        return f"all {len(known)}"
    return ", ".join(name.replace("_", " ") for name in found)


def source_of(vehicle: Vehicle, name: str) -> str:
    """Where a value comes from: its own source, or that of what it is part of."""
    while name:
        if name in vehicle.sources:
            return vehicle.sources[name]
        name = name.rpartition(".")[0]
    return ""


def motion_table(run: Run, found: Settled) -> Table:
    """Amplitude and frequency of the part judged, extremes of the whole run."""
    rows = []
    for name, size in found.amplitude.items():
        unit = "mrad" if name.rpartition(".")[2] in ANGLES else "mm"
        data = 1e3 * run[name].to_numpy()
        low, high = (float(data.min()), float(data.max())) if data.size else (None, None)
        rows.append((_words(name), unit, 1e3 * size, found.frequency[name], low, high))
    head = ("coordinate", "unit", "amplitude", "frequency [Hz]", "least", "greatest")
    return Table(head, rows, f"Amplitude and frequency from {found.start:.4g} s on; extremes of the whole run")


def event_tables(run: Run) -> list[Table]:
    """Changes of mode by kind of element, then element by element."""
    events = run.events
    kinds = {name: _law(run, name) for name in run.names["modes"]}
    members, changes = Counter(kinds.values()), Counter(kinds[name] for name in events["element"])
    length = max(run.stats.simulated_time, 1e-9)
    summary = [(kind, members[kind], changes[kind], changes[kind] / length) for kind in members]
    steps: dict[str, Counter[str]] = {}
    for element, old, new in zip(events["element"], events["old"], events["new"], strict=True):
        steps.setdefault(element, Counter())[f"{old} → {new}"] += 1
    rows = [
        (
            _words(name),
            sum(steps[name].values()),
            ", ".join(f"{n} {step}" for step, n in steps[name].most_common()),
        )
        for name in run.names["modes"]
        if name in steps
    ]
    tables = [Table(("kind of element", "how many", "changes", "changes per second"), summary, "By kind")]
    if rows:
        tables.append(
            Table(
                ("element", "changes", "which"), rows, f"By element; those without a change are left out. {STATES}"
            )
        )
    return tables


def _law(run: Run, mode: str) -> str:
    if mode in run.names["wheels"]:
        return "wheel on rail"
    for element in run.vehicle.elements:
        if mode == element.name or mode.startswith(f"{element.name}."):
            name = type(element.law).__name__
            return "".join(f" {c.lower()}" if c.isupper() else c for c in name).strip()
    return "other"


def solver_table(run: Run) -> Table:
    stats = asdict(run.stats)
    rows: list[tuple[str, float]] = [
        (STATS.get(name, name.replace("_", " ")), value) for name, value in stats.items()
    ]
    rows.append(("lift-offs of wheels, seen in the rows of output", sum(lift_offs(run).values())))
    rows.append(("times real time", run.stats.simulated_time / max(run.stats.wall_time, 1e-9)))
    return Table(("work", "amount"), rows)


def versions_table(run: Run) -> Table:
    rows = [("klingel", run.sources["klingel"]), ("Python", platform.python_version())]
    rows += [(name, version(name)) for name in PACKAGES]
    rows.append(("machine", f"{platform.system()} {platform.machine()}"))
    return Table(("what", "version"), rows)
