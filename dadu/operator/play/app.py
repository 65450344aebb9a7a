"""The web application on which people play. Whoever serves it implements `PlayOperations`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Protocol

from fastapi import APIRouter, Depends, FastAPI, Header, Query, Request, Response
from fastapi.responses import HTMLResponse, JSONResponse

from dadu.operator.console.access import LOOPBACK
from dadu.operator.console.serving import STYLE, assembled, guarded, ours
from dadu.operator.play.orders import EndRequest, Join, NotNow, Say, SkillOrder
from dadu.operator.play.state import Joined, MenuItem, PlayState

SEAT = "X-DaDu-Seat"
"""header with the key of who plays"""
Key = Annotated[str, Header(alias=SEAT, max_length=100)]
_WEB = "play/web"
_SCRIPTS = ("console/web/connection", "console/web/elements", "console/web/plan", f"{_WEB}/map",
            f"{_WEB}/menu", f"{_WEB}/side", f"{_WEB}/main")


def make_app(operations: PlayOperations, hosts: Sequence[str] = LOOPBACK, token: str = "") -> FastAPI:
    """As `dadu.operator.console.app.make_app`; what cannot be had now is answered with 409 and why."""
    text = page()
    app = guarded("DaDu together", text, hosts, token)
    app.add_exception_handler(NotNow, _not_now)
    app.include_router(_shown(operations, text))
    app.include_router(_asked(operations))
    return app


def page() -> str:
    """HTML."""
    return assembled(f"{_WEB}/play", [STYLE, "console/web/controls", "console/web/map", f"{_WEB}/play"], _SCRIPTS)


def _shown(operations: PlayOperations, text: str) -> APIRouter:
    """What can be looked at."""
    router = APIRouter()

    @router.get("/", response_class=HTMLResponse)
    def index() -> str:
        return text

    @router.get("/state")
    def state(key: Key = "", known: Annotated[int, Query(ge=0, le=10**9)] = 0) -> Response:
        shown = operations.state(key, known)
        return Response(shown.model_dump_json(), media_type="application/json", headers={"Cache-Control": "no-store"})

    @router.get("/plan.svg")
    def plan(key: Key = "") -> Response:
        return Response(operations.plan(key), media_type="image/svg+xml", headers={"Cache-Control": "no-store"})

    @router.get("/menu")
    def menu(key: Key = "", id: Annotated[str, Query(max_length=100)] = "") -> list[MenuItem]:
        return operations.menu(key, id)

    return router


def _asked(operations: PlayOperations) -> APIRouter:
    """What can be asked for; the answer says only that it was understood."""
    router = APIRouter(dependencies=[Depends(ours)])

    @router.post("/join")
    def join(body: Join, key: Key = "") -> Joined:
        return Joined(key=operations.join(body.agent, key))

    @router.post("/start", status_code=202)
    def start(key: Key = "") -> None:
        operations.start(key)

    @router.post("/order", status_code=202)
    def order(body: SkillOrder, key: Key = "") -> None:
        operations.order(key, body)

    @router.post("/stop", status_code=202)
    def stop(key: Key = "") -> None:
        operations.stop(key)

    @router.post("/say", status_code=202)
    def say(body: Say, key: Key = "") -> None:
        operations.say(key, body)

    @router.post("/end", status_code=202)
    def end(body: EndRequest, key: Key = "") -> None:
        operations.end(key, body.done)

    return router


def _not_now(_: Request, error: Exception) -> Response:
    return JSONResponse({"detail": [{"loc": [], "msg": str(error)}]}, 409)


class PlayOperations(Protocol):
    """Called from the web server's threads; none may block. `key`: of who asks, empty where they play nobody. Errors:
    NotNow."""

    def state(self, key: str, known: int) -> PlayState:
        """`known`: number of the things that the page has."""
        ...

    def plan(self, key: str) -> str:
        """SVG; empty before there is one."""
        ...

    def menu(self, key: str, id: str) -> list[MenuItem]:
        """What can be done with it."""
        ...

    def join(self, agent: str, key: str) -> str:
        """Takes a free agent's seat, and gives up that of `key`; the key from then on."""
        ...

    def start(self, key: str) -> None:
        """Is ready: the episode begins when all are."""

    def order(self, key: str, order: SkillOrder) -> None: ...

    def stop(self, key: str) -> None: ...

    def say(self, key: str, say: Say) -> None: ...

    def end(self, key: str, done: bool) -> None: ...
