"""What a model that says no more than ``go_to(TARGET)`` will do there: base placement has to know."""

from __future__ import annotations

from collections.abc import Sequence

from dadu.planner.policies.policy import Turn
from dadu.skills.call import SkillCall
from dadu.skills.effects import ROBOT
from dadu.world.graph import Kind

_THERE = ("pick", "place", "open", "close")


def purpose_of(call: SkillCall, turn: Turn, plan: Sequence[SkillCall] = ()) -> str:
    """One of `dadu.navigation.standing.candidates.PURPOSES`: what the plan has next there, else what has just failed
    there, else what is possible there."""
    if call.skill != "go_to":
        return ""
    target = call.arguments[0]
    entity = turn.graph.entities.get(target)
    if entity is None or entity.kind is Kind.ROOM:
        return "look"
    following = plan[1] if len(plan) > 1 else None
    if following is not None and following.skill in _THERE and target in following.arguments:
        return following.skill
    last = turn.history[-1] if turn.history else None
    if last is not None and last.result is not None and not last.result.ok and last.call.skill in _THERE:
        if target in last.call.arguments:
            return last.call.skill
    if turn.graph.held(ROBOT) is not None:
        return "place" if entity.kind is Kind.FURNITURE else "look"
    if entity.kind is Kind.OBJECT:
        return "pick"
    return "open" if entity.closed else "look"
