"""A run on a page: state, progress, buttons, charts. The same on its own page and beside the form."""

import shlex
import time
from collections.abc import Callable
from typing import Any

from nicegui import ui

from klingel._errors import InputError
from klingel.app.web import layout
from klingel.app.web.components.charts import Charts
from klingel.app.web.components.curves import Curves
from klingel.app.web.components.spectrum import Spectrum
from klingel.app.web.helper import HelperError
from klingel.app.web.store import BRANCH, DONE, PAUSED, REST, RUN, RUNNING, STOPPED, SWEEP
from klingel.app.web.workbench import Workbench

LOOPS, SPECTRA = "loops", "spectra"
# quick plot -> kind of picture of `klingel plot` that shows the same
QUICK = {
    "lateral": "lateral", "longitudinal suspension": "longitudinal", "lateral suspension": "lateral",
    "vertical suspension": "vertical", "wheelsets": "wheelset", LOOPS: "hysteresis", SPECTRA: "spectrum",
}  # fmt: skip
ORDERED = ("time", "distance")  # what curves may go over; over anything else they turn back
UNITS = {RUN: "s", SWEEP: "points", BRANCH: "motions", REST: "coordinates"}  # of how far work is
LAST = 2.0  # seconds of the end of a run that loops show
MOST_LOOPS = 12


class StatusStrip:
    """State, numbers and buttons of one run; looks again twice a second while it lives."""

    def __init__(self, bench: Workbench, id: str, on_end: Callable[[], Any] | None = None):
        self.bench, self.id, self.on_end = bench, id, on_end
        self.seen = ""
        self.alive = bench.registry.status(id).alive
        with ui.column().classes("w-full gap-1"):
            self.line = ui.row().classes("items-center w-full gap-3")
            self.bar = ui.linear_progress(show_value=False, size="6px").props("instant-feedback")
            self.told = ui.label().classes("k-muted k-small").props("data-testid=progress")
            self.message = ui.label().props("data-testid=message")
        self.look()
        self.timer = ui.timer(0.4, self.look)

    async def ended(self) -> None:
        if self.on_end is not None:
            found = self.on_end()
            if found is not None:
                await found

    def look(self) -> Any:
        try:
            status = self.bench.registry.status(self.id)
        except InputError:
            self.timer.deactivate()
            self.message.text = "this run was removed"
            return None
        self.bar.value = status.fraction
        self.bar.visible = status.alive
        unit = UNITS.get(status.kind, "pieces of work")
        parts = [f"{status.simulated:.4g} of {status.whole:.4g} {unit}"] if status.whole else []
        parts += [f"{status.events} events", f"{status.steps} steps"] if status.kind == RUN else []
        parts += [f"{layout.told_time(status.wall)} of computing"] if status.wall else []
        parts += [f"{layout.told_time(status.compiled)} of compiling before"] if status.compiled else []
        if status.state == RUNNING and not status.whole and status.started:
            parts = [f"{time.time() - status.started:.0f} s since the start"]
        parts += [layout.left(status)] if status.alive and layout.left(status) else []
        self.told.text = " · ".join(parts)
        self.message.text = status.message
        self.message.classes(replace="k-error" if status.state == "failed" else "k-muted")
        if status.state != self.seen:
            self.seen = status.state
            self.buttons(status.state, status.kind)
        if self.alive and not status.alive:
            self.alive = False
            return self.ended()
        self.alive = status.alive
        return None

    def buttons(self, state: str, kind: str) -> None:
        registry, id = self.bench.registry, self.id
        self.line.clear()
        with self.line:
            layout.StateMark(state)
            ui.space()
            if state == RUNNING and kind == RUN:
                _button("Pause", "pause", lambda: registry.pause(id))
            if state == PAUSED:
                _button("Resume", "play_arrow", lambda: registry.resume(id))
            if state in ("queued", RUNNING, PAUSED):
                _button("Stop", "stop", lambda: registry.stop(id))
            if state == STOPPED and kind in (RUN, SWEEP):
                _button("Continue", "play_arrow", lambda: self.go_on())
            if state == DONE and kind == RUN:
                _button("Prolong", "fast_forward", lambda: self.go_on(prolong=True))

    def go_on(self, prolong: bool = False) -> None:
        """From where it ended; a finished run for as long again."""
        status = self.bench.registry.status(self.id)
        try:
            self.bench.registry.go_on(self.id, 2.0 * status.whole if prolong else None)
        except InputError as error:
            ui.notify(str(error), type="negative")
            return
        ui.navigate.to(f"/runs/{self.id}")


def _button(word: str, icon: str, action: Callable[[], object]) -> None:
    ui.button(word, icon=icon, on_click=action).props(
        f"outline dense no-caps padding='2px 10px' data-testid={word}"
    )


class Plots:
    """Quick plots and any quantity over any other."""

    def __init__(self, bench: Workbench, runs: list[tuple[str, str]], live: bool, first: list[list[str]]):
        self.bench, self.runs = bench, runs
        self.panels: dict[str, list[list[str]]] = {}
        self.names: list[str] = []
        self.x, self.chosen, self.bands = "time", "lateral", False
        self.bar = ui.row().classes("items-center w-full gap-2")
        self.place = ui.column().classes("w-full gap-1")
        self.foot = ui.row().classes("items-center w-full gap-3")
        with self.place:
            self.charts: Charts | None = Charts(runs, first, live=live) if first else None
            if not first and live:
                ui.label("The first rows appear here as soon as they are computed.").classes("k-muted")
                self.waiting = ui.timer(0.2, self.begin)

    def begin(self) -> None:
        """Charts as soon as there is something to show."""
        panels = live_panels(self.bench.registry.live(self.runs[0][0]))
        if panels and self.charts is None:
            self.place.clear()
            with self.place:
                self.charts = Charts(self.runs, panels, live=True)

    async def load(self) -> None:
        """When the result is there."""
        id = self.runs[0][0]
        path = str(self.bench.store.result(id))
        try:
            self.panels = await self.bench.previews.call("panels", path)
            self.names = (await self.bench.read(id)).quantities()
        except (InputError, HelperError) as error:
            with self.place:
                ui.label(str(error).splitlines()[0]).classes("k-error")
            return
        if not self.panels:
            with self.place:
                ui.label("nothing to plot: this run has no rows").classes("k-muted")
            return
        self._controls()
        self.show()

    def _controls(self) -> None:
        self.bar.clear()
        with self.bar:
            words = [word for word in QUICK if word in self.panels]
            quick = ui.toggle(words, value=self.chosen if self.chosen in words else words[0])
            quick.props(
                "dense no-caps unelevated padding='4px 10px' toggle-color=primary data-testid=quick"
            ).on_value_change(lambda e: self.pick(e.value))
            if len(self.runs) == 1:
                modes = ui.checkbox("modes", value=self.bands, on_change=lambda e: self.set_bands(bool(e.value)))
                layout.hint(modes.props("dense data-testid=modes"), "bands: who is in which mode, and when")
            ui.space()
            others = [name for name in self.names if name not in ORDERED]
            over = ui.select([*ORDERED, *others], value=self.x, label="over", with_input=True)
            over.props("dense outlined options-dense data-testid=over").classes("w-32")
            over.on_value_change(lambda e: self.over(e.value or "time"))
            self.search = ui.select(self.names, multiple=True, with_input=True, label="any quantity")
            self.search.props("dense outlined options-dense use-chips data-testid=quantity").classes("w-44")
            self.search.on_value_change(lambda e: self.any(e.value))

    def pick(self, word: str | None) -> None:
        if word:
            self.chosen = word
            self.show()

    def over(self, x: str) -> None:
        self.x = x
        self.show()

    def set_bands(self, shown: bool) -> None:
        self.bands = shown
        if self.charts is not None:
            self.charts.set_bands(shown)

    def any(self, names: list[str]) -> None:
        """Quantities chosen by name: one panel for each kind; spectra of them where spectra are shown."""
        if self.chosen == SPECTRA:
            self.panels[SPECTRA] = [names] if names else []
            self.show()
            return
        self.chosen = "" if names else "lateral"
        groups: dict[str, list[str]] = {}
        for name in names:
            groups.setdefault(name.rpartition(".")[2], []).append(name)
        self.panels[""] = list(groups.values())
        self.show()

    def show(self) -> None:
        """Changing a picture never runs or stops anything."""
        panels = self.panels.get(self.chosen) or next(iter(self.panels.values()))
        self.place.clear()
        with self.place:
            if self.chosen == LOOPS:
                self.charts = None
                self._loops(panels)
            elif self.chosen == SPECTRA:
                self.charts = None
                Spectrum(self.runs, [name for row in self.panels[SPECTRA] for name in row])
            elif self.x not in ORDERED:
                self.charts = None
                pairs = [[self.x, name] for row in panels for name in row if name != self.x]
                Curves(runs=self.runs, pairs=pairs[:MOST_LOOPS])
            else:
                self.charts = Charts(self.runs, panels, self.x, bands=self.bands)
        self._same(panels)

    def _same(self, panels: list[list[str]]) -> None:
        """The picture of `klingel plot` of what is shown, and its command."""
        kind = QUICK.get(self.chosen, "compare" if len(self.runs) > 1 else "lateral")
        names = [] if self.chosen in QUICK else list(dict.fromkeys(name for row in panels for name in row))
        first, others = self.runs[0][0], [id for id, _ in self.runs[1:]]
        query = f"kind={'compare' if others else kind}&names={','.join(names)}&other={','.join(others)}"
        words = ["klingel", "plot", f"{first}/run.nc", "--kind", "compare" if others else kind]
        words += [part for id in others for part in ("--with", f"{id}/run.nc")]
        words += ["--quantity", ",".join(names)] if names else []
        self.foot.clear()
        with self.foot:
            ui.label("As a picture:").classes("k-muted k-small")
            for form in ("png", "svg", "pdf"):
                address = f"/api/runs/{first}/picture.{form}?{query}"
                ui.link(form.upper(), address).classes("k-link k-small")
            ui.label(shlex.join(words)).classes("k-code k-inline").props("data-testid=plot-command")

    def _loops(self, pairs: list[list[str]]) -> None:
        status = self.bench.registry.status(self.runs[0][0])
        end = status.simulated
        ui.label(f"force over deformation, the last {min(LAST, end):g} s").classes("k-muted k-small")
        Curves(runs=self.runs, pairs=pairs[:MOST_LOOPS], window=(max(0.0, end - LAST), end))
        if len(pairs) > MOST_LOOPS:
            ui.label(f"{MOST_LOOPS} of {len(pairs)} elements").classes("k-muted k-small")


def live_panels(live: dict[str, Any]) -> list[list[str]]:
    """What is shown while a run goes on: lateral motion and yaw."""
    found = [[n for n in live if n.endswith(".y")][:8], [n for n in live if n.endswith(".yaw")][:8]]
    return [row for row in found if row]
