"""*Diagram*: a sweep over the speed that fills in; a click on a point opens its motion as a run."""

from typing import Any

from nicegui import ui

from klingel._errors import InputError
from klingel.app.web import layout
from klingel.app.web.components.scatter import Scatter
from klingel.app.web.draft import draft, plain
from klingel.app.web.run_view import StatusStrip
from klingel.app.web.side import in_run_folder, vehicle_and_track
from klingel.app.web.store import RUN, SWEEP
from klingel.app.web.workbench import Workbench
from klingel.io.units import parse_values

SPEEDS = "30:10:-2"
EMPTY = (
    "A sweep follows the vehicle from speed to speed and notes every maximum of its settled motion: "
    "where it rests, hunts, or does one or the other depending on where it comes from."
)
MOST = 400  # speeds of one diagram
OPENED = 10.0  # duration of a run opened from a point [s]


def register(bench: Workbench) -> None:
    @ui.page("/diagram")
    async def diagram() -> None:
        await _page(bench, None)

    @ui.page("/diagram/{id}")
    async def one(id: str) -> None:
        await _page(bench, id)


async def _page(bench: Workbench, id: str | None) -> None:
    with layout.frame(bench, "/diagram", "Diagram"), ui.element("div").classes("k-page"):
        page = Page(bench, ui.column().classes("k-side"), ui.column().classes("k-main"))
        await page.build(id)


class Page:
    def __init__(self, bench: Workbench, side: ui.column, main: ui.column):
        self.bench, self.side, self.main = bench, side, main

    async def build(self, id: str | None) -> None:
        sweeps = [s for s in self.bench.registry.statuses() if s.kind == SWEEP]
        with self.side:
            await vehicle_and_track(self.bench, "A diagram")
            ui.label("Speeds").classes("k-group")
            self.speeds = ui.input("first:last:step, or a list [m/s]", value=SPEEDS, validation=_speeds_problem)
            self.speeds.props("dense outlined data-testid=speeds hide-bottom-space")
            self.direction = ui.select(["down", "up", "both"], value="down", label="Direction")
            self.direction.props("dense outlined options-dense")
            ui.button("Start the sweep", icon="play_arrow", on_click=self.start).classes("w-full").props(
                "unelevated data-testid=sweep"
            )
            self.trouble = ui.label().classes("k-error k-small").props("data-testid=trouble")
            in_run_folder("Diagrams in the run folder", sweeps, "/diagram")
        shown = id or (sweeps[0].id if sweeps else None)
        with self.main:
            if shown is None:
                with ui.column().classes("k-card"):
                    ui.label("No diagram yet").classes("k-head")
                    ui.label(EMPTY).classes("k-muted")
                return
            await self.show(shown)

    async def show(self, id: str) -> None:
        registry = self.bench.registry
        try:
            status = registry.status(id)
            points = await self.bench.previews.call("sweep_names", str(self.bench.store.request(id)))
        except InputError as error:
            ui.label(str(error)).classes("k-error")
            return
        with ui.column().classes("k-card"):
            ui.label(status.title).classes("k-title")
            scatter: list[Scatter] = []
            StatusStrip(self.bench, id, on_end=lambda: scatter[0].set_live(False))
            with ui.row().classes("items-center w-full"):
                ui.select(points, value=points[0], label="Maxima of").props(
                    "dense outlined options-dense"
                ).classes("w-64").on_value_change(lambda e: scatter[0].show(e.value))  # fmt: skip
                ui.space()
                for form in ("png", "svg"):
                    ui.link(form.upper(), f"/api/runs/{id}/picture.{form}").classes("k-link")
                ui.link("netCDF", f"/api/runs/{id}/files/sweep.nc").classes("k-link")
            scatter.append(Scatter(id, points[0], status.alive, lambda e: self.pick(id, e)))
            self.picked = ui.row().classes("items-center w-full").props("data-testid=picked")

    def pick(self, id: str, point: dict[str, Any]) -> None:
        self.picked.clear()
        with self.picked:
            speed = point["value"]
            ui.label(f"{speed:.4g} m/s ({3.6 * speed:.4g} km/h), {point['direction']}: {point['kind']}")
            ui.button("Open as run", icon="open_in_new", on_click=lambda: self.open(id, point["index"])).props(
                "outline dense padding='2px 10px' data-testid=open-point"
            )

    async def open(self, id: str, number: int) -> None:
        """Its motion, from its last state on."""
        bench = self.bench
        try:
            tables = await bench.previews.call("point", str(bench.store.result(id, SWEEP)), number, OPENED)
            found = await bench.previews.call("request", tables, bench.uploads)
        except InputError as error:
            ui.notify(str(error), type="negative")
            return
        status = bench.registry.submit(RUN, found["title"], found["toml"])
        ui.navigate.to(f"/runs/{status.id}")

    async def start(self) -> None:
        if not self.speeds.validate():
            return
        speeds = parse_values(self.speeds.value or "", "speeds", dimension="speed")
        tables = plain(draft())
        tables.pop("acceleration", None)
        tables["speed"] = speeds[0]
        try:
            found = await self.bench.previews.call("request", tables, self.bench.uploads)
            if not found["straight"]:
                raise InputError("track", None, "must be straight, level and smooth: motions settle on no other")
        except InputError as error:
            self.trouble.text = str(error)
            return
        options = {"speeds": speeds, "direction": self.direction.value}
        title = f"{found['vehicle']} {min(speeds):g} to {max(speeds):g} m/s {self.direction.value}"
        status = self.bench.registry.submit(SWEEP, title, found["toml"], options)
        ui.navigate.to(f"/diagram/{status.id}")


def _speeds_problem(text: str | None) -> str | None:
    try:
        speeds = parse_values(text or "", "speeds", dimension="speed")
        if not min(speeds) > 0.0 or len(speeds) > MOST:
            return f"must be positive, at most {MOST} of them"
    except InputError as error:
        return error.allowed
    return None
