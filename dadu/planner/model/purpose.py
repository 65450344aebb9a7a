"""What a model that says no more than ``go_to(TARGET)`` will do there: base placement has to know."""

from __future__ import annotations

from collections.abc import Sequence

from dadu.planner.policies.policy import Turn
from dadu.skills.call import SkillCall
from dadu.skills.effects import ROBOT
from dadu.skills.table import SKILLS
from dadu.world.graph import Kind


def purpose_of(call: SkillCall, turn: Turn, plan: Sequence[SkillCall] = ()) -> str:
    """One of `dadu.skills.specification.PURPOSES`: what the plan has next there, else what has just failed
    there, else what is possible there."""
    if call.skill != "go_to":
        return ""
    target = call.arguments[0]
    entity = turn.graph.entities.get(target)
    if entity is None or entity.kind is Kind.ROOM:
        return "look"
    following = plan[1] if len(plan) > 1 else None
    last = turn.history[-1] if turn.history else None
    failed = last.call if last is not None and last.result is not None and not last.result.ok else None
    for other in (following, failed):
        purpose = SKILLS[other.skill].purpose(other.arguments, target, entity.kind) if other is not None else None
        if purpose is not None:
            return purpose
    if turn.graph.held(ROBOT) is not None:
        return "place" if entity.kind is Kind.FURNITURE else "look"
    if entity.kind is Kind.OBJECT:
        return "pick"
    return "open" if entity.closed else "look"
