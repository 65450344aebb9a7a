"""What stands before the console's application: no body longer than it needs, no page of another site around it, and
for whatever it cannot read an answer that says so."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, TypeAlias

from fastapi import Request, Response
from fastapi.exceptions import RequestValidationError

_Message: TypeAlias = MutableMapping[str, Any]
_Receive: TypeAlias = Callable[[], Awaitable[_Message]]
_Send: TypeAlias = Callable[[_Message], Awaitable[None]]
_App: TypeAlias = Callable[[_Message, _Receive, _Send], Awaitable[None]]

LONGEST_BODY = 4096
"""[byte]: an instruction of 500 letters, each written as an escape, has room in it"""


class BoundedBodies:
    """Reads a body as far as it may be long, then hands it on; a longer one is answered with 413 and not read on."""

    def __init__(self, app: _App, limit: int = LONGEST_BODY) -> None:
        self._app, self._limit = app, limit

    async def __call__(self, scope: _Message, receive: _Receive, send: _Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        said = dict(scope["headers"]).get(b"content-length", b"0")
        if not said.isdigit() or int(said) > self._limit:
            await _too_long(send)
            return
        body, more = b"", True
        while more and len(body) <= self._limit:
            message = await receive()
            if message["type"] == "http.disconnect":
                return
            body, more = body + message.get("body", b""), message.get("more_body", False)
        if len(body) > self._limit:
            await _too_long(send)
            return
        await self._app(scope, _replay(body, receive), send)


class FixedHeaders:
    """Puts the same headers on every answer."""

    def __init__(self, app: _App, headers: dict[str, str]) -> None:
        self._app = app
        self._headers = [(name.lower().encode(), value.encode()) for name, value in headers.items()]

    async def __call__(self, scope: _Message, receive: _Receive, send: _Send) -> None:
        async def with_headers(message: _Message) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": [*message.get("headers", ()), *self._headers]}
            await send(message)

        await self._app(scope, receive, with_headers)


def page_headers(page: str) -> dict[str, str]:
    """No frame around the page, nothing loaded from elsewhere, no script but the one that is in it."""
    scripts = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    hashes = " ".join(f"'sha256-{base64.b64encode(hashlib.sha256(s.encode()).digest()).decode()}'" for s in scripts)
    return {
        "Content-Security-Policy": f"default-src 'none'; script-src {hashes}; style-src 'unsafe-inline'; "
                                   "img-src 'self' data: blob:; connect-src 'self'; form-action 'self'; "
                                   "base-uri 'none'; frame-ancestors 'none'",
        "X-Frame-Options": "DENY", "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
    }


def refusal(_: Request, error: Exception) -> Response:
    """422 that says what is wrong where, without repeating what was sent: not all of it can be written as UTF-8."""
    errors = error.errors() if isinstance(error, RequestValidationError) else []
    detail = [{"loc": list(map(str, e["loc"])), "msg": e["msg"]} for e in errors]
    return Response(json.dumps({"detail": detail}), status_code=422, media_type="application/json")


def _replay(body: bytes, receive: _Receive) -> _Receive:
    """Gives the body that was read, then whatever else comes."""
    waiting = [{"type": "http.request", "body": body, "more_body": False}]

    async def next_message() -> _Message:
        return waiting.pop() if waiting else await receive()

    return next_message


async def _too_long(send: _Send) -> None:
    text = json.dumps({"detail": f"a body may have {LONGEST_BODY} bytes"}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(text)),
               (b"connection", b"close")]
    await send({"type": "http.response.start", "status": 413, "headers": headers})
    await send({"type": "http.response.body", "body": text})
