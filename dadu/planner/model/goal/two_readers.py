"""Two readers: an interpreter that is sure of what it understands, and a language model for what it does not."""

from __future__ import annotations

from dadu.goals.interpreter import AskBack, Context, Interpretation, Interpreter, Refused
from dadu.planner.cost import ModelExchange
from dadu.planner.model.goal.interpreter import ModelInterpreter
from dadu.planner.policies.symbolic import SymbolicPolicy
from dadu.planner.report import TaskReport
from dadu.skills.outcome import Code


class TwoReaders:
    """Of one task. What the first does not understand, wholly or in part, the model reads; where that gives no goal
    either, what the first said holds; that the model cannot be used is said. A goal of the first's is the first's: the
    model is not asked about it."""

    name = "two_readers"

    def __init__(self, first: Interpreter, model: ModelInterpreter) -> None:
        self._first, self._model = first, model
        self._not_understood: dict[str, Interpretation] = {}
        self.reader = SymbolicPolicy.name
        """whose goal this is, as steps are told to be chosen by"""

    @property
    def problem(self) -> str:
        """Why the model could not be used, where it was asked; empty: it could."""
        return self._model.problem

    def read(self, instruction: str, context: Context) -> Interpretation:
        """What the words ask for; where that depends on what was not seen, the next place to look."""
        if instruction not in self._not_understood:
            found = self._first.read(instruction, context)
            if _understood(found):
                self.reader = SymbolicPolicy.name
                return found
            self._not_understood[instruction] = found
        found = self._model.read(instruction, context)
        if isinstance(found, Refused) and found.code is not Code.UNREACHABLE_BACKEND:
            return self._not_understood[instruction]
        self.reader = self._model.reader
        return found

    def reconsider(self, instruction: str, reason: str) -> bool:
        """Another goal, where the model's could not be reached."""
        return instruction in self._not_understood and self._model.reconsider(instruction, reason)

    def learn(self, instruction: str, report: TaskReport) -> None:
        """What the model wrote and was reached is an example for it."""
        self._model.learn(instruction, report)

    def exchanged(self) -> ModelExchange:
        """What the model was asked since the last time that somebody wanted to know."""
        return self._model.exchanged()


def _understood(found: Interpretation) -> bool:
    """False for words that were not read, or not all of them. What is understood and not there, or a question of which
    one is meant, is no matter of language."""
    if isinstance(found, AskBack):
        return not found.partial
    return not (isinstance(found, Refused) and found.code is Code.UNKNOWN_ACTION)
