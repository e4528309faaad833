"""Profiles by name: library names in any case, names with a number, files, and one line for anything else."""

import pytest

from klingel._errors import InputError
from klingel.contact.profiles.profile import Body
from klingel.contact.profiles.s1002 import s1002
from klingel.io.profiles import write_profile
from klingel.io.profiles.library import find_profile


def test_names():
    assert find_profile("s1002", Body.WHEEL).name == s1002().name
    assert find_profile("60E1", Body.RAIL).name == find_profile("uic60", Body.RAIL).name
    assert find_profile("cone:1/20", Body.WHEEL).at(0.0)[1][0] == pytest.approx(-0.05)
    assert find_profile("arc:300mm", Body.RAIL).at(0.0)[2][0] == pytest.approx(1 / 0.3)


def test_file(tmp_path):
    path = tmp_path / "worn.prw"
    write_profile(path, s1002())
    assert find_profile(path, Body.WHEEL).at(0.0)[1][0] == pytest.approx(-0.0336, abs=1e-3)


def test_profiles_pass_through():
    wheel = s1002()
    assert find_profile(wheel, Body.WHEEL) is wheel


@pytest.mark.parametrize(("name", "body", "word"), [("S1003", Body.WHEEL, "S1002"), ("S1002", Body.RAIL, "UIC60")])
def test_unknown_names_list_the_known_ones(name, body, word):
    with pytest.raises(InputError, match=word):
        find_profile(name, body)
