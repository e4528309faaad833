"""Blocks and commands printed in README and docs."""

import re
import shlex
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = {
    path.relative_to(ROOT).as_posix(): path
    for path in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md")))
}
FENCE = re.compile(r"^( *)```(\w*)\n(.*?)^\1```", re.MULTILINE | re.DOTALL)
INLINE = re.compile(r"(?<!`)`(klingel [a-z][^`\n]*)`")


@dataclass(frozen=True)
class Block:
    language: str
    text: str

    def commands(self) -> list[list[str]]:
        """Words after `klingel` of every line of a shell block, without comments and redirections."""
        lines = self.text.splitlines()
        if self.language == "console":
            lines = [line.removeprefix("$ ") for line in lines if line.startswith("$ ")]
        found = [shlex.split(line, comments=True) for line in lines]
        return [words[1:] for words in found if words[:1] == ["klingel"]]


def blocks(name: str) -> list[Block]:
    text = PAGES[name].read_text(encoding="utf-8")
    found = []
    for indent, language, body in FENCE.findall(text):
        lines = [line.removeprefix(indent) for line in body.splitlines()]
        found.append(Block(language, "\n".join(lines) + "\n"))
    return found
