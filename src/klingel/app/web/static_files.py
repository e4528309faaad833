"""Our own scripts, styles and the vendored libraries, served by ourselves: no page asks another server."""

from pathlib import Path

from fastapi import FastAPI
from fastapi.staticfiles import StaticFiles

HERE = Path(__file__).parent
STATIC = "/static"


def mount(app: FastAPI) -> None:
    app.mount(STATIC, StaticFiles(directory=HERE / "static"), name="static")


def version() -> str:
    """Changes with any of our files, so that a browser never keeps an old one."""
    newest = max(path.stat().st_mtime_ns for path in (HERE / "static").rglob("*") if path.is_file())
    return f"{newest:x}"
