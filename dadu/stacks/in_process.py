"""What every robot in this process offers: whole instructions and single skills, each at once and to its end."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Coroutine
from dataclasses import replace
from typing import Any, TypeVar

from dadu.knowledge.vocabulary import Vocabulary
from dadu.planner.asking.question import Answer
from dadu.planner.loop.runner import TaskRunner, carry_out
from dadu.planner.loop.skill_context import SkillContexts
from dadu.planner.loop.world import Body, Cancelled, never
from dadu.planner.policies.make import make_planner
from dadu.planner.policies.policy import TaskPlanner
from dadu.planner.report import TaskReport
from dadu.planner.settings import LoopSettings
from dadu.planner.step import Decision, Step
from dadu.skills.call import SkillCall
from dadu.skills.outcome import SkillResult

T = TypeVar("T")


class InProcess(Body):
    """Never waits for anybody."""

    _vocabulary: Vocabulary
    """by which words are understood"""

    @property
    def vocabulary(self) -> Vocabulary:
        """By which words are understood."""
        return self._vocabulary

    @property
    @abstractmethod
    def capabilities(self) -> tuple[str, ...]:
        """Skills that it has."""

    def do(self, instruction: str, planner: TaskPlanner | None = None, *, settings: LoopSettings | None = None,
           trace: Callable[[Step], None] = lambda step: None, cancelled: Cancelled = never,
           answer: Answer | None = None) -> TaskReport:
        """Carries out an instruction, closed loop, by default with the symbolic planner; `trace` as in `ClosedLoop`;
        once `cancelled()` it comes to rest. Where the words are not clear whoever can `answer` is asked."""
        return _completed(self.task(instruction, planner, settings, trace, cancelled, answer).run())

    def task(self, instruction: str, planner: TaskPlanner | None, settings: LoopSettings | None,
             trace: Callable[[Step], None], cancelled: Cancelled = never, answer: Answer | None = None) -> TaskRunner:
        """An instruction that is yet to be carried out, see `do`."""
        async def ask(question: str) -> str | None:
            return answer(question) if answer is not None else None
        return TaskRunner(instruction, planner or make_planner(capabilities=self.capabilities), self, settings,
                          trace=trace, vocabulary=self._vocabulary, answer=ask if answer is not None else None,
                          cancelled=cancelled)

    def execute(self, call: SkillCall, purpose: str = "look", cancelled: Cancelled = never) -> SkillResult:
        """Runs one skill to its end and lets memory learn of it. `purpose`: what a go_to is for."""
        step = Step(0, Decision(call, "", "", purpose), self.now())
        result = _completed(carry_out(step.decision, self, SkillContexts(), cancelled))
        self.learn(replace(step, result=result))
        return result

    def close(self) -> None:
        """Frees what is held open, if anything."""


def _completed(coroutine: Coroutine[Any, Any, T]) -> T:
    """What a coroutine that waits for nobody returns."""
    try:
        coroutine.send(None)
    except StopIteration as end:
        return end.value
    raise RuntimeError("a robot in this process waits for nobody")
