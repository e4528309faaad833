"""Vehicles, wheels and tracks of one's own in a real browser; a run folder opened elsewhere."""

import shutil

import pytest
from playwright.sync_api import expect

from tests.app.web.browser import Server
from tests.app.web.e2e.steps import fill, pick, points, start_run, statuses, wait_done
from tests.app.web.own_vehicles import ARTICULATED, THREE_AXLES
from tests.app.web.requests import wait_until

pytestmark = pytest.mark.slow


def upload(page, name: str, text: str, which: str = "upload") -> None:
    field = page.get_by_test_id(which).locator("input[type=file]")
    field.set_input_files({"name": name, "mimeType": "text/plain", "buffer": text.encode()})


def test_any_topology(page, server):
    """Six and twelve wheels drawn; the drawing follows a number; the vehicle runs and is animated."""
    page.goto(f"{server.address}/vehicle")
    page.get_by_test_id("title").wait_for()
    wheels = page.get_by_test_id("drawing").locator("svg").first.locator("circle[stroke-width='1.2']")
    upload(page, "mine.toml", ARTICULATED)
    expect(page.get_by_test_id("title")).to_have_text("Two bodies over three bogies")
    expect(wheels).to_have_count(12)
    upload(page, "mine.toml", THREE_AXLES)
    expect(page.get_by_test_id("title")).to_have_text("Wagon on three axles")
    expect(wheels).to_have_count(6)
    places = "circles => circles.map(circle => circle.getAttribute('cx'))"
    before = wheels.evaluate_all(places)
    assert len(set(before)) == 3  # both wheels of an axle at one place
    fill(page, "search", "front at")
    fill(page, "value-front.at", "3 m")
    expect(page.get_by_test_id("changes")).to_contain_text("front.at: 3 m, was 4 m")
    wait_until(lambda: wheels.evaluate_all(places) != before)
    run = start_run(page, server, "1 s")
    wait_done(page)
    page.goto(f"{server.address}/runs/{run}")
    page.get_by_test_id("quick").wait_for()
    page.get_by_test_id("tab-Animation").click()
    expect(page.get_by_test_id("wagon")).to_have_attribute("data-wheels", "6")


def test_too_large_files_are_told(page, server):
    page.goto(f"{server.address}/vehicle")
    page.get_by_test_id("title").wait_for()
    upload(page, "large.toml", "#" * (1024 * 1024 + 1))
    expect(page.get_by_test_id("trouble")).to_have_text(
        "file: must have at most 1 MB and a name that ends with .toml"
    )


def test_measured_wheel_on_the_vehicle(page, server):
    """A cone as two columns: shown in contact, then a changed value of every wheelset."""
    page.goto(f"{server.address}/contact")
    page.get_by_test_id("shift").wait_for()
    text = "# wheel\n" + "\n".join(f"{y:.3f} {0.05 * y:.6f}" for y in [k * 0.5 - 60.0 for k in range(190)])
    upload(page, "cone.whl", text, "upload-profile")
    expect(page.get_by_text("cone.whl on UIC60", exact=True)).to_be_visible()
    page.get_by_test_id("use-wheel").click()
    page.goto(f"{server.address}/simulate")
    expect(page.get_by_test_id("command")).to_contain_text("--set profile=cone.whl")


def test_curve_and_irregularity(page, server):
    page.goto(f"{server.address}/contact")
    page.get_by_test_id("shift").wait_for()
    page.get_by_test_id("track-kind").get_by_text("curve").click()
    page.get_by_label("Radius, to the left positive").wait_for()
    pick(page, "spectrum-of-track", "B176 low")
    page.get_by_label("Seed").wait_for()
    page.reload()
    page.get_by_label("Radius, to the left positive").wait_for()
    page.get_by_label("Seed").wait_for()
    page.goto(f"{server.address}/simulate")
    expect(page.get_by_text("3 curve elements, irregular")).to_be_visible()
    run = start_run(page, server, "1 s")
    wait_done(page)
    assert next(one["simulated"] for one in statuses(server) if one["id"] == run) == pytest.approx(1.0)


def test_run_folder_opened_elsewhere(page, server, tmp_path):
    """Zipped, unpacked at another place and opened there: the run, its inputs, its files."""
    run = start_run(page, server, "2 s")
    wait_done(page)
    archive = shutil.make_archive(str(tmp_path / "sent"), "zip", server.folder, run)
    shutil.unpack_archive(archive, tmp_path / "elsewhere")
    other = Server(tmp_path / "elsewhere")
    try:
        page.goto(f"{other.address}/runs/{run}")
        page.get_by_test_id("quick").wait_for()
        assert points(page) > 100
        page.get_by_test_id("again").click()
        page.wait_for_url("**/simulate")
        expect(page.get_by_test_id("duration")).to_have_value("2")
    finally:
        other.stop()
