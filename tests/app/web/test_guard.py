"""Only our own pages, and with the token beyond this machine; bodies of a sensible size."""

import pytest

from klingel.app.web import guard
from klingel.app.web.guard import LOOPBACK, Guard
from tests.app.web.event_loop import run_apart


async def inner(scope, receive, send):
    """Answers everything, after reading the whole body."""
    if scope["type"] == "websocket":
        await send({"type": "websocket.accept"})
        return
    more = True
    while more:
        message = await receive()
        more = message.get("more_body", False)
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b""})


def ask(app, headers=(), kind="http", query=b"", bodies=(b"",)):
    sent, waiting = [], [{"type": "http.request", "body": b, "more_body": True} for b in bodies[:-1]]
    waiting.append({"type": "http.request", "body": bodies[-1], "more_body": False})

    async def send(message):
        sent.append(message)

    async def receive():
        return waiting.pop(0)

    scope = {"type": kind, "headers": [(k.encode(), v.encode()) for k, v in headers], "query_string": query}
    run_apart(app(scope, receive, send))
    return sent


def status(*given, **more) -> int:
    return ask(*given, **more)[0].get("status", 0)


OWN = ("host", "127.0.0.1:8311")


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ([OWN], 200),
        ([("host", "localhost:8311")], 200),
        ([("host", "evil.example")], 403),
        ([("host", "127.0.0.1.evil.example:8311")], 403),
        ([], 403),
        ([OWN, ("origin", "http://127.0.0.1:8311")], 200),
        ([OWN, ("origin", "http://evil.example")], 403),
        ([OWN, ("origin", "http://127.0.0.1:9999")], 403),
        ([OWN, ("origin", "null")], 403),
        ([OWN, ("host", "[bad")], 403),
    ],
)
def test_host_and_origin(headers, expected):
    assert status(Guard(inner, LOOPBACK), headers) == expected


def test_websocket_of_a_foreign_page():
    app = Guard(inner, LOOPBACK)
    assert ask(app, [OWN, ("origin", "http://127.0.0.1:8311")], "websocket")[0]["type"] == "websocket.accept"
    for origin in ("http://evil.example", "null"):
        assert ask(app, [OWN, ("origin", origin)], "websocket")[0]["type"] == "websocket.close"


def test_token():
    app = Guard(inner, hosts=(), token="secret")
    host = ("host", "wagon.example:8311")
    assert status(app, [host]) == 403
    assert status(app, [host], query=b"token=wrong") == 403
    assert status(app, [host, ("cookie", "klingel_token=wrong")]) == 403
    assert status(app, [host, ("cookie", "\x00;;=")]) == 403
    answer = ask(app, [host], query=b"token=secret")
    assert answer[0]["status"] == 200
    cookie = dict(answer[0]["headers"])[b"set-cookie"].decode()
    assert "HttpOnly" in cookie
    assert status(app, [host, ("cookie", cookie.partition(";")[0])]) == 200


def test_large_bodies(monkeypatch):
    monkeypatch.setattr(guard, "LARGEST_BODY", 1000)
    app = Guard(inner, LOOPBACK)
    assert status(app, [OWN, ("content-length", "1000")], bodies=(b"x" * 1000,)) == 200
    assert status(app, [OWN, ("content-length", "1001")]) == 413
    assert status(app, [OWN, ("content-length", "-5")]) == 413
    assert status(app, [OWN, ("content-length", "9" * 40)]) == 413
    assert status(app, [OWN], bodies=(b"x" * 600, b"x" * 600)) == 413
