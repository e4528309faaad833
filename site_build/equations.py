"""Equations on lines of their own get numbers, page by page, and an anchor `#equation-3`.

Tags that are written in a page (numbers of the source it follows) stay. Pages whose own tags are plain numbers
have numbered what they refer to themselves.
"""

import re
from typing import Any

FENCED = re.compile(r"^( *)(```|~~~).*?^\1\2 *$", re.MULTILINE | re.DOTALL)
DISPLAY = re.compile(r"^( *)\$\$(.+?)\$\$[ \t]*", re.MULTILINE | re.DOTALL)
TAG = re.compile(r"\\tag\{([^}]*)\}")
NUMBERED = ("theory/", "elements/")


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    return numbered(markdown) if page.file.src_uri.startswith(NUMBERED) else markdown


def numbered(markdown: str) -> str:
    own = any(tag.isdigit() for tag in TAG.findall(markdown))
    parts, last, count = [], 0, 0
    for fence in [*FENCED.finditer(markdown), None]:
        text = markdown[last : fence.start()] if fence else markdown[last:]

        def one(found: re.Match[str]) -> str:
            nonlocal count
            indent, formula = found[1], found[2].strip()
            if not TAG.search(formula) and not own:
                count += 1
                formula += rf" \tag{{{count}}}"
            tag = TAG.search(formula)
            anchor = f'{indent}<a id="equation-{tag[1]}"></a>\n\n' if tag else ""
            return f"\n{anchor}{indent}$${formula}$$\n\n"

        parts.append(DISPLAY.sub(one, text))
        if fence:
            parts.append(fence[0])
            last = fence.end()
    return "".join(parts)
