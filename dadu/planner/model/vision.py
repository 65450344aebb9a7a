"""What a model that sees says of the camera's picture after go_to: where the target is, and what it looks like.

Source: DaDu-E, section 3.3: the side of the table that the target is nearest to, and a description for the detector.
"""

from __future__ import annotations

import base64
import logging
from dataclasses import dataclass
from typing import Any, Literal

import cv2
import numpy as np
from pydantic import BaseModel, ConfigDict

from dadu.planner.cost import ModelCall
from dadu.planner.model.client import Message, ModelClient
from dadu.planner.model.schema import REASONING, parsed
from dadu.planner.policies.policy import PolicyUnavailable
from dadu.planner.settings import ModelSettings

_log = logging.getLogger(__name__)

_WIDTH = 448
"""[px] that a picture is reduced to: some 200 to 300 tokens of today's vision models"""
_QUALITY = 85
_SIDES = ("near", "far", "left", "right", "middle")


class _Reply(BaseModel):
    model_config = ConfigDict(extra="forbid")

    visible: bool
    side: Literal["near", "far", "left", "right", "middle"]
    description: str


@dataclass(frozen=True)
class TargetView:
    """What the picture shows of a target."""

    remark: str
    """for the planner"""
    query: tuple[str, str] | None
    """the target and its description, for a detector that takes text; None where it is not visible"""
    call: ModelCall


class VisionModel:
    """Asks about pictures until the server turns out not to see."""

    def __init__(self, settings: ModelSettings, question: str) -> None:
        """`question`: with {target} and {place}."""
        # A client of its own: a text-only model refuses pictures, and that says nothing about schemas.
        self._client = ModelClient(settings.model_copy(update={"retries": 0, "max_tokens": 120}))
        self._question = question
        self._blind = not settings.vision

    def look(self, picture: np.ndarray, target: str, place: str, deadline: float) -> TargetView | None:
        """`picture`: uint8 (H, W, 3) RGB. None where the model is text-only, or has no use of its eyes just now."""
        if self._blind:
            return None
        try:
            words = self._question.format(target=target.replace("_", " "), place=place.replace("_", " ")).strip()
            answer = self._client.ask(_asked(picture, words), _schema(), deadline, "side")
        except PolicyUnavailable as error:
            self._blind = True
            _log.warning("no more pictures are shown to the model: %s", error)
            return None
        try:
            reply = _Reply.model_validate(parsed(answer.text))
        except ValueError:
            return TargetView("", None, answer.call)
        if not reply.visible:
            return TargetView(f"The picture does not show {target}.", None, answer.call)
        return TargetView(f"The picture shows {target} at the {reply.side} side of {place}.",
                          (target, reply.description[:120]), answer.call)


def _asked(picture: np.ndarray, words: str) -> list[Message]:
    return [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": _data_url(picture)}},
                                         {"type": "text", "text": words}]}]


def _data_url(picture: np.ndarray) -> str:
    height, width = picture.shape[:2]
    if width > _WIDTH:
        picture = cv2.resize(picture, (_WIDTH, round(height * _WIDTH / width)), interpolation=cv2.INTER_AREA)
    _, jpeg = cv2.imencode(".jpg", cv2.cvtColor(picture, cv2.COLOR_RGB2BGR), [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])
    return "data:image/jpeg;base64," + base64.b64encode(jpeg.tobytes()).decode()


def _schema() -> dict[str, Any]:
    properties = {"visible": {"type": "boolean"}, "side": {"enum": list(_SIDES)},
                  "description": {"type": "string", "pattern": REASONING}}
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}
