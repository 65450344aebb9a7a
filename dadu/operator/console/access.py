"""Who gets to the operator's page: on this machine whoever is on it, from elsewhere whoever has its token."""

from __future__ import annotations

import secrets
import socket
from collections.abc import Awaitable, Callable, MutableMapping
from http.cookies import CookieError, SimpleCookie
from typing import Any, TypeAlias
from urllib.parse import parse_qs

import psutil

LOOPBACK = ("localhost", "127.0.0.1")
_EVERYWHERE = ("0.0.0.0", "::", "")
_COOKIE = "dadu_token"
_FORM = """<!doctype html><title>DaDu console</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<form method="get" action="/" style="font: 16px/1.6 system-ui; max-width: 32em; margin: 3em auto; padding: 0 16px">
<p>This robot is opened with a token: it is in the address that <code>dadu up</code> prints once it is ready.</p>
<p><label>Token <input name="token" type="password" autocomplete="off" autofocus></label>
<button>Open</button></p></form>
"""

_Message: TypeAlias = MutableMapping[str, Any]
_Receive: TypeAlias = Callable[[], Awaitable[_Message]]
_Send: TypeAlias = Callable[[_Message], Awaitable[None]]
_App: TypeAlias = Callable[[_Message, _Receive, _Send], Awaitable[None]]


def new_token() -> str:
    """One that nobody guesses."""
    return secrets.token_urlsafe(16)


def names_of(host: str, more: str = "") -> tuple[str, ...]:
    """The names and addresses that a server which listens on `host` answers to: a page of another site that had its own
    name resolve here would go by that name. `more`: others that it is known by, with commas."""
    if host in LOOPBACK:
        return LOOPBACK
    name = socket.gethostname()
    here = {a.address for addresses in psutil.net_if_addrs().values() for a in addresses if a.family == socket.AF_INET}
    listened = here if host in _EVERYWHERE else {host}
    given = filter(None, (word.strip() for word in more.split(",")))
    return tuple(sorted({*LOOPBACK, name, f"{name}.local", socket.getfqdn(), *listened, *given}))


class TokenRequired:
    """Hands on what carries the token: in the address once, ``?token=...``, from then on in a cookie; or in a header
    ``Authorization: Bearer ...``. Anything else is answered with 401."""

    def __init__(self, app: _App, token: str) -> None:
        self._app, self._token = app, token

    async def __call__(self, scope: _Message, receive: _Receive, send: _Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
        shown = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[0]
        if scope["path"] == "/" and scope["method"] == "GET" and self._fits(shown):
            cookie = f"{_COOKIE}={self._token}; Path=/; HttpOnly; SameSite=Strict"
            await _answer(send, 303, (b"location", b"/"), (b"set-cookie", cookie.encode()))
        elif self._fits(_kept(headers.get(b"cookie", ""))) or self._fits(
                headers.get(b"authorization", "").removeprefix("Bearer ")):
            await self._app(scope, receive, send)
        else:
            await _answer(send, 401, (b"content-type", b"text/html; charset=utf-8"), body=_FORM.encode())

    def _fits(self, token: str) -> bool:
        return secrets.compare_digest(token.encode(), self._token.encode())


def _kept(cookies: str) -> str:
    try:
        found = SimpleCookie(cookies).get(_COOKIE)
    except CookieError:
        return ""
    return found.value if found is not None else ""


async def _answer(send: _Send, status: int, *headers: tuple[bytes, bytes], body: bytes = b"") -> None:
    length = (b"content-length", b"%d" % len(body))
    await send({"type": "http.response.start", "status": status, "headers": [*headers, length]})
    await send({"type": "http.response.body", "body": body})
