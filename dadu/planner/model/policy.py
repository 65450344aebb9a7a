"""The language model as policy: one JSON action a turn, from a schema rebuilt at each turn from the live graph."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import replace

from dadu.planner.model.client import Answer, ModelClient
from dadu.planner.model.feasible import feasible
from dadu.planner.model.prompt import Prompts, default_prompts, messages
from dadu.planner.model.purpose import purpose_of
from dadu.planner.model.schema import check, schema
from dadu.planner.policy import Turn
from dadu.planner.settings import ModelSettings
from dadu.planner.step import Decision
from dadu.skills.call import BASE_CAPABILITIES, SkillCall
from dadu.skills.outcome import Code, SkillResult


class ModelPolicy:
    """Asks the server; a reply that cannot be used gets one chance of repair, then it is a failed step."""

    name = "vllm"

    def __init__(self, settings: ModelSettings, prompts: Prompts | None = None,
                 capabilities: Sequence[str] = BASE_CAPABILITIES) -> None:
        self._settings = settings
        self._prompts = prompts or default_prompts()
        self._capabilities = capabilities
        self._client = ModelClient(settings)

    def choose(self, turn: Turn) -> Decision:
        """Errors: PolicyUnavailable."""
        deadline = time.monotonic() + self._settings.timeout
        variants = feasible(turn.graph, self._capabilities)
        conversation = messages(turn, self._prompts, self._capabilities, history=self._settings.history,
                                max_words=self._settings.max_words)
        prompt, answers = conversation[-1]["content"], []
        for _ in range(2):
            answer = self._client.ask(conversation, schema(variants), deadline)
            answers.append(answer)
            checked = self._check(answer, turn, variants)
            if not isinstance(checked, SkillResult):
                call, reasoning = checked
                decision = self._decision(call, reasoning, answers, prompt)
                return replace(decision, purpose=purpose_of(call, turn))
            repair = self._prompts.repair.format(problem=checked.message).strip()
            conversation = [*conversation, {"role": "assistant", "content": answer.text},
                            {"role": "user", "content": repair}]
        return self._decision(_named(answer.text), "the model's reply cannot be used", answers, prompt, checked)

    def _check(self, answer: Answer, turn: Turn, variants) -> tuple[SkillCall, str] | SkillResult:
        if not answer.complete:
            cut = f"the reply was cut off after {answer.tokens_out} tokens; be brief"
            return SkillResult(Code.UNKNOWN_ACTION, cut, "malformed")
        return check(answer.text, turn.graph, variants)

    def _decision(self, call: SkillCall, reasoning: str, answers: list[Answer], prompt: str,
                  failure: SkillResult | None = None) -> Decision:
        return Decision(call, reasoning, self.name, plan=(call,), failure=failure,
                        tokens_in=sum(a.tokens_in for a in answers), tokens_out=sum(a.tokens_out for a in answers),
                        prompt=prompt, reply=answers[-1].text)


def _named(text: str) -> SkillCall:
    """What a bad reply named, for the record."""
    try:
        reply = json.loads(text)
    except json.JSONDecodeError:
        return SkillCall("unreadable")
    if not isinstance(reply, dict):
        return SkillCall("unreadable")
    arguments = reply.get("arguments")
    values = arguments.values() if isinstance(arguments, dict) else ()
    return SkillCall(str(reply.get("action", "unreadable"))[:40], tuple(str(v)[:60] for v in values))
