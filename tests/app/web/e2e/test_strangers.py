"""What other programs and pages try: foreign names, foreign pages, large bodies. The server stays."""

import http.client
import json

import pytest

from tests.app.web.event_loop import run_apart
from tests.app.web.requests import LONG

pytestmark = pytest.mark.slow


def ask(server, path: str, method: str = "GET", body: bytes | None = None, **headers: str) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    try:
        connection.request(method, path, body=body, headers=headers)
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()


@pytest.mark.parametrize("path", ["/", "/simulate", "/api/runs", "/static/app.css"])
def test_foreign_names_and_pages(server, path):
    assert ask(server, path)[0] in (200, 307)
    assert ask(server, path, Host="evil.example")[0] == 403
    assert ask(server, path, Origin="http://evil.example")[0] == 403


def test_websocket_of_a_foreign_page(server):
    websockets = pytest.importorskip("websockets")
    address = f"ws://127.0.0.1:{server.port}/_nicegui_ws/socket.io/?EIO=4&transport=websocket"

    async def connect(origin: str) -> str:
        async with websockets.connect(address, origin=origin) as socket:
            return (await socket.recv())[:1]

    assert run_apart(connect(f"http://127.0.0.1:{server.port}")) == "0"
    with pytest.raises(websockets.exceptions.InvalidStatus, match="403"):
        run_apart(connect("http://evil.example"))


def test_large_upload(server):
    """200 MB are refused by their length, before anything is read."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    connection.putrequest("POST", "/api/runs")
    connection.putheader("Content-Length", str(200 * 1024**2))
    connection.endheaders()
    answer = connection.getresponse()
    assert answer.status == 413
    assert b"at most" in answer.read()
    connection.close()
    assert ask(server, "/api/runs")[0] == 200


def test_fifty_runs_in_the_queue(server):
    """The server answers meanwhile, and stops them all."""
    body = json.dumps(LONG).encode()
    ids = [json.loads(ask(server, "/api/runs", "POST", body)[1])["id"] for _ in range(50)]
    assert ask(server, "/runs")[0] == 200
    states = [one["state"] for one in json.loads(ask(server, "/api/runs")[1]) if one["id"] in ids]
    assert states.count("queued") >= 40
    for id in reversed(ids):  # the queue first, or each that ends would let the next one begin
        assert ask(server, f"/api/runs/{id}", "DELETE")[0] == 200
    left = {one["id"] for one in json.loads(ask(server, "/api/runs")[1])}
    assert not left & set(ids)


@pytest.mark.parametrize(
    "path", ["/api/runs/..%2f..%2f/files/run.nc", "/static/..%2f..%2fserver.py", "/runs/..%2f..%2fetc"]
)
def test_paths_that_climb(server, path):
    status, content = ask(server, path)
    assert status in (200, 404, 422)  # a page may say that there is no such run
    assert b"uvicorn" not in content
    assert b"root:" not in content
