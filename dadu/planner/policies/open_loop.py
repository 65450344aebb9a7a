"""Planning once, for the ablation that shows what planning anew is worth."""

from __future__ import annotations

from dataclasses import replace

from dadu.planner.policies.policy import Policy, Turn
from dadu.planner.step import Decision
from dadu.skills.call import SkillCall
from dadu.skills.table import SKILLS
from dadu.world.graph import WorldGraph


class OpenLoop:
    """Follows the plan of `policy`'s first decision to its end, whatever comes of it."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy
        self._plan: list[SkillCall] = []
        self._first: Decision | None = None

    @property
    def name(self) -> str:
        return self._policy.name

    def choose(self, turn: Turn) -> Decision:
        """Errors: PolicyUnavailable."""
        if self._first is None:
            first = self._policy.choose(turn)
            looks_around = turn.progress is None and not first.plan
            if not looks_around and first.failure is None:  # else it is asked until there is a plan
                self._first, self._plan = first, list(first.plan[1:])
            return first
        call = _bound(self._plan.pop(0), turn.graph) if self._plan else SkillCall("done")
        over = call.skill == "done"
        return replace(self._first, call=call, reasoning="the plan's next step",
                       purpose=self._purpose(call, turn.graph), plan=(call, *self._plan), hopeless=over, query=None,
                       side=None, seeks=None, calls=(), prompt="", reply="", schema="")

    def _purpose(self, call: SkillCall, graph: WorldGraph) -> str:
        """What a go_to is for: the plan's next step, where that is done at its target."""
        if call.skill != "go_to":
            return ""
        following, target = self._plan[0] if self._plan else None, call.arguments[0]
        if following is None or target not in graph:
            return "look"
        return SKILLS[following.skill].purpose(_bound(following, graph).arguments, target, graph[target].kind) or "look"


def _bound(call: SkillCall, graph: WorldGraph) -> SkillCall:
    """What was only a category's name when the plan was made, as the first such thing that is known now."""
    def bind(word: str) -> str:
        alike = sorted(e.id for e in graph if e.category == word)
        return word if word in graph or not alike else alike[0]
    return replace(call, arguments=tuple(map(bind, call.arguments)))
