"""Files made from a stored run, by the functions of the commands: pictures, report, table."""

import io
import tempfile
import zipfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from klingel.plots.catalogue import KINDS, Subject, draw
from klingel.plots.style import encode
from klingel.simulation.run import Run, load_run

Window = tuple[float, float]


def picture(
    path: str, kind: str, form: str, window: Window | None = None, quantities: Sequence[str] = (),
    others: Sequence[str] = (),
) -> bytes:  # fmt: skip
    """As `klingel plot` draws it."""
    run = load_run(Path(path))
    found = KINDS.get(kind)
    subject = run.track if found and found.subject == Subject.TRACK else run
    more = {"others": tuple(load_run(Path(other)) for other in others)} if others else {}
    return encode(draw(kind, subject, window=window, quantities=tuple(quantities), **more), form)


def sweep_picture(path: str, form: str) -> bytes:
    from klingel.simulation.sweep.result import load_sweep

    found = load_sweep(Path(path))
    return encode(draw("attractors" if found.words else "bifurcation", found), form)


def branch_picture(path: str, form: str) -> bytes:
    from klingel.simulation.orbits.result import load_branch

    return encode(draw("branch", load_branch(Path(path))), form)


def critical_picture(path: str, form: str) -> bytes:
    from klingel.plots.sweeps.critical import draw_critical
    from klingel.simulation.critical.result import load_critical_speed

    return encode(draw_critical(load_critical_speed(Path(path))), form)


def report(path: str, command: str) -> bytes:
    """The report of `klingel run --report`, as a zip archive of its folder."""
    from klingel.reports.run import write_report

    with tempfile.TemporaryDirectory() as folder:
        write_report(load_run(Path(path)), Path(folder) / "report", command)
        archive = io.BytesIO()
        with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
            for found in sorted(Path(folder).rglob("*")):
                if found.is_file():
                    file.write(found, found.relative_to(folder))
    return archive.getvalue()


def table(path: str, quantities: Sequence[str] = ()) -> bytes:
    """Comma-separated values: time, distance and the quantities, all states if none is named. SI units."""
    run = load_run(Path(path))
    names = list(quantities) or [name for name in run.names["states"] if name in run.data]
    columns = [name for name in ("time", "distance", *names) if name in run.data.variables]
    heads = [f"{name} [{_unit(run, name)}]" for name in columns]
    rows = np.column_stack([run.data[name].to_numpy().astype(float) for name in columns])
    text = io.StringIO()
    np.savetxt(text, rows, fmt="%.9g", delimiter=",", header=",".join(heads), comments="")
    return text.getvalue().encode()


def _unit(run: Run, name: str) -> str:
    return str(run.data[name].attrs.get("units", ""))


def ready() -> bool:
    return True


FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    f.__name__: f for f in (picture, sweep_picture, branch_picture, critical_picture, report, table, ready)
}
