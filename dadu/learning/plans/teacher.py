"""The symbolic planner as a teacher: at every turn what each protocol's prompts say, and what a model should answer.

The models' own policies ask; in place of a server there is somebody who knows the answer. So the messages are those of
a run, and an answer that a run would not take is found out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any

from dadu.goals.interpreter import Context
from dadu.goals.progress import Progress
from dadu.language.frames.frame import Utterance
from dadu.learning.plans.settings import Stepwise
from dadu.learning.plans.writing import goal_reply, step_reply
from dadu.planner.cost import ModelCall
from dadu.planner.model.client import Completion, Message
from dadu.planner.model.feasible import SkillVariant, feasible
from dadu.planner.model.goal.interpreter import ModelInterpreter
from dadu.planner.model.names_given import names_in
from dadu.planner.model.policy import ModelPolicy
from dadu.planner.policies.own_goal import WithOwnGoal
from dadu.planner.policies.policy import TaskPlanner, Turn
from dadu.planner.policies.symbolic import SymbolicPolicy
from dadu.planner.regression.lookahead import plan
from dadu.planner.settings import GOAL, ModelSettings
from dadu.planner.situation import Situation
from dadu.planner.step import Decision
from dadu.skills.call import SkillCall
from dadu.skills.table import SKILLS

STEPWISE: tuple[Stepwise, ...] = ("two_phase", "react")


class NotTaken(Exception):
    """The right answer is none that the protocol allows; says why."""


@dataclass(frozen=True)
class TaughtExchange:
    """What was asked and what is right, of one protocol."""

    messages: tuple[Message, ...]
    reply: str


@dataclass
class Prompter:
    """A model that says what it is told to say, and keeps what it was asked."""

    reply: Callable[[dict[str, Any]], str] = lambda schema: ""
    """the right answer, by the schema that it has to keep to"""
    asked: list[TaughtExchange] = field(default_factory=list)

    def ask(self, messages: list[Message], schema: dict[str, Any], deadline: float, kind: str = "step") -> Completion:
        """Errors: NotTaken where it is asked to mend what it has said."""
        if kind == "repair":
            raise NotTaken(str(messages[-1]["content"]))
        text = self.reply(schema)
        self.asked.append(TaughtExchange(tuple(messages), text))
        return Completion(text, True, ModelCall(kind, 0, 0, 0, 0.0, 0.0))


class Teacher:
    """The policy of an episode: it reads the instruction's frames as protocol `goal` would be given them, and keeps
    what it was asked and has chosen."""

    name = "vllm"

    def __init__(self, utterance: Utterance, capabilities: Sequence[str], prompt: str = "") -> None:
        """`prompt`: as `GoalTeacher` has it."""
        self.turns: list[TaughtTurn] = []
        self._reader, self._utterance = GoalTeacher(prompt), utterance
        self._expert = WithOwnGoal(TaskPlanner(SymbolicPolicy(capabilities, plans=False), self._reader.interpreter))
        self._capabilities = capabilities

    def choose(self, turn: Turn) -> Decision:
        """Errors: NotTaken; PolicyUnavailable where the frames are no goal as far as the robot can tell."""
        if not self.turns:
            self._reader.prepare(self._utterance, turn)
        situation = turn.situation.copy()
        decision, progress = self._expert.choose(turn), self._expert.progress
        self.turns.append(TaughtTurn(replace(turn, situation=situation), decision, self._capabilities,
                                     progress.copy() if progress is not None else None))
        return decision


@dataclass(frozen=True)
class TaughtTurn:
    """A turn as it was, and what was right in it."""

    turn: Turn
    decision: Decision
    capabilities: Sequence[str]
    progress: Progress | None
    """of the goal; None where what is to be seen before there is one"""

    @cached_property
    def plan(self) -> tuple[SkillCall, ...]:
        """What is to be done from here on: worked out where somebody wants to know, since it costs much."""
        turn = self.turn
        if self.progress is None or self.decision.plan:
            return self.decision.plan
        steps = plan(self.progress, turn.graph, turn.situation, turn.vocabulary, capabilities=self.capabilities)
        return tuple(step.call for step in steps)

    @cached_property
    def variants(self) -> list[SkillVariant]:
        """What is possible, the same in every wording and protocol."""
        return feasible(self.turn.graph, self.capabilities, self.turn.situation)

    @cached_property
    def possible(self) -> list[SkillCall]:
        """Steps that the schema allows, those with one argument."""
        return [SkillCall(variant.skill, SKILLS[variant.skill].ordered({name: value}))
                for variant in self.variants if len(variant.arguments) == 1
                for name, values in variant.arguments.items() for value in values]


class GoalTeacher:
    """Writes down what protocol `goal` says."""

    def __init__(self, prompt: str, *replies: str) -> None:
        """`prompt`: the words in which is asked, as `ModelSettings` has it; `replies`: what is said one after the
        other, the first as long as the goal may still be reached."""
        self._left = list(replies)
        self.prompter = Prompter(lambda schema: self._next())
        repairs = max(0, len(replies) - 1)
        self.interpreter = ModelInterpreter(ModelSettings(protocol=GOAL, repairs=repairs, prompt=prompt),
                                            model=self.prompter)

    @property
    def said_all(self) -> bool:
        """True if every reply was asked for, and no further one."""
        return not self._left

    def _next(self) -> str:
        if not self._left:
            raise NotTaken("asked more often than expected")
        return self._left.pop(0)

    def prepare(self, utterance: Utterance, turn: Turn) -> None:
        """The next reply is what these frames are in that world."""
        reply = goal_reply(utterance)
        self.prompter.reply = lambda schema: reply

    def exchanges(self, text: str, utterance: Utterance, turn: Turn) -> list[TaughtExchange]:
        """What is said of an instruction in its first turn. Errors: NotTaken."""
        self.prepare(utterance, turn)
        self.interpreter.read(text, Context(turn.graph, turn.vocabulary, turn.situation.looked))
        return self.prompter.asked


def step_exchanges(protocol: str, text: str, turns: Sequence[TaughtTurn], capabilities: Sequence[str],
                   prompt: str = "") -> list[TaughtExchange]:
    """What a step-wise protocol says of an instruction, turn by turn; `prompt`: as `ModelSettings` has it. Errors:
    NotTaken where a step is none that a model could name, or names what the conversation has not told."""
    prompter, situation = Prompter(), Situation()
    possible = (taught.variants for taught in turns)
    policy = ModelPolicy(ModelSettings(protocol=protocol, prompt=prompt), capabilities, model=prompter,
                         possible=lambda turn: next(possible))
    for taught in turns:
        # A conversation knows its task by the situation, of which there is one that changes as it goes on.
        vars(situation).update(vars(taught.turn.situation))
        decision = taught.decision
        prompter.reply = partial(_step_reply, taught, policy)
        made = policy.choose(replace(taught.turn, instruction=text, situation=situation))
        if made.call != decision.call:
            raise NotTaken(f"{decision.call} was taken for {made.call}")
    return prompter.asked


def _step_reply(taught: TaughtTurn, asking: ModelPolicy, schema: dict[str, Any]) -> str:
    fields, decision, graph = schema["anyOf"][0]["properties"], taught.decision, taught.turn.graph
    untold = [id for id in decision.call.arguments if id in graph and id not in asking.told]
    if untold:
        raise NotTaken(f"{untold[0]} was not told")
    if any(word in graph and word not in asking.told for word in names_in(decision.reasoning)):
        decision = replace(decision, reasoning=f"the next step is {decision.call}")
    reasons = "reasoning" in fields
    if "plan" not in fields:
        return step_reply(decision, None, reasons)
    known = [item for item in fields["plan"]["items"]["enum"]
             if all(word in asking.told for word in item.split()[1:] if word in graph)]
    return step_reply(replace(decision, plan=taught.plan), known, reasons)
