"""Who gets to the operator's page: on this machine whoever is on it, from elsewhere whoever has its token."""

from __future__ import annotations

import secrets
import socket

import psutil
from fastapi import Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse
from starlette.middleware.base import BaseHTTPMiddleware, RequestResponseEndpoint
from starlette.types import ASGIApp

LOOPBACK = ("localhost", "127.0.0.1")
_EVERYWHERE = ("0.0.0.0", "::", "")
_COOKIE = "dadu_token"
_FORM = """<!doctype html><title>DaDu console</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<form method="get" action="/" style="font: 16px/1.6 system-ui; max-width: 32em; margin: 3em auto; padding: 0 16px">
<p>This page is opened with a token: it is in the address that <code>dadu</code> prints where it was started.</p>
<p><label>Token <input name="token" type="password" autocomplete="off" autofocus></label>
<button>Open</button></p></form>
"""


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


class TokenRequired(BaseHTTPMiddleware):
    """Hands on what carries the token: in the address once, ``?token=...``, from then on in a cookie; or in a header
    ``Authorization: Bearer ...``. Anything else is answered with 401."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        super().__init__(app)
        self._token = token

    async def dispatch(self, request: Request, call_next: RequestResponseEndpoint) -> Response:
        if request.url.path == "/" and request.method == "GET" and self._fits(request.query_params.get("token", "")):
            entered = RedirectResponse("/", 303)
            entered.set_cookie(_COOKIE, self._token, httponly=True, samesite="strict")
            return entered
        bearer = request.headers.get("authorization", "").removeprefix("Bearer ")
        if self._fits(request.cookies.get(_COOKIE, "")) or self._fits(bearer):
            return await call_next(request)
        return HTMLResponse(_FORM, 401)

    def _fits(self, token: str) -> bool:
        return secrets.compare_digest(token.encode(), self._token.encode())
