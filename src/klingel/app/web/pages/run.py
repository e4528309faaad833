"""A run at its own address: state, plots, animation, inputs, files."""

from nicegui import ui

from klingel._errors import InputError
from klingel.app.web import layout
from klingel.app.web.answers import equivalent
from klingel.app.web.components.wagon import Wagon
from klingel.app.web.draft import prefill
from klingel.app.web.run_view import Plots, StatusStrip, live_panels
from klingel.app.web.store import FAILED
from klingel.app.web.workbench import Workbench

KINDS = ("lateral", "longitudinal", "vertical", "wheelset", "hysteresis", "events", "phase", "spectrum", "contact")


def register(bench: Workbench) -> None:
    @layout.page("/runs/{id}")
    async def run(id: str) -> None:
        try:
            status = bench.registry.status(id)
        except InputError as error:
            with layout.frame(bench, "/runs", "Run"), ui.column().classes("k-whole"):
                ui.label(str(error)).classes("k-error")
                ui.link("All runs", "/runs").classes("k-link")
            return
        with layout.frame(bench, "/runs", status.title), ui.column().classes("k-whole"):
            await Page(bench, id).build()


class Page:
    def __init__(self, bench: Workbench, id: str):
        self.bench, self.id = bench, id

    async def build(self) -> None:
        bench, id = self.bench, self.id
        ready = await layout.getting_ready(bench, ui.context.slot.parent)
        if ready is not None:
            await bench.previews.call("ready")
            ready.delete()
        status = bench.registry.status(id)
        with ui.column().classes("k-card"):
            with ui.row().classes("items-center w-full"):
                ui.label(status.title).classes("k-title")
                ui.space()
                ui.button("Run again with changes", icon="edit", on_click=self.again).props(
                    "outline dense padding='2px 10px' data-testid=again"
                )
            StatusStrip(bench, id, on_end=self.finished)
            if status.state == FAILED and bench.store.log(id):
                with ui.expansion("Log").classes("w-full").props("dense"):
                    ui.label(bench.store.log(id)).classes("k-code")
        with ui.tabs().props("dense align=left no-caps").classes("w-full") as tabs:
            names = {word: ui.tab(word).props(f"data-testid=tab-{word}") for word in
                     ("Plots", "Animation", "Inputs", "Files")}  # fmt: skip
        with (
            ui.tab_panels(tabs, value=names["Plots"], animated=False)
            .classes("w-full bg-transparent")
            .props("keep-alive")
        ):
            with ui.tab_panel(names["Plots"]).classes("p-0"), ui.column().classes("k-card"):
                live = live_panels(bench.registry.live(id)) if status.alive else []
                self.plots = Plots(bench, [(id, status.title)], status.alive, live)
            with ui.tab_panel(names["Animation"]).classes("p-0"):
                self.animation = ui.column().classes("k-card")
            with ui.tab_panel(names["Inputs"]).classes("p-0"), ui.column().classes("k-card"):
                await self.inputs()
            with ui.tab_panel(names["Files"]).classes("p-0"):
                self.downloads = ui.column().classes("k-card")
        if not status.alive:
            await self.finished()

    async def finished(self) -> None:
        """What needs the result."""
        await self.plots.load()
        self.files()
        await self.animate()

    async def animate(self) -> None:
        self.animation.clear()
        try:
            stored = await self.bench.read(self.id)
            drawing = await self.bench.previews.call("drawing", stored.attributes["vehicle"])
        except (InputError, KeyError) as error:
            with self.animation:
                ui.label(f"nothing to animate: {error}").classes("k-muted")
            return
        with self.animation:
            Wagon(self.id, drawing)
            ui.label(
                "Drag to turn, wheel to come nearer. The cursor of the plots and the animation move together."
            )

    async def inputs(self) -> None:
        text = self.bench.store.request(self.id)
        try:
            tables = await self.bench.previews.call("again", text)
        except InputError:
            tables = {}
        layout.code("Command", equivalent.command(tables), "command")
        layout.code("Python", equivalent.python(tables), "python")
        layout.code("request.toml", text or "(not stored)", "request")

    def files(self) -> None:
        base = f"/api/runs/{self.id}"
        self.downloads.clear()
        with self.downloads:
            ui.label("Result").classes("k-head")
            with ui.row().classes("gap-4"):
                for word, address in (
                    ("Run (netCDF)", "files/run.nc"), ("Table of all states (CSV)", "table.csv"),
                    ("Request (TOML)", "files/request.toml"), ("Report with pictures (zip)", "report.zip"),
                ):  # fmt: skip
                    ui.link(word, f"{base}/{address}").classes("k-link").props("download")
                for path in self.bench.store.profiles(self.id):
                    ui.link(path.name, f"{base}/files/{path.name}").classes("k-link").props("download")
            ui.label("Pictures, as klingel plot draws them").classes("k-head")
            with ui.element("table").classes("k-figures"):
                for kind in KINDS:
                    with ui.element("tr"):
                        with ui.element("th"):
                            ui.label(kind)
                        for form in ("png", "svg", "pdf"):
                            with ui.element("td"):
                                ui.link(form.upper(), f"{base}/picture.{form}?kind={kind}").classes("k-link")

    async def again(self) -> None:
        """The form, filled in as this run was."""
        try:
            tables = await self.bench.previews.call("again", self.bench.store.request(self.id))
        except InputError as error:
            ui.notify(str(error), type="negative")
            return
        prefill(self.bench.bring_back(self.id, tables))
        ui.navigate.to("/simulate")
