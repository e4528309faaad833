"""After the build every page is read again: links and anchors lead somewhere, nothing is loaded from elsewhere."""

from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

LOADED = {("script", "src"), ("link", "href"), ("img", "src"), ("source", "src"), ("iframe", "src")}
NOT_LOADED = {"canonical", "next", "prev"}


class Page(HTMLParser):
    """Anchors and links of a page, what it loads, and formulas that were not recognised."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.stray: list[str] = []
        self._code = 0
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        words = {name: value or "" for name, value in attrs}
        self.anchors |= {words[name] for name in ("id", "name") if name in words}
        self._code += tag in ("pre", "code", "script", "style", "textarea")
        for name in ("href", "src"):
            if name not in words:
                continue
            self.links.append(words[name])
            if (tag, name) in LOADED and words.get("rel") not in NOT_LOADED:
                self.loaded.append(words[name])

    def handle_endtag(self, tag: str) -> None:
        self._code -= tag in ("pre", "code", "script", "style", "textarea")

    def handle_data(self, data: str) -> None:
        if not self._code and "$$" in data:
            self.stray.append(data.strip()[:60])


def faults(site: Path) -> list[str]:
    """One line for each link, anchor or formula that does not work."""
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in sorted(site.rglob("*.html"))}
    found = []
    for path, page in pages.items():
        name = path.relative_to(site)
        found += [f"{name}: formula is not recognised: {text}" for text in page.stray]
        found += [f"{name}: loads {url} from elsewhere" for url in page.loaded if urlsplit(url).netloc]
        if name.name == "404.html":  # its links are absolute, for a server
            continue
        for link in page.links:
            url = urlsplit(link)
            if url.scheme or url.netloc:
                continue
            target = (path.parent / unquote(url.path)).resolve() if url.path else path
            if target.is_dir():
                target /= "index.html"
            if not target.exists():
                found.append(f"{name}: {link} does not exist")
            elif target in pages and not anchored(url.fragment, pages[target]):
                found.append(f"{name}: {link} has no such anchor")
    return found


def anchored(fragment: str, page: Page) -> bool:
    return not fragment or unquote(fragment) in page.anchors


def on_post_build(config: Any, **_: Any) -> None:
    found = faults(Path(config["site_dir"]).resolve())
    if found:
        from mkdocs.exceptions import PluginError

        raise PluginError("\n".join([f"{len(found)} faults of the built pages:", *found]))
