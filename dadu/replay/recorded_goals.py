"""The goals that a language model wrote (protocol `goal`), as a bag holds them, in place of a server."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from dadu.planner.cost import ModelCall
from dadu.planner.model.client import Completion, Message
from dadu.planner.policies.policy import PolicyUnavailable


class RecordedGoals:
    """Answers as recorded, one reply after the other; what was sent back for repair is not in a bag."""

    def __init__(self, replies: Iterable[str]) -> None:
        """`replies` of a task's steps; empty where the model was not asked."""
        self._left = [reply for reply in replies if reply]

    def ask(self, messages: list[Message], schema: dict[str, Any], deadline: float, kind: str = "step") -> Completion:
        """Errors: PolicyUnavailable where nothing more was recorded."""
        if not self._left:
            raise PolicyUnavailable("the bag holds no more replies of the model")
        return Completion(self._left.pop(0), True, ModelCall(kind, 0, 0))
