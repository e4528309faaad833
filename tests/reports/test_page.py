"""The page holds its pictures and escapes its text."""

from base64 import b64encode
from html.parser import HTMLParser

import pytest

from klingel.reports.page import Picture, Section, Table, write_gallery


def test_page_is_self_contained(tmp_path):
    picture = tmp_path / "loop.png"
    picture.write_bytes(b"not really a picture")
    section = Section(
        "a < b", "text & more", "klingel example x", {"speed_m_s": 0.5}, [("x", 1.0, 2.0, False)], [picture]
    )
    page = write_gallery(tmp_path / "index.html", "title", "intro", [section]).read_text()
    assert b64encode(b"not really a picture").decode() in page
    assert "a &lt; b" in page
    assert "text &amp; more" in page
    assert "differs" in page
    assert "http" not in page
    assert sorted(path.name for path in tmp_path.iterdir()) == ["index.html", "loop.png"]


class _Reader(HTMLParser):
    """Tags with their attributes, and the words between them."""

    def __init__(self):
        super().__init__()
        self.tags, self.words = [], []

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data):
        if data.strip():
            self.words.append(data.strip())


def _read(path, sections, title="title", text="one\n\ntwo"):
    reader = _Reader()
    reader.feed(write_gallery(path, title, text, sections).read_text(encoding="utf-8"))
    return reader


def test_no_text_becomes_markup(tmp_path):
    """Whatever is put into any field comes out as it was, as words or as the value of an attribute."""
    bad = """<script>"x" & 'y'</script>{{ 1 + 1 }}{% if %}"""
    table = Table((bad, "n"), [(bad, 1)], bad)
    section = Section(bad, bad, bad, {bad: 1.0}, [(bad, 1.0, 1.0, True)], [Picture(bad, b"p", bad)], [table])
    read = _read(tmp_path / "page.html", [section] * 5, bad, bad)
    assert "script" not in [tag for tag, _ in read.tags]
    # title twice, text; per section: contents, title, text, command, picture, three of a table, check, quantity
    assert read.words.count(bad) == 3 + 5 * 10
    assert [a["alt"] for tag, a in read.tags if tag == "img"] == [bad] * 5


def test_numbers_stand_to_the_right_and_gaps_are_shown(tmp_path):
    table = Table(("name", "value"), [("a", 1.23456789), ("b", None), ("c", 12345)], digits=3)
    read = _read(tmp_path / "page.html", [Section("s", "", tables=[table, Table(("empty",), [])])])
    cells = [a.get("class") for tag, a in read.tags if tag in ("td", "th")]
    assert cells == [None, "number"] * 4 + [None]
    assert read.words[-8:] == ["value", "a", "1.23", "b", "–", "c", "12,345", "empty"]


@pytest.mark.parametrize(("count", "contents"), [(4, False), (5, True)])
def test_long_pages_have_contents(tmp_path, count, contents):
    read = _read(tmp_path / "page.html", [Section(f"part {k}", "") for k in range(count)])
    assert ("nav" in [tag for tag, _ in read.tags]) == contents
    links = [a["href"] for tag, a in read.tags if tag == "a"]
    assert links == [f"#{a['id']}" for tag, a in read.tags if tag == "section"] * contents
