"""The frame of every page: header, navigation in the order of work, tray of what runs now."""

from collections.abc import Iterator
from contextlib import contextmanager

from nicegui import app, ui

from klingel.app.web import static_files, theme
from klingel.app.web.store import Status
from klingel.app.web.workbench import Workbench

PAGES = (
    ("/vehicle", "train", "Vehicle"),
    ("/contact", "adjust", "Track and contact"),
    ("/simulate", "play_arrow", "Simulate"),
    ("/runs", "list", "Runs"),
    ("/diagram", "scatter_plot", "Diagram"),
    ("/critical", "speed", "Critical speed"),
    ("/reproduce", "fact_check", "Reproduce"),
)
READY = "Getting ready: the first page after a start takes some seconds."
IS_DARK = "document.body.classList.contains('body--dark')"
SLOW = 600.0  # a page may wait for its answers on a busy machine [s]


def page(address: str) -> ui.page:
    """A page at an address; one that is slow to build is slow, not an error."""
    return ui.page(address, response_timeout=SLOW)


@contextmanager
def frame(bench: Workbench, here: str, title: str) -> Iterator[None]:
    """Everything below is the content of the page."""
    version = static_files.version()
    ui.add_head_html(f"<style>{theme.variables()}</style>")
    ui.add_head_html(f'<link rel="stylesheet" href="/static/app.css?{version}">')
    ui.page_title(f"{title} · klingel")
    ui.colors(primary=theme.ACCENT, negative=theme.LIGHT["error"])
    dark = ui.dark_mode(value=app.storage.user.get("dark"))
    with ui.header().classes("k-header items-center no-wrap"):
        ui.link("klingel", "/simulate").classes("text-lg font-bold")
        ui.label(title).classes("ellipsis").style("opacity: 0.85")
        ui.space()
        tray(bench)
        theme_button = ui.button(icon="brightness_6").props(
            'flat dense color=white aria-label="light or dark" data-testid=theme'
        )
        theme_button.on("click", lambda e: switch(dark, bool(e.args)), js_handler=f"() => emit({IS_DARK})")
    with ui.left_drawer(value=True, fixed=True, bordered=False).props("width=190 breakpoint=800").classes("k-nav"):
        for address, icon, word in PAGES:
            with ui.link(target=address).classes("k-here" if address == here else ""):
                ui.icon(icon)
                ui.label(word)
    yield


async def getting_ready(bench: Workbench, place: ui.element) -> ui.element | None:
    """Shown at once where answers come from a process that is only starting, or busy with another question."""
    if bench.previews.free:
        return None
    with place:
        note = ui.label(READY).classes("k-muted")
    await ui.context.client.connected()
    return note


def switch(dark: ui.dark_mode, now: bool) -> None:
    """To the other theme; before that, it is that of the system, which the browser knows."""
    dark.value = not now
    app.storage.user["dark"] = dark.value


def tray(bench: Workbench) -> None:
    """What runs and waits, on every page."""
    with ui.link(target="/runs").props("data-testid=tray").classes("text-sm"):
        told = ui.label()

    def look() -> None:
        states = [status.state for status in bench.registry.statuses() if status.alive]
        running = len(states) - states.count("queued")
        waiting = f", {states.count('queued')} waiting" if "queued" in states else ""
        told.text = f"{running} running{waiting}" if states else "nothing runs"

    look()
    ui.timer(1.0, look)


class StateMark:
    """Icon and word."""

    def __init__(self, state: str):
        with ui.element("span").classes("k-state"):
            self.icon = ui.icon("")
            self.word = ui.label().props("data-testid=state")
        self.tell(state)

    def tell(self, state: str) -> None:
        self.icon.name, self.word.text = theme.STATES[state]


def hint(element: ui.element, text: str) -> None:
    """Words under the pointer, by the browser itself: elements that hold them get lost when a page is redrawn."""
    element.props["title"] = text


def told_time(seconds: float) -> str:
    if seconds < 60:
        return f"{seconds:.3g} s"
    return f"{seconds / 60:.1f} min" if seconds < 3600 else f"{seconds / 3600:.1f} h"


def left(status: Status) -> str:
    """Computing time that is left, as far as it can be told."""
    if status.fraction < 0.02 or not status.wall:
        return ""
    return f"about {told_time(status.wall * (1 / status.fraction - 1))} left"


def figures(rows: dict[str, str] | list[tuple[str, str]]) -> None:
    """A small table of words and numbers; pairs where words occur more than once."""
    with ui.element("table").classes("k-figures"):
        for name, value in rows.items() if isinstance(rows, dict) else rows:
            with ui.element("tr"):
                with ui.element("th"):
                    ui.label(name)
                with ui.element("td"):
                    ui.label(value)


def code(title: str, text: str, test: str = "") -> None:
    """Something to copy."""
    with ui.row().classes("items-center w-full no-wrap"):
        ui.label(title).classes("k-group")
        ui.space()
        ui.button(icon="content_copy", on_click=lambda: _copy(text)).props(
            f'flat dense size=sm aria-label="copy {title}"'
        )
    ui.label(text).classes("k-code").props(f"data-testid={test}" if test else "")


def _copy(text: str) -> None:
    ui.clipboard.write(text)
    ui.notify("copied")
