"""What the sides of pages share: the vehicle of the draft, and what is in the run folder."""

from collections.abc import Sequence

from nicegui import ui

from klingel._errors import InputError
from klingel.app.web.draft import draft, plain
from klingel.app.web.store import Status
from klingel.app.web.workbench import Workbench

MOST = 30  # links


async def vehicle_and_track(bench: Workbench, what: str) -> None:
    """The vehicle, and why `what` cannot be computed on its track."""
    ui.label("Vehicle and track").classes("k-group")
    try:
        checked = await bench.previews.call("request", plain(draft()), bench.uploads)
        ui.label(checked["vehicle"]).classes("k-head")
        if not checked["straight"]:
            ui.label(f"{what} needs straight, level, smooth track.").classes("k-error k-small")
    except InputError as error:
        ui.label(str(error)).classes("k-error k-small")
    ui.link("Change the vehicle", "/vehicle").classes("k-link k-small")


def in_run_folder(words: str, known: Sequence[Status], path: str) -> None:
    ui.label(words).classes("k-group")
    if not known:
        ui.label("none yet").classes("k-muted k-small")
    for status in known[:MOST]:
        ui.link(f"{status.title} ({status.state})", f"{path}/{status.id}").classes("k-link k-small")
