"""The simulated person in an episode: does their share of a demonstration, each part when its time has come."""

from __future__ import annotations

from collections import deque

from dadu.eval.expert import Demonstration
from dadu.eval.goal import Goal, ancestors
from dadu.eval.metrics.together import Action
from dadu.eval.observer import Observer
from dadu.eval.state import ROBOT
from dadu.sim.oracle.world import OracleStack
from dadu.skills.call import SkillCall

_TRIES = 20
"""attempts at one skill before the person gives it up: what it needs may not be there yet"""


class Companion:
    """Acts side by side with the robot: never further in time than the robot is."""

    def __init__(self, stack: OracleStack, demonstration: Demonstration, goal: Goal) -> None:
        rows = zip(demonstration.calls, demonstration.agents, demonstration.origins)
        self._left = deque((call, origin) for call, agent, origin in rows if agent != ROBOT)
        self._stack, self._tries = stack, 0
        edges = {pair for c in goal.constraints for pair in c.temporal or ()}
        edges |= {(a, b) for d in goal.dependencies if d.relation != "before_satisfied"
                  for a in d.depends_on for b in d.propositions}
        self._before = ancestors(edges)

    def catch_up(self, observer: Observer, finish: bool = False) -> None:
        """Acts until the person has come as far in time as the robot, or has to wait for something; `finish`: as far as
        it goes."""
        robot = observer.backend.stack.now()
        while self._left and (finish or self._stack.now() <= robot):
            call, origin = self._left[0]
            since = observer.monitor.verdict().since
            began = self._stack.now()
            if any(since[i] is None for i in self._before.get(origin, ())) or not self._does(call, observer, began):
                self._stack.agent.clock = max(self._stack.now(), robot)
                return

    def _does(self, call: SkillCall, observer: Observer, began: float) -> bool:
        """Whether the person is through with a skill: it worked, or was tried often enough."""
        self._stack.view.know_all()
        result = self._stack.execute(call)
        observer.look()
        self._tries += 1
        if result.ok:
            observer.act(Action(agent="person", skill=call.skill, gained=False), began)
        if result.ok or self._tries >= _TRIES:
            self._left.popleft()
            self._tries = 0
            return True
        return False
