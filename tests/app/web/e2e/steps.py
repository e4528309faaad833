"""Steps that several tests take."""

import json
import re
import time
import urllib.request
from collections.abc import Callable

from playwright.sync_api import Locator, Page, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from tests.app.web.browser import PATIENCE

expect.set_options(timeout=PATIENCE)


def statuses(server) -> list[dict]:
    with urllib.request.urlopen(f"{server.address}/api/runs") as answer:
        return json.load(answer)


def start_run(page: Page, server, duration: str | None = None) -> str:
    """From the form; id of the run."""
    before = {one["id"] for one in statuses(server)}
    page.goto(f"{server.address}/simulate")
    expect(page.get_by_test_id("run")).to_be_enabled()
    if duration is not None:
        fill(page, "duration", duration)
        expect(page.get_by_test_id("toml")).to_contain_text(f"duration = {float(duration.removesuffix(' s'))}")
    page.get_by_test_id("run").click()
    page.get_by_test_id("open-run").wait_for()
    (new,) = [one["id"] for one in statuses(server) if one["id"] not in before]
    return new


def choose_vehicle(page: Page, server, title: str) -> None:
    """Of the library, by its whole title."""
    page.goto(f"{server.address}/vehicle")
    page.get_by_test_id("library").click()
    page.get_by_role("option").get_by_text(title, exact=True).click()
    expect(page.get_by_test_id("title")).to_have_text(title)


def pick(page: Page, name: str, words: str, typed: bool = False) -> None:
    """An option of a select; a list that closes because the page around it changes is opened again."""
    option = page.get_by_role("option").get_by_text(words, exact=True).first
    for _ in range(20):
        page.get_by_test_id(name).click()
        if typed:
            page.get_by_test_id(name).fill(words)
        try:
            option.click(timeout=3000)
            return
        except PlaywrightTimeout:
            page.keyboard.press("Escape")
    raise AssertionError(f"{words} cannot be chosen")


def fill(page: Page, name: str, text: str) -> None:
    field = page.get_by_test_id(name)
    field.fill(text)
    field.press("Enter")


def wait_done(page: Page, word: str = "done") -> None:
    expect(page.get_by_test_id("state").first).to_have_text(word)


def points(page: Page) -> int:
    """How many points the first chart has. Between two looks it may be drawn anew, and have none for a moment."""
    charts = page.get_by_test_id("charts").first
    end = time.monotonic() + PATIENCE / 1e3
    while True:
        expect(charts).to_have_attribute("data-points", re.compile(r"[1-9]\d*"))
        found = int(charts.get_attribute("data-points") or 0)
        if found > 0 or time.monotonic() > end:
            return found


def repeat(action: Callable[[], object], place: Callable[[], Locator], words: re.Pattern[str]) -> None:
    """A movement of the pointer until it shows what it should: one over a chart that is drawn anew is lost."""
    end = time.monotonic() + PATIENCE / 1e3
    while True:
        action()
        try:
            expect(place()).to_have_text(words, timeout=5000)
            return
        except AssertionError:
            if time.monotonic() > end:
                raise
            page = place().page
            page.mouse.move(1, 1)  # the next movement is one
