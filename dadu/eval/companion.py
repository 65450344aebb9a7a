"""The simulated person in an episode: does their share of a demonstration, each part when its time has come."""

from __future__ import annotations

from collections import deque

from dadu.eval.expert import Demonstration, order
from dadu.eval.goal import Goal, ancestors
from dadu.eval.metrics.together import Action
from dadu.eval.state import ROBOT
from dadu.sim.oracle.world import OracleStack

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
        self._rank = {i: n for n, i in enumerate(order(goal))}

    def act(self, until: float, reached: list[bool]) -> Action | None:
        """The next skill, where it is time for it: `until` [s] is the robot's clock, `reached` tells by proposition
        whether it has come true. None where nothing was done."""
        if not self._left or self._stack.now() > until:
            return None
        call, origin = self._left[0]
        if not all(reached[i] for i in self._before.get(origin, ())):
            self._stack.agent.clock = until
            return None
        self._stack.view.know_all()
        result = self._stack.execute(call)
        self._tries += 1
        if result.ok or self._tries >= _TRIES:
            self._left.popleft()
            self._tries = 0
        else:
            self._stack.agent.clock = max(self._stack.agent.clock, until)
        return Action(agent="person", skill=call.skill, gained=False) if result.ok else None
