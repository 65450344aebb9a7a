"""The symbolic planner as a teacher: at every turn what each protocol's prompts say, and what a model should answer.

The models' own policies ask; in place of a server there is somebody who knows the answer. So the messages are those of
a run, and an answer that a run would not take is found out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from dadu.language.frames.frame import Utterance
from dadu.learning.plans.writing import goal_reply, step_reply
from dadu.planner.cost import ModelCall
from dadu.planner.model.client import Completion, Message
from dadu.planner.model.goal.interpreter import ModelInterpreter
from dadu.planner.model.policy import ModelPolicy
from dadu.planner.policies.own_goal import WithOwnGoal
from dadu.planner.policies.policy import TaskPlanner, Turn
from dadu.planner.policies.symbolic import SymbolicPolicy
from dadu.planner.settings import GOAL, ModelSettings
from dadu.planner.step import Decision

STEPWISE = ("two_phase", "react")
PROTOCOLS = (*STEPWISE, GOAL)


class NotTaken(Exception):
    """The right answer is none that the protocol allows; says why."""


@dataclass(frozen=True)
class Exchange:
    """What was asked and what is right, of one protocol."""

    messages: tuple[Message, ...]
    reply: str


@dataclass
class Prompter:
    """A model that says what it is told to say, and keeps what it was asked."""

    reply: Callable[[dict[str, Any]], str] = lambda schema: ""
    """the right answer, by the schema that it has to keep to"""
    asked: list[Exchange] = field(default_factory=list)

    def ask(self, messages: list[Message], schema: dict[str, Any], deadline: float, kind: str = "step") -> Completion:
        """Errors: NotTaken where it is asked to mend what it has said."""
        if kind == "repair":
            raise NotTaken(str(messages[-1]["content"]))
        text = self.reply(schema)
        self.asked.append(Exchange(tuple(messages), text))
        return Completion(text, True, ModelCall(kind, 0, 0, 0, 0.0, 0.0))


class StepScribe:
    """Writes down what a step-wise protocol says, as long as it can say it."""

    def __init__(self, protocol: str, capabilities: Sequence[str]) -> None:
        self.prompter = Prompter()
        self.problem = ""
        """why the right step is none that a model could name; empty: all were"""
        self._policy = ModelPolicy(ModelSettings(protocol=protocol), capabilities, model=self.prompter)

    def note(self, turn: Turn, decision: Decision) -> None:
        """One turn."""
        if self.problem:
            return
        self.prompter.reply = lambda schema: step_reply(decision, _plan_items(schema))
        try:
            made = self._policy.choose(turn)
        except NotTaken as error:
            self.problem = str(error)
            return
        if made.call != decision.call:
            self.problem = f"{decision.call} was taken for {made.call}"


class Teacher:
    """The policy of an episode: it reads the instruction's frames as protocol `goal` would be given them."""

    name = "vllm"

    def __init__(self, utterance: Utterance, capabilities: Sequence[str]) -> None:
        self.goal = Prompter()
        self.steps = {protocol: StepScribe(protocol, capabilities) for protocol in STEPWISE}
        self.turns: list[tuple[Turn, Decision]] = []
        self._utterance = utterance
        self._reader = ModelInterpreter(ModelSettings(protocol=GOAL, repairs=0), model=self.goal)
        self._expert = WithOwnGoal(TaskPlanner(SymbolicPolicy(capabilities), self._reader))

    def choose(self, turn: Turn) -> Decision:
        """Errors: NotTaken; PolicyUnavailable where the frames are no goal as far as the robot can tell."""
        if not self.turns:
            reply = goal_reply(self._utterance, turn.graph, turn.vocabulary)
            self.goal.reply = lambda schema: reply
        decision = self._expert.choose(turn)
        for scribe in self.steps.values():
            scribe.note(turn, decision)
        self.turns.append((turn, decision))
        return decision


def _plan_items(schema: dict[str, Any]) -> list[str] | None:
    """The steps that a first reply's plan may hold; None where none is asked for."""
    plan = schema["anyOf"][0]["properties"].get("plan")
    return list(plan["items"]["enum"]) if plan is not None else None
