"""The files printed in the how-to page are good files."""

import re
from pathlib import Path

from klingel.io.vehicle.files import parse_vehicle

PAGE = Path(__file__).resolve().parents[2] / "docs" / "how-to" / "own-wagon.md"
BLOCKS = re.findall(r"```toml\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)


def test_template_file_of_the_page_with_its_loads_and_links():
    template, links, _ = BLOCKS
    assert parse_vehicle(template, options={"load": "full"}).bodies[2].mass == 38e3
    assert parse_vehicle(template, options={"load": "half"}).bodies[2].mass == 23.5e3
    own = parse_vehicle(template.replace('links = "PTP"', links, 1))
    assert own.meta["links"] == "own"


def test_full_description_of_the_page():
    vehicle = parse_vehicle(BLOCKS[2])
    assert [element.connection for element in vehicle.elements] == ["left", "left", "left", "right", "right"]


def test_bogie_wagon_of_its_page_with_its_loads():
    page = PAGE.with_name("own-bogie.md").read_text(encoding="utf-8")
    text, *_ = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    assert len(parse_vehicle(text).wheelsets) == 4
    masses = [parse_vehicle(text, options={"load": load}).bodies[-1].mass for load in ("empty", "full", "luggage")]
    assert masses == [32e3, 40e3, 35e3]
