"""PARTNR's heuristic expert as a planner: privileged to the true state and to the goal that the judge has, it plans all
steps beforehand, and anew where one has failed. What it gets done is a bound, not a result.

Source: PARTNR, section 4.1.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass

from dadu.goals.suite_goal import SuiteGoal
from dadu.planner.policies.policy import Turn
from dadu.planner.presets import EXPERT
from dadu.planner.step import Decision
from dadu.skills.call import SkillCall
from dadu.stacks.oracle import AgentStack, OracleStack
from dadu.tasks.expert import Demonstration, Expert, NotFeasible
from dadu.world.graph import ROBOT


@dataclass(frozen=True)
class _Planned:
    call: SkillCall
    after: int
    """skills of the person that have to be done before it"""


class ExpertPolicy:
    """Follows the scripted expert's demonstration. Memory is shown all that is true at every turn."""

    name = EXPERT

    def __init__(self, stack: OracleStack, goal: SuiteGoal, first: Demonstration | None,
                 wait_for_person: Callable[[int], None] = lambda count: None) -> None:
        """`first`: how it goes if nothing goes wrong, None where there is no way; `wait_for_person`: lets time pass
        until so many of the person's skills in it are behind them."""
        self._stack, self._goal, self._wait_for_person = stack, goal, wait_for_person
        self._plan = deque(_robot_share(first) if first is not None else ())
        stack.view.know_all()

    def choose(self, turn: Turn) -> Decision:
        """Never unavailable."""
        last = turn.history[-1].result if turn.history else None
        if last is not None and not last.ok:
            self._plan = deque(self._anew())
        if self._plan:
            self._wait_for_person(self._plan[0].after)
        self._stack.view.know_all()
        if not self._plan:
            return Decision(SkillCall("done"), "nothing of the expert's plan is left", self.name,
                            plan=(SkillCall("done"),))
        ahead = tuple(planned.call for planned in self._plan)
        return Decision(self._plan.popleft().call, "the expert's next step", self.name, plan=ahead)

    def _anew(self) -> list[_Planned]:
        """From the world as it truly is now; nothing where the expert knows no way."""
        world = deepcopy(self._stack.world)
        expert = Expert(AgentStack(world, ROBOT, "all"), self._goal)
        try:
            expert.run()
        except NotFeasible:
            return []
        return [_Planned(call, 0) for call in expert.done.calls]


def _robot_share(done: Demonstration) -> list[_Planned]:
    """The robot's share, in order."""
    found, of_person = [], 0
    for call, agent in zip(done.calls, done.agents):
        if agent == ROBOT:
            found.append(_Planned(call, of_person))
        else:
            of_person += 1
    return found
