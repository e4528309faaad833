"""The server: address, guard, token, pages and data together. On this machine only unless asked otherwise."""

import os
import secrets
import socket
import threading
import webbrowser
from pathlib import Path

from klingel._errors import InputError
from klingel.app.web.guard import LOOPBACK, Guard

TITLE = "klingel workbench"


def listen(host: str, port: int) -> socket.socket:
    """The socket itself, so that a port that is taken is told before anything starts."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    found = socket.socket(family)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        found.bind((host, port))
        found.listen(128)  # who comes before the server is ready waits
    except (OSError, OverflowError) as error:
        found.close()
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError("--port", port, f"cannot listen at {host}: {reason}; give another port") from None
    return found


def serve(folder: Path, host: str, port: int, workers: int | None, show: bool) -> None:
    """Until Ctrl-C."""
    place = listen(host, port)
    port = place.getsockname()[1]
    local = host in LOOPBACK
    token = "" if local else secrets.token_urlsafe(24)
    name = f"[{host}]" if ":" in host else host
    address = f"http://{name}:{port}/" + (f"?token={token}" if token else "")
    app, bench = build(folder, workers, hosts=LOOPBACK if local else (), token=token)
    import uvicorn

    server = uvicorn.Server(
        uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=2, ws_max_size=2**20)
    )  # fmt: skip
    print(f"workbench at {address}", flush=True)
    print(f"runs are kept in {bench.store.folder}; end with Ctrl-C", flush=True)
    if show:
        threading.Timer(0.7, webbrowser.open, (address,)).start()
    bench.start()
    try:
        server.run(sockets=[place])
    finally:
        bench.close()


def build(folder: Path, workers: int | None = None, hosts: tuple[str, ...] = LOOPBACK, token: str = ""):
    """The application, and the state behind it."""
    from klingel.app.web.workbench import Workbench

    bench = Workbench(folder, workers)
    os.environ["NICEGUI_STORAGE_PATH"] = str(bench.sessions)  # read when the package is imported
    from fastapi import FastAPI
    from nicegui import ui

    from klingel.app.web import api
    from klingel.app.web.helper import HelperError
    from klingel.app.web.pages import register
    from klingel.app.web.static_files import mount

    app = FastAPI(title=TITLE, docs_url=None, redoc_url=None, openapi_url=None)
    app.add_exception_handler(InputError, api.bad_input)
    app.add_exception_handler(HelperError, api.broken)
    app.include_router(api.router(bench))
    mount(app)
    register(bench)
    ui.run_with(
        app, title=TITLE, dark=None, storage_secret=bench.secret(), show_welcome_message=False,
        reconnect_timeout=30.0, session_middleware_kwargs={"same_site": "strict"},
    )  # fmt: skip
    app.add_middleware(Guard, hosts=hosts, token=token)
    return app, bench
