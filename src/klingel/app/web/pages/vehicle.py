"""*Vehicle*: library or own file, values with unit and source, drawing and loops that follow the numbers."""

from typing import Any

from nicegui import events, ui

from klingel._errors import InputError
from klingel.app.web import forms, layout
from klingel.app.web.answers import equivalent
from klingel.app.web.components.curves import Curves
from klingel.app.web.components.drawing import VehicleDrawing
from klingel.app.web.draft import choose_vehicle, draft, plain, set_change
from klingel.app.web.workbench import LARGEST_TEXT, Workbench

MOST_LOOPS = 16


def register(bench: Workbench) -> None:
    @layout.page("/vehicle")
    async def vehicle() -> None:
        with layout.frame(bench, "/vehicle", "Vehicle"), ui.element("div").classes("k-page"):
            page = Page(bench, ui.column().classes("k-side"), ui.column().classes("k-main"))
            await page.build()


class Page:
    def __init__(self, bench: Workbench, side: ui.column, main: ui.column):
        self.bench, self.side, self.main, self.filter = bench, side, main, ""

    async def build(self) -> None:
        ready = await layout.getting_ready(self.bench, self.main)
        self.library = await self.bench.previews.call("library")
        with self.side:
            names = {one["name"]: one["title"] for one in self.library}
            self.select = ui.select(names, value=draft()["vehicle"].get("name"), label="Vehicle of the library")
            self.select.props("dense outlined options-dense data-testid=library")
            self.select.on_value_change(lambda e: self.choose(e.value))
            forms.upload("or your own file (TOML)", self.upload, LARGEST_TEXT, self.tell, ".toml").props(
                "data-testid=upload"
            )
            self.trouble = ui.label().classes("k-error k-small").props("data-testid=trouble")
            self.fields = ui.column().classes("w-full gap-2")
        await self.load()
        if ready is not None and not ready.is_deleted:
            ready.delete()

    def tell(self, text: str) -> None:
        self.trouble.text = text

    async def load(self) -> None:
        """Everything anew from the draft."""
        try:
            self.view = await self.bench.previews.call("vehicle", plain(draft()["vehicle"]), self.bench.uploads)
        except InputError as error:
            self.trouble.text = str(error)
            return
        self.trouble.text = ""
        self.form()
        self.show()

    def form(self) -> None:
        changed = [one for one in self.view["parameters"] if one["changed"]]
        self.fields.clear()
        with self.fields:
            for one in self.view["selections"]:
                select = ui.select(
                    list(one["words"]), value=one["chosen"], label=one["keyword"].replace("_", " "),
                    on_change=lambda e, k=one["keyword"]: self.option(k, e.value),
                )  # fmt: skip
                layout.hint(select.props("dense outlined options-dense"), one["line"])
            with ui.row().classes("items-center w-full no-wrap"):
                search = ui.input("Search values", value=self.filter).props(
                    "dense outlined clearable debounce=250"
                )
                search.props("data-testid=search").on_value_change(lambda e: self.search(e.value or ""))
            if changed:
                with ui.row().classes("items-center w-full no-wrap"):
                    ui.label(f"{len(changed)} changed").classes("k-changed-mark").props("data-testid=changed")
                    ui.space()
                    ui.button("Reset all", icon="undo", on_click=self.reset_all).props("flat dense size=sm")
                with ui.column().classes("w-full gap-0").props("data-testid=changes"):
                    for one in changed:
                        now = f"{one['text']} {forms.shown_unit(one['unit'])}".strip()
                        ui.label(f"{one['name']}: {now}, was {one['before']}").classes("k-changed-mark k-small")
            self.list = ui.column().classes("w-full gap-2")
        self.parameters()

    def search(self, text: str) -> None:
        """Fields that do not fit are hidden, not removed: what was typed into others stays."""
        self.filter = text
        words = text.lower().replace("_", " ").split()
        for group, fields in self.groups:
            for told, field in fields:
                field.visible = all(word in told for word in words)
            group.visible = any(field.visible for _, field in fields)

    def parameters(self) -> None:
        self.list.clear()
        self.groups: list[tuple[ui.label, list[tuple[str, ui.input]]]] = []
        with self.list:
            last = None
            for one in self.view["parameters"]:
                if one["group"] != last:
                    last = one["group"]
                    self.groups.append((ui.label(last).classes("k-group"), []))
                told = f"{one['name']} {one['line']}".lower().replace("_", " ").replace(".", " ")
                self.groups[-1][1].append((told, self.field(one)))
        self.search(self.filter)

    def field(self, one: dict[str, Any]) -> ui.input:
        name = one["name"]
        short = name.partition(".")[2] if "." in name else name
        field = ui.input(short.replace("_", " ").replace(".", " "), value=one["text"])
        field.props(f'dense outlined suffix="{forms.shown_unit(one["unit"])}" hide-bottom-space')
        field.props["data-testid"] = f"value-{name}"  # names of a file may hold anything
        told = [part for part in (one["line"], one["allowed"], one["source"]) if part]
        if one["changed"]:
            field.classes("k-changed")
            told.insert(0, f"was {one['before']}")
            with field.add_slot("append"):
                undo = ui.button(icon="undo", on_click=lambda: self.reset(name)).props("flat dense size=sm")
                undo.props["aria-label"] = f"reset {name}"
        if told:
            layout.hint(field, "; ".join(told)[:300])

        async def keep() -> None:
            text = (field.value or "").strip()
            if text == one["text"]:
                field.error = None
                return
            whole = text if one["word"] else forms.typed(text, one["unit"])
            try:
                await self.bench.previews.call(
                    "change", plain(draft()["vehicle"]), name, whole, self.bench.uploads
                )  # fmt: skip
            except InputError as error:
                field.error = error.allowed if error.field in (name, short) else str(error)
                return
            set_change(name, whole)
            await self.load()

        return field.on("blur", keep).on("keydown.enter", keep)

    async def choose(self, name: str | None) -> None:
        if name is None or name == draft()["vehicle"].get("name"):
            return
        view = await self.bench.previews.call("summary", {"name": name}, self.bench.uploads)
        choose_vehicle({"name": name}, view["wheelsets"])
        await self.load()

    async def option(self, keyword: str, word: str) -> None:
        vehicle = draft()["vehicle"]
        vehicle["options"] = {**vehicle.get("options", {}), keyword: word}
        await self.load()

    async def reset(self, name: str) -> None:
        set_change(name, None)
        await self.load()

    async def reset_all(self) -> None:
        draft()["vehicle"].pop("changes", None)
        await self.load()

    async def upload(self, e: events.UploadEventArguments) -> None:
        """A file of one's own, or the lines that say what is wrong with it."""
        try:
            text = (await e.file.read()).decode("utf-8")
            found = await self.bench.previews.call("uploaded", text, e.file.name, self.bench.uploads, timeout=20.0)
            if found["kind"] != "vehicle":
                raise InputError(e.file.name, "a track file", "must be a vehicle; tracks belong to the next page")
            view = await self.bench.previews.call("summary", {"description": text}, self.bench.uploads)
        except UnicodeDecodeError:
            self.trouble.text = f"{e.file.name}: must be text in UTF-8"
            return
        except InputError as error:
            self.trouble.text = str(error)
            return
        choose_vehicle({"description": text}, view["wheelsets"])
        self.select.value = None
        await self.load()

    def show(self) -> None:
        view = self.view
        self.main.clear()
        with self.main:
            with ui.column().classes("k-card"):
                ui.label(view["title"]).classes("k-title").props("data-testid=title")
                ui.label(f"{view['name']}: {view['template']}").classes("k-muted")
                for line in view["odd"]:
                    ui.label(f"looks odd: {line}").classes("k-error")
                VehicleDrawing(view["drawing"])
            self.doors()
            with ui.column().classes("k-card"):
                ui.label("Suspension, moved slowly to and fro").classes("k-head")
                ui.label("Solid: an amplitude that shows the whole law; dashed: a smaller one.").classes(
                    "k-muted k-small"
                )
                Curves(view["loops"][:MOST_LOOPS])
            with ui.column().classes("k-card"):
                ui.label("Description").classes("k-head")
                self.description()

    def doors(self) -> None:
        """The same vehicle by command and by Python."""
        command, python = equivalent.vehicle(plain(draft()["vehicle"]))
        with (
            ui.expansion("The same from the command line and from Python").classes("w-full k-card").props("dense")
        ):
            layout.code("Command", command, "command")
            layout.code("Python", python, "python")

    def description(self) -> None:
        view = self.view
        with ui.element("table").classes("k-table k-small"):
            with ui.element("tr"):
                for word in (
                    "body",
                    "mass",
                    "inertia about x / y / z",
                    "centre of mass x / y / z",
                    "free to move",
                ):
                    with ui.element("th"):
                        ui.label(word)
            for body in view["bodies"]:
                with ui.element("tr"):
                    for key in ("name", "mass", "inertia", "position", "free"):
                        with ui.element("td"):
                            ui.label(body[key])
        if view["loads"]:
            ui.label("Static loads, in the position drawn").classes("k-group")
            layout.figures(view["loads"])
        ui.label("Where the values come from").classes("k-group")
        for source in view["sources"] or ["no sources are given"]:
            ui.label(source).classes("k-small")
