"""The language model as policy: one JSON action a turn, from a schema rebuilt at each turn from the live graph."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import replace

from dadu.planner.asking.question import is_question
from dadu.planner.model.client import Completion, Message, Model
from dadu.planner.model.conversation import Conversation
from dadu.planner.model.examples import ExampleStore, open_examples
from dadu.planner.model.feasible import SkillVariant, feasible, plan_items
from dadu.planner.model.make import make_model
from dadu.planner.model.prompt import load_prompts
from dadu.planner.model.purpose import purpose_of
from dadu.planner.model.reading import ReplyError, one_object
from dadu.planner.model.schema import ModelReply, check, schema
from dadu.planner.policies.policy import Turn
from dadu.planner.report import TaskReport
from dadu.planner.settings import ModelSettings
from dadu.planner.step import Decision
from dadu.skills.call import SkillCall
from dadu.skills.outcome import Code, SkillResult
from dadu.skills.table import BASE_CAPABILITIES


class ModelPolicy:
    """Asks the server; a reply that cannot be used gets one chance of repair, then it is a failed step."""

    def __init__(self, settings: ModelSettings, capabilities: Sequence[str] = BASE_CAPABILITIES,
                 examples: ExampleStore | None = None, model: Model | None = None, name: str = "vllm",
                 possible: Callable[[Turn], list[SkillVariant]] | None = None) -> None:
        """`examples`: by default those that `settings` name; `model`: by default the server that they name; `name`: as
        in `dadu.planner.presets`; `possible`: `feasible` of a turn, for who knows it already. Errors: ConfigError for
        prompts or examples that cannot be read."""
        self.name = name
        self._possible = possible or (lambda turn: feasible(turn.graph, capabilities, turn.situation))
        self._settings = settings
        self._capabilities = capabilities
        self._client: Model = make_model(settings) if model is None else model
        self._examples = open_examples(settings.examples) if examples is None else examples
        self._conversation = Conversation(load_prompts(settings.prompt or settings.protocol), settings, capabilities)
        self._plan: tuple[SkillCall, ...] = ()

    def choose(self, turn: Turn) -> Decision:
        """Errors: PolicyUnavailable."""
        prompts = self._conversation.prompts
        variants = self._possible(turn)
        messages, begins = self._conversation.ask(turn, self._shown(turn))
        plans = begins and prompts.plan_first
        form = schema(variants, plan_items(turn.graph, self._capabilities) if plans else (), prompts.reasons,
                      asks=turn.questions > 0, ways=turn.ways)
        deadline = time.monotonic() + self._settings.timeout
        kind, prompt, answers = "plan" if plans else "step", messages[-1]["content"], []
        while True:
            answers.append(self._client.ask(messages, form, deadline, kind))
            checked = _checked(answers[-1], turn, variants)
            if isinstance(checked, ModelReply) or kind == "repair":
                break
            kind, messages = "repair", messages + _repair(answers[-1], checked, prompts.repair)
        if isinstance(checked, ModelReply) or not begins:  # else the plan is asked for once more
            self._conversation.answered(answers[-1].text, turn, isinstance(checked, ModelReply))
        return replace(self._decision(checked, answers, prompt, turn, begins), schema=json.dumps(form))

    @property
    def told(self) -> frozenset[str]:
        """Words of all that the newest question was asked with."""
        return self._conversation.told

    def learn(self, instruction: str, report: TaskReport) -> None:
        """Keeps what worked as an example for tasks to come."""
        if report.success and self._examples is not None:
            self._examples.add(instruction, [s.call for s in report.steps if s.result is not None and s.result.ok
                                             and not is_question(s.call)])

    def _shown(self, turn: Turn) -> str:
        limits = self._settings.examples
        if self._examples is None:
            return ""
        return self._examples.text(turn.instruction, limits.limit, limits.tokens, limits.similarity)

    def _decision(self, checked: ModelReply | SkillResult, answers: list[Completion], prompt: str, turn: Turn,
                  begins: bool
                  ) -> Decision:
        calls = tuple(answer.call for answer in answers)
        reply = answers[-1].text
        if isinstance(checked, SkillResult):
            call = _named(reply)
            return Decision(call, "the model's reply cannot be used", self.name, plan=(call,), failure=checked,
                            calls=calls, prompt=prompt, reply=reply)
        self._plan = _ahead(checked.call, checked.plan if begins else self._plan[1:])
        return Decision(checked.call, checked.reasoning, self.name, purpose_of(checked.call, turn, self._plan),
                        self._plan, by=checked.by, calls=calls, prompt=prompt, reply=reply)


def _checked(answer: Completion, turn: Turn, variants: Sequence[SkillVariant]) -> ModelReply | SkillResult:
    if not answer.complete:
        cut = f"the reply was cut off after {answer.call.tokens_out} tokens; be brief"
        return SkillResult(Code.UNKNOWN_ACTION, cut, "malformed")
    return check(answer.text, turn.graph, variants, turn.situation, turn.questions > 0, turn.ways)


def _repair(answer: Completion, problem: SkillResult, words: str) -> list[Message]:
    return [{"role": "assistant", "content": answer.text},
            {"role": "user", "content": words.format(problem=problem.message).strip()}]


def _ahead(call: SkillCall, plan: Sequence[SkillCall]) -> tuple[SkillCall, ...]:
    """The steps from `call` on: what the plan has after it, or all of the plan where it does not hold `call`."""
    return (call, *plan[plan.index(call) + 1:]) if call in plan else (call, *plan)


def _named(text: str) -> SkillCall:
    """What a bad reply named, for the record."""
    try:
        reply = one_object(text)
    except ReplyError:
        return SkillCall("unreadable")
    arguments = reply.get("arguments")
    values = arguments.values() if isinstance(arguments, dict) else ()
    return SkillCall(str(reply.get("action", "unreadable"))[:40], tuple(str(v)[:60] for v in values))
