"""`make bench-app`: how quick the workbench is, printed and never asserted.

First page, clicks while a simulation runs, 100 000 samples shown, first live sample after Run, frames per second,
and what two hundred runs leave behind.
"""

import os
import re
import tempfile
import time
from pathlib import Path

import numpy as np
from playwright.sync_api import Page, expect, sync_playwright

from tests.app.web.browser import BROWSER, FLAGS, PATIENCE, Server
from tests.app.web.e2e.steps import points, start_run, statuses, wait_done
from tests.app.web.many_runs import serve_many

CLICKS = 40
DRAWN = "Number(document.querySelector('[data-testid=charts]')?.dataset.points) > 0"
# times from the pointer's own clock to the frame that shows what a click did; the rest is that of the driver
WATCH = """() => {
    window.shown = [];
    let from = 0;
    document.addEventListener("click", (event) => { from = event.timeStamp; }, true);
    new MutationObserver(() => {
        const began = from;
        requestAnimationFrame(() => setTimeout(() => window.shown.push(performance.now() - began)));
    }).observe(document.body, { attributes: true, attributeFilter: ["class"] });
}"""
PLAIN = [*(flag for flag in FLAGS if "swiftshader" not in flag), "--disable-gpu"]
RUNS = 200


def row(name: str, value: float, unit: str, aim: str) -> None:
    print(f"{name:58s} {value:10.2f} {unit:4s} aim {aim}", flush=True)


def first_page(page: Page, server: Server) -> None:
    times = []
    for _ in range(5):
        before = time.perf_counter()
        page.goto(f"{server.address}/simulate")
        expect(page.get_by_test_id("run")).to_be_enabled()
        times.append(time.perf_counter() - before)
    row("first page, warm (median of 5)", float(np.median(times)), "s", "1")


def first_sample(page: Page, server: Server) -> None:
    """Just after the server was started, and later."""
    for when in ("server just started", "next run"):
        page.goto(f"{server.address}/simulate")
        expect(page.get_by_test_id("run")).to_be_enabled()
        before = time.perf_counter()
        page.get_by_test_id("run").click()
        page.wait_for_function(DRAWN)  # looks at every frame; what expects something looks once a second
        row(f"first live sample after Run, warm cache, {when}", time.perf_counter() - before, "s", "2")
        wait_done(page)


def clicks(page: Page, server: Server) -> None:
    """In a browser without the emulated graphics card of the animation, which takes seconds for a chart."""
    run = start_run(page, server, "19000 s")
    points(page)
    page.evaluate(WATCH)
    times = []
    for k in range(CLICKS):
        before = time.perf_counter()
        page.get_by_test_id("theme").click()
        page.wait_for_function("dark => document.body.classList.contains('body--dark') === dark", arg=k % 2 == 0)
        times.append(1e3 * (time.perf_counter() - before))
    row(f"clicks while a simulation runs, median of {CLICKS}", float(np.median(times)), "ms", "")
    row(f"clicks while a simulation runs, p95 of {CLICKS}", float(np.quantile(times, 0.95)), "ms", "200")
    page.wait_for_function("count => window.shown.length >= count", arg=CLICKS)
    shown = page.evaluate("window.shown")
    row("  of that in browser and server, p95", float(np.quantile(shown, 0.95)), "ms", "200")
    page.goto(f"{server.address}/runs/{run}")
    expect(page.get_by_test_id("state").first).to_have_text(re.compile("running|done"))
    if page.get_by_test_id("Stop").is_visible():
        page.get_by_test_id("Stop").click()
    expect(page.get_by_test_id("state").first).to_have_text(re.compile("stopped|done"))


def many_samples(page: Page, server: Server) -> None:
    run = start_run(page, server, "1000 s")
    wait_done(page)
    page.goto(f"{server.address}/runs/{run}")
    page.get_by_test_id("quick").wait_for()
    points(page)
    (status,) = [one for one in statuses(server) if one["id"] == run]
    rows = page.get_by_test_id("charts").evaluate("element => element.klingel.panels[0].rows")
    before = time.perf_counter()
    page.reload()
    page.get_by_test_id("quick").wait_for()
    points(page)
    row(f"run of {rows} rows shown ({status['simulated']:g} s)", time.perf_counter() - before, "s", "")


def frames(page: Page) -> None:
    page.get_by_test_id("tab-Animation").click()
    wagon = page.get_by_test_id("wagon")
    page.get_by_test_id("play").click()
    expect(wagon).to_have_attribute("data-frames", re.compile(r"\d\d"))
    first, before = int(wagon.get_attribute("data-frames") or 0), time.perf_counter()
    page.wait_for_timeout(5000)
    count = int(wagon.get_attribute("data-frames") or 0) - first
    row("frames of the animation (software rendering)", count / (time.perf_counter() - before), "1/s", "10")


def main() -> None:
    print(f"cores {os.cpu_count()}, load average {os.getloadavg()[0]:.1f}", flush=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        server = Server(Path(folder) / "runs")
        browser = driver.chromium.launch(executable_path=BROWSER, headless=True, args=FLAGS)
        context = browser.new_context(viewport={"width": 1440, "height": 900})
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        try:
            first_page(page, server)
            first_sample(page, server)
            plain = driver.chromium.launch(executable_path=BROWSER, headless=True, args=PLAIN)
            other = plain.new_context(viewport={"width": 1440, "height": 900}).new_page()
            other.set_default_timeout(PATIENCE)
            clicks(other, server)
            plain.close()
            many_samples(page, server)
            frames(page)
        finally:
            browser.close()
            server.stop()
        settled, *_, last = serve_many(Path(folder) / "many", RUNS)
        row(
            f"memory after {RUNS} runs, of that after {settled.runs}",
            last.memory / settled.memory,
            "",
            "1.1 at most",
        )
        row(f"file handles opened by runs {settled.runs} to {RUNS}", last.handles - settled.handles, "", "0")


if __name__ == "__main__":
    main()
