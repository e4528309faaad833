"""A report holds every input, nothing from elsewhere, and a command that gives the same run again."""

import re
import shlex
from dataclasses import replace
from html import unescape
from html.parser import HTMLParser

import numpy as np
import pytest
from typer.testing import CliRunner

import klingel as kg
from klingel.app.cli import app
from klingel.io.runs import variables_of
from klingel.io.vehicle.units import with_unit
from klingel.reports.run import write_report
from klingel.vehicles.values import values
from tests.short_run import curve_run, hunting_run, one_axle_run

VOID = {"meta", "img"}


class Page(HTMLParser):
    """Fails on tags that do not close in order; collects text, links and identities."""

    def __init__(self, text: str):
        super().__init__()
        self.open: list[str] = []
        self.words: list[str] = []
        self.addresses: list[str] = []
        self.names: list[str] = []
        self.images = 0
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.addresses += [given[key] for key in ("src", "href") if given.get(key)]
        self.names += [given["id"]] if given.get("id") else []
        if tag == "img":
            self.images += 1
            assert given.get("alt")
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.words.append(data)


def content(path) -> str:
    return path.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    """Through the command line: text of the page, and the run it tells of."""
    folder = tmp_path_factory.mktemp("report")
    arguments = ["run", "hbbills311", "--speed", "162km/h", "--duration", "0.5", "--set", "carbody.mass=16t"]
    arguments += ["--kick", "front_wheelset.y=5mm", "--kick", "carbody.y=-1mm", "--links", "SPP"]
    places = ["--out", str(folder / "run.nc"), "--report", str(folder / "page")]
    result = CliRunner().invoke(app, [*arguments, *places])
    assert result.exit_code == 0, result.stderr
    return content(folder / "page" / "index.html"), kg.load_run(folder / "run.nc"), folder


def test_page_is_well_formed_and_self_contained(report):
    text, _, folder = report
    page = Page(text)
    assert page.images >= 10
    for address in page.addresses:
        assert address.startswith(("data:image/png;base64,", "#"))
        assert not address.startswith("#") or address[1:] in page.names
    assert "http" not in re.sub(r"base64,[^\"]*", "", text)
    assert [path.name for path in (folder / "page").iterdir()] == ["index.html"]


def test_every_input_stands_in_it_with_unit_and_source(report):
    text, run, _ = report
    words = unescape(" ".join(Page(text).words)).replace("\u00a0", " ")
    vehicle = run.vehicle
    for name, value in values(vehicle).items():
        assert with_unit(vehicle, name, value) in words, name
    for source in vehicle.sources.values():
        assert source in words
    for told in (
        "45 m/s (162 km/h)",
        "1/40",
        "1435 mm",
        "UIC60",
        "5 mm",
        "-1 mm",
        "0.5 s",
        "1e-06",
        "changed by the user",
    ):
        assert told in words


def test_events_and_work_are_counted(report):
    text, run, _ = report
    words = " ".join(Page(text).words)
    assert f"{len(run.events)} changes of mode" in words
    assert f"{run.stats.accepted:,}" in words
    for element in set(run.events["element"]):
        assert element.replace("_", " ").replace(".", ", ") in words


def test_the_command_repeats_the_run(report):
    text, run, folder = report
    command = unescape(re.findall(r"<pre><code>(.*?)</code></pre>", text, re.DOTALL)[-1])
    words = shlex.split(command)
    assert words[0] == "klingel"
    result = CliRunner().invoke(app, [*words[1:], "--out", str(folder / "again.nc")])
    assert result.exit_code == 0, result.stderr
    again = kg.load_run(folder / "again.nc")
    assert again.options == run.options
    for name in run.names["states"]:
        np.testing.assert_array_equal(again[name], run[name])


@pytest.mark.slow
def test_other_vehicles_and_curves_have_reports_too(tmp_path):
    run = one_axle_run()
    bent = replace(run, sources={**run.sources, "track": curve_run().sources["track"]})
    page = Page(content(write_report(bent, tmp_path, "klingel run mine.toml --speed 45")))
    assert page.images == 13  # all of a straight run, the track and the curve
    words = " ".join(page.words)
    assert "∞ → 1000" in words  # radius of the curve
    assert "Left out" not in words


def test_a_run_without_rows_has_a_page(tmp_path):
    run = hunting_run()
    empty = replace(
        run, variables=variables_of(run.data.isel(time=slice(0, 0), event=slice(0, 0))), status="failed"
    )
    page = Page(content(write_report(empty, tmp_path, "klingel run mine.toml --speed 45")))
    assert page.images == 0
