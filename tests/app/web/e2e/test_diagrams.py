"""Diagrams in a real browser: a sweep that fills in, branches, rest, the critical speed."""

import re
from dataclasses import replace

import numpy as np
import pytest
from playwright.sync_api import expect

import klingel as kg
from klingel.simulation.critical.verdict import LowestMotion
from klingel.simulation.orbits.result import VehicleBranch, load_branch
from tests.app.web.e2e.steps import choose_vehicle, fill, points, wait_done

pytestmark = pytest.mark.slow

BOGIE = "Cooperrider bogie, half a passenger car on conical wheels"


def test_diagram_fills_in_and_a_point_opens(page, server):
    choose_vehicle(page, server, "Single conical wheelset, suspended as in the Cooperrider bogie")
    page.goto(f"{server.address}/diagram")
    fill(page, "speeds", "70:50:-5")
    page.get_by_test_id("sweep").click()
    page.wait_for_url("**/diagram/*")
    wait_done(page)
    chart = page.get_by_test_id("scatter")
    expect(chart).to_have_attribute("data-points", re.compile(r"[1-9]\d*"))
    expect(page.get_by_test_id("scatter-note")).to_contain_text("5 speeds")
    expect(page.get_by_test_id("command")).to_contain_text("--speeds 70,65,60,55,50 --direction down")
    _open(page, "place(0)")
    assert points(page) > 50


def _open(page, which: str) -> None:
    """A click on a point, and its motion as a run."""
    x, y = page.get_by_test_id("scatter").evaluate(f"element => element.klingel.{which}")
    page.mouse.move(x, y)
    page.mouse.click(x, y)
    page.get_by_test_id("open-point").click()
    page.wait_for_url("**/runs/*")
    wait_done(page)


def test_branch_followed_stored_and_opened(page, server, tmp_path):
    """The unstable motions between fold and Hopf point; one of them opened; the file in another diagram."""
    choose_vehicle(page, server, BOGIE)
    page.goto(f"{server.address}/diagram")
    page.get_by_test_id("more-branch").click()
    fill(page, "range", "66:66")
    expect(page.get_by_text("two positive speeds that differ")).to_be_visible()
    fill(page, "range", "66:64.5")
    page.get_by_test_id("branch").click()
    page.wait_for_url("**/diagram/*branch*")
    wait_done(page)
    expect(page.get_by_test_id("message").first).to_contain_text("hopf 65.29 m/s")
    expect(page.get_by_test_id("scatter")).to_have_attribute("data-branches", "1")
    expect(page.get_by_test_id("command")).to_contain_text("klingel continue cooperrider --from 66 --to 64.5")
    with page.expect_download() as waiting:
        page.get_by_text("netCDF").click()
    stored = tmp_path / "branch.nc"
    waiting.value.save_as(stored)
    _open(page, "motion(6)")
    assert points(page) > 50
    assert_returns(kg.load_run(server.folder / page.url.rpartition("/")[2] / "run.nc"), load_branch(stored), 6)
    page.goto(f"{server.address}/diagram")
    page.get_by_test_id("more-branch").click()
    page.locator("input[type=file]").first.set_input_files(stored)
    page.wait_for_url("**/diagram/*uploaded*")
    expect(page.get_by_test_id("scatter")).to_have_attribute("data-branches", re.compile(r"[12]"))
    page.goto(f"{server.address}/diagram")  # a page that is being drawn may lose a click
    page.get_by_test_id("more-branch").click()
    broken = {"name": "broken.nc", "mimeType": "application/x-netcdf", "buffer": b"no netCDF"}
    page.locator("input[type=file]").first.set_input_files(broken)
    expect(page.get_by_test_id("trouble")).to_contain_text("broken.nc")


def assert_returns(run: kg.Run, branch: VehicleBranch, number: int) -> None:
    """What was opened is the motion that was clicked: after its period it is where it began."""
    period = float(branch["period"][number])
    assert run.request.speed == pytest.approx(float(branch.parameter[number]))
    y = run["leading_front_wheelset.y"].to_numpy()
    size = np.ptp(y[run.time < period])
    assert size > 1e-5
    assert np.interp(period, run.time, y) == pytest.approx(y[0], abs=0.02 * float(size))


def test_set_of_rest_as_a_band(page, server):
    """Of a wagon, stopped after its first coordinate, which is kept: as far to the left as to the right."""
    page.goto(f"{server.address}/diagram")
    page.get_by_test_id("more-rest").click()
    page.get_by_test_id("rest").click()
    page.wait_for_url("**/diagram/*rest*")
    expect(page.get_by_test_id("message").first).to_have_text(re.compile(r"how far (?!front_wheelset\.y)"))
    page.get_by_test_id("Stop").click()
    wait_done(page, "stopped")
    chart = page.get_by_test_id("scatter")
    expect(chart).to_have_attribute("data-rests", "1")
    ((low, high),) = chart.evaluate("element => element.klingel.rest")
    assert 0.1 < high < 5.0
    assert low == pytest.approx(-high, rel=1e-3)
    expect(page.get_by_test_id("scatter-note")).to_contain_text("rest held by dry friction")


def test_critical_speed_of_a_stable_bogie(page, server):
    choose_vehicle(page, server, BOGIE)
    page.goto(f"{server.address}/critical")
    fill(page, "fastest", "25 kg")
    page.get_by_test_id("critical").click()
    assert page.url.endswith("/critical")  # a speed in kilograms is not sent
    fill(page, "slowest", "20 m/s")
    fill(page, "fastest", "25 m/s")
    page.get_by_test_id("critical").click()
    page.wait_for_url("**/critical/*")
    wait_done(page)
    expect(page.get_by_test_id("verdict")).to_have_text("No motion found")
    expect(page.get_by_test_id("reason")).to_contain_text("below 25 m/s")
    drawn = page.get_by_test_id("picture").locator("img").first
    expect(drawn).to_be_visible()
    page.wait_for_function("i => i.complete && i.naturalWidth > 100", arg=drawn.element_handle())
    expect(page.get_by_test_id("command")).to_contain_text("klingel critical")
    expect(page.get_by_test_id("python")).to_contain_text("slowest=20.0, fastest=25.0")
    page.reload()
    expect(page.get_by_test_id("verdict")).to_have_text("No motion found")
    _table_of_motions(page, server)


MOTIONS = (
    LowestMotion("medium", 46.4912, 46.3645, 46.9912, "quasi-periodic", 2.62e-3, 5.137, False, 14, 20, {}),
    LowestMotion("small", 52.49, 52.36, 52.49, "irregular", 0.51e-3, None, True, 20, 20, {}),
)


def _table_of_motions(page, server) -> None:
    """One line for each number, also in a narrow window; nothing is cut off."""
    file = server.folder / page.url.rpartition("/")[2] / "critical.json"
    replace(kg.load_critical_speed(file), motions=MOTIONS).save(file)
    page.set_viewport_size({"width": 1024, "height": 768})
    page.reload()
    table = page.get_by_test_id("motions")
    expect(table).to_contain_text("46.36 and 46.99")
    expect(table).to_contain_text("disagree")
    lines = table.evaluate("""t => [...t.querySelectorAll("th > *, td > *")]
        .map(e => Math.round(e.getBoundingClientRect().height / parseFloat(getComputedStyle(e).lineHeight)))""")
    assert max(lines) == 1  # 0 where there is no number
    beyond = table.evaluate("t => t.scrollWidth - t.parentElement.clientWidth")
    assert beyond <= 0
