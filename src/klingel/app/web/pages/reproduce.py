"""*Reproduce*: published numbers beside computed ones; filter them, compute one again."""

import json
import shlex
from typing import Any

from nicegui import events, ui

from klingel.app.web import layout
from klingel.app.web.store import CLAIMS, RESULTS
from klingel.app.web.workbench import Workbench

ALL = "all"
MOST = 120  # lines shown at once
ICONS = {"reproduced": "check_circle", "differs": "warning", "not-run": "radio_button_unchecked"}
# one listener for the whole table: none is lost while lines are drawn anew
CLICKED = "event => { const at = event.target.closest('[data-claim]'); if (at) emit(at.dataset.claim); }"
FEW = 6  # claims that a command names one by one
PYTHON = """from klingel.literature.reproduce.catalogue import all_studies, choose
from klingel.literature.reproduce.run import run

for report in run(choose(all_studies(), {ids!r}, only_fast={fast}), workers=1):
    for finding in report.findings:
        print(finding.as_dict())"""


def register(bench: Workbench) -> None:
    @layout.page("/reproduce")
    async def reproduce() -> None:
        with layout.frame(bench, "/reproduce", "Reproduce"), ui.column().classes("k-whole"):
            page = Page(bench)
            await page.build()


def results(bench: Workbench) -> dict[str, dict[str, Any]]:
    """What was computed here, the newest of each claim."""
    found: dict[str, dict[str, Any]] = {}
    for status in bench.registry.statuses():
        path = bench.store.folder / status.id / RESULTS[CLAIMS]
        if status.kind == CLAIMS and path.is_file():
            for one in json.loads(path.read_text(encoding="utf-8")):
                found.setdefault(one["id"], one)
    return found


class Page:
    def __init__(self, bench: Workbench):
        self.bench = bench
        self.lines: dict[str, Line] = {}
        self.listed: list[str] | None = None
        self.filters = {"source": ALL, "kind": ALL, "status": ALL}
        self.text = ""

    async def build(self) -> None:
        ready = await layout.getting_ready(self.bench, ui.context.slot.parent)
        self.claims = await self.bench.previews.call("claims")
        if ready is not None:
            ready.delete()
        self.count = ui.label().classes("k-muted").props("data-testid=count")
        with ui.row().classes("items-center w-full gap-2"):
            for name in self.filters:
                words = sorted({self._short(one[name]) if name == "source" else one[name] for one in self.claims})
                words = ["reproduced", "differs", "not-run"] if name == "status" else words
                ui.select([ALL, *words], value=ALL, label=name).props(
                    f"dense outlined options-dense data-testid=filter-{name}"
                ).classes("w-56").on_value_change(lambda e, n=name: self.choose(n, e.value))
            ui.input("Search", on_change=lambda e: self.search(e.value or "")).props(
                "dense outlined clearable debounce=250 data-testid=search"
            )
            ui.space()
            ui.button("Compute the quick ones", icon="play_arrow", on_click=self.quick).props(
                "outline dense padding='2px 10px'"
            )
        self.place = ui.column().classes("k-card").on("click", self.clicked, js_handler=CLICKED)
        self.same = ui.column().classes("k-card")
        self.seen = self.states()
        self.show()
        ui.timer(1.0, self.look)

    @staticmethod
    def _short(source: str) -> str:
        return source.partition(",")[0]

    def choose(self, name: str, word: str) -> None:
        self.filters[name] = word
        self.show()

    def search(self, text: str) -> None:
        self.text = text.lower()
        self.show()

    def states(self) -> list[tuple[str, str]]:
        return [(s.id, s.state) for s in self.bench.registry.statuses() if s.kind == CLAIMS]

    def look(self) -> None:
        """When a computation has ended, or has begun."""
        states = self.states()
        if states != self.seen:
            self.seen = states
            self.show()

    def shown(self) -> list[dict[str, Any]]:
        known = results(self.bench)
        merged = [{**one, **{k: known[one["id"]][k] for k in ("computed", "status", "note")}}
                  if one["id"] in known else one for one in self.claims]  # fmt: skip
        return [one for one in merged if self._fits(one)]

    def _fits(self, one: dict[str, Any]) -> bool:
        values = {"source": self._short(one["source"]), "kind": one["kind"], "status": one["status"]}
        if any(word != ALL and values[name] != word for name, word in self.filters.items()):
            return False
        return self.text in f"{one['id']} {one['quantity']} {one['source']}".lower()

    def show(self) -> None:
        found = self.shown()
        running = {s.title for s in self.bench.registry.statuses() if s.kind == CLAIMS and s.alive}
        states = [one["status"] for one in found]
        told = ", ".join(f"{states.count(word)} {word}" for word in ("reproduced", "differs", "not-run"))
        self.count.text = f"{len(found)} of {len(self.claims)} published numbers: {told}"
        ids = [one["id"] for one in found]
        if ids != self.listed:
            self.listed = ids
            self.build_lines(found)
            self.doors(ids)
        for one in found[:MOST]:
            self.lines[one["id"]].tell(one, one["id"] in running)

    def build_lines(self, found: list[dict[str, Any]]) -> None:
        """Only where other claims are shown: what a person is about to click on stays where it is."""
        self.place.clear()
        with self.place:
            with ui.element("table").classes("k-table k-small").props("data-testid=claims"):
                with ui.element("tr"):
                    for word in ("quantity", "source", "published", "computed", "status", "note", ""):
                        with ui.element("th"):
                            ui.label(word)
                self.lines = {one["id"]: Line(one) for one in found[:MOST]}
            if len(found) > MOST:
                ui.label(f"{MOST} of {len(found)} shown: use the filters").classes("k-muted k-small")

    def clicked(self, e: events.GenericEventArguments) -> None:
        """On a button of any line."""
        known = {one["id"] for one in self.claims}
        if e.args in known:
            self.run([e.args], e.args)

    def doors(self, ids: list[str]) -> None:
        """What is shown, computed by command and by Python."""
        few = ids if len(ids) <= FEW else []
        self.same.clear()
        with self.same:
            layout.code("Command", shlex.join(["klingel", "reproduce", *(few or ["--fast"])]), "command")
            layout.code("Python", PYTHON.format(ids=few, fast=not few), "python")

    def run(self, ids: list[str], title: str) -> None:
        self.bench.registry.submit(CLAIMS, title, "", {"ids": ids})
        self.show()

    def quick(self) -> None:
        self.run([one["id"] for one in self.claims if one["fast"]], "quick claims")


class Line:
    """Of the table: one published number."""

    def __init__(self, one: dict[str, Any]):
        with ui.element("tr").props(f"data-id={one['id']}"):
            with ui.element("td"):
                ui.label(one["quantity"])
                ui.label(one["id"]).classes("k-muted")
            for text in (one["source"], one["told"]):
                with ui.element("td"):
                    ui.label(text)
            with ui.element("td"):
                self.computed = ui.label()
            with ui.element("td"), ui.element("span").classes("k-state"):
                self.icon = ui.icon("")
                self.status = ui.label()
            with ui.element("td"):
                self.note = ui.label().classes("k-muted")
            with ui.element("td"):
                self.busy = ui.label("computing").classes("k-muted")
                self.button = ui.button().props(
                    f'flat dense size=sm data-testid="compute-{one["id"]}" data-claim="{one["id"]}"'
                )

    def tell(self, one: dict[str, Any], running: bool) -> None:
        self.computed.text = "" if one["computed"] is None else f"{one['computed']:.6g} {one['unit']}"
        self.icon.name = ICONS[one["status"]]
        self.status.text, self.note.text = one["status"], one["note"]
        self.button.text = "Again" if one["computed"] is not None else "Compute"
        self.busy.visible, self.button.visible = running, not running
