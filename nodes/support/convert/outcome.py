"""Skill calls and results between the library and dadu_interfaces."""

from __future__ import annotations

from dadu_interfaces.msg import Outcome
from dadu_interfaces.msg import SkillCall as SkillCallMsg

from dadu.replay.messages import call, result
from dadu.skills.call import SkillCall
from dadu.skills.outcome import SkillResult

__all__ = ["call", "call_message", "outcome", "result"]


def outcome(result: SkillResult) -> Outcome:
    return Outcome(code=int(result.code), detail=result.detail, message=result.message, target=result.target)


def call_message(call: SkillCall) -> SkillCallMsg:
    return SkillCallMsg(skill=call.skill, arguments=list(call.arguments))
