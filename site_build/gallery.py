"""The gallery: scripts of `examples/gallery/`, run in a folder of their own, once for each state of the package.

The text of a script is its page: the first line asks a question, the paragraphs below answer it.
"""

import ast
import hashlib
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SCRIPTS = ROOT / "examples" / "gallery"
CACHE = ROOT / ".cache" / "gallery"
ORDER = (  # what is not listed follows by name
    "hunting",
    "wheel_and_rail",
    "conicity",
    "creep",
    "leaf_spring",
    "linear_stability",
    "braking",
    "attractors",
    "branch",
)


def scripts() -> list[Path]:
    found = sorted(SCRIPTS.glob("*.py"))
    return sorted(found, key=lambda p: ORDER.index(p.stem) if p.stem in ORDER else len(ORDER))


def gallery_page() -> tuple[str, dict[str, Path]]:
    """Markdown of the page, and its pictures by name."""
    digest = package_digest()
    parts = [
        "# Gallery",
        "One question each, answered by a script that makes its picture. The scripts are in `examples/gallery/`;"
        " the build of these pages runs them, so that the pictures are those of this version.",
    ]
    pictures: dict[str, Path] = {}
    for script in scripts():
        text = script.read_text(encoding="utf-8")
        title, _, words = (ast.get_docstring(ast.parse(text)) or "").partition("\n")
        folder = run(script, digest)
        made = sorted(folder.glob("*.png"))
        assert made, f"{script.name} has drawn nothing"
        pictures |= {path.name: path for path in made}
        parts += [f"## {title.strip()}", words.strip()]
        parts += [f"![{title.strip()}]({path.name})" for path in made]
        parts.append(f'??? example "`examples/gallery/{script.name}`"\n\n' + block(code_of(script)))
    return "\n\n".join(parts) + "\n", pictures


def code_of(script: Path) -> str:
    """Without its text, which may change and the pictures stay."""
    text = script.read_text(encoding="utf-8")
    end = ast.parse(text).body[0].end_lineno or 1
    return "\n".join(text.splitlines()[end:]).strip()


def block(code: str) -> str:
    return "\n".join("    " + line if line else "" for line in ["```python", *code.splitlines(), "```"])


def package_digest() -> str:
    """Of everything that decides what a script computes and draws."""
    found = hashlib.sha256()
    package = ROOT / "src" / "klingel"
    for path in sorted(package.rglob("*")):
        part = path.relative_to(package).parts[0]
        if path.is_file() and path.suffix not in (".pyc",) and part not in ("app", "bench", "reports"):
            found.update(path.read_bytes())
    return found.hexdigest()


def run(script: Path, digest: str) -> Path:
    """Folder with what the script has written; run only if it is not there yet."""
    key = hashlib.sha256((digest + code_of(script)).encode()).hexdigest()[:16]
    folder = CACHE / f"{script.stem}-{key}"
    done = folder / "done"
    if not done.exists():
        folder.mkdir(parents=True, exist_ok=True)
        path = os.pathsep.join([str(ROOT / "src"), os.environ.get("PYTHONPATH", "")])
        environment = {**os.environ, "PYTHONPATH": path, "MPLBACKEND": "agg"}
        ran = subprocess.run(
            [sys.executable, str(script)], cwd=folder, env=environment, capture_output=True, text=True, check=False
        )
        if ran.returncode:
            raise RuntimeError(f"{script.name} failed:\n{ran.stderr[-3000:]}")
        done.write_text(ran.stdout, encoding="utf-8")
    return folder
