"""Skill calls and results between the library and dadu_interfaces."""

from __future__ import annotations

from dadu_interfaces.msg import Outcome
from dadu_interfaces.msg import SkillCall as SkillCallMsg

from dadu.skills.call import SkillCall
from dadu.skills.outcome import Code, SkillResult


def outcome(result: SkillResult) -> Outcome:
    return Outcome(code=int(result.code), detail=result.detail, message=result.message, target=result.target)


def result(message: Outcome) -> SkillResult:
    return SkillResult(Code(message.code), message.message, message.detail, message.target)


def call_message(call: SkillCall) -> SkillCallMsg:
    return SkillCallMsg(skill=call.skill, arguments=list(call.arguments))


def call(message: SkillCallMsg) -> SkillCall:
    """Unchecked: a record may hold what was refused."""
    return SkillCall(message.skill, tuple(message.arguments))
