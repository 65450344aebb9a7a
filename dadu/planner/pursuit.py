"""The goal of one instruction, from the reading of its words to the moment when it holds."""

from __future__ import annotations

from dadu.goals.goal import Goal
from dadu.goals.interpreter import AskBack, Context, Interpretation, Interpreter, LookFirst, Refused
from dadu.goals.progress import Progress
from dadu.knowledge.vocabulary import Vocabulary
from dadu.planner.regression.lookahead import bind
from dadu.planner.regression.regression import settle
from dadu.planner.regression.search import objects_known_in_advance
from dadu.planner.situation import Situation
from dadu.skills.call import SkillCall
from dadu.skills.outcome import SkillResult
from dadu.skills.specification import Takes
from dadu.skills.table import does
from dadu.world.graph import WorldGraph


class Pursuit:
    """Reads the words anew as the robot sees more, until they are a goal; then follows how far that is reached."""

    def __init__(self, instruction: str, interpreter: Interpreter | None, vocabulary: Vocabulary) -> None:
        """Without an `interpreter` there never is a goal."""
        self.interpreter = interpreter
        self.progress: Progress | None = None
        self._instruction, self._vocabulary = instruction, vocabulary
        self._reading: Interpretation | None = None

    def follow(self, graph: WorldGraph, situation: Situation) -> None:
        """Takes in what is believed now."""
        if self.progress is None and self.interpreter is not None:
            context = Context(graph, self._vocabulary, situation.looked, situation.steps)
            self._reading = self.interpreter.read(self._instruction, context)
            if isinstance(self._reading, Goal):
                self.progress = Progress(self._reading, unseen=not objects_known_in_advance(graph))
        if self.progress is not None:
            self.progress.update(graph)

    def settle(self, graph: WorldGraph, situation: Situation) -> None:
        """Takes in what is certain once there is nowhere left to look, for a planner that does not do so itself."""
        if self.progress is not None:
            settle(self.progress, graph, situation, self._vocabulary)

    def learn(self, call: SkillCall, result: SkillResult) -> None:
        """What has been picked is what the words mean from now on."""
        if self.progress is not None and result.ok and does(call.skill, Takes):
            bind(self.progress, result.target or call.arguments[0])

    def achieved(self, graph: WorldGraph) -> bool:
        """Whether there is a goal, and all of it holds."""
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
    def substitutions(self) -> tuple[str, ...]:
        """``WORDS -> ID``: nouns of the instruction for what the graph holds under another name."""
        return self.progress.goal.substitutions if self.progress is not None else ()

    def so_far(self, graph: WorldGraph) -> str:
        """What holds, what does not, and why, in a sentence or two; empty where there is nothing to say."""
        if self.progress is not None:
            return self.progress.report(graph)
        return self.look_first.reason if self.look_first is not None else ""
