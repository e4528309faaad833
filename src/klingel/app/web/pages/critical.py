"""*Critical speed*: the one question as a page: verdict, picture, families of motion, evidence, command."""

import asyncio
import json
from typing import Any

from nicegui import ui

from klingel._errors import InputError
from klingel.app.web import layout
from klingel.app.web.draft import draft, plain
from klingel.app.web.run_view import StatusStrip
from klingel.app.web.side import in_run_folder, vehicle_and_track
from klingel.app.web.store import CRITICAL
from klingel.app.web.workbench import Workbench
from klingel.io.units import BadQuantity, read_quantity
from klingel.reports.rest_remarks import rest_remarks

EMPTY = (
    "How fast may this vehicle run? Starts of several sizes at many speeds show where it keeps moving; each "
    "family of motion is followed down to its lowest speed, with two tolerances, two methods, several seeds and "
    "two rates of descent. Where these disagree there is no verdict, and the page says what would settle it."
)
HEADS = {"found": "Critical speed", "none": "No motion found", "refused": "No verdict"}
# option -> words, what stands there first, dimension
FIELDS = {
    "threshold": ("A motion counts from", "0.5 mm", "length"),
    "slowest": ("Slowest speed", "3 m/s", "speed"),
    "fastest": ("Fastest speed", "70 m/s", "speed"),
    "hold": ("Least time at each speed", "5 s", "time"),
}
RTOL = 1e-5  # where the request has none
SAID = (*FIELDS, "seeds", "rtol")  # settings of a result that command and Python repeat
PYTHON = """import klingel as kg

if __name__ == "__main__":  # other processes read this script again
    request = kg.RunRequest.load("request.toml")
    found = kg.critical_speed(request, {options}, out="critical.json")"""
LINEAR = {"stuck": "linear, sliders stuck", "slipping": "linear, sliders taken away"}


def register(bench: Workbench) -> None:
    @layout.page("/critical")
    async def critical() -> None:
        await _page(bench, None)

    @layout.page("/critical/{id}")
    async def one(id: str) -> None:
        await _page(bench, id)


async def _page(bench: Workbench, id: str | None) -> None:
    with layout.frame(bench, "/critical", "Critical speed"), ui.element("div").classes("k-page"):
        page = Page(bench, ui.column().classes("k-side"), ui.column().classes("k-main"))
        await page.build(id)


class Page:
    def __init__(self, bench: Workbench, side: ui.column, main: ui.column):
        self.bench, self.side, self.main = bench, side, main
        self.fields: dict[str, ui.input] = {}

    async def build(self, id: str | None) -> None:
        ready = await layout.getting_ready(self.bench, self.main)
        known = [s for s in self.bench.registry.statuses() if s.kind == CRITICAL]
        with self.side:
            await vehicle_and_track(self.bench, "A critical speed")
            ui.label("What is looked for").classes("k-group")
            for name, (words, text, dimension) in FIELDS.items():
                self.fields[name] = ui.input(words, value=text, validation=_check(dimension)).props(
                    f"dense outlined data-testid={name} hide-bottom-space"
                )
            self.seeds = ui.number("Seeds", value=5, min=1, max=100, precision=0).props(
                "dense outlined data-testid=seeds hide-bottom-space"
            )
            ui.button("Find the critical speed", icon="play_arrow", on_click=self.start).classes("w-full").props(
                "unelevated data-testid=critical"
            )
            self.trouble = ui.label().classes("k-error k-small").props("data-testid=trouble")
            in_run_folder("In the run folder", known, "/critical")
        if ready is not None:
            ready.delete()
        shown = id or (known[0].id if known else None)
        with self.main:
            if shown is not None:
                await self.show(shown)
                return
            with ui.column().classes("k-card"):
                ui.label("No critical speed yet").classes("k-head")
                ui.label(EMPTY).classes("k-muted")

    async def show(self, id: str) -> None:
        try:
            status = self.bench.registry.status(id)
        except InputError as error:
            ui.label(str(error)).classes("k-error")
            return
        with ui.column().classes("k-card"):
            ui.label(status.title).classes("k-title")
            StatusStrip(self.bench, id, on_end=lambda: self.fill(id))
        self.place = ui.column().classes("w-full")
        await self.fill(id)

    async def fill(self, id: str) -> None:
        """With the result, as soon as it is there."""
        path = self.bench.store.result(id, CRITICAL)
        if not path.is_file():
            return
        found = json.loads(await asyncio.to_thread(path.read_text, encoding="utf-8"))
        self.place.clear()
        with self.place:
            with ui.column().classes("k-card"):
                ui.label(HEADS[found["verdict"]]).classes("k-head").props("data-testid=verdict")
                ui.label(f"{found['reason']}.").props("data-testid=reason")
                ui.image(f"/api/runs/{id}/picture.svg").props(
                    'fit=contain data-testid=picture alt="motions over speed"'
                ).classes("k-picture")
                with ui.row().classes("items-center w-full"):
                    ui.space()
                    for form in ("png", "svg"):
                        ui.link(form.upper(), f"/api/runs/{id}/picture.{form}").classes("k-link")
                    ui.link("JSON", f"/api/runs/{id}/files/critical.json").classes("k-link")
            motions(found)
            numbers(found)
            self.doors(id, found)

    def doors(self, id: str, found: dict[str, Any]) -> None:
        """The same by command and by Python."""
        with ui.column().classes("k-card"):
            layout.code("Command", command_text(found["settings"]), "command")
            layout.code("Python", python_text(found["settings"]), "python")
            ui.link("request.toml", f"/api/runs/{id}/files/request.toml").classes("k-link k-small")

    async def start(self) -> None:
        if not all(field.validate() for field in self.fields.values()):
            return
        try:
            options: dict[str, Any] = {
                name: read_quantity(self.fields[name].value or "", dimension)
                for name, (_, _, dimension) in FIELDS.items()
            }
            options["seeds"] = int(self.seeds.value or 1)
            tables = plain(draft())
            tables.pop("acceleration", None)
            if "rtol" not in tables.get("solving", {}):
                options["rtol"] = RTOL
            found = await self.bench.previews.call("request", tables, self.bench.uploads)
            if not found["straight"]:
                raise InputError("track", None, "must be straight, level and smooth: motions settle on no other")
        except InputError as error:
            self.trouble.text = str(error)
            return
        title = f"{found['vehicle']} critical speed"
        status = self.bench.registry.submit(CRITICAL, title, found["toml"], options, found["files"])
        ui.navigate.to(f"/critical/{status.id}")


def command_text(settings: dict[str, Any]) -> str:
    """The same question on the command line, in SI units."""
    options = " ".join(f"--{name} {settings[name]!r}" for name in SAID)
    return f"klingel critical --request request.toml {options} --out critical.json"


def python_text(settings: dict[str, Any]) -> str:
    """The same question in Python, in SI units."""
    return PYTHON.format(options=", ".join(f"{name}={settings[name]!r}" for name in SAID))


def _check(dimension: str):
    def problem(text: str | None) -> str | None:
        try:
            return None if read_quantity(text or "", dimension) > 0.0 else "must be positive"
        except BadQuantity as bad:
            return str(bad)

    return problem


def motions(found: dict[str, Any]) -> None:
    """Families from the slowest on."""
    if not found["motions"]:
        return
    heads = ("family", "from", "between", "kind", "amplitude", "frequency", "descents")
    with (
        ui.column().classes("k-card k-scroll"),
        ui.element("table").classes("k-table k-tight").props("data-testid=motions"),
    ):
        with ui.element("tr"):
            for word in heads:
                with ui.element("th"):
                    ui.label(word)
        for motion in found["motions"]:
            with ui.element("tr"):
                for cell, below in motion_cells(motion):
                    with ui.element("td"):
                        ui.label(cell)
                        if below:
                            ui.label(below).classes("k-muted k-small")


def motion_cells(motion: dict[str, Any]) -> list[tuple[str, str]]:
    """Of one row: words, and what stands small below them."""
    rate = motion["frequency"]
    return [
        (motion["family"], ""),
        (f"{motion['speed']:.4g} m/s", f"{3.6 * motion['speed']:.4g} km/h"),
        (f"{motion['low']:.4g} and {motion['high']:.4g}", "m/s"),
        (motion["kind"], ""),
        (f"{1e3 * motion['amplitude']:.2f} mm", ""),
        ("" if rate is None else f"{rate:.3g} Hz", ""),
        (f"{motion['found']} of {motion['asked']}", "" if motion["agrees"] else "disagree"),
    ]


def numbers(found: dict[str, Any]) -> None:
    """Linear speeds, procedures of the field, rest, evidence."""
    linear = {
        words: "none" if found["linear"][name] is None else f"{found['linear'][name]['speed']:.4g} m/s"
        for name, words in LINEAR.items()
    }
    done = {name: "none" if v is None else f"{v:.4g} m/s" for name, v in found["protocols"].items()}
    remarks = rest_remarks(found["rest_set"], found["evidence"])
    rest = {
        name: f"{1e3 * low:.3g} to {1e3 * high:.3g} mm{remarks[name] and f'; {remarks[name]}'}"
        for name, (low, high) in found["rest_set"].items()
    }
    for title, rows in (
        ("Linear critical speed", linear), ("Procedures of the field", done),
        ("Rest reaches, held by dry friction", rest), ("Evidence", evidence_rows(found)),
    ):  # fmt: skip
        if rows:
            with ui.column().classes("k-card"):
                ui.label(title).classes("k-group")
                layout.figures(rows)


def evidence_rows(found: dict[str, Any]) -> list[tuple[str, str]]:
    """A row for each line: several may be of the same kind."""
    return [
        (line["what"], f"{line['value']:.4g}" if isinstance(line["value"], float) else str(line["value"]))
        for line in found["evidence"]
    ]
