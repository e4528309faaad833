"""*Diagram*: a sweep over the speed that fills in, branches and rest beside it; a click opens a motion."""

import tomllib
from typing import Any

from nicegui import events, ui

from klingel._errors import InputError
from klingel.app.web import forms, layout
from klingel.app.web.answers import equivalent
from klingel.app.web.components.scatter import Scatter
from klingel.app.web.draft import draft, plain
from klingel.app.web.guard import LARGEST_BODY
from klingel.app.web.run_view import StatusStrip
from klingel.app.web.side import in_run_folder, vehicle_and_track
from klingel.app.web.store import BRANCH, DONE, REST, RUN, SWEEP
from klingel.app.web.workbench import Workbench
from klingel.io.units import parse_values

SPEEDS = "30:10:-2"
RANGE = "70:50"
EMPTY = (
    "A sweep follows the vehicle from speed to speed and notes every maximum of its settled motion: "
    "where it rests, hunts, or does one or the other depending on where it comes from. A branch follows one "
    "periodic motion, also where it is unstable; the set of rest is where dry friction can hold the vehicle."
)
MOST = 400  # speeds of one diagram
POINTS = 400  # motions of one branch, at most
OPENED = 10.0  # duration of a run opened from a point [s]
KINDS = (SWEEP, BRANCH, REST)


def register(bench: Workbench) -> None:
    @layout.page("/diagram")
    async def diagram() -> None:
        await _page(bench, None)

    @layout.page("/diagram/{id}")
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
        ready = await layout.getting_ready(self.bench, self.main)
        self.known = [s for s in self.bench.registry.statuses() if s.kind in KINDS]
        with self.side:
            await vehicle_and_track(self.bench, "A diagram")
            self.forms()
            self.trouble = ui.label().classes("k-error k-small").props("data-testid=trouble")
            in_run_folder("Diagrams in the run folder", self.known, "/diagram")
        if ready is not None:
            ready.delete()
        shown = id or (self.known[0].id if self.known else None)
        with self.main:
            if shown is None:
                with ui.column().classes("k-card"):
                    ui.label("No diagram yet").classes("k-head")
                    ui.label(EMPTY).classes("k-muted")
                return
            await self.show(shown)

    def forms(self) -> None:
        ui.label("Sweep").classes("k-group")
        self.speeds = ui.input("first:last:step, or a list [m/s]", value=SPEEDS, validation=_speeds_problem)
        self.speeds.props("dense outlined data-testid=speeds hide-bottom-space")
        self.direction = ui.select(["down", "up", "both"], value="down", label="Direction")
        self.direction.props("dense outlined options-dense data-testid=direction")
        _start_button("Start the sweep", self.start, "sweep")
        with ui.expansion("Branch of periodic motions").classes("w-full").props("dense data-testid=more-branch"):
            self.range = ui.input("from:to [m/s]", value=RANGE, validation=_range_problem)
            self.range.props("dense outlined data-testid=range hide-bottom-space")
            _start_button("Follow the branch", self.follow, "branch", outlined=True)
            words = "or a branch file (klingel continue)"
            forms.upload(words, self.upload, LARGEST_BODY, self.tell, ".nc").props("data-testid=upload")
        with ui.expansion("Set of rest").classes("w-full").props("dense data-testid=more-rest"):
            ui.label("How far dry friction can hold each body; it does not depend on the speed.").classes(
                "k-muted k-small"
            )
            _start_button("Find the set of rest", self.rest, "rest", outlined=True)

    def tell(self, text: str) -> None:
        self.trouble.text = text

    async def show(self, id: str) -> None:
        bench = self.bench
        try:
            status = bench.registry.status(id)
            if status.kind not in KINDS:
                raise InputError("diagram", id, "must be a sweep, a branch or a set of rest")
            points = await bench.previews.call("sweep_names", bench.store.request(id))
        except InputError as error:
            ui.label(str(error)).classes("k-error")
            return
        self.id, self.status = id, status
        with ui.column().classes("k-card"):
            ui.label(status.title).classes("k-title")
            StatusStrip(bench, id, on_end=self.ended)
            with ui.row().classes("items-center w-full"):
                ui.select(points, value=points[0], label="Maxima of").props(
                    "dense outlined options-dense data-testid=quantity"
                ).classes("w-56").on_value_change(lambda e: self.scatter.show(e.value))  # fmt: skip
                self.others()
                ui.space()
                self.downloads()
            sweep = id if status.kind == SWEEP else ""
            self.scatter = Scatter(
                sweep, points[0], status.alive and status.kind == SWEEP, self.pick, *self.beside()
            )
            self.picked = ui.row().classes("items-center w-full").props("data-testid=picked")
        await self.doors()

    def ended(self) -> None:
        self.scatter.set_live(False)
        self.scatter.set_beside([], [])  # what was not there before is asked for again
        self.scatter.set_beside(*self.beside())

    def others(self) -> None:
        """What else of the same vehicle goes into the diagram."""
        mine = self.bench.store.request(self.id) if self.id else ""
        vehicle = _vehicle_part(mine)
        self.beside_ids = {
            s.id: s.title for s in self.known
            if s.kind in (BRANCH, REST) and s.id != self.id and s.state == DONE
            and _vehicle_part(self.bench.store.request(s.id)) == vehicle
        }  # fmt: skip
        self.chosen = list(self.beside_ids)
        if self.beside_ids:
            select = ui.select(self.beside_ids, value=self.chosen, multiple=True, label="Shown with it")
            select.props("dense outlined options-dense data-testid=beside").classes("w-56")
            select.on_value_change(lambda e: self.choose(e.value))

    def choose(self, ids: list[str]) -> None:
        self.chosen = list(ids)
        self.scatter.set_beside(*self.beside())

    def beside(self) -> tuple[list[str], list[str]]:
        """Ids of branches and of sets of rest."""
        registry = self.bench.registry
        shown = [self.id, *self.chosen]
        return tuple([one for one in shown if registry.status(one).kind == kind] for kind in (BRANCH, REST))  # type: ignore[return-value]

    def downloads(self) -> None:
        base = f"/api/runs/{self.id}"
        if self.status.kind != REST:
            for form in ("png", "svg"):
                ui.link(form.upper(), f"{base}/picture.{form}").classes("k-link")
        name = self.bench.store.result(self.id, self.status.kind).name
        ui.link("JSON" if name.endswith(".json") else "netCDF", f"{base}/files/{name}").classes("k-link")

    async def doors(self) -> None:
        """The same by command and by Python."""
        kind, options = self.status.kind, self.bench.registry.options(self.id)
        command, python = "", equivalent.REST_PYTHON
        if kind == SWEEP:
            command, python = equivalent.sweep(options)
        elif kind == BRANCH and options:  # an uploaded one has none
            tables = await self.bench.previews.call("again", self.bench.store.request(self.id))
            command, python = equivalent.branch(options, tables)
        elif kind == BRANCH:
            return
        with ui.column().classes("k-card"):
            if command:
                layout.code("Command", command, "command")
            layout.code("Python", python, "python")
            ui.link("request.toml", f"/api/runs/{self.id}/files/request.toml").classes("k-link k-small")

    def pick(self, point: dict[str, Any]) -> None:
        self.picked.clear()
        with self.picked:
            speed = point["value"]
            what = f"{point['kind']}, period {point['period']:.4g} s" if point.get("branch") else (
                f"{point['direction']}: {point['kind']}")  # fmt: skip
            ui.label(f"{speed:.4g} m/s ({3.6 * speed:.4g} km/h), {what}")
            ui.button("Open as run", icon="open_in_new", on_click=lambda: self.open(point)).props(
                "outline dense padding='2px 10px' data-testid=open-point"
            )

    async def open(self, point: dict[str, Any]) -> None:
        """Its motion, from its last state on."""
        bench = self.bench
        try:
            kind = bench.registry.status(point["source"]).kind
            path = str(bench.store.result(point["source"], kind))
            question = "motion" if kind == BRANCH else "point"
            tables = await bench.previews.call(question, path, point["index"], OPENED)
            found = await bench.previews.call("request", tables, bench.uploads)
        except InputError as error:
            ui.notify(str(error), type="negative")
            return
        status = bench.registry.submit(RUN, found["title"], found["toml"], files=found["files"])
        ui.navigate.to(f"/runs/{status.id}")

    async def asked(self, speed: float | None = None) -> dict[str, Any] | None:
        """The request of the draft, or None and why not."""
        tables = plain(draft())
        tables.pop("acceleration", None)
        if speed is not None:
            tables["speed"] = speed
        try:
            found = await self.bench.previews.call("request", tables, self.bench.uploads)
            if not found["straight"]:
                raise InputError("track", None, "must be straight, level and smooth: motions settle on no other")
        except InputError as error:
            self.trouble.text = str(error)
            return None
        return found

    def submit(self, kind: str, title: str, found: dict[str, Any], options: dict[str, Any]) -> None:
        status = self.bench.registry.submit(kind, title, found["toml"], options, found["files"])
        ui.navigate.to(f"/diagram/{status.id}")

    async def start(self) -> None:
        if not self.speeds.validate():
            return
        speeds = parse_values(self.speeds.value or "", "speeds", dimension="speed")
        found = await self.asked(speeds[0])
        if found is not None:
            title = f"{found['vehicle']} {min(speeds):g} to {max(speeds):g} m/s {self.direction.value}"
            self.submit(SWEEP, title, found, {"speeds": speeds, "direction": self.direction.value})

    async def follow(self) -> None:
        if not self.range.validate():
            return
        first, last = _range(self.range.value or "")
        found = await self.asked(first)
        if found is not None:
            title = f"{found['vehicle']} branch {first:g} to {last:g} m/s"
            self.submit(BRANCH, title, found, {"first": first, "last": last, "points": POINTS})

    async def rest(self) -> None:
        found = await self.asked()
        if found is not None:
            self.submit(REST, f"{found['vehicle']} set of rest", found, {})

    async def upload(self, e: events.UploadEventArguments) -> None:
        """A branch that `klingel continue` wrote."""
        bench = self.bench
        status = bench.store.create(BRANCH, "uploaded branch", "")
        path = bench.store.result(status.id, BRANCH)
        try:
            await e.file.save(path)
            found = await bench.previews.call("stored_branch", str(path), bench.uploads)
        except InputError as error:
            bench.store.remove(status.id)
            self.trouble.text = str(error.called(str(path), e.file.name))
            return
        (bench.store.place(status.id) / "request.toml").write_text(found["request"], encoding="utf-8")
        status.title, status.state, status.fraction = f"{found['title']} branch, uploaded", DONE, 1.0
        status.simulated = status.whole = found["count"]
        status.message = found["message"]
        bench.registry.adopt(status)
        ui.navigate.to(f"/diagram/{status.id}")


def _start_button(words: str, action: Any, test: str, outlined: bool = False) -> None:
    ui.button(words, icon="play_arrow", on_click=action).classes("w-full").props(
        f"{'outline' if outlined else 'unelevated'} data-testid={test}"
    )


def _vehicle_part(request: str) -> Any:
    """What of a request names the vehicle and its values."""
    return tomllib.loads(request).get("vehicle")


def _range(text: str) -> tuple[float, float]:
    first, _, last = text.partition(":")
    found = [parse_values(part, "range", dimension="speed") for part in (first, last)]
    return found[0][0], found[1][0]


def _range_problem(text: str | None) -> str | None:
    try:
        first, last = _range(text or "")
    except InputError:
        return "must be two speeds, like 70:50 or 250km/h:180km/h"
    return None if first != last and min(first, last) > 0.0 else "must be two positive speeds that differ"


def _speeds_problem(text: str | None) -> str | None:
    try:
        speeds = parse_values(text or "", "speeds", dimension="speed")
        if not min(speeds) > 0.0 or len(speeds) > MOST:
            return f"must be positive, at most {MOST} of them"
    except InputError as error:
        return error.allowed
    return None
