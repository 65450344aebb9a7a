"""What a model that says no more than ``go_to(TARGET)`` will do there: base placement has to know."""

from __future__ import annotations

from collections.abc import Sequence

from dadu.planner.policies.policy import Turn
from dadu.skills.call import SkillCall
from dadu.skills.table import SKILLS
from dadu.world.graph import ROBOT, Kind


def purpose_of(call: SkillCall, turn: Turn, plan: Sequence[SkillCall] = ()) -> str:
    """One of `dadu.skills.specification.PURPOSES`: what the plan has next there, else what has just failed
    there, else what is possible there."""
    if call.skill != "go_to":
        return ""
    target = call.arguments[0]
    entity = turn.graph.entities.get(target)
    if entity is None or entity.kind is Kind.ROOM:
        return "look"
    for other in (*plan[1:2],
                  *[step.call for step in turn.history[-1:] if step.result is not None and not step.result.ok]):
        purpose = SKILLS[other.skill].purpose(other.arguments, target, entity.kind)
        if purpose is not None:
            return purpose
    if turn.graph.held(ROBOT) is not None:
        return "place" if entity.kind is Kind.FURNITURE else "look"
    if entity.kind is Kind.OBJECT:
        return "pick"
    return "open" if entity.closed else "look"
