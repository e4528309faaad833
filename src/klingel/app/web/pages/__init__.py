"""Pages of the workbench, one file each; a page holds an address, never a computation."""

from fastapi.responses import RedirectResponse
from nicegui import ui

from klingel.app.web.pages import compare, contact, critical, diagram, reproduce, run, runs, simulate, vehicle
from klingel.app.web.workbench import Workbench


def register(bench: Workbench) -> None:
    """All addresses."""
    ui.page("/")(lambda: RedirectResponse("/simulate"))
    for page in (vehicle, contact, simulate, runs, run, compare, diagram, critical, reproduce):
        page.register(bench)
