"""The operator's web page: what it shows and what it may ask for. Whoever serves it implements `Operations`."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files
from typing import Annotated, Protocol

from fastapi import Depends, FastAPI, Header, HTTPException, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse
from pydantic import BaseModel, Field, StringConstraints
from starlette.middleware.trustedhost import TrustedHostMiddleware

from dadu.core.config import Settings
from dadu.operator.console_guard import BoundedBodies, FixedHeaders, page_headers, refusal

LOOPBACK = ("localhost", "127.0.0.1")
_HEADER = "X-DaDu-Console"


class StepView(BaseModel):
    """One turn of the planner."""

    number: int
    call: str
    reasoning: str
    outcome: str = ""
    """name of the code; empty while it runs"""
    ok: bool | None = None
    message: str = ""


class ObjectView(BaseModel):
    """An object as memory has it."""

    id: str
    where: str
    confidence: float


class ConsoleState(BaseModel):
    """All that changes on the page."""

    stamp: float
    """[s], on the clock in use"""
    operator: str
    """autonomy, teleop or stopped"""
    reason: str
    pose: tuple[float, float, float] | None
    """x, y [px of the plan], heading [deg, clockwise]"""
    path: list[tuple[float, float]]
    """[px of the plan], since the page was opened"""
    instruction: str
    status: str
    """of the task, in words"""
    running: bool
    steps: list[StepView]
    objects: list[ObjectView]
    revision: int
    """of the plan: fetch it again when this changes"""


class Instruction(Settings):
    """A body of POST /instruction."""

    text: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=500,
                                           pattern=r"^[^\x00-\x1f\x7f]*$")]


class EmergencyStopRequest(Settings):
    """A body of POST /e_stop."""

    pressed: bool = Field(strict=True)


class Operations(Protocol):
    """What the page needs. Called from the web server's threads; none may block."""

    def view(self) -> ConsoleState: ...

    def plan(self) -> str:
        """The floor plan as SVG."""
        ...

    def picture(self) -> bytes | None:
        """The newest camera picture, upright JPEG."""
        ...

    def instruct(self, text: str) -> None: ...

    def cancel(self) -> None: ...

    def e_stop(self, pressed: bool) -> None: ...


def make_app(operations: Operations, hosts: Sequence[str] = LOOPBACK) -> FastAPI:
    """The web application. It answers to the names in `hosts` only, and acts only on requests that a page of another
    site cannot make (they carry a header of our own)."""
    app = FastAPI(title="DaDu console", docs_url=None, redoc_url=None, openapi_url=None)
    page = _page()
    app.add_middleware(BoundedBodies)
    app.add_middleware(TrustedHostMiddleware, allowed_hosts=list(hosts))
    app.add_middleware(FixedHeaders, headers=page_headers(page))
    app.add_exception_handler(RequestValidationError, refusal)

    @app.get("/", response_class=HTMLResponse)
    def index() -> str:
        return page

    @app.get("/view")
    def view() -> ConsoleState:
        return operations.view()

    @app.get("/plan.svg")
    def plan() -> Response:
        return Response(operations.plan(), media_type="image/svg+xml")

    @app.get("/camera.jpg")
    def camera() -> Response:
        jpeg = operations.picture()
        if jpeg is None:
            return Response(status_code=204)
        return Response(jpeg, media_type="image/jpeg", headers={"Cache-Control": "no-store"})

    @app.post("/instruction", status_code=202, dependencies=[Depends(_ours)])
    def instruct(body: Instruction) -> None:
        operations.instruct(body.text)

    @app.post("/cancel", status_code=202, dependencies=[Depends(_ours)])
    def cancel() -> None:
        operations.cancel()

    @app.post("/e_stop", status_code=202, dependencies=[Depends(_ours)])
    def e_stop(body: EmergencyStopRequest) -> None:
        operations.e_stop(body.pressed)

    return app


def _ours(mark: Annotated[str | None, Header(alias=_HEADER)] = None) -> None:
    if mark is None:
        raise HTTPException(403, f"requests that act must carry the header {_HEADER}")


def _page() -> str:
    """Self-contained: style and script are put into it."""
    folder = files("dadu.operator") / "templates"
    page = (folder / "console.html").read_text()
    for name in ("style.css", "console.css", "console.js"):
        page = page.replace(f"/* {name} */", (folder / name).read_text())
    return page
