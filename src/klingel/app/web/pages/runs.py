"""*Runs*: everything in the run folder, newest first."""

import shlex
import time

from nicegui import events, ui

from klingel._errors import InputError
from klingel.app.web import forms, layout
from klingel.app.web.guard import LARGEST_BODY
from klingel.app.web.run_view import UNITS
from klingel.app.web.store import BRANCH, CLAIMS, CRITICAL, DONE, REST, RUN, STOPPED, SWEEP, Status
from klingel.app.web.workbench import Workbench

MOST = 200  # lines of the list
NUMBERS = ("done so far", "events", "computing", "made")  # columns


PYTHON = """from pathlib import Path

import klingel as kg

for path in sorted(Path({folder!r}).glob("*/run.nc")):
    run = kg.load_run(path)
    print(path.parent.name, run.ended)"""


def register(bench: Workbench) -> None:
    @layout.page("/runs")
    def runs() -> None:
        with layout.frame(bench, "/runs", "Runs"), ui.column().classes("k-whole"):
            List(bench)


class List:
    def __init__(self, bench: Workbench):
        self.bench, self.seen, self.chosen = bench, -1, {}
        self.lines: dict[str, Line] = {}
        self.listed: list[str] | None = None
        with ui.row().classes("items-center w-full"):
            self.compare = ui.button("Compare", icon="compare", on_click=self.open).props(
                "outline dense padding='2px 10px' data-testid=compare"
            )
            ui.label("Tick two runs to compare them.").classes("k-muted k-small")
            ui.space()
            forms.upload("Open a run file (run.nc)", self.upload, LARGEST_BODY, self.tell, ".nc").style(
                "width: 260px"
            )
        self.place = ui.column().classes("k-card")
        with ui.expansion("The same from the command line and from Python").classes("k-card").props("dense"):
            layout.code("Command", f"klingel app --folder {shlex.quote(str(bench.store.folder))}", "command")
            layout.code("Python", PYTHON.format(folder=str(bench.store.folder)), "python")
        self.look()
        ui.timer(0.7, self.look)

    def tell(self, text: str) -> None:
        ui.notify(text, type="negative", multi_line=True)

    def look(self) -> None:
        """Only when something has changed."""
        registry = self.bench.registry
        if registry.revision == self.seen:
            return
        self.seen = registry.revision
        found = registry.statuses()
        ids = [status.id for status in found]
        if ids != self.listed:
            self.listed = ids
            self.build(found)
        for status in found[:MOST]:
            self.lines[status.id].tell(status)
        self.compare.enabled = len(self.picked()) == 2

    def build(self, found: list[Status]) -> None:
        """Only where other runs are there: what a person is about to click on stays where it is."""
        self.place.clear()
        with self.place:
            if not found:
                ui.label("No runs yet.").classes("k-head")
                ui.link("Simulate one", "/simulate").classes("k-link")
                return
            with ui.element("table").classes("k-table").props("data-testid=runs"):
                with ui.element("tr"):
                    for word in ("", "run", "state", *NUMBERS, ""):
                        with ui.element("th").classes("k-number" if word in NUMBERS else ""):
                            ui.label(word)
                self.lines = {status.id: Line(self, status) for status in found[:MOST]}
            if len(found) > MOST:
                ui.label(f"the newest {MOST} of {len(found)}").classes("k-muted k-small")

    def tick(self, id: str, value: bool | None) -> None:
        self.chosen[id] = bool(value)
        self.compare.enabled = len(self.picked()) == 2

    def picked(self) -> list[str]:
        return [id for id, value in self.chosen.items() if value and id in self.bench.registry.known]

    def open(self) -> None:
        one, other = self.picked()
        ui.navigate.to(f"/compare/{one}/{other}")

    async def remove(self, status: Status) -> None:
        with ui.dialog() as dialog, ui.card():
            ui.label(f"Remove {status.title} and its files?")
            with ui.row():
                ui.button("Remove", on_click=lambda: dialog.submit(True)).props("color=negative")
                ui.button("Keep", on_click=lambda: dialog.submit(False)).props("flat")
        if await dialog:
            try:
                self.bench.registry.remove(status.id)
            except InputError as error:
                ui.notify(str(error), type="negative")

    async def upload(self, e: events.UploadEventArguments) -> None:
        """A run of elsewhere becomes one of ours, if it is one."""
        registry = self.bench.registry
        status = self.bench.store.create(RUN, "uploaded", "")
        path = self.bench.store.result(status.id)
        try:
            await e.file.save(path)
            found = await self.bench.previews.call("stored", str(path), self.bench.uploads)
        except InputError as error:
            self.bench.store.remove(status.id)
            self.tell(str(error.called(str(path), e.file.name)))
            return
        (self.bench.store.place(status.id) / "request.toml").write_text(found["request"], encoding="utf-8")
        stats = found["stats"]
        states = {"done": DONE, "derailed": "derailed", "failed": "failed"}
        status.title, status.state = found["title"], states.get(found["status"], STOPPED)
        status.message, status.fraction = found["ended"], 1.0
        status.simulated = status.whole = stats["simulated_time"]
        status.events, status.steps, status.wall = stats["events"], stats["accepted"], stats["wall_time"]
        registry.adopt(status)
        ui.navigate.to(f"/runs/{status.id}")


class Line:
    """Of the list: one piece of work."""

    def __init__(self, runs: List, status: Status):
        places = {kind: f"/diagram/{status.id}" for kind in (SWEEP, BRANCH, REST)}
        places |= {CRITICAL: f"/critical/{status.id}", CLAIMS: "/reproduce"}
        address = places.get(status.kind, f"/runs/{status.id}")
        with ui.element("tr").props(f"data-id={status.id}"):
            with ui.element("td"):
                if status.kind == RUN:
                    box = ui.checkbox(value=runs.chosen.get(status.id, False))
                    box.props(f'dense aria-label="choose {status.title}"')
                    box.on_value_change(lambda e: runs.tick(status.id, e.value))
            with ui.element("td"):
                ui.link(status.title, address).classes("k-link")
                ui.label(status.id).classes("k-muted k-small")
            with ui.element("td"):
                self.mark = layout.StateMark(status.state)
                self.message = ui.label().classes("k-muted k-small")
            self.numbers = []
            for _ in NUMBERS:
                with ui.element("td").classes("k-number"):
                    self.numbers.append(ui.label())
            with ui.element("td"):
                ui.button(icon="delete", on_click=lambda: runs.remove(status)).props(
                    f'flat dense size=sm aria-label="remove {status.title}"'
                )

    def tell(self, status: Status) -> None:
        self.mark.tell(status.state)
        self.message.text = status.message
        self.message.visible = bool(status.message) and status.state != DONE
        texts = (
            f"{status.simulated:.4g} {UNITS.get(status.kind, 'piece' if status.simulated == 1 else 'pieces')}",
            f"{status.events}" if status.kind == RUN else "",
            layout.told_time(status.wall),
            time.strftime("%d %b %H:%M", time.localtime(status.created)),
        )
        for label, text in zip(self.numbers, texts, strict=True):
            label.text = text
