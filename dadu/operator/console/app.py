"""The web application of the operator's page. Whoever serves it implements `Operations`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from fastapi import APIRouter, Depends, FastAPI, Response
from fastapi.responses import HTMLResponse

from dadu.operator.console.access import LOOPBACK
from dadu.operator.console.orders import AnswerRequest, Correction, DriveRequest, EmergencyStopRequest, Instruction
from dadu.operator.console.serving import STYLE, assembled, guarded, ours
from dadu.operator.console.state import ConsoleState, SightView

_STYLES = ("layout", "controls", "task", "map", "things")
_SCRIPTS = ("connection", "elements", "header", "task", "plan", "map", "camera", "things", "details", "drive", "main")


def make_app(operations: Operations, hosts: Sequence[str] = LOOPBACK, token: str = "") -> FastAPI:
    """It answers to the names in `hosts` only, to whoever has the `token` where there is one, and acts only on requests
    that a page of another site cannot make (they carry a header of our own)."""
    text = page()
    app = guarded("DaDu console", text, hosts, token)
    app.include_router(_shown(operations, text))
    app.include_router(_asked(operations))
    return app


def _shown(operations: Operations, text: str) -> APIRouter:
    """What can be looked at."""
    router = APIRouter()

    @router.get("/", response_class=HTMLResponse)
    def index() -> str:
        return text

    @router.get("/view")
    def view() -> ConsoleState:
        return operations.view()

    @router.get("/plan.svg")
    def plan() -> Response:
        return Response(operations.plan(), media_type="image/svg+xml")

    @router.get("/sight")
    def sight(after: float = -1.0, outside: bool = False) -> Response:
        seen = operations.outside(after) if outside else operations.sight(after)
        if seen is None:
            return Response(status_code=204)
        return Response(seen.model_dump_json(), media_type="application/json", headers={"Cache-Control": "no-store"})

    @router.get("/picture/{id}")
    def picture(id: str) -> Response:
        jpeg = operations.picture(id)
        return Response(jpeg or None, 200 if jpeg else 204, {"Cache-Control": "no-store"}, "image/jpeg")

    return router


def _asked(operations: Operations) -> APIRouter:
    """What can be asked for; the answer says only that it was understood."""
    router = APIRouter(dependencies=[Depends(ours)])

    @router.post("/instruction", status_code=202)
    def instruct(body: Instruction) -> None:
        operations.instruct(body.text)

    @router.post("/answer", status_code=202)
    def answer(body: AnswerRequest) -> None:
        operations.answer(body.text)

    @router.post("/cancel", status_code=202)
    def cancel() -> None:
        operations.cancel()

    @router.post("/e_stop", status_code=202)
    def e_stop(body: EmergencyStopRequest) -> None:
        operations.e_stop(body.pressed)

    @router.post("/drive", status_code=202)
    def drive(body: DriveRequest) -> None:
        operations.drive(body)

    @router.post("/release", status_code=202)
    def release() -> None:
        operations.release()

    @router.post("/correction", status_code=202)
    def correct(body: Correction) -> None:
        operations.correct(body)

    return router


def page() -> str:
    """HTML."""
    web = "console/web"
    return assembled(f"{web}/console", [STYLE, *(f"{web}/{s}" for s in _STYLES)], [f"{web}/{s}" for s in _SCRIPTS])


class Operations(Protocol):
    """Called from the web server's threads; none may block. What becomes of a request is told as a notice of `view`."""

    def view(self) -> ConsoleState: ...

    def plan(self) -> str:
        """The floor plan as SVG."""
        ...

    def sight(self, after: float) -> SightView | None:
        """The newest camera picture; None: there is none, or it is that of the stamp `after`."""
        ...

    def outside(self, after: float) -> SightView | None:
        """The robot from outside, where a simulator shows it; as `sight`. Drawn only for as long as this is called."""
        ...

    def picture(self, id: str) -> bytes:
        """What a thing looks like, as it was seen best, JPEG; empty: there is no picture of it."""
        ...

    def instruct(self, text: str) -> None: ...

    def answer(self, text: str) -> None:
        """To the question of the task in progress."""
        ...

    def cancel(self) -> None: ...

    def e_stop(self, pressed: bool) -> None: ...

    def drive(self, wanted: DriveRequest) -> None:
        """For a moment only: whoever holds a key down asks again and again."""
        ...

    def release(self) -> None:
        """Gives the base back to autonomy."""
        ...

    def correct(self, correction: Correction) -> None: ...
