"""The command and the Python lines that ask for the same run as a page does: three doors to the same room."""

import shlex
from collections.abc import Mapping
from typing import Any

from klingel.io.units import coordinate_dimension, read_quantity

OWN = {"speed": "speed", "duration": "time", "acceleration": "acceleration"}  # options, and their dimension
GENERAL = "klingel run --request request.toml --out run.nc"
GENERAL_PYTHON = """import klingel as kg

request = kg.RunRequest.load("request.toml")
run = kg.simulate(request, out="run.nc")"""


SWEEP_PYTHON = """import klingel as kg

if __name__ == "__main__":  # other processes read this script again
    request = kg.RunRequest.load("request.toml")
    found = kg.sweep(request, speeds={speeds}, direction="{direction}", out="sweep.nc")"""
BRANCH_PYTHON = """import klingel as kg

request = kg.RunRequest.load("request.toml")
branch = kg.continue_orbit(request.read_vehicle(), request.read_track(), first={first!r}, last={last!r})
branch.save("branch.nc")"""
REST_PYTHON = """import klingel as kg

request = kg.RunRequest.load("request.toml")
found = kg.rest_set(request.read_vehicle(), request.read_track())
print(found.extent)"""


def sweep(options: Mapping[str, Any]) -> tuple[str, str]:
    """Command and Python of a diagram, both with the file of its request."""
    speeds = [round(float(speed), 9) for speed in options["speeds"]]
    words = ["klingel", "sweep", "--request", "request.toml"]
    words += [
        "--speeds",
        ",".join(f"{speed:g}" for speed in speeds),
        "--direction",
        options["direction"],
        "--out",
        "sweep.nc",
    ]
    return shlex.join(words), SWEEP_PYTHON.format(speeds=speeds, direction=options["direction"])


def branch(options: Mapping[str, Any], tables: Mapping[str, Any]) -> tuple[str, str]:
    """The command has no file of a request: it is empty where options cannot say it all."""
    python_ = BRANCH_PYTHON.format(first=options["first"], last=options["last"])
    chosen = {key: tables[key] for key in ("vehicle", "track") if key in tables}
    words = _options(chosen)
    if words is None:
        return "", python_
    ends = ["--from", f"{options['first']:g}", "--to", f"{options['last']:g}", "--out", "branch.nc"]
    return shlex.join(["klingel", "continue", *words, *ends]), python_


def vehicle(choice: Mapping[str, Any]) -> tuple[str, str]:
    """Of the page of a vehicle: its description printed, and the vehicle in Python."""
    options = choice.get("options", {})
    changes = choice.get("changes", {})
    name = choice.get("name", "my-vehicle.toml")
    words = ["klingel", "vehicles", name]
    for key in ("links", "load"):
        words += [f"--{key}", options[key]] if key in options else []
    words += [part for key, value in changes.items() for part in ("--set", f"{key}={_text(value)}")]
    told = "".join(f", {key}={value!r}" for key, value in options.items())
    lines = ["import klingel as kg", ""]
    if changes:
        changed = {key: str(value) for key, value in changes.items()}
        lines.append(
            f'choice = kg.RunRequest.from_dict({{"vehicle": {{"name": "{name}", "options": {dict(options)!r}, '
            f'"changes": {changed!r}}}, "speed": 1.0, "duration": 1.0}})'
        )
        lines.append("wagon = choice.read_vehicle()")
    else:
        lines.append(f'wagon = kg.load_vehicle("{name}"{told})')
    return shlex.join(words), "\n".join(lines)


def contact(wheel: str, rail: str, inclination: str, gauge: float, radius: float, back: float) -> tuple[str, str]:
    """Of the page of contact: table, jumps and conicity."""
    words = ["klingel", "contact", wheel, rail, "--inclination", _text(inclination)]
    words += [
        "--gauge",
        f"{1e3 * gauge:g}mm",
        "--radius",
        f"{1e3 * radius:g}mm",
        "--flange-back",
        f"{1e3 * back:g}mm",
    ]
    lines = [
        "import klingel as kg", "",
        "table = kg.contact_table(",
        f'    wheel="{wheel}", rail="{rail}", inclination={_text(inclination)}, gauge={gauge:g},',
        f"    radius={radius:g}, flange_back={back:g},",
        ")",
        "print(kg.equivalent_conicity(table, amplitude=0.003))",
    ]  # fmt: skip
    return shlex.join(words), "\n".join(lines)


def command(tables: Mapping[str, Any]) -> str:
    """With options where they can say it all, else with the file of the request."""
    words = _options(tables)
    return GENERAL if words is None else shlex.join(["klingel", "run", *words, "--out", "run.nc"])


def _options(tables: Mapping[str, Any]) -> list[str] | None:
    vehicle, track, start = (tables.get(key, {}) for key in ("vehicle", "track", "start"))
    solving, outputs = tables.get("solving", {}), tables.get("outputs", {})
    if not isinstance(vehicle, Mapping) or "name" not in vehicle or not isinstance(track, Mapping):
        return None
    if set(track) - {"inclination"} or set(start) - {"initial", "placing", "leaves", "sliders"}:
        return None
    if set(tables) - {"vehicle", "track", "start", "solving", "outputs", *OWN}:
        return None
    if set(solving) - {"method", "rtol", "locate", "smooth_length", "smooth_speed"} or set(outputs) - {
        "output_step",
        "quantities",
        "precision",
    }:
        return None
    options = vehicle.get("options", {})
    if not all(isinstance(value, str) for value in options.values()) or set(options) - {"links", "load"}:
        return None
    words = [vehicle["name"]]
    for name, value in options.items():
        words += [f"--{name}", value]
    for name in OWN:
        words += [f"--{name}", _text(tables[name])] if name in tables else []
    words += ["--inclination", _text(track["inclination"])] if "inclination" in track else []
    for option, table in (("--kick", start.get("initial", {})), ("--slider", start.get("sliders", {}))):
        for name, value in table.items():
            words += [option, f"{name}={_text(value)}"]
    for name, value in vehicle.get("changes", {}).items():
        words += ["--set", f"{name}={_text(value)}"]
    for name, value in {
        **{k: start[k] for k in ("placing", "leaves") if k in start},
        **solving,
        **outputs,
    }.items():
        told = ",".join(value) if isinstance(value, list) else _text(value)
        words += [f"--{name.replace('_', '-')}", told]
    return words


def _text(value: Any) -> str:
    """As people type it: 5mm, 18m/s."""
    return value.replace(" ", "") if isinstance(value, str) and value[:1] in "+-.0123456789" else f"{value}"


def python(tables: Mapping[str, Any]) -> str:
    """With the numbers in SI units where no values of the vehicle were changed."""
    vehicle, track, start = (tables.get(key, {}) for key in ("vehicle", "track", "start"))
    if _options(tables) is None or vehicle.get("changes") or set(start) - {"initial"}:
        return GENERAL_PYTHON
    if tables.get("outputs") or tables.get("solving"):
        return GENERAL_PYTHON
    options = "".join(f", {name}={value!r}" for name, value in vehicle.get("options", {}).items())
    inclination = f"inclination={track['inclination']}" if "inclination" in track else ""
    numbers = ", ".join(f"{name}={_si(tables[name], OWN[name]):g}" for name in OWN if name in tables)
    lines = [
        "import klingel as kg", "",
        f'wagon = kg.load_vehicle("{vehicle["name"]}"{options})',
        f"track = kg.Track.straight({inclination})",
        "run = kg.simulate(",
        f"    wagon, track, {numbers}",
    ]  # fmt: skip
    initial = {name: _offset(name, value) for name, value in start.get("initial", {}).items()}
    lines[-1] += f',\n    initial={initial}, out="run.nc",\n)' if initial else ', out="run.nc",\n)'
    return "\n".join(lines)


def _si(value: Any, dimension: str) -> float:
    return read_quantity(value, dimension)


def _offset(name: str, value: Any) -> float:
    return _si(value, coordinate_dimension(name))
