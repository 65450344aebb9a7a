"""What may be asked of the robot on the operator's page: the bodies of its requests, checked in full."""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints, model_validator

from dadu.core.config import Settings
from dadu.world.graph import WorldGraph

_PRINTABLE = r"^[^\x00-\x1f\x7f]*$"
_NAMES = 12
"""that one thing may have"""
_Id = Annotated[str, StringConstraints(strip_whitespace=True, max_length=100, pattern=_PRINTABLE)]
_Share = Annotated[float, Field(strict=True, ge=-1.0, le=1.0, allow_inf_nan=False)]


class Instruction(Settings):
    """A body of POST /instruction."""

    text: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=500, pattern=_PRINTABLE)]


class AnswerRequest(Settings):
    """A body of POST /answer: what is said to a question of a robot that waits for it."""

    text: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=500, pattern=_PRINTABLE)]


class EmergencyStopRequest(Settings):
    """A body of POST /e_stop."""

    pressed: bool = Field(strict=True)


class DriveRequest(Settings):
    """A body of POST /drive: what a person holds down at this moment, in shares of the speed."""

    forward: _Share
    turn: _Share
    """to the left"""


class Correction(Settings):
    """A body of POST /correction."""

    action: Literal["not_there", "called", "is_a", "moved", "undo"]
    id: _Id = ""
    """of the thing; of an undo none"""
    name: Annotated[str, StringConstraints(strip_whitespace=True, max_length=60, pattern=_PRINTABLE)] = ""
    """what it is called, or what it is"""
    place: _Id = ""
    """id of the furniture or room where it is"""
    relation: Literal["on", "in"] = "on"

    @model_validator(mode="after")
    def _complete(self) -> Correction:
        needed = {"not_there": ("id",), "called": ("id", "name"), "is_a": ("id", "name"), "moved": ("id", "place"),
                  "undo": ()}[self.action]
        if missing := [name for name in needed if not getattr(self, name)]:
            raise ValueError(f"{self.action} needs {' and '.join(missing)}")
        return self

    def edit(self, graph: WorldGraph) -> str:
        """The same as the JSON of `dadu.memory.edit`, for the memory that holds `graph`."""
        return json.dumps(self._edit(graph))

    def _edit(self, graph: WorldGraph) -> dict[str, Any]:
        if self.action == "not_there":
            return {"remove": self.id}
        if self.action == "moved":
            return {"move": {"object": self.id, self.relation: self.place}}
        if self.action == "undo":
            return {"undo": True}
        if self.action == "is_a":
            return {"teach": {"thing": self.id, "is": self.name}}
        known = graph[self.id].aliases if self.id in graph else ()
        return {"put": {"id": self.id, "aliases": list(dict.fromkeys([*known, self.name]))[-_NAMES:]}}
