"""One instruction carried out in the oracle, and judged by the true state of the world."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from dadu.goals.monitor import GoalMonitor, Verdict
from dadu.learning.plans.home import PlanHome
from dadu.learning.plans.settings import PlanSettings
from dadu.learning.plans.task import PlanTask
from dadu.learning.plans.teacher import NotTaken, Teacher
from dadu.planner.policies.policy import TaskPlanner
from dadu.planner.report import TaskReport
from dadu.planner.settings import LoopSettings
from dadu.planner.step import Step
from dadu.skills.table import SKILLS
from dadu.stacks.oracle import OracleStack
from dadu.tasks.expert import settle_states
from dadu.world.state import TrueWorld

_SECONDS = 86_400.0
"""of an episode, at most [s]: its steps are limited, not its time"""


class Dropped(Exception):
    """An episode that nothing is to be learnt from; says why."""


@dataclass
class Demonstrated:
    """An episode that ground truth has confirmed."""

    task: PlanTask
    teacher: Teacher
    report: TaskReport
    known: str
    capabilities: tuple[str, ...]
    events: list[str] = field(default_factory=list)
    """what happened behind the robot's back"""


def demonstrate(home: PlanHome, task: PlanTask, settings: PlanSettings, rng: random.Random) -> Demonstrated:
    """Errors: Dropped."""
    known = rng.choices(list(settings.known), list(settings.known.values()))[0]
    stack = OracleStack(home.house, known=known, seed=rng.getrandbits(31))
    if rng.random() < settings.skilled:
        stack.agent.capabilities = tuple(SKILLS)
    return _Run(home, task, stack, settings).demonstrated(known)


class _Run:
    def __init__(self, home: PlanHome, task: PlanTask, stack: OracleStack, settings: PlanSettings) -> None:
        self.home, self.task, self.stack = home, task, stack
        self.teacher = Teacher(task.utterance, stack.agent.capabilities)
        self.monitor = GoalMonitor(task.goal)
        self.events: list[str] = []
        self._limits = LoopSettings(max_steps=settings.steps, max_seconds=_SECONDS)
        self._look()

    def demonstrated(self, known: str) -> Demonstrated:
        """Errors: Dropped."""
        try:
            report = self.stack.do(self.task.text, TaskPlanner(self.teacher), settings=self._limits, trace=self._step)
        except NotTaken:
            raise Dropped("frames that no model could name") from None
        if not report.outcome.ok:
            raise Dropped("not carried out")
        verdict: Verdict = self.monitor.verdict()
        if not verdict.success:
            raise Dropped("ground truth denies it")
        return Demonstrated(self.task, self.teacher, report, known, self.stack.agent.capabilities, self.events)

    def _step(self, step: Step) -> None:
        if step.result is not None:
            self._look()

    def _look(self) -> None:
        """Judges the true state."""
        world = TrueWorld(self.home.layout, self.stack.truth())
        for _ in range(settle_states(self.task.goal)):
            self.monitor.update(world)
