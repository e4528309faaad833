"""The page holds its pictures and escapes its text."""

from base64 import b64encode

from klingel.reports.page import Section, write_gallery


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
