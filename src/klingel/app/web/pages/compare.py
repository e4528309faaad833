"""Two runs side by side: what differs in their inputs, what differs in their outputs, curves over each other."""

from nicegui import ui

from klingel._errors import InputError
from klingel.app.web import layout
from klingel.app.web.run_view import Plots
from klingel.app.web.workbench import Workbench

PYTHON = """import klingel as kg

one, other = kg.load_run("{one}/run.nc"), kg.load_run("{other}/run.nc")
for run in (one, other):
    print(run.request.speed, run.ended, run.stats.events)"""


def register(bench: Workbench) -> None:
    @layout.page("/compare/{one}/{other}")
    async def compare(one: str, other: str) -> None:
        with layout.frame(bench, "/runs", "Compare"), ui.column().classes("k-whole"):
            try:
                titles = [bench.registry.status(id).title for id in (one, other)]
                paths = [str(bench.store.result(id)) for id in (one, other)]
                ready = await layout.getting_ready(bench, ui.context.slot.parent)
                found = await bench.previews.call("differences", *paths)
                if ready is not None:
                    ready.delete()
            except InputError as error:
                ui.label(str(error)).classes("k-error")
                ui.link("All runs", "/runs").classes("k-link")
                return
            with ui.row().classes("w-full no-wrap items-start gap-3 k-beside"):
                for title, rows in (
                    ("What differs in the inputs", found["inputs"]),
                    ("Outputs", found["outputs"]),
                ):
                    with ui.column().classes("k-card"):
                        ui.label(title).classes("k-head")
                        _table(rows, [(titles[0], one), (titles[1], other)])
            with ui.column().classes("k-card"):
                ui.label("Solid: first run, dashed: second run").classes("k-muted k-small")
                plots = Plots(bench, [(one, "first"), (other, "second")], live=False, first=[])
                await plots.load()
                ui.link(
                    "Picture of both (SVG)", f"/api/runs/{one}/picture.svg?kind=compare&other={other}"
                ).classes("k-link")  # fmt: skip
            with ui.column().classes("k-card"):
                layout.code("Python", PYTHON.format(one=one, other=other), "python")


def _table(rows: list[dict[str, str]], runs: list[tuple[str, str]]) -> None:
    if not rows:
        ui.label("nothing").classes("k-muted")
        return
    with ui.element("table").classes("k-table k-small").props("data-testid=differences"):
        with ui.element("tr"):
            with ui.element("th"):
                ui.label("")
            for number, (title, id) in zip(("first", "second"), runs, strict=True):
                with ui.element("th"):
                    ui.link(f"{number}: {title}", f"/runs/{id}").classes("k-link")
        for row in rows:
            with ui.element("tr"):
                for key in ("name", "first", "second"):
                    with ui.element("td"):
                        ui.label(row[key])
