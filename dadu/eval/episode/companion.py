"""The simulated person in an episode: does their share of a demonstration, each part when its time has come."""

from __future__ import annotations

from collections import deque
from typing import Protocol

from dadu.eval.episode.backends import TaskExecutor
from dadu.eval.episode.observer import Observer
from dadu.eval.metrics.together import Action
from dadu.goals.suite_goal import SuiteGoal, ancestors
from dadu.skills.call import SkillCall
from dadu.stacks.oracle import AgentStack, OracleStack
from dadu.stacks.person import SimulatedPerson
from dadu.stacks.stack import Stack
from dadu.tasks.expert import Demonstration
from dadu.world.graph import ROBOT
from dadu.world.names import PERSON

_TRIES = 20
"""attempts at one skill before the person gives it up: what it needs may not be there yet"""
_RETRY = 10.0
"""between two attempts under physics [s]"""
_TICK = 0.05
"""[s]"""


class Companion(Protocol):
    """Acts side by side with the robot."""

    @property
    def done(self) -> int:
        """Skills that are behind the person."""
        ...

    def catch_up(self, observer: Observer, finish: bool = False) -> None:
        """Acts until the person has come as far in time as the robot, or has to wait for something; `finish`: as far as
        it goes."""


class _Share:
    """What is left of the person's part."""

    def __init__(self, demonstration: Demonstration, goal: SuiteGoal) -> None:
        rows = zip(demonstration.calls, demonstration.agents, demonstration.origins)
        self._left = deque((call, origin) for call, agent, origin in rows if agent != ROBOT)
        self.done, self.tries = 0, 0
        """skills that are behind the person; attempts at the next one"""
        edges = {pair for c in goal.constraints for pair in c.temporal or ()}
        edges |= {(a, b) for d in goal.dependencies if d.relation != "before_satisfied"
                  for a in d.depends_on for b in d.propositions}
        self._before = ancestors(edges)

    def next(self, observer: Observer) -> SkillCall | None:
        """None where nothing is left, or where something else has to come true first."""
        if not self._left:
            return None
        call, origin = self._left[0]
        since = observer.monitor.verdict().since
        return None if any(since[i] is None for i in self._before.get(origin, ())) else call

    def ended(self, call: SkillCall, ok: bool, began: float, observer: Observer) -> bool:
        """Takes in how an attempt at the next skill ended; whether the person is through with it."""
        observer.look()
        self.tries += 1
        if ok:
            observer.act(Action(agent=PERSON, skill=call.skill, gained=False), began)
        if not ok and self.tries < _TRIES:
            return False
        self._left.popleft()
        self.done, self.tries = self.done + 1, 0
        return True


class OracleCompanion:
    """Never further in time than the robot is."""

    def __init__(self, stack: AgentStack, demonstration: Demonstration, goal: SuiteGoal) -> None:
        self._stack, self._share = stack, _Share(demonstration, goal)

    @property
    def done(self) -> int:
        return self._share.done

    def catch_up(self, observer: Observer, finish: bool = False) -> None:
        """See `Companion`."""
        robot = observer.backend.stack.now()
        while finish or self._stack.now() <= robot:
            call, began = self._share.next(observer), self._stack.now()
            if call is None or not self._share.ended(call, self._does(call), began, observer):
                self._stack.agent.clock = max(self._stack.now(), robot)
                return

    def _does(self, call: SkillCall) -> bool:
        self._stack.view.know_all()
        return self._stack.execute(call).ok


class PhysicalCompanion:
    """Walks about while the robot works; `catch_up` is to be called often."""

    def __init__(self, stack: Stack, person: SimulatedPerson, demonstration: Demonstration, goal: SuiteGoal) -> None:
        self._stack, self._person, self._share = stack, person, _Share(demonstration, goal)
        self._seen, self._began, self._again = 0, 0.0, 0.0

    @property
    def done(self) -> int:
        return self._share.done

    def catch_up(self, observer: Observer, finish: bool = False) -> None:
        """See `Companion`. To finish, time passes, until the person is through or fails: nobody else changes anything
        any more."""
        self._go_on(observer)
        while finish and self._person.busy:
            self._stack.advance(_TICK)
            self._go_on(observer)

    def _go_on(self, observer: Observer) -> None:
        """Takes in what has ended, and begins what is next."""
        now = self._stack.now()
        for done, result in self._person.results[self._seen:]:
            self._seen += 1
            if not self._share.ended(done, result.ok, self._began, observer):
                self._again = now + _RETRY
        call = self._share.next(observer) if not self._person.busy and now >= self._again else None
        if call is not None:
            self._began = now
            self._person.do(call)


def make_companion(stack: TaskExecutor, demonstration: Demonstration, goal: SuiteGoal) -> Companion:
    """For the person that `stack` was made with. Errors: ValueError where it was made without one."""
    if isinstance(stack, OracleStack) and stack.person is not None:
        return OracleCompanion(stack.person, demonstration, goal)
    if isinstance(stack, Stack) and stack.person is not None:
        return PhysicalCompanion(stack, stack.person, demonstration, goal)
    raise ValueError("the stack was made without a person, so there is no companion")
