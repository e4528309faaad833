"""Options that several commands have, said once: what they are called, take and mean."""

from pathlib import Path
from typing import Annotated

import typer

Links = Annotated[str | None, typer.Option(help="PTP, SPP, INP, ASZ or MP")]
Load = Annotated[str | None, typer.Option(help="load case of the vehicle; empty if not given")]
Inclination = Annotated[str | None, typer.Option(help="of the rails; 1/40 if not given")]
AnyTrack = Annotated[Path | None, typer.Option(help="track file, instead of straight track")]
SmoothTrack = Annotated[Path | None, typer.Option(help="track file, straight and smooth")]
Changes = Annotated[list[str] | None, typer.Option("--set", help="name=value, e.g. carbody.mass=16t")]
Locate = Annotated[
    str | None, typer.Option(help="events: auto (if not given), all, needed; ignore; smooth, with a width")
]
SmoothLength = Annotated[str | None, typer.Option(help="over which --locate smooth rounds corners, e.g. 20um")]
SmoothSpeed = Annotated[
    str | None, typer.Option(help="over which --locate smooth rounds the jump of friction, e.g. 0.1mm/s")
]
Json = Annotated[bool, typer.Option("--json", help="one JSON document on standard output")]
