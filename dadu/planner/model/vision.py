"""What a model that sees says of the camera's picture: where the target is, what it looks like, and whether it is done.

Source: DaDu-E, section 3.3: the side of the table that the target is nearest to, and a description for the detector.
"""

from __future__ import annotations

import base64
import logging
import time
from typing import Any, get_args

import cv2
import numpy as np

from dadu.core.errors import QUOTED
from dadu.planner.model.client import Completion, Message, ModelClient
from dadu.planner.model.reading import ReplyError, ReplyForm, read
from dadu.planner.model.schema import REASONING
from dadu.planner.policies.policy import PolicyUnavailable, Turn
from dadu.planner.policies.views import DoneView, TargetView
from dadu.planner.settings import ModelSettings
from dadu.world.sides import Side

_log = logging.getLogger(__name__)

_WIDTH = 448
"""[px] that a picture is reduced to: some 200 to 300 tokens of today's vision models"""
_QUALITY = 85
_NAME = "the model that sees"


class _Reply(ReplyForm):
    visible: bool
    side: Side
    description: str


class _Verdict(ReplyForm):
    done: bool
    reason: str


class VisionModel:
    """Asks about pictures until the server turns out not to see."""

    def __init__(self, settings: ModelSettings, question: str, done: str) -> None:
        """`question`: with {target} and {place}; `done`: with {instruction}."""
        # A client of its own: a text-only model refuses pictures, and that says nothing about schemas.
        self._client = ModelClient(settings.model_copy(update={"retries": 0, "max_tokens": 120}))
        self._question, self._done = question, done
        self._patience = settings.timeout / 2
        self._blind = not settings.vision

    def look(self, turn: Turn, target: str, place: str) -> TargetView | None:
        """See `Onlooker`. None where the model is text-only, cannot use its eyes just now, or there is no picture."""
        words = self._question.format(target=target.replace("_", " "), place=place.replace("_", " "))
        answer = self._ask(turn.picture(), words, _SIGHT, "side")
        if answer is None:
            return None
        try:
            reply = read(answer.text, _Reply)
        except ReplyError:
            return TargetView("", None, _NAME, calls=(answer.call,))
        if not reply.visible:
            return TargetView(f"The picture does not show {target}.", None, _NAME, calls=(answer.call,))
        return TargetView(f"The picture shows {target} at the {reply.side} side of {place}.",
                          (target, reply.description[:QUOTED]), _NAME, (place, reply.side), (answer.call,))

    def done(self, turn: Turn) -> DoneView | None:
        """See `Onlooker`. None also where the answer cannot be used."""
        answer = self._ask(turn.picture(), self._done.format(instruction=turn.instruction), _DONE, "done")
        if answer is None:
            return None
        try:
            reply = read(answer.text, _Verdict)
        except ReplyError:
            return None
        return DoneView(reply.done, reply.reason[:QUOTED], _NAME, (answer.call,))

    def _ask(self, picture: np.ndarray | None, words: str, form: dict[str, Any], kind: str) -> Completion | None:
        """`picture`: uint8 (H, W, 3) RGB."""
        if self._blind or picture is None:
            return None
        try:
            return self._client.ask(_asked(picture, words.strip()), form, time.monotonic() + self._patience, kind)
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
