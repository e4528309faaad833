"""Workers and warm processes import no web package; nothing but the workbench does."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import klingel

SOURCE = Path(klingel.__file__).parent
WEB = ("nicegui", "fastapi", "starlette", "uvicorn")


@pytest.mark.parametrize(
    "module",
    [
        "klingel.app.web.work",
        "klingel.app.web.worker",
        "klingel.app.web.answers.previews",
        "klingel.app.web.answers.pictures",
    ],
)
def test_children_stay_light(module):
    code = f"import sys, {module}; print(*({set(WEB)!r} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_only_the_workbench_imports_web_packages():
    words = re.compile(rf"^\s*(import|from) ({'|'.join(WEB)})\b", re.MULTILINE)
    users = [p for p in SOURCE.rglob("*.py") if words.search(p.read_text(encoding="utf-8"))]
    assert users
    assert [p for p in users if SOURCE / "app" / "web" not in p.parents] == []


def test_the_server_compiles_nothing():
    """It reads runs and hands out pages; compiled code is loaded by its children."""
    code = "import sys, klingel.app.web.api, klingel.app.web.pages; print('numba' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False"]
