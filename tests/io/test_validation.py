"""The kind of a file is told, and its problems are those of its reader."""

from pathlib import Path

import pytest

from klingel._errors import InputError
from klingel.io.validation import validate
from klingel.io.vehicle.files import library_text


def written(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text)
    return path


def test_good_vehicle(tmp_path):
    verdict = validate(written(tmp_path, "mine.toml", library_text("kbps")))
    assert verdict.as_dict() == {"ok": True, "kind": "vehicle", "problems": [], "warnings": []}


def test_broken_vehicle(tmp_path):
    text = library_text("kbps").replace('"8 m"', '"-8 m"').replace("wheel_friction", "wheel_fricton", 1)
    verdict = validate(written(tmp_path, "mine.toml", text))
    assert verdict.as_dict() == {
        "ok": False,
        "kind": "vehicle",
        "problems": [
            {
                "where": "wheel_fricton",
                "given": None,
                "allowed": "is not a known key; did you mean wheel_friction?",
            },
            {"where": "wheelbase", "given": "-8 m", "allowed": "must be positive"},
        ],
        "warnings": [],
    }
    assert verdict.lines()[1] == "mine.toml: wheelbase: must be positive, got -8 m"


def test_track(tmp_path):
    pytest.importorskip("klingel.io.track.files")
    good = validate(written(tmp_path, "good.toml", '[[stage]]\nlength = "100 m"\n'))
    assert (good.kind, good.ok) == ("track", True)
    bad = validate(written(tmp_path, "bad.toml", '[[stage]]\nlength = "-100 m"\n'))
    assert (bad.kind, bad.ok) == ("track", False)
    assert "must be positive, got -100 m" in bad.lines()[0]


def test_profile(tmp_path):
    pytest.importorskip("klingel.io.profiles")
    points = "\n".join(f"{y} {0.01 * (y + 40) ** 2 if y < -40 else 0.0}" for y in range(-60, 60))
    good = validate(written(tmp_path, "good.txt", f"# body: wheel\n{points}\n"))
    assert (good.kind, good.lines()) == ("profile", [])
    bad = validate(written(tmp_path, "bad.txt", "# body: wheel\n1 2\n"))
    assert (bad.kind, bad.ok) == ("profile", False)


@pytest.mark.parametrize("name", ["none.toml", "none.prw"])
def test_missing_files_are_bad_input(tmp_path, name):
    with pytest.raises(InputError, match="must exist"):
        validate(tmp_path / name)


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        (
            'profile = "S1002"',
            'profile = "S1003"',
            "front_wheelset.profile: must be a profile file or one of S1002",
        ),
        ('"1360 mm"', '"1360 m"', "front_wheelset.back_to_back: must lie between 0.3 and 3"),
        ('template = "two_axle"', "", 'template: must be given, "two_axle"'),
    ],
)
def test_wheels_and_template_are_checked(tmp_path, old, new, line):
    mine = tmp_path / "mine.toml"
    mine.write_text(library_text("hbbills311").replace(old, new))
    told = validate(mine).lines()
    assert len(told) == 1
    assert told[0].startswith(f"mine.toml: {line}")
