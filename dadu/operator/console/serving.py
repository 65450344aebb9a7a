"""What all web pages of this project share: how they are put together, what stands before them, how they are served."""

from __future__ import annotations

import logging
import socket
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Annotated

import uvicorn
from fastapi import FastAPI, Header, HTTPException
from fastapi.exceptions import RequestValidationError
from starlette.middleware.trustedhost import TrustedHostMiddleware

from dadu.operator.console.access import LOOPBACK, TokenRequired, names_of, new_token
from dadu.operator.console.guard import BoundedBodies, FixedHeaders, page_headers, refusal

_HEADER = "X-DaDu-Console"
STYLE = "templates/style"
"""colours, cards and floor plans"""


def assembled(html: str, styles: Sequence[str], scripts: Sequence[str]) -> str:
    """A page that needs nothing else: files of `dadu.operator`, their endings left out; the scripts one after the
    other in one scope."""
    package = files("dadu.operator")
    style = "\n".join((package / f"{s}.css").read_text() for s in styles)
    script = "\n".join(['"use strict";', *((package / f"{s}.js").read_text() for s in scripts)])
    text = (package / f"{html}.html").read_text()
    return text.replace("/* styles */", style).replace("/* scripts */", script)


def guarded(title: str, text: str, hosts: Sequence[str], token: str) -> FastAPI:
    """An application for the page `text`, with nothing in it yet. It answers to the names in `hosts` only, to whoever
    has the `token` where there is one."""
    app = FastAPI(title=title, docs_url=None, redoc_url=None, openapi_url=None)
    app.add_middleware(BoundedBodies)
    if token:
        app.add_middleware(TokenRequired, token=token)
    app.add_middleware(TrustedHostMiddleware, allowed_hosts=list(hosts))
    app.add_middleware(FixedHeaders, headers=page_headers(text))
    app.add_exception_handler(RequestValidationError, refusal)
    return app


def ours(mark: Annotated[str | None, Header(alias=_HEADER)] = None) -> None:
    """Refuses, as a dependency of a route, what a page of another site could send: that cannot carry a header of our
    own."""
    if mark is None:
        raise HTTPException(403, f"requests that act must carry the header {_HEADER}")


@dataclass(frozen=True)
class Served:
    """A page that is being served."""

    url: str
    address: str
    """the URL, with the token where one is asked for"""
    server: uvicorn.Server

    def end(self) -> None:
        self.server.should_exit = True


def serve(make: Callable[[Sequence[str], str], FastAPI], host: str, port: int, names: str = "", token: str = "",
          warn: Callable[[str], None] = lambda text: None) -> Served:
    """Serves what is made of hosts and token, in a thread that ends with the process. `names`: others that the page is
    asked for by, with commas; `token`: empty: on this machine none, else a new one. A port that is taken is replaced
    by a free one, and `warn` told."""
    try:
        listener = socket.create_server((host, port))
    except OSError as error:
        listener = socket.create_server((host, 0))
        warn(f"port {port} cannot be had ({error.strerror}); another is taken")
    token = token or ("" if host in LOOPBACK else new_token())
    app = make(names_of(host, names), token)
    server = uvicorn.Server(uvicorn.Config(app, log_level=logging.WARNING, access_log=False))
    threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True, name="web").start()
    url = f"http://{host}:{listener.getsockname()[1]}"
    return Served(url, f"{url}/?token={token}" if token else url, server)
