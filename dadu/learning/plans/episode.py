"""One instruction carried out in the oracle, and judged by the true state of the world."""

from __future__ import annotations

import random
from dataclasses import dataclass

from dadu.goals.monitor import GoalMonitor
from dadu.learning.plans.conditions import Conditions, TriedStack, meddle
from dadu.learning.plans.home import PlanHome, watched
from dadu.learning.plans.settings import PlanSettings
from dadu.learning.plans.task import PlanTask
from dadu.learning.plans.teacher import NotTaken, Teacher
from dadu.planner.policies.policy import TaskPlanner
from dadu.planner.report import TaskReport
from dadu.planner.settings import LoopSettings
from dadu.planner.step import Step
from dadu.world.state import TrueWorld

SECONDS = 86_400.0
"""of an episode, at most [s]: its steps are limited, not its time"""


class Dropped(Exception):
    """An episode that nothing is to be learnt from; says why."""


@dataclass
class Demonstrated:
    """An episode that ground truth has confirmed."""

    task: PlanTask
    conditions: Conditions
    teacher: Teacher
    report: TaskReport
    events: list[str]
    """what happened behind the robot's back"""


def demonstrate(home: PlanHome, task: PlanTask, conditions: Conditions, settings: PlanSettings, rng: random.Random
                ) -> Demonstrated:
    """Errors: Dropped."""
    run = _Run(home, task, conditions, settings, rng)
    try:
        report = run.stack.do(task.wordings[0].text, TaskPlanner(run.teacher), settings=limits(settings),
                              trace=run.step)
    except NotTaken:
        raise Dropped("frames that no model could name") from None
    if not report.outcome.ok:
        raise Dropped("not carried out")
    if not run.monitor.verdict().success:
        raise Dropped("ground truth denies it")
    return Demonstrated(task, conditions, run.teacher, report, run.events)


def limits(settings: PlanSettings) -> LoopSettings:
    """Of an episode."""
    return LoopSettings(max_steps=settings.steps, max_seconds=SECONDS)


class _Run:
    """Watches."""

    def __init__(self, home: PlanHome, task: PlanTask, conditions: Conditions, settings: PlanSettings,
                 rng: random.Random) -> None:
        self.stack = TriedStack(home.house, conditions, rng)
        self.teacher = Teacher(task.wordings[0].utterance, conditions.capabilities, settings.prompt)
        self.monitor = GoalMonitor(task.goal)
        self.events: list[str] = []
        self._layout, self._rng, self._meddling = home.layout, rng, conditions.meddling
        self._look()

    def step(self, step: Step) -> None:
        """Chosen, then carried out."""
        if step.result is None:
            return
        self._look()
        if step.index in self._meddling:
            done = meddle(self.stack, self.monitor.goal, self._rng)
            if done:
                self.events.append(f"after step {step.index}: {done}")
                self._look()

    def _look(self) -> None:
        """Judges the true state."""
        watched(self.monitor.goal, TrueWorld(self._layout, self.stack.truth()), self.monitor)
