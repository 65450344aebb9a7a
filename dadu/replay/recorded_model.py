"""The language model's policy with the replies that a bag holds, in place of a server."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from dadu.planner.cost import ModelCall
from dadu.planner.model.client import Completion, Message
from dadu.planner.model.policy import ModelPolicy
from dadu.planner.policies.policy import PolicyUnavailable
from dadu.planner.presets import PRESETS
from dadu.planner.settings import ModelSettings


class RecordedModel(ModelPolicy):
    """Builds prompts and schemas anew, and reads the recorded replies anew: tells where any of the three changed."""

    def __init__(self, name: str = "vllm") -> None:
        """`name`: of the planner that was recorded, as in `dadu.planner.presets`."""
        self._tape = _RecordedReplies()
        settings = ModelSettings(protocol=PRESETS[name].protocol or ModelSettings().protocol)
        super().__init__(settings, model=self._tape, name=name)

    def expect(self, step: Any) -> None:
        """The recorded turn (``PlanStep``) that comes next."""
        self._tape.take(step)

    def differences(self) -> Iterator[tuple[str, str, str]]:
        """Kind, as recorded, as replayed, of what was sent in the newest turn."""
        step, tape = self._tape.step, self._tape
        if step.prompt and step.prompt != tape.prompt:
            yield "prompt", _first_change(step.prompt, tape.prompt), _first_change(tape.prompt, step.prompt)
        recorded = getattr(step, "schema", "")  # bags of old do not have it
        if recorded and json.loads(recorded) != tape.schema:
            yield "schema", _brief(recorded), _brief(json.dumps(tape.schema))


class _RecordedReplies:
    """Answers as recorded."""

    def __init__(self) -> None:
        self.step: Any = None
        self.prompt = ""
        self.schema: dict[str, Any] = {}
        self._asked = 0

    def take(self, step: Any) -> None:
        self.step, self._asked = step, 0

    def ask(self, messages: list[Message], schema: dict[str, Any], deadline: float, kind: str = "step") -> Completion:
        """Errors: PolicyUnavailable where nothing was recorded."""
        if self.step is None or not self.step.reply:
            raise PolicyUnavailable("the bag holds no reply of the model for this turn")
        if not self._asked:
            self.prompt, self.schema = str(messages[-1]["content"]), schema
        self._asked += 1
        return Completion(self.step.reply, True, ModelCall(kind, 0, 0))


def _first_change(text: str, other: str) -> str:
    """Some words from where two texts part."""
    same = next((i for i, (a, b) in enumerate(zip(text, other)) if a != b), min(len(text), len(other)))
    return repr(text[max(0, same - 20):same + 60])


def _brief(text: str) -> str:
    return text if len(text) <= 120 else text[:117] + "..."


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
