"""How good a planner is on kept-out conversations, each answer given what was right before it; no server needed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from dadu.core.errors import ConfigError
from dadu.learning.planner.base import model_of, resolved, tokenizer_of
from dadu.learning.planner.chats import ChatMessage, chats, present
from dadu.learning.planner.encode import ChatEncoder
from dadu.learning.planner.judge import JudgedReply, judged
from dadu.learning.planner.settings import PlannerTrainSettings, Protocol
from dadu.learning.recipe.lesson import Tell
from dadu.learning.recipe.order import EvaluationOrder

_LONGEST = 300
"""tokens of a reply"""
_TOGETHER = 16
"""questions"""


LIMIT = 200
"""answers of each protocol, drawn from all"""
PlannerEvaluation = EvaluationOrder[PlannerTrainSettings]


@dataclass(frozen=True)
class _Question:
    """One answer to give."""

    before: tuple[ChatMessage, ...]
    expected: str
    prompt: list[int]


def evaluate(order: PlannerEvaluation, protocols: Sequence[Protocol], tell: Tell) -> dict[str, Any]:
    """Figures by protocol: of greedy answers the shares that are valid and exact. Errors: ConfigError where there is
    nothing to measure on."""
    base = resolved(str(order.weights))
    tokenizer = tokenizer_of(base)
    asked = _Asked(model_of(base, torch.float32 if order.device == "cpu" else torch.bfloat16).to(order.device).eval(),
                   tokenizer)
    encoder = ChatEncoder(tokenizer, order.settings.context)
    found: dict[str, Any] = {}
    for protocol in protocols or present(order.data, order.split):
        questions = _questions(order, protocol, encoder)
        verdicts = []
        for question, reply in asked.answers(questions):
            said = [m.content for m in question.before]
            verdicts.append(judged(protocol, said, reply, question.expected))
            if len(verdicts) % 50 == 0:
                tell(f"{protocol}: {len(verdicts)} of {len(questions)} answers")
        found[protocol] = figures(verdicts)
    if not any(part["answers"] for part in found.values()):
        raise ConfigError(f"no conversation of split {order.split} within {order.settings.context} tokens")
    return found


def figures(verdicts: Sequence[JudgedReply]) -> dict[str, Any]:
    """Counts and shares."""
    count = len(verdicts)
    if not count:
        return {"answers": 0}
    sorts: dict[str, list[bool]] = defaultdict(list)
    for verdict in verdicts:
        sorts[verdict.right].append(verdict.exact)
    return {"answers": count, "valid": round(sum(v.valid for v in verdicts) / count, 3),
            "exact": round(sum(v.exact for v in verdicts) / count, 3), "exact by what is right": _counted(sorts)}


def _questions(order: PlannerEvaluation, protocol: Protocol, encoder: ChatEncoder) -> list[_Question]:
    every = [(before, answer) for chat in chats(order.data, protocol, order.split)
             for before, answer in encoder.answers(chat.messages)]
    drawn = (every[i] for i in _draw(len(every), LIMIT if order.limit is None else order.limit))
    questions = [_Question(before, answer.content, encoder.prompt(before)) for before, answer in drawn]
    return [q for q in questions if len(q.prompt) < order.settings.context]


def _counted(found: Mapping[str, list[bool]]) -> dict[str, str]:
    return {name: f"{sum(ones)} of {len(ones)}" for name, ones in sorted(found.items())}


def _draw(count: int, limit: int) -> list[int]:
    """At most `limit` of so many, always the same ones."""
    if not limit or count <= limit:
        return list(range(count))
    return sorted(np.random.default_rng(0).choice(count, limit, replace=False).tolist())


class _Asked:
    """A model that is asked."""

    def __init__(self, model: Any, tokenizer: Any) -> None:
        self._model, self._tokenizer = model, tokenizer

    def answers(self, questions: Sequence[_Question]) -> Iterator[tuple[_Question, str]]:
        """The likeliest token at each step; those of like length together."""
        alike = sorted(questions, key=lambda q: len(q.prompt))
        for i in range(0, len(alike), _TOGETHER):
            batch = alike[i:i + _TOGETHER]
            longest = max(len(q.prompt) for q in batch)
            ids = torch.tensor([[self._tokenizer.pad_token_id] * (longest - len(q.prompt)) + q.prompt for q in batch])
            mask = torch.tensor([[0] * (longest - len(q.prompt)) + [1] * len(q.prompt) for q in batch])
            with torch.inference_mode():
                written = self._model.generate(
                    input_ids=ids.to(self._model.device), attention_mask=mask.to(self._model.device), do_sample=False,
                    max_new_tokens=_LONGEST, pad_token_id=self._tokenizer.pad_token_id,
                    eos_token_id=self._tokenizer.eos_token_id, temperature=None, top_p=None, top_k=None)
            for question, tokens in zip(batch, written[:, longest:].tolist()):
                yield question, self._tokenizer.decode(tokens, skip_special_tokens=True)
