"""What belongs to a release agrees with itself: version, changelog, citation."""

import re
import tomllib
from pathlib import Path

import klingel as kg

ROOT = Path(__file__).resolve().parents[2]


def test_one_version_everywhere():
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    assert kg.__version__ == version
    assert f"\nversion: {version}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")


def test_changelog_has_a_place_for_what_comes_and_the_version_below_it():
    heads = re.findall(r"^## (.*)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert heads[0] == "Unreleased"
    assert re.fullmatch(rf"{re.escape(kg.__version__)} - \d{{4}}-\d\d-\d\d", heads[1])
    assert len(heads) == len(set(heads))


def test_pictures_of_the_readme_exist():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    named = re.findall(r"!\[[^\]]*\]\(([^)]+)\)", text)
    assert len(named) >= 3
    assert [name for name in named if not (ROOT / name).exists()] == []
