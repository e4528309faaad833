"""Profiles named by file: beside a request, and in the folder of a result that was moved."""

import shutil

import pytest

import klingel as kg
from klingel.contact.profiles.s1002 import s1002
from klingel.io.profile_files import found_again, last_name, with_names
from klingel.io.profiles import write_profile

WORN = """vehicle = {name = "hbbills311", options = {links = "SPP"}, changes = {profile = "worn.prw"}}
speed = 18.0
duration = 0.05
[track]
rail = "UIC60"
"""


@pytest.fixture
def place(tmp_path):
    """A folder with a request and the wheel that it names."""
    found = tmp_path / "here"
    found.mkdir()
    write_profile(found / "worn.prw", s1002(), 1e-3)
    (found / "request.toml").write_text(WORN)
    return found


def test_request_finds_what_lies_beside_it(place):
    (wheel,) = {one.profile for one in kg.RunRequest.load(place / "request.toml").read_vehicle().wheelsets}
    assert wheel == str(place / "worn.prw")


def test_whole_description_in_a_request(place):
    request = kg.RunRequest.load(place / "request.toml")
    tables = kg.RunRequest(request.read_vehicle(), speed=18.0, duration=1.0).as_dict()
    bare = with_names(tables, last_name)
    assert {one["profile"] for one in bare["vehicle"]["description"]["wheelsets"].values()} == {"worn.prw"}
    found = kg.RunRequest.from_dict(bare, place).read_vehicle()
    assert {one.profile for one in found.wheelsets} == {str(place / "worn.prw")}


def test_result_moved_with_its_profile(place, tmp_path):
    """The run repeats bit for bit from another place, though it remembers the first one."""
    first = kg.simulate(kg.RunRequest.load(place / "request.toml"), out=place / "run.nc")
    moved = tmp_path / "there"
    shutil.move(place, moved)
    found = kg.load_run(moved / "run.nc")
    assert {one.profile for one in found.vehicle.wheelsets} == {str(moved / "worn.prw")}
    again = kg.simulate(found.request)
    assert (again["front_wheelset.y"].to_numpy() == first["front_wheelset.y"].to_numpy()).all()


def test_only_lost_files_are_looked_for(tmp_path):
    there = tmp_path / "there.prw"
    there.write_text("1 2\n")
    (tmp_path / "beside").mkdir()
    for name in ("there.prw", "lost.prw", "S1002"):
        (tmp_path / "beside" / name).write_text("3 4\n")
    for name, kept in (
        (str(there), True), ("S1002", True), ("/nowhere/other.prw", True),
        ("/nowhere/lost.prw", False), (r"C:\\runs\\lost.prw", False),
    ):  # fmt: skip
        text = f'[wheelsets.front]\nprofile = "{name}"\n[sources]\n"front.profile" = "a/b/lost.prw"\n'
        found = found_again(text, tmp_path / "beside")
        assert (found == text) is kept, name
        assert kept or str(tmp_path / "beside" / "lost.prw") in found
        assert "a/b/lost.prw" in found
