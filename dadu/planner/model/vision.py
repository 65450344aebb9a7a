"""What a model that sees says of the camera's picture: where the target is, what it looks like, and whether it is done.

Source: DaDu-E, section 3.3: the side of the table that the target is nearest to, and a description for the detector.
"""

from __future__ import annotations

import base64
import logging
from dataclasses import dataclass
from typing import Any, get_args

import cv2
import numpy as np
from pydantic import BaseModel, ConfigDict

from dadu.planner.cost import ModelCall
from dadu.planner.model.client import Completion, Message, ModelClient
from dadu.planner.model.schema import REASONING, parsed
from dadu.planner.policies.policy import PolicyUnavailable
from dadu.planner.settings import ModelSettings
from dadu.world.sides import Side

_log = logging.getLogger(__name__)

_WIDTH = 448
"""[px] that a picture is reduced to: some 200 to 300 tokens of today's vision models"""
_QUALITY = 85


class _Reply(BaseModel):
    model_config = ConfigDict(extra="forbid")

    visible: bool
    side: Side
    description: str


class _Verdict(BaseModel):
    model_config = ConfigDict(extra="forbid")

    done: bool
    reason: str


@dataclass(frozen=True)
class TargetView:
    """What the picture shows of a target."""

    remark: str
    """for the planner"""
    query: tuple[str, str] | None
    """the target and its description, for a detector that takes text; None where it is not visible"""
    call: ModelCall
    side: tuple[str, Side] | None = None
    """the place, and at which side of it the target is as seen from the robot"""


@dataclass(frozen=True)
class DoneView:
    """Whether the picture shows that the instruction is carried out."""

    done: bool
    reason: str
    """for the planner, at most some twenty words"""
    call: ModelCall


class VisionModel:
    """Asks about pictures until the server turns out not to see."""

    def __init__(self, settings: ModelSettings, question: str, done: str) -> None:
        """`question`: with {target} and {place}; `done`: with {instruction}."""
        # A client of its own: a text-only model refuses pictures, and that says nothing about schemas.
        self._client = ModelClient(settings.model_copy(update={"retries": 0, "max_tokens": 120}))
        self._question, self._done = question, done
        self._blind = not settings.vision

    def look(self, picture: np.ndarray, target: str, place: str, deadline: float) -> TargetView | None:
        """`picture`: uint8 (H, W, 3) RGB. None where the model is text-only, or has no use of its eyes just now."""
        words = self._question.format(target=target.replace("_", " "), place=place.replace("_", " "))
        answer = self._ask(picture, words, _SIGHT, deadline, "side")
        if answer is None:
            return None
        try:
            reply = _Reply.model_validate(parsed(answer.text))
        except ValueError:
            return TargetView("", None, answer.call)
        if not reply.visible:
            return TargetView(f"The picture does not show {target}.", None, answer.call)
        return TargetView(f"The picture shows {target} at the {reply.side} side of {place}.",
                          (target, reply.description[:120]), answer.call, (place, reply.side))

    def done(self, picture: np.ndarray, instruction: str, deadline: float) -> DoneView | None:
        """Whether the instruction is carried out, as far as the picture shows; None where nobody sees, or where the
        answer cannot be used."""
        answer = self._ask(picture, self._done.format(instruction=instruction), _DONE, deadline, "done")
        if answer is None:
            return None
        try:
            reply = _Verdict.model_validate(parsed(answer.text))
        except ValueError:
            return None
        return DoneView(reply.done, reply.reason[:120], answer.call)

    def _ask(self, picture: np.ndarray, words: str, form: dict[str, Any], deadline: float, kind: str
             ) -> Completion | None:
        if self._blind:
            return None
        try:
            return self._client.ask(_asked(picture, words.strip()), form, deadline, kind)
        except PolicyUnavailable as error:
            self._blind = True
            _log.warning("no more pictures are shown to the model: %s", error)
            return None


def _asked(picture: np.ndarray, words: str) -> list[Message]:
    return [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": _data_url(picture)}},
                                         {"type": "text", "text": words}]}]


def _data_url(picture: np.ndarray) -> str:
    height, width = picture.shape[:2]
    if width > _WIDTH:
        picture = cv2.resize(picture, (_WIDTH, round(height * _WIDTH / width)), interpolation=cv2.INTER_AREA)
    _, jpeg = cv2.imencode(".jpg", cv2.cvtColor(picture, cv2.COLOR_RGB2BGR), [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])
    return "data:image/jpeg;base64," + base64.b64encode(jpeg.tobytes()).decode()


def _schema(**properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


_WORDS = {"type": "string", "pattern": REASONING}
_SIGHT = _schema(visible={"type": "boolean"}, side={"enum": list(get_args(Side))}, description=_WORDS)
_DONE = _schema(done={"type": "boolean"}, reason=_WORDS)
