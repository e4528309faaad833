"""*Simulate*: works without typing. Form on the left, what it gives on the right."""

from functools import partial
from typing import Any

from nicegui import ui

from klingel._errors import InputError
from klingel.app.web import forms, layout
from klingel.app.web.draft import choose_vehicle, draft, plain, set_change
from klingel.app.web.run_view import Plots, StatusStrip
from klingel.app.web.store import RUN
from klingel.app.web.workbench import Workbench

OWN = "own file"
EMPTY = (
    "The example beside is ready: an empty freight wagon, pushed 5 mm off the middle of the track. "
    "Its motion appears here while it is computed."
)
METHODS = ("auto", "dopri54", "cashkarp54", "verner65", "chain34", "chain35", "esdirk34", "ros34pw2", "rosw43")


def register(bench: Workbench) -> None:
    @layout.page("/simulate")
    async def simulate() -> None:
        with layout.frame(bench, "/simulate", "Simulate"), ui.element("div").classes("k-page"):
            side = ui.column().classes("k-side")
            main = ui.column().classes("k-main")
            page = Page(bench, side, main)
            await page.build()


class Page:
    def __init__(self, bench: Workbench, side: ui.column, main: ui.column):
        self.bench, self.side, self.main = bench, side, main
        self.checked: dict[str, Any] | None = None

    async def build(self) -> None:
        ready = await layout.getting_ready(self.bench, self.main)
        library = await self.bench.previews.call("library")
        self.titles = {one["name"]: one["title"] for one in library}
        await self.form()
        await self.check()
        if ready is not None:
            ready.delete()
        with self.main:
            self.result = ui.column().classes("w-full gap-3")
            with self.result, ui.column().classes("k-card"):
                ui.label("Press Run").classes("k-head")
                ui.label(EMPTY).classes("k-muted")
            self.equivalents = ui.column().classes("k-card")
            self.show_equivalents()

    async def form(self) -> None:
        """All fields, from the draft of this browser."""
        tables = draft()
        self.side.clear()
        try:
            self.view = await self.bench.previews.call("summary", plain(tables["vehicle"]), self.bench.uploads)
        except InputError as error:
            with self.side:
                ui.label(str(error)).classes("k-error")
                ui.link("Mend it on the vehicle page", "/vehicle").classes("k-link")
            return
        with self.side:
            self.run_button = ui.button("Run", icon="play_arrow", on_click=self.run).classes("w-full")
            self.run_button.props("data-testid=run unelevated")
            self.why = ui.label().classes("k-error k-small").props("data-testid=why")
            self._vehicle(tables)
            ui.label("Motion").classes("k-group")
            speed = forms.quantity("Speed V", tables["speed"], "speed", self.put("speed"), "positive")
            speed.props("data-testid=speed")
            forms.quantity("Duration", tables["duration"], "time", self.put("duration"), "positive").props(
                "data-testid=duration"
            )
            forms.quantity(
                "Acceleration", tables.get("acceleration", "0 m/s2"), "acceleration", self.put("acceleration")
            )
            self._track(tables)
            self._start(tables)
            self._more(tables)

    def _vehicle(self, tables: dict[str, Any]) -> None:
        ui.label("Vehicle").classes("k-group")
        name = tables["vehicle"].get("name", OWN)
        names = {**self.titles, **({OWN: self.view["title"]} if name == OWN else {})}
        ui.select(names, value=name, label="Vehicle", on_change=lambda e: self.choose(e.value)).props(
            "dense outlined options-dense data-testid=vehicle"
        )
        for one in self.view["selections"]:
            select = ui.select(
                list(one["words"]), value=one["chosen"], label=one["keyword"].replace("_", " "),
                on_change=lambda e, keyword=one["keyword"]: self.option(keyword, e.value),
            )  # fmt: skip
            layout.hint(select.props("dense outlined options-dense"), one["line"])
        changes = tables["vehicle"].get("changes", {})
        for changed, text in list(changes.items()):
            with ui.row().classes("items-center w-full no-wrap"):
                ui.label(f"{changed} = {text}").classes("k-changed-mark k-small")
                ui.space()
                undo = ui.button(icon="undo", on_click=partial(self.reset, changed)).props("flat dense size=sm")
                undo.props["aria-label"] = f"reset {changed}"
        ui.link("Change values of the vehicle", "/vehicle").classes("k-link k-small")

    def _track(self, tables: dict[str, Any]) -> None:
        ui.label("Track").classes("k-group")
        track = tables.get("track", {})
        told = _track_words(track)
        ui.label(told).classes("k-small")
        ui.link("Change track and contact", "/contact").classes("k-link k-small")

    def _start(self, tables: dict[str, Any]) -> None:
        ui.label("Start: lateral offset of each wheelset").classes("k-group")
        start = tables.get("start", {})
        if not isinstance(start.get("initial", {}), dict) or {"state", "run"} & set(start):
            ui.label("starts with the last state of another run").classes("k-small")
            return
        for body in self.view["wheelsets"]:
            name = f"{body}.y"
            value = start.get("initial", {}).get(name, "0 mm")
            forms.quantity(body.replace("_", " "), value, "length", lambda text, n=name: self.kick(n, text))

    def _more(self, tables: dict[str, Any]) -> None:
        with ui.expansion("Accuracy and output").classes("w-full").props("dense"):
            solving, outputs = tables.get("solving", {}), tables.get("outputs", {})
            forms.quantity(
                "Relative tolerance", solving.get("rtol", "1e-6"), "number",
                lambda text: self.put_in("solving", "rtol", float(text)), "positive",
            )  # fmt: skip
            ui.select(
                list(METHODS), value=solving.get("method", "auto"), label="Method",
                on_change=lambda e: self.put_in("solving", "method", e.value),
            ).props("dense outlined options-dense")  # fmt: skip
            forms.quantity(
                "Spacing of rows", outputs.get("output_step", "10 ms"), "time",
                lambda text: self.put_in("outputs", "output_step", text), "positive",
            )  # fmt: skip

    def put(self, name: str):
        async def keep(text: str) -> None:
            if draft().get(name) != text and not (name not in draft() and forms.split(text, "time")[0] == "0"):
                draft()[name] = text
                await self.check()

        return lambda text: ui.timer(0, lambda: keep(text), once=True)

    def put_in(self, part: str, name: str, value: Any) -> None:
        table = draft().setdefault(part, {})
        if table.get(name) != value:
            table[name] = value
            ui.timer(0, self.check, once=True)

    def kick(self, name: str, text: str) -> None:
        initial = draft().setdefault("start", {}).setdefault("initial", {})
        if float(forms.split(text, "length")[0]) == 0.0:
            initial.pop(name, None)
        else:
            initial[name] = text
        ui.timer(0, self.check, once=True)

    async def choose(self, name: str) -> None:
        if name == OWN:
            return
        view = await self.bench.previews.call("summary", {"name": name}, self.bench.uploads)
        choose_vehicle({"name": name}, view["wheelsets"])
        await self.form()
        await self.check()

    async def option(self, keyword: str, word: str) -> None:
        vehicle = draft()["vehicle"]
        vehicle["options"] = {**vehicle.get("options", {}), keyword: word}
        await self.form()
        await self.check()

    async def reset(self, name: str) -> None:
        set_change(name, None)
        await self.form()
        await self.check()

    async def check(self) -> None:
        """Run is off, and says why, while something is wrong."""
        if not hasattr(self, "run_button"):
            return
        try:
            self.checked = await self.bench.previews.call("request", plain(draft()), self.bench.uploads)
            self.why.text = ""
        except InputError as error:
            self.checked = None
            self.why.text = str(error)
        self.run_button.enabled = self.checked is not None
        self.show_equivalents()

    def show_equivalents(self) -> None:
        if not hasattr(self, "equivalents"):
            return
        self.equivalents.clear()
        if self.checked is None:
            return
        with self.equivalents:
            ui.label("The same from the command line and from Python").classes("k-head")
            layout.code("Command", self.checked["command"], "command")
            layout.code("Python", self.checked["python"], "python")
            with ui.expansion("request.toml").classes("w-full").props("dense"):
                ui.label(self.checked["toml"]).classes("k-code").props("data-testid=toml")

    async def run(self) -> None:
        await self.check()
        checked = self.checked
        if checked is None:
            return
        status = self.bench.registry.submit(RUN, checked["title"], checked["toml"], files=checked["files"])
        self.result.clear()
        with self.result, ui.column().classes("k-card"):
            with ui.row().classes("items-center w-full"):
                ui.label(status.title).classes("k-head")
                ui.link("Open this run", f"/runs/{status.id}").classes("k-link").props("data-testid=open-run")
            plots: list[Plots] = []
            StatusStrip(self.bench, status.id, on_end=lambda: plots[0].load())
            plots.append(Plots(self.bench, [(status.id, status.title)], live=True, first=[]))


def _track_words(track: Any) -> str:
    if not isinstance(track, dict):
        return f"track file {track}"
    words = [f"rails inclined {track.get('inclination', '1/40')}"]
    if track.get("stage"):
        words.append(f"{len(track['stage'])} curve elements")
    if track.get("irregularity"):
        words.append("irregular")
    if len(words) == 1:
        words.insert(0, "straight and level")
    return ", ".join(words)
