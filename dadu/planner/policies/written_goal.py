"""The symbolic planner on a goal that a language model has written (protocol `goal`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from dadu.planner.model.goal.interpreter import ModelInterpreter
from dadu.planner.model.goal.two_readers import TwoReaders
from dadu.planner.policies.fallback import taken_over
from dadu.planner.policies.policy import Turn
from dadu.planner.policies.symbolic import SymbolicPolicy
from dadu.planner.report import TaskReport
from dadu.planner.settings import GOAL
from dadu.planner.step import Decision


class WrittenGoalPolicy(SymbolicPolicy):
    """Its steps are neither the model's nor those of a planner that understood the words: they have a name of their
    own."""

    name = GOAL

    def __init__(self, interpreter: ModelInterpreter | TwoReaders, capabilities: Sequence[str]) -> None:
        """`interpreter`: whose goal this pursues."""
        super().__init__(capabilities)
        self._interpreter = interpreter

    def choose(self, turn: Turn) -> Decision:
        """Errors: PolicyUnavailable."""
        decision, said = super().choose(turn), self._interpreter.exchanged()
        decision = replace(decision, policy=self._interpreter.reader, calls=said.calls, prompt=said.prompt,
                           reply=said.reply, schema=said.schema)
        return taken_over(decision, self._interpreter.problem) if self._interpreter.problem else decision

    def learn(self, instruction: str, report: TaskReport) -> None:
        """A goal that was reached is an example for others."""
        self._interpreter.learn(instruction, report)
