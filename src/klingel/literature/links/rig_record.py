"""Records of a link on a test rig, as comma-separated text.

    # any comment
    # mass = 378.2 kg
    # setup = driven                  or pendulum, then also: # arm = 0.6 m
    time [s],displacement [mm],acceleration [m/s2],force [N]
    0.000,0.00,0.012,1.5
    ...

Columns may come in any order; `force` is not needed for a pendulum. Units known: s ms, m mm um, m/s2 m/s^2 g,
N kN kgf. The displacement is zero at rest; displacement, acceleration and force are positive in the same
direction, except that the accelerometer of a pendulum counts as in equation (2.32) of Hoffmann (2006),
positive towards rest.
"""

import re
from importlib.resources import files
from math import isfinite
from pathlib import Path

import numpy as np

from klingel._errors import InputError
from klingel.io.units import parse_quantity
from klingel.literature.links.identification import GRAVITY, LinkMeasurement, SetUp

COLUMNS: dict[str, dict[str, float]] = {
    "time": {"s": 1.0, "ms": 1e-3},
    "displacement": {"m": 1.0, "mm": 1e-3, "um": 1e-6},
    "acceleration": {"m/s2": 1.0, "m/s^2": 1.0, "g": GRAVITY},
    "force": {"N": 1.0, "kN": 1e3, "kgf": GRAVITY},
}
FEWEST = 50  # samples
_TITLE = re.compile(r"^\s*(\w+)\s*\[([^\]]*)\]\s*$")
_SETTING = re.compile(r"^\s*(mass|setup|arm)\s*=\s*(.*?)\s*$")


def synthetic_record() -> Path:
    """The record shipped with the package: made by the model, with noise and a late accelerometer."""
    return Path(str(files("klingel.literature.links") / "data" / "link_loop_synthetic.csv"))


def read_link_measurement(path: Path) -> LinkMeasurement:
    """Read and check one record; raises `InputError` naming the line."""
    try:
        lines = Path(path).read_text(encoding="utf-8-sig").splitlines()
    except FileNotFoundError:
        raise InputError("data", str(path), "must be an existing CSV file") from None
    except (OSError, UnicodeDecodeError) as error:
        raise InputError("data", str(path), f"must be a readable text file ({error})") from None
    comments = [line.lstrip("# ").rstrip() for line in lines if line.startswith("#")]
    body = [(n, line) for n, line in enumerate(lines, 1) if line.strip() and not line.startswith("#")]
    if not body:
        raise InputError("data", str(path), "must have a line of column titles")
    settings = {m[1]: m[2] for m in map(_SETTING.match, comments) if m}
    setup, mass, arm = _settings(settings, path)
    titles = _titles(*body[0], path, setup)
    data = _numbers(body[1:], len(titles), path)
    columns = {name: factor * data[:, i] for i, (name, factor) in enumerate(titles)}
    _check_time(columns["time"], body, path)
    return LinkMeasurement(
        time=columns["time"],
        displacement=columns["displacement"],
        acceleration=columns["acceleration"],
        force=columns.get("force", np.zeros(len(data))),
        mass=mass,
        setup=setup,
        arm=arm,
        comments=tuple(comments),
    )


def write_link_measurement(path: Path, m: LinkMeasurement) -> None:
    """Write a record in the form `read_link_measurement` reads; comments first."""
    head = [*m.comments, f"mass = {m.mass:g} kg", f"setup = {m.setup.value}"]
    if m.setup is SetUp.PENDULUM:
        head.append(f"arm = {m.arm:g} m")
    lines = [f"# {line}" for line in head]
    lines.append("time [s],displacement [mm],acceleration [m/s2],force [N]")
    rows = zip(m.time, 1e3 * m.displacement, m.acceleration, m.force, strict=True)
    lines += [f"{t:.4f},{u:.4f},{a:.4f},{f:.2f}" for t, u, a, f in rows]
    Path(path).write_text("\n".join(lines) + "\n", encoding="utf-8")


def _settings(settings: dict[str, str], path: Path) -> tuple[SetUp, float, float]:
    name = settings.get("setup", "driven")
    if name not in list(SetUp):
        raise InputError(f"{path}: setup", name, "must be driven or pendulum")
    setup = SetUp(name)
    if "mass" not in settings:
        raise InputError(f"{path}: mass", None, "must be given in a comment line, like # mass = 378.2 kg")
    mass = parse_quantity(settings["mass"], f"{path}: mass", "mass")
    arm = 0.0
    if setup is SetUp.PENDULUM:
        arm = parse_quantity(settings.get("arm", ""), f"{path}: arm", "length")
    for field, value in (("mass", mass), ("arm", arm)):
        if not isfinite(value) or (value <= 0 and (field == "mass" or setup is SetUp.PENDULUM)):
            raise InputError(f"{path}: {field}", value, "must be positive and finite")
    return setup, mass, arm


def _titles(number: int, line: str, path: Path, setup: SetUp) -> list[tuple[str, float]]:
    titles = []
    for text in line.split(","):
        match = _TITLE.match(text)
        if match is None or match[1] not in COLUMNS or match[2].strip() not in COLUMNS[match[1]]:
            known = ", ".join(f"{name} [{' or '.join(units)}]" for name, units in COLUMNS.items())
            raise InputError(f"{path}, line {number}", text.strip(), f"column titles must be out of {known}")
        titles.append((match[1], COLUMNS[match[1]][match[2].strip()]))
    names = [name for name, _ in titles]
    needed = [name for name in COLUMNS if name != "force" or setup is SetUp.DRIVEN]
    missing = [name for name in needed if name not in names]
    if missing or len(set(names)) < len(names):
        raise InputError(f"{path}, line {number}", line, f"must have the columns {', '.join(needed)} once each")
    return titles


def _numbers(body: list[tuple[int, str]], width: int, path: Path) -> np.ndarray:
    if len(body) < FEWEST:
        raise InputError(f"{path}", len(body), f"must have at least {FEWEST} samples")
    data = np.empty((len(body), width))
    for row, (number, line) in enumerate(body):
        cells = line.split(",")
        if len(cells) != width:
            raise InputError(f"{path}, line {number}", line, f"must have {width} numbers separated by commas")
        for column, cell in enumerate(cells):
            try:
                data[row, column] = float(cell)
            except ValueError:
                raise InputError(f"{path}, line {number}", cell.strip(), "must be a number") from None
            if not isfinite(data[row, column]):
                raise InputError(f"{path}, line {number}", cell.strip(), "must be a finite number")
    return data


def _check_time(time: np.ndarray, body: list[tuple[int, str]], path: Path) -> None:
    back = np.flatnonzero(np.diff(time) <= 0)
    if len(back):
        row = int(back[0]) + 1
        raise InputError(f"{path}, line {body[row + 1][0]}", float(time[row]), "time must rise from line to line")
