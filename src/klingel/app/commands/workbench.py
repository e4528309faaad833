"""`klingel app`: the workbench in a browser."""

from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from klingel._errors import InputError

FOLDER = Path("klingel-runs")
PORT = 8311


def app(
    folder: Annotated[
        Path, typer.Option(help="where runs are kept; it can be zipped, sent and opened elsewhere")
    ] = (FOLDER),
    port: Annotated[int, typer.Option(help="0 for any that is free", min=0, max=65535)] = PORT,
    host: Annotated[
        str, typer.Option(help="address to listen at; beyond this machine a token is asked for")
    ] = "127.0.0.1",
    workers: Annotated[
        int | None, typer.Option(help="runs at once; one less than cores if not given", min=1)
    ] = None,
    browser: Annotated[bool, typer.Option(help="open a browser")] = True,
) -> None:
    """Open the workbench: vehicles, contact, runs, diagrams and animation in a browser, on this machine.

    Example: klingel app --folder my-runs
    """
    if find_spec("nicegui") is None:
        raise InputError("klingel app", None, 'needs the web packages: pip install "klingel[app]", or make app')
    from klingel.app.web.server import serve

    serve(folder, host, port, workers, browser)
