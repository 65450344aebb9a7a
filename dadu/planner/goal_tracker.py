"""The goal of one instruction, from the reading of its words to the moment when it holds."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from dadu.goals.goal import Goal
from dadu.goals.interpreter import AskBack, Context, Interpretation, Interpreter, LookFirst, Refused
from dadu.goals.progress import Progress
from dadu.knowledge.vocabulary import Vocabulary
from dadu.planner.asking.dialogue import Dialogue
from dadu.planner.cost import ModelCall, ModelExchange
from dadu.planner.regression.lookahead import bind
from dadu.planner.regression.regression import settle
from dadu.planner.regression.search import objects_known_in_advance
from dadu.planner.settings import GOAL
from dadu.planner.situation import Situation
from dadu.skills.call import SkillCall
from dadu.skills.outcome import SkillResult
from dadu.skills.specification import Takes
from dadu.skills.table import does
from dadu.world.graph import WorldGraph


@runtime_checkable
class AsksModel(Protocol):
    """An interpreter that a language model stands behind."""

    reader: str
    """whose goal it gave last, as steps towards it are told to be chosen by"""

    def exchanged(self) -> ModelExchange:
        """What was asked of the model since the last time that somebody wanted to know."""
        ...

    def reconsider(self, instruction: str, reason: str) -> bool:
        """Reads another goal from now on, if it can; `reason`: why the one before could not be reached."""
        ...


class GoalTracker:
    """Reads the words anew as the robot sees more, until they are a goal; then follows how far that is reached. Where
    they are not clear, and somebody can be asked, there is a `question`."""

    def __init__(self, instruction: str, interpreter: Interpreter | None, vocabulary: Vocabulary, asks: bool = False
                 ) -> None:
        """Without an `interpreter` there never is a goal. `asks`: somebody can be asked."""
        self.interpreter = interpreter
        self.progress: Progress | None = None
        self.question: AskBack | None = None
        """what has to be asked before the words are a goal"""
        self.dialogue = Dialogue(instruction)
        self._asks, self._vocabulary = asks, vocabulary
        self._reading: Interpretation | None = None
        self._looking: LookFirst | None = None

    def follow(self, graph: WorldGraph, situation: Situation) -> None:
        """Takes in what is believed now."""
        if self.progress is None and self.interpreter is not None:
            self._reading = self.dialogue.end or self.dialogue.goal or self._read(self.dialogue.words, graph, situation)
            self.question = self.dialogue.question(self._reading, graph) if self._asks else None
            if isinstance(self._reading, Goal) and self.question is None:
                self.progress = Progress(self._reading, unseen=not objects_known_in_advance(graph))
        if self.progress is not None:
            self.progress.update(graph)

    def answered(self, answer: SkillResult, graph: WorldGraph, situation: Situation) -> None:
        """What came of asking `question`."""
        if self.question is not None:
            self.dialogue.take(self.question, answer, lambda words: self._read(words, graph, situation))
            self.question = None

    def _read(self, words: str, graph: WorldGraph, situation: Situation) -> Interpretation | None:
        if self.interpreter is None:
            return None
        found = self.interpreter.read(words, Context(graph, self._vocabulary, situation.looked, self._looking,
                                                     odds=situation.odds))
        self._looking = found if isinstance(found, LookFirst) and found.wanted is not None else self._looking
        return found

    def reconsidered(self, reason: str) -> bool:
        """True if another goal is to be read, since this one cannot be reached for that `reason`; one that was chosen
        outright is the one that is meant."""
        if self.dialogue.goal is not None or not isinstance(self.interpreter, AsksModel):
            return False
        if not self.interpreter.reconsider(self.dialogue.words, reason):
            return False
        self.progress = None
        return True

    def calls(self) -> tuple[ModelCall, ...]:
        """What was asked of a model for it, and stands in no step."""
        return self.interpreter.exchanged().calls if isinstance(self.interpreter, AsksModel) else ()

    def settle(self, graph: WorldGraph, situation: Situation) -> None:
        """Takes in what is certain once there is nowhere left to look, for a planner that does not do so itself."""
        if self.progress is not None:
            settle(self.progress, graph, situation, self._vocabulary)

    def learn(self, call: SkillCall, result: SkillResult) -> None:
        """What has been picked is what the words mean from now on."""
        if self.progress is not None and result.ok and does(call.skill, Takes):
            bind(self.progress, result.target or call.arguments[0])

    def achieved(self, graph: WorldGraph) -> bool:
        """True if there is a goal, and all of it holds."""
        return self.progress is not None and self.progress.achieved(graph)

    @property
    def look_first(self) -> LookFirst | None:
        """What has to be seen before the words mean anything."""
        return self._reading if isinstance(self._reading, LookFirst) else None

    @property
    def no_goal(self) -> AskBack | Refused | None:
        """Why there will not be a goal."""
        return self._reading if isinstance(self._reading, (AskBack, Refused)) else None

    @property
    def by_model(self) -> bool:
        """True if a model has read it."""
        return isinstance(self.interpreter, AsksModel) and self.interpreter.reader == GOAL

    @property
    def substitutions(self) -> tuple[str, ...]:
        """``WORDS -> ID``: nouns of the instruction for what the graph holds under another name."""
        return self.progress.goal.substitutions if self.progress is not None else ()

    def so_far(self, graph: WorldGraph) -> str:
        """What holds, what does not, and why, in a sentence or two; empty where there is nothing to say."""
        if self.progress is not None:
            return self.progress.report(graph)
        return self.look_first.reason if self.look_first is not None else ""
