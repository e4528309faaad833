"""What the site is built from: navigation, generated pages, numbers of equations, formulas, links."""

import json
import re
import subprocess
from pathlib import Path

import pytest
from site_build.commands import commands_page
from site_build.equations import numbered
from site_build.functions import functions_page, grouped
from site_build.gallery import code_of, scripts
from site_build.links import faults

import klingel as kg
from tests.app.web.browser import BROWSER, REQUIRED
from tests.docs.blocks import PAGES, ROOT

CONFIGURATION = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
FORMULA = re.compile(
    r"(?<!\\)\$\$(.+?)\$\$|(?<![\\$\w])\$(?![\s$])([^$\n]+?(?:\n[^$\n]+?)?)(?<!\s)\$(?![\d$])", re.DOTALL
)


TRY = """<pre id="told"></pre><script>
const told = [];
for (const [page, text, own] of %s) {
  try { katex.renderToString(text, {displayMode: own}); told.push("good"); }
  catch (error) { told.push("BAD " + page + ": " + error.message); }
}
document.getElementById("told").textContent = told.join("\\n");
</script>"""


def test_every_page_is_in_the_navigation():
    named = set(re.findall(r"([\w/-]+\.md)\s*$", CONFIGURATION, re.MULTILINE))
    pages = {name.removeprefix("docs/") for name in PAGES if name.startswith("docs/")}
    assert {page for page in pages - named if not page.startswith(("decisions/", "how-to/"))} == set()


def test_home_page_points_and_does_not_list():
    """The navigation lists; merges of older lists would come back here."""
    text = PAGES["docs/index.md"].read_text(encoding="utf-8")
    assert len(text.splitlines()) < 40
    assert "](how-to/index.md)" in text


def test_commands_page_has_every_command_and_option():
    page = commands_page()
    for word in ("## klingel run", "## klingel warm-up", "`--print-request`", "`--output-step`", "`--json`"):
        assert word in page
    assert "``" not in page.replace("```", "")


def test_python_page_has_every_public_name():
    assert sorted(name for names in grouped().values() for name in names) == sorted(kg.__all__)
    page = functions_page()
    assert all(f"heading: kg.{name}\n" in page for name in kg.__all__)


@pytest.mark.parametrize(
    "word", ["event detection", "checkpoint", "quasi-static", "limit cycle", "hunting", "critical speed"]
)
def test_glossary_has_a_heading_that_search_finds(word):
    heads = re.findall(r"^### (.*)", PAGES["docs/glossary.md"].read_text(encoding="utf-8"), re.MULTILINE)
    assert any(head.lower().startswith(word) for head in heads)


def test_equations_are_numbered_once_and_tags_stay():
    text = "before\n$$ a = b $$\nthen\n\n```text\n$$ not one $$\n```\n\n$$ c \\tag{B.8} $$\n\n$$\nd\n$$\n"
    made = numbered(text)
    assert re.findall(r"\\tag\{(.*?)\}", made) == ["1", "B.8", "2"]
    assert re.findall(r'id="equation-(.*?)"', made) == ["1", "B.8", "2"]
    assert "$$ not one $$" in made
    own = "$$ a \\tag{1} $$\n\n$$ b $$\n"
    assert re.findall(r"\\tag\{(.*?)\}", numbered(own)) == ["1"]


def test_dead_links_anchors_and_foreign_scripts_are_found(tmp_path):
    (tmp_path / "a.html").write_text(
        '<h1 id="top">A</h1><a href="b.html#there">x</a><a href="b.html#gone">x</a><a href="c.html">x</a>'
        '<script src="https://elsewhere.example/x.js"></script><p>cost $$ x $$</p><code>$$</code>'
    )
    (tmp_path / "b.html").write_text(
        '<h2 id="there">B</h2><a href="a.html#top">up</a><a href="https://x.example">y</a>'
    )
    found = faults(tmp_path)
    assert len(found) == 4
    for word in ("b.html#gone has no such anchor", "c.html does not exist", "from elsewhere", "not recognised"):
        assert any(word in line for line in found)


def test_gallery_scripts_ask_a_question_and_draw():
    for script in scripts():
        first = script.read_text(encoding="utf-8").splitlines()[0]
        assert first.startswith('"""'), script.name
        assert first.endswith("?"), script.name
        assert ".png" in code_of(script), script.name


def formulas() -> list[tuple[str, str, bool]]:
    """Page, formula and whether it stands on a line of its own; code left out."""
    found = []
    for name, path in PAGES.items():
        text = re.sub(r"^( *)```.*?^\1```", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
        text = re.sub(r"`[^`\n]+`", "", text)
        found += [(name, display or inline, bool(display)) for display, inline in FORMULA.findall(text)]
    return found


def test_formulas_render(tmp_path):
    """By KaTeX itself in a browser: an error would be shown in red on the page."""
    if BROWSER is None:
        if REQUIRED:
            pytest.fail("chromium is not installed, and KLINGEL_BROWSER=required")
        pytest.skip("chromium is not installed: the site is not looked at in a browser")
    known = formulas()
    assert len(known) > 300
    katex = (ROOT / "docs" / "assets" / "katex" / "katex.min.js").as_uri()
    page = tmp_path / "formulas.html"
    shown = json.dumps(known).replace("</", "<\\/")
    page.write_text(f"<meta charset='utf-8'><script src='{katex}'></script>{TRY % shown}", encoding="utf-8")
    words = [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--dump-dom"]
    done = subprocess.run(
        [*words, f"--user-data-dir={tmp_path / 'profile'}", page.as_uri()],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    assert done.stdout.count("good") >= len(known) - 1, done.stdout[-2000:]
    assert [line for line in done.stdout.splitlines() if line.startswith("BAD")] == []


def test_vendored_files_have_their_licence():
    for name in ("katex", "iframe-worker"):
        assert "MIT" in (ROOT / "docs" / "assets" / name / "LICENSE").read_text(encoding="utf-8")
    assert Path(ROOT / "docs" / "assets" / "katex" / "fonts" / "KaTeX_Main-Regular.woff2").exists()
