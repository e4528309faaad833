"""Who may talk to the server: our own pages only; beyond this machine, who has the token.

A page of a foreign site could otherwise drive a server on this machine: its scripts may send requests here, and a
name of its own may be made to lead here. So the Host must be ours, the Origin, where a browser tells one, must be
ours too, for HTTP and for websockets, and a body may be no larger than what pages send.
"""

import hmac
from collections.abc import Awaitable, Callable, MutableMapping
from http.cookies import SimpleCookie
from typing import Any
from urllib.parse import parse_qs, urlsplit

LOOPBACK = ("127.0.0.1", "localhost", "::1")
COOKIE = "klingel_token"
LARGEST_BODY = 64 * 1024 * 1024  # bytes

Scope = MutableMapping[str, Any]
Send = Callable[[Any], Awaitable[None]]
Receive = Callable[[], Awaitable[Any]]


def host_of(text: str) -> str:
    """Without its port."""
    try:
        return (urlsplit(f"//{text}").hostname or "").lower()
    except ValueError:
        return ""


class TooLarge(Exception):
    pass


class Guard:
    """ASGI middleware around everything."""

    def __init__(self, app: Any, hosts: tuple[str, ...] = LOOPBACK, token: str = ""):
        self.app, self.hosts, self.token = app, hosts, token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = {key.decode("latin-1").lower(): value.decode("latin-1") for key, value in scope["headers"]}
        reason = self._reason(scope, headers)
        if reason:
            await _refuse(scope, send, 403, reason)
            return
        if scope["type"] == "websocket":
            await self.app(scope, receive, send)
            return
        if _length(headers) > LARGEST_BODY:
            await _refuse(scope, send, 413, _too_large())
            return
        await self._pass(scope, receive, self._with_cookie(scope, send))

    def _reason(self, scope: Scope, headers: dict[str, str]) -> str:
        """Why this is not answered; empty for our own."""
        host = headers.get("host", "")
        if self.hosts and host_of(host) not in self.hosts:
            return "this server answers under its own name only"
        origin = headers.get("origin")
        if origin is not None and urlsplit(origin).netloc.lower() != host.lower():
            return "this server answers its own pages only"
        if headers.get("sec-fetch-site") == "cross-site" and scope["type"] == "websocket":
            return "this server answers its own pages only"
        if self.token and not self._knows(scope, headers):
            return "give the token: open the address with ?token=... that klingel app printed"
        return ""

    def _knows(self, scope: Scope, headers: dict[str, str]) -> bool:
        cookies = SimpleCookie()
        try:
            cookies.load(headers.get("cookie", ""))
        except Exception:  # whatever a stranger sends as a cookie
            return False
        given = cookies[COOKIE].value if COOKIE in cookies else _asked_token(scope)
        return hmac.compare_digest(given.encode(), self.token.encode())

    def _with_cookie(self, scope: Scope, send: Send) -> Send:
        """The token of an address stays as a cookie."""
        if not (self.token and _asked_token(scope)):
            return send

        async def adding(message: Any) -> None:
            if message["type"] == "http.response.start":
                cookie = f"{COOKIE}={self.token}; Path=/; HttpOnly; SameSite=Strict"
                message["headers"] = [*message["headers"], (b"set-cookie", cookie.encode())]
            await send(message)

        return adding

    async def _pass(self, scope: Scope, receive: Receive, send: Send) -> None:
        """A body without a length is counted as it comes."""
        seen, started = 0, False

        async def counting() -> Any:
            nonlocal seen
            message = await receive()
            seen += len(message.get("body", b""))
            if seen > LARGEST_BODY:
                raise TooLarge
            return message

        async def noting(message: Any) -> None:
            nonlocal started
            started = True
            await send(message)

        try:
            await self.app(scope, counting, noting)
        except TooLarge:
            if not started:
                await _refuse(scope, send, 413, _too_large())


def _asked_token(scope: Scope) -> str:
    query = parse_qs(scope.get("query_string", b"").decode("latin-1"))
    return query.get("token", [""])[0]


def _length(headers: dict[str, str]) -> int:
    text = headers.get("content-length", "0")
    return int(text) if text.isdigit() and len(text) < 19 else LARGEST_BODY + 1


def _too_large() -> str:
    return f"a file may have at most {LARGEST_BODY // 1024**2} MB"


async def _refuse(scope: Scope, send: Send, status: int, reason: str) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 4403, "reason": reason})
        return
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": reason.encode()})
