"""A server as a user starts it, and Chromium driven by Playwright: no error, no request to elsewhere."""

from collections.abc import Iterator

import pytest

from tests.app.web.browser import BROWSER, FLAGS, PATIENCE, REQUIRED, Server


@pytest.fixture(scope="session")
def server(tmp_path_factory) -> Iterator[Server]:
    found = Server(tmp_path_factory.mktemp("workbench") / "runs")
    yield found
    found.stop()


@pytest.fixture(scope="session")
def browser():
    if BROWSER is None:
        if REQUIRED:
            pytest.fail("chromium is not installed, and KLINGEL_BROWSER=required")
        pytest.skip("chromium is not installed: the workbench is not tried in a browser")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        found = driver.chromium.launch(executable_path=BROWSER, headless=True, args=FLAGS)
        yield found
        found.close()


class Watch:
    """Errors of a page; `allowed` are parts of messages that the test provokes."""

    def __init__(self, page):
        self.found: list[str] = []
        self.allowed: list[str] = []
        page.on("console", lambda m: self.note(m.text) if m.type == "error" else None)
        page.on("pageerror", lambda e: self.note(str(e)))
        page.on("request", lambda r: None if _own(r.url) else self.note(f"request to {r.url}"))
        page.on("response", lambda r: self.note(f"{r.status} {r.url}") if r.status >= 500 else None)

    def note(self, text: str) -> None:
        self.found.append(text)

    def check(self) -> None:
        assert [text for text in self.found if not any(part in text for part in self.allowed)] == []


def _own(url: str) -> bool:
    return url.startswith(("http://127.0.0.1:", "ws://127.0.0.1:", "data:", "blob:"))


@pytest.fixture
def page(browser):
    """A new browser, so to say: no cookies of other tests."""
    context = browser.new_context(viewport={"width": 1440, "height": 900}, accept_downloads=True)
    context.set_default_timeout(PATIENCE)
    found = context.new_page()
    found.watch = Watch(found)
    yield found
    found.watch.check()
    context.close()
