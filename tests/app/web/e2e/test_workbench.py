"""What a person does with the workbench, in a real browser against the real server."""

import re
import statistics
import time
import zipfile

import numpy as np
import pytest
from playwright.sync_api import expect

import klingel as kg
from klingel.io.vehicle.files import library_text
from tests.app.web.browser import Server
from tests.app.web.e2e.steps import fill, pick, points, repeat, start_run, statuses, wait_done
from tests.app.web.requests import wait_until

pytestmark = pytest.mark.slow


def test_every_page_opens(page, server):
    for address, word in (
        ("/", "Run"), ("/vehicle", "Hbbills 311"), ("/contact", "S1002 on UIC60"), ("/simulate", "Press Run"),
        ("/runs", "Compare"), ("/diagram", "Start the sweep"), ("/critical", "Find the critical speed"),
        ("/reproduce", "published numbers"),
    ):  # fmt: skip
        page.goto(server.address + address)
        expect(page.get_by_text(re.compile(word)).first).to_be_visible()
    page.goto(f"{server.address}/runs/nosuch")
    expect(page.get_by_text("is not in the run folder")).to_be_visible()


def test_first_run_plots_animation_and_report(page, server):
    run = start_run(page, server)
    assert points(page) > 100
    page.get_by_test_id("open-run").click()
    page.wait_for_url(f"**/runs/{run}")
    wait_done(page)
    page.get_by_test_id("quick").wait_for()
    for word in ("longitudinal suspension", "wheelsets"):
        page.get_by_test_id("quick").get_by_text(word, exact=True).click()
        shown = page.get_by_test_id("charts")
        expect(shown).to_have_attribute("data-points", re.compile(r"\d+"))
    page.get_by_test_id("quick").get_by_text("loops", exact=True).click()
    expect(page.get_by_test_id("curves").locator("svg").first).to_be_visible()
    page.get_by_test_id("quick").get_by_text("spectra", exact=True).click()
    expect(page.get_by_test_id("spectrum-note")).to_contain_text(re.compile(r"front wheelset 1\.7\d* Hz"))
    expect(page.get_by_test_id("plot-command")).to_contain_text("--kind spectrum")
    page.reload()
    page.get_by_test_id("quick").wait_for()
    assert points(page) > 100
    _zoom(page)
    _bands(page)
    page.get_by_test_id("tab-Animation").click()
    expect(page.get_by_test_id("wagon")).to_have_attribute("data-frames", re.compile(r"[1-9]\d*"))
    page.get_by_test_id("scrub").fill("700")
    expect(page.get_by_test_id("clock")).to_have_text("14.00 s")
    _cursor_moves_the_animation(page)
    page.get_by_test_id("play").click()
    expect(page.get_by_test_id("wagon")).to_have_attribute("data-frames", re.compile(r"\d\d+"))
    assert float(page.get_by_test_id("clock").text_content().removesuffix(" s")) > 0.0
    page.get_by_test_id("tab-Files").click()
    with page.expect_download() as waiting:
        page.get_by_text("Report with pictures").click()
    with zipfile.ZipFile(waiting.value.path()) as archive:
        text = archive.read("report/index.html").decode()
    assert "Hbbills 311" in text
    assert text.count("<img") >= 8
    with page.expect_download() as waiting:
        page.get_by_text("Run (netCDF)").click()
    stored = kg.load_run(waiting.value.path())
    assert stored.stats.simulated_time == pytest.approx(20.0)


def _zoom(page) -> None:
    """Drag over a part: fewer rows of it, and the events in it as marks."""
    panel = page.get_by_test_id("charts").locator(".u-over").first
    box = panel.bounding_box()
    y = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + 0.5 * box["width"], y)
    page.mouse.down()
    page.mouse.move(box["x"] + 0.52 * box["width"], y, steps=4)
    page.mouse.up()
    page.wait_for_function("document.querySelector('[data-testid=charts]').klingel.window")
    low, high = page.get_by_test_id("charts").evaluate("element => element.klingel.window")
    assert 9.0 < low < high < 11.0
    expect(page.get_by_test_id("chart-note")).to_have_text(re.compile(r"^\d+ changes of mode in view$"))


def _cursor_moves_the_animation(page) -> None:
    """The moment under the pointer in the plots, which show a part around ten seconds, is shown."""

    def point() -> None:
        page.get_by_test_id("tab-Plots").click()
        page.get_by_test_id("charts").locator(".u-over").first.hover()
        page.get_by_test_id("tab-Animation").click()

    repeat(point, lambda: page.get_by_test_id("clock"), re.compile(r"^10\.[12]\d s$"))


def test_animation_shows_the_stored_motion(page, server):
    """Displacements as often as asked for, and forces of the rails as arrows, at any moment."""
    run = start_run(page, server, "2 s")
    wait_done(page)
    page.goto(f"{server.address}/runs/{run}")
    page.get_by_test_id("quick").wait_for()  # a page that is being built may lose a click
    page.get_by_test_id("tab-Animation").click()
    wagon = page.get_by_test_id("wagon")
    expect(wagon).to_have_attribute("data-frames", re.compile(r"[1-9]\d*"))
    stored = kg.load_run(server.folder / run / "run.nc")
    page.get_by_test_id("scrub").fill("360")
    for times in (1, 20, 100):
        page.get_by_test_id("magnify").select_option(str(times))
        _wait_drawn(page, times)
        found = wagon.evaluate("element => element.klingel()")
        for name in ("front_wheelset", "carbody"):
            body = found["bodies"][name]
            moved = [new - old for new, old in zip(body["position"], body["home"], strict=True)]
            wanted = [times * _at(stored, f"{name}.{word}", found["time"]) for word in ("y", "z")]
            assert moved[1:] == pytest.approx(wanted, rel=1e-4, abs=1e-8 * times)
            yaw = times * _at(stored, f"{name}.yaw", found["time"])
            assert body["rotation"][2] == pytest.approx(yaw, rel=1e-4, abs=1e-8 * times)
    assert len(found["forces"]) == 4
    for force in found["forces"]:
        load, across = (_at(stored, f"{force['wheel']}.{word}", found["time"]) for word in ("Q", "Y"))
        assert force["length"] == pytest.approx(2.8e-5 * np.hypot(load, across), rel=1e-3)
        assert np.tan(-force["tilt"]) == pytest.approx(across / load, rel=1e-3, abs=1e-5)
    page.get_by_test_id("forces").uncheck()
    page.wait_for_function(f"{WAGON}.klingel().forces.length === 0")


WAGON = "document.querySelector('[data-testid=wagon]')"


def _wait_drawn(page, times: int) -> None:
    page.wait_for_function(
        f"(m => m.magnify === {times} && !m.dirty && Math.abs(m.time - 0.72) < 1e-6)({WAGON}.klingel())"
    )


def _at(run: kg.Run, name: str, time: float) -> float:
    return float(np.interp(time, run.time, run.values(name)))


def test_any_quantity_over_any_other(page, server):
    run = start_run(page, server, "2 s")
    wait_done(page)
    page.goto(f"{server.address}/runs/{run}")
    page.get_by_test_id("quick").wait_for()
    pick(page, "quantity", "carbody.roll", typed=True)
    page.keyboard.press("Escape")
    charts = page.get_by_test_id("charts")
    page.wait_for_function(
        "document.querySelector('[data-testid=charts]').klingel?.panels[0].names[0] === 'carbody.roll'"
    )
    pick(page, "over", "distance", typed=True)
    page.wait_for_function("document.querySelector('[data-testid=charts]').klingel?.panels[0].span[1] > 0")
    expect(charts).to_contain_text("distance [m]")
    pick(page, "over", "front_wheelset.yaw", typed=True)
    expect(page.get_by_test_id("curves").locator("svg")).to_have_count(1)
    expect(page.get_by_test_id("curves")).to_contain_text("yaw [mrad]")


def _bands(page) -> None:
    """Who is in which mode: a line for each element that changes in view, its mode under the pointer."""
    page.get_by_test_id("modes").click()
    charts = page.get_by_test_id("charts")
    expect(charts).to_have_attribute("data-bands", re.compile(r"[1-9]\d*"))
    repeat(
        lambda: charts.locator(".u-over").last.hover(position={"x": 40, "y": 6}),
        lambda: page.get_by_test_id("mode-note"),
        re.compile(r"(left|right).*: \w+"),
    )


def test_wagon_edited(page, server):
    page.goto(f"{server.address}/vehicle")
    expect(page.get_by_test_id("title")).to_contain_text("Hbbills 311")
    fill(page, "search", "carbody mass")
    field = page.get_by_test_id("value-carbody.mass")
    expect(page.get_by_test_id("value-wheelset.mass")).to_be_hidden()
    fill(page, "value-carbody.mass", "-5")
    expect(page.get_by_text("must be finite and positive")).to_be_visible()
    fill(page, "value-carbody.mass", "16 t")
    expect(page.get_by_test_id("changed")).to_have_text("1 changed")
    expect(page.get_by_test_id("changes")).to_have_text("carbody.mass: 16000 kg, was 15176 kg")
    expect(field).to_have_value("16000")
    page.goto(f"{server.address}/simulate")
    expect(page.get_by_test_id("command")).to_contain_text("--set carbody.mass=16t")
    page.reload()
    expect(page.get_by_test_id("command")).to_contain_text("--set carbody.mass=16t")
    page.goto(f"{server.address}/vehicle")
    page.get_by_text("Reset all").click()
    expect(page.get_by_test_id("changed")).to_have_count(0)


def test_long_run_paused_stopped_and_continued(page, server):
    run = start_run(page, server, "20000 s")
    points(page)
    delays = []
    for k in range(8):
        before = time.perf_counter()
        page.get_by_text("Accuracy and output").click()
        page.get_by_text("Relative tolerance").wait_for(state="visible" if k % 2 == 0 else "hidden")
        delays.append(1e3 * (time.perf_counter() - before))
    print(f"clicks while a simulation runs: median {statistics.median(delays):.0f} ms")
    page.reload()
    page.goto(f"{server.address}/runs/{run}")
    points(page)
    page.get_by_test_id("Pause").click()
    wait_done(page, "paused")
    page.get_by_test_id("Resume").click()
    wait_done(page, "running")
    page.get_by_test_id("Stop").click()
    wait_done(page, "stopped")
    page.get_by_test_id("quick").wait_for()
    (status,) = [one for one in statuses(server) if one["id"] == run]
    assert 0.0 < status["simulated"] < 20000.0
    assert points(page) > 100
    page.get_by_test_id("Continue").click()
    wait_done(page, "running")
    wait_until(lambda: _simulated(server, run) > status["simulated"])
    page.get_by_test_id("Stop").click()
    wait_done(page, "stopped")
    assert _simulated(server, run) > status["simulated"]


def _simulated(server, run: str) -> float:
    return next(one["simulated"] for one in statuses(server) if one["id"] == run)


def test_two_runs_compared(page, server):
    first = start_run(page, server, "2 s")
    wait_done(page)
    page.goto(f"{server.address}/runs/{first}")
    page.get_by_test_id("again").click()
    page.wait_for_url("**/simulate")
    expect(page.get_by_test_id("duration")).to_have_value("2")
    fill(page, "speed", "72 km/h")
    expect(page.get_by_test_id("command")).to_contain_text("72km/h")
    page.get_by_test_id("run").click()
    page.get_by_test_id("open-run").wait_for()
    wait_done(page)
    page.goto(f"{server.address}/runs")
    boxes = page.get_by_test_id("runs").get_by_role("checkbox")
    boxes.nth(0).click()
    boxes.nth(1).click()
    page.get_by_test_id("compare").click()
    page.wait_for_url("**/compare/**")
    expect(page.get_by_test_id("differences").first).to_contain_text("speed")
    assert points(page) > 100
    assert page.get_by_test_id("charts").evaluate("element => element.klingel.runs") == 2


def test_contact_moves_with_the_arrow_keys(page, server):
    page.goto(f"{server.address}/contact")
    page.get_by_test_id("shift").focus()
    expect(page.get_by_test_id("shift-value")).to_have_text("0.00 mm")
    before = page.locator("[data-contact=left]").get_attribute("cx")
    for _ in range(3):
        page.keyboard.press("Shift+ArrowRight")
    expect(page.get_by_test_id("shift-value")).to_have_text("1.50 mm")
    assert page.locator("[data-contact=left]").get_attribute("cx") != before
    assert float(page.get_by_test_id("difference").text_content().split()[0]) > 0.0
    fill(page, "inclination", "0.5")
    expect(page.get_by_test_id("trouble")).to_contain_text("inclination")


def test_broken_uploads_get_their_line(page, server, tmp_path):
    page.goto(f"{server.address}/vehicle")
    page.get_by_test_id("title").wait_for()
    upload = page.locator("input[type=file]").first
    for name, text, told in (
        ("broken.toml", "name = ", "is not valid TOML"),
        ("bomb.toml", "a = " + "[" * 200_000, "too many brackets"),
        ("outside.toml", library_text("kbps").replace('"S1002"', '"/etc/passwd"'), "library or an uploaded file"),
    ):
        upload.set_input_files({"name": name, "mimeType": "text/plain", "buffer": text.encode()})
        expect(page.get_by_test_id("trouble")).to_contain_text(told)
    upload.set_input_files(
        {"name": "mine.toml", "mimeType": "text/plain", "buffer": library_text("kbps").encode()}
    )
    expect(page.get_by_test_id("title")).to_contain_text("Kbps")
    expect(page.get_by_test_id("trouble")).to_have_text("")
    assert statuses(server) is not None


def test_published_number_computed(page, server):
    page.goto(f"{server.address}/reproduce")
    expect(page.get_by_test_id("count")).to_contain_text("published numbers")
    fill(page, "search", "en15302-e1-2mm")
    expect(page.get_by_test_id("count")).to_contain_text("1 of ")
    page.get_by_test_id("compute-en15302-e1-2mm").click()
    expect(page.get_by_test_id("count")).to_contain_text("1 reproduced")


def test_server_killed_and_started_again(page, browser, tmp_path):
    server = Server(tmp_path / "runs")
    try:
        run = start_run(page, server, "2 s")
        wait_done(page)
        page.goto(f"{server.address}/runs/{run}")
        page.get_by_test_id("quick").wait_for()
        page.watch.allowed += ["ERR_CONNECTION_REFUSED", "WebSocket", "Failed to fetch", "Failed to load resource"]
        server.kill()
        with page.expect_event("load"):  # the open page finds the server again by itself
            server.start()
        wait_done(page)
        page.get_by_test_id("quick").wait_for()
        assert points(page) > 100
        page.goto(f"{server.address}/simulate")
        expect(page.get_by_test_id("duration")).to_have_value("2")
    finally:
        server.stop()


def test_theme_is_kept(page, server):
    page.goto(f"{server.address}/contact")
    page.get_by_test_id("shift").wait_for()
    assert "body--dark" not in page.locator("body").get_attribute("class")
    page.get_by_test_id("theme").click()
    page.wait_for_selector("body.body--dark")
    page.reload()
    page.wait_for_selector("body.body--dark")


def test_another_theme_repaints_charts_and_fetches_nothing(page, server):
    start_run(page, server)
    wait_done(page)
    page.get_by_test_id("open-run").click()
    page.get_by_test_id("quick").wait_for()
    points(page)
    expect(page.get_by_test_id("chart-note")).to_contain_text("changes of mode")  # the last thing that is fetched
    marker = page.locator(".u-marker:visible").first
    before = [colours(page, "--series-0"), colours(page, "--grid"), marker_colour(marker)]
    asked = []
    page.on("request", lambda request: asked.append(request.url) if "/api/" in request.url else None)
    page.get_by_test_id("theme").click()
    page.wait_for_selector("body.body--dark")
    wait_until(lambda: colours(page, "--series-0")["drawn"] and colours(page, "--grid")["drawn"])
    after = [colours(page, "--series-0"), colours(page, "--grid"), marker_colour(marker)]
    assert all(one != other for one, other in zip(before, after, strict=True))
    assert asked == []


def marker_colour(marker) -> str:
    return marker.evaluate("m => getComputedStyle(m).borderColor")


def colours(page, name: str) -> dict:
    """A colour of the theme, and whether dots of the first chart have exactly it."""
    return page.evaluate(
        """name => {
            const told = getComputedStyle(document.body).getPropertyValue(name).trim();
            const canvas = document.querySelector("[data-testid=charts] canvas");
            const probe = new OffscreenCanvas(1, 1).getContext("2d");
            probe.fillStyle = told;
            probe.fillRect(0, 0, 1, 1);
            const [r, g, b] = probe.getImageData(0, 0, 1, 1).data;
            const dots = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
            for (let k = 0; k < dots.length; k += 4)
                if (dots[k] === r && dots[k + 1] === g && dots[k + 2] === b && dots[k + 3] > 250)
                    return { told, drawn: true };
            return { told, drawn: false };
        }""",
        name,
    )
