"""What stands before the console's application: no body longer than it needs, no page of another site around it, and
for whatever it cannot read an answer that says so."""

from __future__ import annotations

import base64
import hashlib
import json
import re

from fastapi import Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.middleware.base import BaseHTTPMiddleware, RequestResponseEndpoint
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LONGEST_BODY = 4096
"""[byte]: an instruction of 500 letters, each written as an escape, has room in it"""


class BoundedBodies:
    """Reads a body as far as it may be long, then hands it on; a longer one is answered with 413 and not read on."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        said = dict(scope["headers"]).get(b"content-length", b"0")
        too_long, body, more = not said.isdigit() or int(said) > LONGEST_BODY, b"", True
        while more and not too_long:
            message = await receive()
            body, more = body + message.get("body", b""), message.get("more_body", False)
            hung_up = message["type"] == "http.disconnect"  # nobody hears the answer, but what is around waits for one
            too_long = hung_up or len(body) > LONGEST_BODY
        if too_long:
            answer = JSONResponse({"detail": f"a body may have {LONGEST_BODY} bytes"}, 413, {"connection": "close"})
            await answer(scope, receive, send)
            return
        waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

        async def next_message() -> Message:
            return waiting.pop() if waiting else await receive()

        await self._app(scope, next_message, send)


class FixedHeaders(BaseHTTPMiddleware):
    """Puts the same headers on every answer."""

    def __init__(self, app: ASGIApp, headers: dict[str, str]) -> None:
        super().__init__(app)
        self._headers = headers

    async def dispatch(self, request: Request, call_next: RequestResponseEndpoint) -> Response:
        answer = await call_next(request)
        answer.headers.update(self._headers)
        return answer


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
