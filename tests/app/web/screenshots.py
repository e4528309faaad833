"""`make screenshots`: every page of the workbench at two widths, light and dark, into docs/assets.

A two-axle wagon and a bogie; pages are shown with something in them. Look at each picture.
"""

import io
import re
import tempfile
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.app.web.browser import BROWSER, FLAGS, PATIENCE, Server
from tests.app.web.e2e.steps import choose_vehicle, fill, points, start_run, statuses, wait_done
from tests.app.web.requests import wait_until

ASSETS = Path(__file__).resolve().parents[3] / "docs" / "assets"
SIZES = ((1440, 900), (1024, 768))
CONES = "Cooperrider bogie, half a passenger car on conical wheels"
BOGIES = "Passenger car on two Cooperrider bogies, S1002 wheels (Bigoni 2011)"
COLOURS = 128  # of a picture: pages are flat, and small files are kept for ever


def prepare(browser: Browser, server: Server, only: str) -> tuple[dict[str, str], Any]:
    """Runs and a sweep to show, and what the browser remembers; addresses by name."""
    context = browser.new_context()
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    wagon = start_run(page, server)
    wait_done(page)
    fill(page, "speed", "20 m/s")
    expect(page.get_by_test_id("command")).to_contain_text("20m/s")
    page.get_by_test_id("run").click()
    wait_until(lambda: [one["state"] for one in statuses(server)] == ["done", "done"])
    second = statuses(server)[0]["id"]
    page.goto(f"{server.address}/diagram")
    fill(page, "speeds", "24:10:-2")
    page.get_by_test_id("sweep").click()
    page.wait_for_url("**/diagram/*")
    wait_done(page)
    sweep = page.url.rpartition("/")[2]
    choose_vehicle(page, server, CONES)
    branch = followed(page, server)
    choose_vehicle(page, server, BOGIES)
    bogie_page = context.storage_state()
    page.goto(f"{server.address}/simulate")
    fill(page, "speed", "62 m/s")  # where it hunts
    expect(page.get_by_test_id("toml")).to_contain_text("speed = 62.0")
    bogie = start_run(page, server, "10 s")
    wait_done(page)
    critical = critical_speed(page, server) if re.search(only, "critical") else ""
    computed(page, server)
    context.close()
    found = {"wagon": wagon, "second": second, "sweep": sweep, "branch": branch}
    return {**found, "bogie": bogie, "critical": critical}, bogie_page


def followed(page: Page, server: Server) -> str:
    """A branch of the bogie on cones, and a sweep over it; id of the sweep."""
    page.goto(f"{server.address}/diagram")
    page.get_by_test_id("more-branch").click()
    page.get_by_test_id("branch").click()  # the range that stands there
    page.wait_for_url("**/diagram/*branch*")
    wait_done(page)
    fill(page, "speeds", "70:58:-1")
    page.get_by_test_id("sweep").click()
    page.wait_for_url("**/diagram/*down*")
    wait_done(page)
    return page.url.rpartition("/")[2]


def computed(page: Page, server: Server) -> None:
    """Some published numbers beside those of this engine."""
    page.goto(f"{server.address}/reproduce")
    for number, name in enumerate(("2mm", "4mm", "6mm"), 1):
        page.get_by_test_id(f"compute-en15302-e1-{name}").click()
        expect(page.get_by_test_id("count")).to_contain_text(f"{number} reproduced")


def critical_speed(page: Page, server: Server) -> str:
    """Of the bogie, where it begins to hunt; id of the result."""
    page.goto(f"{server.address}/critical")
    for name, text in (("slowest", "45 m/s"), ("fastest", "70 m/s"), ("seeds", "1")):
        fill(page, name, text)
    page.get_by_test_id("critical").click()
    page.wait_for_url("**/critical/*")
    wait_done(page)
    return page.url.rpartition("/")[2]


def shots(ids: dict[str, str]) -> dict[str, tuple[str, str]]:
    """Name of a picture -> address, and which browser sees it."""
    return {
        "vehicle": ("/vehicle", "new"),
        "vehicle-bogie": ("/vehicle", "bogie"),
        "contact": ("/contact", "new"),
        "simulate": ("/simulate", "new"),
        "runs": ("/runs", "new"),
        "run": (f"/runs/{ids['wagon']}", "new"),
        "run-bogie": (f"/runs/{ids['bogie']}", "new"),
        "modes": (f"/runs/{ids['wagon']}", "new"),
        "loops": (f"/runs/{ids['wagon']}", "new"),
        "spectra": (f"/runs/{ids['wagon']}", "new"),
        "animation": (f"/runs/{ids['wagon']}", "new"),
        "animation-bogie": (f"/runs/{ids['bogie']}", "new"),
        "files": (f"/runs/{ids['wagon']}", "new"),
        "compare": (f"/compare/{ids['wagon']}/{ids['second']}", "new"),
        "diagram": (f"/diagram/{ids['sweep']}", "new"),
        "diagram-branch": (f"/diagram/{ids['branch']}", "new"),
        "critical": (f"/critical/{ids['critical']}", "bogie"),
        "reproduce": ("/reproduce", "new"),
    }


def settle(page: Page, name: str) -> None:
    """Until the page shows what it is for."""
    kind = name.partition("-")[0]
    if kind in ("run", "compare"):
        points(page)
    if kind in ("run", "loops", "modes", "spectra", "animation", "files"):
        page.get_by_test_id("quick").wait_for()
    if kind == "loops":
        page.get_by_test_id("quick").get_by_text("loops", exact=True).click()
        page.get_by_test_id("curves").locator("svg").first.wait_for()
    if kind == "spectra":
        page.get_by_test_id("quick").get_by_text("spectra", exact=True).click()
        page.get_by_test_id("spectrum-note").filter(has_text="Strongest").wait_for()
    if kind == "modes":
        modes_of_a_second(page)
    if kind == "animation":
        page.get_by_test_id("tab-Animation").click()
        expect(page.get_by_test_id("wagon")).to_have_attribute("data-frames", re.compile(r"\d+"))
        page.get_by_test_id("scrub").fill("700")
    if kind == "files":
        page.get_by_test_id("tab-Files").click()
    waits = {
        "vehicle": "drawing",
        "contact": "shift",
        "diagram": "scatter",
        "reproduce": "claims",
        "simulate": "command",
    }
    if kind == "simulate":
        page.get_by_test_id("run").click()
        wait_done(page)
        page.get_by_test_id("quick").wait_for()
        points(page)
    if kind == "critical":
        drawn = page.get_by_test_id("picture").locator("img").first
        page.wait_for_function("i => i.complete && i.naturalWidth > 100", arg=drawn.element_handle())
    if kind in waits:
        page.get_by_test_id(waits[kind]).first.wait_for()
    page.wait_for_timeout(1200)


def modes_of_a_second(page: Page) -> None:
    """A short part with its bands, scrolled to."""
    panel = page.get_by_test_id("charts").locator(".u-over").first
    box = panel.bounding_box()
    assert box is not None
    y = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + 0.5 * box["width"], y)
    page.mouse.down()
    page.mouse.move(box["x"] + 0.56 * box["width"], y, steps=4)
    page.mouse.up()
    page.wait_for_function("document.querySelector('[data-testid=charts]').klingel.window")
    page.get_by_test_id("modes").click()
    expect(page.get_by_test_id("charts")).to_have_attribute("data-bands", re.compile(r"[1-9]"))
    page.get_by_test_id("mode-note").scroll_into_view_if_needed()


def take(browser: Browser, server: Server, folder: Path, only: str = "") -> None:
    ids, bogie = prepare(browser, server, only)
    for width, height in SIZES:
        for theme in ("light", "dark"):
            for name, (address, who) in shots(ids).items():
                if not re.search(only, name):
                    continue
                context = browser.new_context(
                    viewport={"width": width, "height": height}, color_scheme=theme,  # type: ignore[arg-type]
                    storage_state=bogie if who == "bogie" else None,
                )  # fmt: skip
                context.set_default_timeout(PATIENCE)
                page = context.new_page()
                page.goto(server.address + address)
                settle(page, name)
                path = folder / f"app-{name}-{width}-{theme}.png"
                with Image.open(io.BytesIO(page.screenshot())) as picture:
                    picture.convert("RGB").quantize(COLOURS).save(path, optimize=True)
                print(path.name, flush=True)
                context.close()


def main() -> None:
    import sys

    ASSETS.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        server = Server(Path(folder) / "runs")
        browser = driver.chromium.launch(executable_path=BROWSER, headless=True, args=FLAGS)
        try:
            take(browser, server, ASSETS, *sys.argv[1:2])
        finally:
            browser.close()
            server.stop()


if __name__ == "__main__":
    main()
